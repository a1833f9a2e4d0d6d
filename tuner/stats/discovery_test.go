package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDiscoveryAlpha(t *testing.T) {
	g := func(n int) float64 { return 6 / (math.Pi * math.Pi * float64(n*n)) }
	for _, c := range []struct {
		attempt int
		passed  []int
		level   float64
	}{
		{1, nil, 0.05 * g(1)},
		{4, nil, 0.05 * g(4)},
		{4, []int{3}, 0.05 * g(4)},
		{4, []int{1, 3}, 0.05 * (g(4) + g(1))},
		{9, []int{1, 3, 8}, 0.05 * (g(9) + g(6) + g(1))},
	} {
		got, err := DiscoveryAlpha(0.05, c.attempt, c.passed)
		if err != nil || math.Abs(got-c.level) > 1e-15 {
			t.Errorf("attempt %d after passes %v: %v %v, expected %v", c.attempt, c.passed, got, err, c.level)
		}
	}
	for _, passed := range [][]int{{0}, {4}, {2, 1}, {2, 2}} {
		if _, err := DiscoveryAlpha(0.05, 4, passed); err == nil {
			t.Errorf("passes %v were accepted", passed)
		}
	}
}

// Whatever mixture of true and false attempts there is, the share of false passes
// among all passes is at most alpha on average, and more true ones pass than
// where all attempts share one alpha.
func TestSimulatedDiscoveries(t *testing.T) {
	const alpha, attempts, sequences = 0.1, 60, 1500
	r := rand.New(rand.NewPCG(3, 4))
	for _, share := range []float64{0, 0.1, 0.5, 0.9} {
		falseShare, found, foundByAlpha, gains := 0.0, 0, 0, 0
		for range sequences {
			var passed []int
			wrong := 0
			for k := 1; k <= attempts; k++ {
				level, err := DiscoveryAlpha(alpha, k, passed)
				if err != nil {
					t.Fatal(err)
				}
				spent, err := AttemptAlpha(alpha, k)
				if err != nil {
					t.Fatal(err)
				}
				gain := r.Float64() < share
				z := r.NormFloat64()
				if gain {
					gains++
					z += 3
				}
				p := math.Erfc(z/math.Sqrt2) / 2
				if gain && p <= spent {
					foundByAlpha++
				}
				if p <= level {
					passed = append(passed, k)
					if gain {
						found++
					} else {
						wrong++
					}
				}
			}
			falseShare += float64(wrong) / math.Max(1, float64(len(passed))) / sequences
		}
		t.Logf("gains in %.1f of attempts: false share %.4f, found %.3f, with a shared alpha %.3f", share, falseShare,
			float64(found)/math.Max(1, float64(gains)), float64(foundByAlpha)/math.Max(1, float64(gains)))
		if tolerance := 2.6 * math.Sqrt(alpha*(1-alpha)/sequences); falseShare > alpha+tolerance {
			t.Errorf("gains in %.1f of attempts: a share of %.4f of the passes is false, expected at most %v", share, falseShare, alpha)
		}
		if found < foundByAlpha {
			t.Errorf("gains in %.1f of attempts: found %d, with a shared alpha %d", share, found, foundByAlpha)
		}
	}
}
