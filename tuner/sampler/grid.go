package sampler

import (
	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// maxGrid bounds the parameter sets of a grid.
const maxGrid = 1 << 16

// members is a relative sampler that proposes a list, one a trial.
type members struct {
	space tuner.Space
	list  []param.Values
}

// SampleRelative implements goptuna.RelativeSampler.
func (m *members) SampleRelative(_ *goptuna.Study, t goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	out := make(map[string]float64, len(m.space))
	for i := range m.space {
		d := &m.space[i]
		text, _ := m.list[t.Number].Get(d.Name)
		x, err := d.Internal(d.Distribution(false), text)
		if err != nil {
			return nil, err
		}
		out[d.Name] = x
	}
	return out, nil
}

// newGrid lists the parameter sets that play differently: of those that differ
// only in inactive values, the first.
func newGrid(_ uint64, space tuner.Space, fixed param.Values) (*asker, error) {
	if err := refuseGrid(space); err != nil {
		return nil, err
	}
	var list []param.Values
	seen := map[string]bool{}
	for i := range space.Size() {
		m := space.Member(i)
		if key := space.Activate(fixed, m).String(); !seen[key] {
			seen[key] = true
			list = append(list, m)
		}
	}
	return &asker{relative: &members{space, list}, size: len(list)}, nil
}

// fresh makes a sampler of single parameters anew for every trial, so that it
// keeps no state of its own.
func fresh(make func(seed int64) goptuna.Sampler) func(uint64, tuner.Space, param.Values) (*asker, error) {
	return func(uint64, tuner.Space, param.Values) (*asker, error) {
		return &asker{global: true, fresh: make}, nil
	}
}
