package rating

import (
	"math/rand/v2"
	"testing"
)

// pairings are candidates of different strengths, each with a few blocks handed
// out to one worker and the others; the worker's are flipped by a chance.
func pairings(r *rand.Rand, n, blocks int, flip float64) []Stratum {
	out := make([]Stratum, n)
	for i := range out {
		p := 0.5 + 0.4*r.Float64()
		worker, others := [5]int64{}, [5]int64{}
		for range blocks {
			score := 0
			for range 2 {
				switch u := r.Float64(); {
				case u < p-0.1:
					score += 2
				case u < p+0.1:
					score++
				}
			}
			if r.IntN(4) > 0 {
				others[score]++
				continue
			}
			if r.Float64() < flip {
				score = 4 - score
			}
			worker[score]++
		}
		out[i] = Stratum{Pentanomial(worker), Pentanomial(others)}
	}
	return out
}

// A sound worker is suspect at the level asked for, one that lies nearly always,
// though no pairing alone has enough blocks to tell.
func TestSuspectAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const runs = 1000
	sound, liar := 0, 0
	for range runs {
		for flip, count := range map[float64]*int{0: &sound, 1: &liar} {
			h, err := SuspectAll(pairings(r, 40, 16, flip))
			if err != nil || !h.P.Defined || h.DF < 2 || h.DF > 4 {
				t.Fatalf("%+v %v", h, err)
			}
			if h.P.Value < 0.01 {
				*count++
			}
		}
	}
	t.Logf("suspect at 1 %%: %.3f of the sound, %.3f of the liars", float64(sound)/runs, float64(liar)/runs)
	if sound > 20 || liar < runs*9/10 {
		t.Errorf("%d of the sound and %d of the liars of %d are suspect", sound, liar, runs)
	}
}

func TestSuspectAllEdges(t *testing.T) {
	alone := []Stratum{{Pentanomial([5]int64{1, 2, 3, 4, 5}), Pentanomial([5]int64{})}}
	same := []Stratum{{Pentanomial([5]int64{0, 0, 9, 0, 0}), Pentanomial([5]int64{0, 0, 90, 0, 0})}}
	for _, strata := range [][]Stratum{nil, alone, same} {
		if h, err := SuspectAll(strata); err != nil || h.P.Defined || h.Reason == "" {
			t.Errorf("%+v %v", h, err)
		}
	}
	if _, err := SuspectAll([]Stratum{{Pentanomial([5]int64{}), Trinomial(1, 2, 3)}}); err == nil {
		t.Error("histograms of two shapes are accepted")
	}
	if _, err := SuspectAll([]Stratum{{Pentanomial([5]int64{-1}), Pentanomial([5]int64{})}}); err == nil {
		t.Error("a negative count is accepted")
	}
	// One pairing of many blocks agrees with the plain test.
	w, o := Pentanomial([5]int64{30, 60, 120, 60, 30}), Pentanomial([5]int64{40, 200, 400, 250, 90})
	one, err := SuspectAll([]Stratum{{w, o}})
	plain, err2 := Suspect(w, o)
	if err != nil || err2 != nil || one.DF != plain.DF {
		t.Fatalf("%+v %+v %v %v", one, plain, err, err2)
	}
	if d := one.Chi2.Value/plain.Chi2.Value - 1; d < -0.01 || d > 0.01 {
		t.Errorf("chi2 %v, plain %v", one.Chi2, plain.Chi2)
	}
}
