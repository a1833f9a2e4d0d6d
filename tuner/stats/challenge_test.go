package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// chase races a trial that is behind by the given number of standard deviations
// against the incumbent, looking after every `every` blocks up to the last, and
// tells whether it was stopped.
func chase(t *testing.T, r *rand.Rand, c Challenge, behind float64, every, last int) bool {
	t.Helper()
	var p Paired
	for b := 1; b <= last; b++ {
		// A difference of two block scores takes few values.
		d := math.Round(2*(r.NormFloat64()-behind)) / 2
		p.N++
		p.Sum += d
		p.Squares += d * d
		if b%every != 0 {
			continue
		}
		look, err := c.Judge(p)
		if err != nil {
			t.Fatal(err)
		}
		if look.Stop {
			return true
		}
	}
	return false
}

// Of equals at most alpha are stopped over all looks together, however many;
// and those far behind are stopped.
func TestChallengeErrors(t *testing.T) {
	const runs = 4000
	for _, every := range []int{1, 8, 64} {
		for _, alpha := range []float64{0.01, 0.05} {
			c, err := NewChallenge(alpha, 64)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(7, uint64(every)))
			equal, far := 0, 0
			for range runs {
				if chase(t, r, c, 0, every, 64) {
					equal++
				}
				if chase(t, r, c, 0.6, every, 64) {
					far++
				}
			}
			// Three standard errors of a proportion.
			most := alpha + 3*math.Sqrt(alpha*(1-alpha)/runs)
			if got := float64(equal) / runs; got > most {
				t.Errorf("alpha %g, a look every %d blocks: %.4f of equals stopped, want at most %.4f", alpha, every, got, most)
			} else {
				t.Logf("alpha %g, a look every %d blocks: %.4f of equals stopped, %.4f of those .6 sd behind", alpha, every, got, float64(far)/runs)
			}
			if got := float64(far) / runs; got < 0.9 {
				t.Errorf("alpha %g, a look every %d blocks: %.3f of those far behind stopped", alpha, every, got)
			}
		}
	}
}

func TestChallengeEdges(t *testing.T) {
	c, err := NewChallenge(0.05, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		p    Paired
		stop bool
		want string
	}{
		{Paired{}, false, "no information: no common blocks"},
		{Paired{N: 1000, Sum: -1000, Squares: 1000}, false, "no information: the difference is the same in every block"},
		{Paired{N: 1000}, false, "no information: the difference is the same in every block"},
		{Paired{N: 8, Sum: -7, Squares: 8}, false, "8 common blocks of at least 16"},
		{Paired{N: 64, Sum: -40, Squares: 50}, true, "LLR 9.60 reached 3.00 after 64 common blocks"},
		{Paired{N: 64, Sum: 40, Squares: 50}, false, "LLR -9.67 below 3.00 after 64 common blocks"},
	} {
		got, err := c.Judge(x.p)
		if err != nil || got.Stop != x.stop || got.Reason != x.want {
			t.Errorf("%+v: %+v %v, want %v %q", x.p, got, err, x.stop, x.want)
		}
	}
	for _, bad := range []Paired{{N: -1}, {N: 1, Sum: math.NaN()}, {N: 1, Squares: -1}, {N: 1, Sum: math.Inf(1)}} {
		if _, err := c.Judge(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := NewChallenge(0.6, 10); err == nil {
		t.Error("alpha .6 is accepted")
	}
	if _, err := NewChallenge(0.05, 0); err == nil {
		t.Error("no blocks are accepted")
	}
	if _, err := NewPaired([]float64{1}, []float64{1, 2}); err == nil {
		t.Error("rows of different lengths are accepted")
	}
	if _, err := NewPaired([]float64{math.NaN()}, []float64{1}); err == nil {
		t.Error("NaN is accepted")
	}
}

// selected races equals of independent luck: batches of eight are halved at 8,
// 16, 32 and 64 blocks, the best mean at 128 is the incumbent, and those that a
// halving leaves are challenged. It counts those and the stopped ones.
func selected(t *testing.T, r *rand.Rand, c Challenge, batches int, halve bool) (stops, compared int) {
	t.Helper()
	type trial struct {
		values  []float64
		stopped bool
	}
	mean := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		return sum / float64(len(x))
	}
	var incumbent []float64
	for range batches {
		var in []*trial
		for range 8 {
			x := &trial{values: make([]float64, 128)}
			for b := range x.values {
				x.values[b] = float64(r.IntN(2)+r.IntN(2)) / 2
			}
			in = append(in, x)
		}
		seen := map[*trial]bool{}
		for _, blocks := range []int{8, 16, 32, 64} {
			if halve {
				slices.SortStableFunc(in, func(a, b *trial) int {
					return cmp.Compare(mean(b.values[:blocks]), mean(a.values[:blocks]))
				})
				in = in[:(len(in)+1)/2]
			}
			if incumbent == nil || blocks < FewBlocks {
				continue
			}
			for _, x := range in {
				p, err := NewPaired(x.values[:blocks], incumbent[:blocks])
				if err != nil {
					t.Fatal(err)
				}
				look, err := c.Judge(p)
				if err != nil {
					t.Fatal(err)
				}
				seen[x] = true
				x.stopped = x.stopped || look.Stop
			}
			in = slices.DeleteFunc(in, func(x *trial) bool { return x.stopped })
		}
		for x := range seen {
			compared++
			if x.stopped {
				stops++
			}
		}
		for _, x := range in {
			if incumbent == nil || mean(x.values) > mean(incumbent) {
				incumbent = x.values
			}
		}
	}
	return stops, compared
}

// In a race the incumbent was chosen by the blocks that compare, so its luck counts against all
// others. If nothing else stops trials, more than alpha of equals are stopped; after halving,
// which chose by the same blocks, fewer are.
func TestChallengeOfAChosenIncumbent(t *testing.T) {
	c, err := NewChallenge(0.05, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, halve := range []bool{true, false} {
		r := rand.New(rand.NewPCG(11, 12))
		stops, compared := 0, 0
		for range 100 {
			s, n := selected(t, r, c, 40, halve)
			stops, compared = stops+s, compared+n
		}
		share := float64(stops) / float64(compared)
		t.Logf("halving %v: %d of %d equals stopped, %.4f", halve, stops, compared, share)
		if most := map[bool]float64{true: 0.05, false: 0.25}[halve]; share > most {
			t.Errorf("halving %v: %.4f of the equals stopped, want at most %g", halve, share, most)
		}
	}
}
