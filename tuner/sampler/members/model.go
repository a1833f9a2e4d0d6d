package members

import (
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/normal"
)

// Model is a Gaussian process of the heights, in Elo, of a finite space's members, which meet
// opponents one by one. It takes no shape for granted, and choices and conditions are as good to
// it as numbers. What it proposes and answers is a function of the view: what is kept from one
// to the next could be computed again.
type Model struct {
	space *space
	kinds []kind
	seats int

	seen  []seen
	taken int       // observations of the view
	noise []float64 // by member: variance of a block's score
	full  scale     // the last choice of a kind and scales, by so many of seen:
	known int
	now   *heights // nil before it is asked for
	rows  int      // of seen, in now
	over  bool     // now leaves nothing to be gained
}

// seen is what a batch showed of a member.
type seen struct {
	member, batch int
	score, blocks float64
	noise         float64 // standard error of the score, NaN where it is not known
}

// New is the model of a space in which the view's candidates are scored against opponents; nil
// where it has more than tuner.FewMembers members, or fewNumbers where there are no choices and no
// conditions, and where games of another kind are played.
func New(dimensions tuner.Space, v *tuner.View) *Model {
	if v.Seats == 0 || v.Plan.Duels {
		return nil
	}
	s := list(dimensions, v)
	if s == nil {
		return nil
	}
	return &Model{space: s, kinds: kindsOf(s), seats: v.Seats}
}

// see takes what is new in a view.
func (m *Model) see(v *tuner.View) {
	if m.taken > len(v.Observed) { // another study
		m.seen, m.taken, m.now, m.known = nil, 0, nil, 0
	}
	for ; m.taken < len(v.Observed); m.taken++ {
		o := &v.Observed[m.taken]
		i, ok := m.space.index[v.Told[o.Trial].Params.String()]
		if !ok || o.Blocks == 0 || math.IsNaN(o.Value) || m.space.based && i == 0 {
			continue // of the baseline against itself nothing is to be learnt
		}
		m.seen = append(m.seen, seen{i, o.Batch, o.Value, float64(o.Blocks), o.Noise})
	}
}

// Propose is the member of a draw: the highest of heights drawn from the posterior (W.
// Thompson, On the likelihood that one unknown probability exceeds another, 1933). The
// baseline, whose height is known, is none. It is nil where no member may still be better than
// the best by more than settled.
func (m *Model) Propose(v *tuner.View, seed uint64, draw int) param.Values {
	m.see(v)
	m.believe()
	if m.over {
		return nil
	}
	rng := arena.NewStream(seed^drawKey, uint64(draw))
	x := make([]float64, m.size())
	for i := range x {
		x[i] = normal.Draw(&rng)
	}
	m.now.root.Backward(x)
	for i := range x {
		x[i] += m.now.mean[i]
	}
	first := 0
	if m.space.based && len(m.space.values) > 1 {
		first = 1
	}
	best := first
	for i := first; i < len(m.space.values); i++ {
		if m.height(x, i) > m.height(x, best) {
			best = i
		}
	}
	return m.space.values[best]
}

const drawKey = 0x66696e697465 // of the model's random numbers

// Answer is the member that is believed highest, with what is believed of it; false before
// anything is seen.
func (m *Model) Answer(v *tuner.View) (a tuner.Answer, ok bool) {
	m.see(v)
	m.believe()
	if len(m.seen) == 0 {
		return a, false
	}
	mean, sd := m.averaged()
	best := 0
	for i, h := range mean {
		if h > mean[best] {
			best = i
		}
	}
	score, slope := m.score(mean[best])
	a.Values = slices.Clone(m.space.values[best])
	a.Belief = &tuner.Belief{Mean: score, StandardError: sd[best] * slope}
	return a, true
}
