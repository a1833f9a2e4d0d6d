package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/suite"
)

// pairings returns candidates of different strengths, each with a few blocks handed
// out to one worker and the others; the worker's are flipped by a chance.
func pairings(r *rand.Rand, n, blocks int, low, high, flip float64) []Stratum {
	out := make([]Stratum, n)
	for i := range out {
		p := low + (high-low)*r.Float64()
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
	const runs = 600
	// Candidates that mostly win, and candidates of all kinds.
	for _, span := range [][2]float64{{.5, .9}, {.1, .9}} {
		sound, liar := 0, 0
		for range runs {
			for flip, count := range map[float64]*int{0: &sound, 1: &liar} {
				h, err := SuspectAll(pairings(r, 40, 16, span[0], span[1], flip))
				if err != nil || !h.P.Defined || h.DF < 2 {
					t.Fatalf("%+v %v", h, err)
				}
				if h.P.Value < 0.01 {
					*count++
				}
			}
		}
		t.Logf("%v: suspect at 1 %%: %.3f of the sound, %.3f of the liars", span, float64(sound)/runs, float64(liar)/runs)
		if sound > 14 || liar < runs*9/10 { // 2 standard errors above 1 %
			t.Errorf("%v: %d of the sound and %d of the liars of %d are suspect", span, sound, liar, runs)
		}
	}
}

// A sound worker is looked at again and again while its blocks come, few of them beside the others' and
// most of them drawn: P falls below 1e-5 at any time in at most one of a thousand lives.
func TestSoundOverLife(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lives := 400
	if !suite.Few() {
		lives = 4000
	}
	for _, c := range []struct {
		share float64
		cells [5]float64
	}{{.25, [5]float64{.1, .2, .4, .2, .1}}, {.05, [5]float64{.1, .2, .4, .2, .1}}, {.05, [5]float64{.002, .02, .95, .02, .008}}} {
		named := 0
		for range lives {
			s, next, below := []Stratum{{Pentanomial([5]int64{}), Pentanomial([5]int64{})}}, 20, false
			for n := 1; n <= 5000; n++ {
				cell := 0
				for x := r.Float64() - c.cells[0]; x > 0 && cell < 4; x -= c.cells[cell] {
					cell++
				}
				counts := s[0].Others.Counts
				if r.Float64() < c.share {
					counts = s[0].Worker.Counts
				}
				if counts[cell]++; n >= next {
					next += n / 10
					h, err := SuspectAll(s)
					if err != nil {
						t.Fatal(err)
					}
					below = below || h.P.Defined && h.P.Value < 1e-5
				}
			}
			if below {
				named++
			}
		}
		t.Logf("%+v: %d of %d", c, named, lives)
		if rate := .001 * float64(lives); float64(named) > rate+3.3*math.Sqrt(rate)+1 {
			t.Errorf("%+v: %d sound ones of %d are named", c, named, lives)
		}
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
	// One pairing of many blocks agrees with the plain test, but for the choice.
	w, o := Pentanomial([5]int64{30, 60, 120, 60, 30}), Pentanomial([5]int64{40, 200, 400, 250, 90})
	one := association([]Stratum{{w, o}}, 5)
	plain, err := Suspect(w, o)
	if err != nil || one.DF != plain.DF {
		t.Fatalf("%+v %+v %v", one, plain, err)
	}
	if d := one.Chi2.Value/plain.Chi2.Value - 1; d < -0.01 || d > 0.01 {
		t.Errorf("chi2 %v, plain %v", one.Chi2, plain.Chi2)
	}
	// All hand-outs of two blocks of four: the mean of the squares is 1, and their
	// variance is what the fourth moment says.
	scores := []int{0, 1, 1, 4}
	sum, squares, n := 0.0, 0.0, 0.0
	for i := range scores {
		for j := range i {
			d := float64(scores[i]+scores[j]) - 3
			x := d * d / (9.0 * (0.5 - 1.0/6)) // sum of squares about 1.5 is 9
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	h := dispersion([]Stratum{{Pentanomial([5]int64{1, 1}), Pentanomial([5]int64{0, 1, 0, 0, 1})}}, 5)
	variance := squares/n - 1
	if want := 2 / variance; math.Abs(sum/n-1) > 1e-12 || h.DF != int(math.Round(want)) {
		t.Errorf("mean %g, variance %g: %+v, want %g degrees of freedom", sum/n, variance, h, want)
	}
}
