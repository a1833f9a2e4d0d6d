package tuner

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// drawsAgain is how often a sampler may propose anew what a finite space has
// already shown, before the space itself names another member.
const drawsAgain = 4

// fresh is the next proposal. Where the space is finite and the answer is the best
// trial, a parameter set that has a trial, or is in this batch already, would only
// bring the same trial a few more blocks, and a sampler that learns from trials
// may go on proposing it for ever. Then the sampler is asked again, and after a few
// draws a member that nobody has proposed takes its place. Only where there is none
// is a proposal repeated.
func (st *Study) fresh(view *View, drawn *int, batch map[string]bool) (param.Values, bool, error) {
	space, fixed := st.Setup.Tune.Params, st.Setup.Tune.Fix
	known := func(v param.Values) bool {
		hash := space.Activate(fixed, v).Hash()
		return batch[hash] || st.byValues[hash] != nil
	}
	_, stateful := st.proposer.(Stateful) // its draws are individuals of a generation
	finite := !stateful && !st.answers && st.Setup.Evaluate == nil && st.members() > len(st.byValues)+len(batch)
	for n := 0; ; n++ {
		v, ok, err := st.proposer.Propose(view, *drawn)
		if err != nil || !ok {
			return nil, false, err
		}
		*drawn++
		v = space.Ordered(fixed, v)
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

// untried is a member of a finite space that is not known, nil where all are. It
// is looked for from a place that the draw chooses.
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

// members is the number of parameter sets of a finite space that play differently,
// 0 where the space is not finite or too large to be walked.
func (st *Study) members() int {
	if st.counted == nil {
		n := st.Setup.Tune.Params.Count(st.Setup.Tune.Fix)
		st.counted = &n
	}
	return *st.counted
}
