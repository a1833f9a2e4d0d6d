package study

import (
	"math"
	"slices"

	"sakusen/tuner"
)

// champion is the individual that represents a pool in the final: the one that the sampler
// names, or else the best; nil if nobody played.
func (st *Study) champion(pool []*tuner.Trial) *tuner.Trial {
	var best *tuner.Trial
	for _, t := range pool {
		if t.Delegate {
			return t
		}
		if !math.IsNaN(t.Estimate.Value) && (best == nil || t.Estimate.Value > best.Estimate.Value) {
			best = t
		}
	}
	return best
}

// hall is the hall of fame: the champions of n pools spread over the second half of the
// search, the last first. A score in one's own pool is relative, and a population may move
// in circles; the final, against one common opponent, shows which champion is the best. If
// the sampler names champions, pools without one are skipped.
func (st *Study) hall(n int) []*tuner.Trial {
	var all, delegates, out []*tuner.Trial
	for _, pool := range st.pools {
		if t := st.champion(pool); t != nil {
			all = append(all, t)
			if t.Delegate {
				delegates = append(delegates, t)
			}
		}
	}
	if len(delegates) > 0 {
		all = delegates
	}
	for i := range n {
		at := len(all) - 1 - i*((len(all)+1)/2)/max(1, n)
		if at < 0 {
			break
		}
		if !slices.Contains(out, all[at]) {
			out = append(out, all[at])
		}
	}
	return out
}
