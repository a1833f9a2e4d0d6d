package points

import (
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// maxGrid bounds the parameter sets of a grid.
const maxGrid = 1 << 16

// grid proposes a list, one member a draw.
type grid struct {
	space tuner.Space
	fixed param.Values
	list  []param.Values // made when it is first needed
}

// Grid proposes the parameter sets that play differently: of those that differ
// only in inactive values, the first. It refuses spaces that are not finite or
// larger than 65 536 sets.
func Grid(_ tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
	if space.Size() == 0 || space.Size() > maxGrid {
		return nil, fmt.Errorf("a grid needs at most %d parameter sets: give every number a step, or narrow the ranges", maxGrid)
	}
	return &grid{space: space, fixed: fixed}, nil
}

// Propose implements tuner.Proposer.
func (g *grid) Propose(_ *tuner.View, draw int) (param.Values, bool, error) {
	if g.list == nil {
		g.fill()
	}
	if draw >= len(g.list) {
		return nil, false, nil
	}
	return g.list[draw], true, nil
}

// fill makes the list.
func (g *grid) fill() {
	seen := map[string]bool{}
	for i := range g.space.Size() {
		m := g.space.Ordered(g.fixed, g.space.Member(i))
		if key := g.space.Activate(g.fixed, m).String(); !seen[key] {
			seen[key] = true
			g.list = append(g.list, m)
		}
	}
}
