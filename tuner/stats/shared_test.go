package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The interval holds the planted correlation in about 95 of 100 sets of blocks
// whose scores take five values.
func TestSharedInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const runs = 600
	covered := 0
	for range runs {
		scores := make([][]float64, 6)
		for c := range scores {
			scores[c] = make([]float64, 64)
		}
		for b := range scores[0] {
			luck := r.NormFloat64()
			for c := range scores {
				scores[c][b] = math.Round(10 * (math.Sqrt(.4)*luck + math.Sqrt(.6)*r.NormFloat64()))
			}
		}
		s, err := NewShared(scores)
		if err != nil || !s.CI95.Lo.Defined {
			t.Fatalf("%+v %v", s, err)
		}
		if s.CI95.Lo.Value <= .4 && .4 <= s.CI95.Hi.Value {
			covered++
		}
	}
	// Three standard errors of .95 among 600 are .027.
	if share := float64(covered) / runs; share < .923 || share > .977 {
		t.Errorf("%.3f of the intervals hold the truth", share)
	}
	same, err := NewShared([][]float64{{0, 1, 2}, {0, 1, 2}})
	if err != nil || same.CI95.Lo.Defined {
		t.Errorf("%+v %v", same, err)
	}
}
