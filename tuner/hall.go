package tuner

import (
	"math"
	"slices"
)

// champion is what stands for a pool, nil where nobody played: its delegate, or
// else its best individual.
func (st *Study) champion(pool []*Trial) *Trial {
	var best *Trial
	for _, t := range pool {
		if t.delegate {
			return t
		}
		if !math.IsNaN(t.Estimate.Value) && (best == nil || t.Estimate.Value > best.Estimate.Value) {
			best = t
		}
	}
	return best
}

// hall is the hall of fame: the champions of n pools spread over the second half
// of the search, the last first. Strength in one's own pool is relative, so that
// a population may turn in circles; the final, against one and the same
// opponent, shows which of them did best. Where generations have delegates, the
// pools without one are passed over.
func (st *Study) hall(n int) []*Trial {
	var all, delegates, out []*Trial
	for _, pool := range st.pools {
		if t := st.champion(pool); t != nil {
			all = append(all, t)
			if t.delegate {
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
