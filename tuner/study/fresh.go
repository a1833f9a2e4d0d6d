package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// drawsAgain is how often a sampler may propose anew in a finite space before the study
// picks an untried parameter set itself.
const drawsAgain = 4

// fresh is the next proposal. In a finite space, where the answer is the best trial, a
// parameter set that already has a trial would only add a few blocks to it, and a sampler
// that learns from trials may propose it for ever. So the sampler is asked again, and after
// a few draws a parameter set that nobody has proposed takes its place. If there is none,
// the proposal is repeated.
func (st *Study) fresh(ctx context.Context, view *tuner.View, drawn *int, batch map[string]bool) (param.Values, bool, error) {
	space, fixed := st.Setup.Tune.Params, st.Setup.Tune.Fix
	known := func(v param.Values) bool {
		hash := space.Activate(fixed, v).Hash()
		return batch[hash] || st.byValues[hash] != nil
	}
	p, ok := st.proposer.(tuner.Stateful)
	generations := ok && p.Stateful() // its draws are the members of a generation
	finite := !generations && !st.answers && st.Setup.Evaluate == nil && st.members() > len(st.byValues)+len(batch)
	for n := 0; ; n++ {
		v, ok, err := propose(ctx, st, view, *drawn)
		if err != nil || !ok {
			return nil, false, err
		}
		*drawn++
		switch {
		case !finite || !known(v):
			return v, true, nil
		case n == drawsAgain:
			if other := st.untried(*drawn, known); other != nil {
				v = other
			}
			return v, true, nil
		}
	}
}

// untried is a parameter set of a finite space that is not known, nil if all are. The
// search for it begins at a place that depends on draw.
func (st *Study) untried(draw int, known func(param.Values) bool) param.Values {
	space := st.Setup.Tune.Params
	size := space.Size()
	s := arena.NewStream(st.Setup.Sampler.Seed, uint64(draw))
	from := s.IntN(size)
	for i := range size {
		if v := space.Ordered(st.Setup.Tune.Fix, space.Member((from+i)%size)); !known(v) {
			return v
		}
	}
	return nil
}

// members is the number of parameter sets of a finite space that play differently; 0 if the
// space is infinite or too large to be counted.
func (st *Study) members() int {
	if st.counted == nil {
		n := st.Setup.Tune.Params.Count(st.Setup.Tune.Fix)
		st.counted = &n
	}
	return *st.counted
}
