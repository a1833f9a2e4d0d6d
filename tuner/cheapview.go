package tuner

import (
	"math"
)

// cheap tells whether the search is in its cheap part.
func cheap(st *Study) bool { return st.Setup.Fidelity != nil && st.fidelity.ended == nil }

// cheapLimit is what the search may have cost when the cheap part ends.
func cheapLimit(st *Study) int64 {
	s := st.Setup
	return int64(cheapPart * float64(s.Budget.Games-s.Reserved(st.answers)-st.proofs))
}

// showDear lets a view show the search at the dear setting alone: what came before is what it
// begins with, as if it were of another study.
func showDear(st *Study, v *View) {
	f := &st.fidelity
	v.Duels = nil
	for i, d := range st.duels {
		d.Batch -= f.batches
		if i < f.duels {
			if d.Cheap && !f.ended.Kept {
				continue
			}
			d.Draw = givenDraw
			if d.Cheap {
				d.Score = min(1, max(0, 0.5+float64(f.ended.Used*(d.Score-0.5))))
				d.Noise, d.Weight = math.NaN(), f.ended.Weight
			}
		}
		v.Duels = append(v.Duels, d)
	}
	for i := range v.Told {
		t := &v.Told[i]
		t.Batch -= f.batches
		if i < f.trials {
			t.Draw = givenDraw
		}
	}
	v.Begun, v.From = f.trials, f.ended.At
	v.Plan.Begun = f.dearGames + f.ended.Worth
	v.Plan.Games -= f.spent
	v.Plan.Played -= f.spent
}

// showCheap lets a view show the cheap games alone, and how many there may be.
func showCheap(st *Study, v *View) {
	v.Duels = nil
	for _, d := range st.duels {
		if d.Cheap {
			v.Duels = append(v.Duels, d)
		}
	}
	share := st.Setup.Fidelity.Cost
	v.Plan.Games = int64((1 - linkPart) * float64(cheapLimit(st)) / share)
	v.Plan.Played, v.Plan.Blocks = st.fidelity.cheapGames, cheapBlocks(st.Setup)
}
