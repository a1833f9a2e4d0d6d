package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/suite"
)

// groupOf returns a prepared plan.
func groupOf(t testing.TB, g Group) *GroupTest {
	t.Helper()
	plan, err := g.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Two looks at half and all of the blocks: the second bound solves a bivariate
// normal equation, worked out here by plain integration.
func TestGroupBoundsOfTwoLooks(t *testing.T) {
	g := Group{Elo0: 0, Elo1: 10, Seats: 2, Alpha: 0.025, Beta: 0.05, MaxBlocks: 2000}
	z := g.bounds(g.Alpha, []int64{1000, 2000})
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	if got, want := 1-phi(z[0]), 0.025/4; math.Abs(got-want) > 1e-6 {
		t.Errorf("first look spends %.6g, want %.6g", got, want)
	}
	// P(Z1 < z0, Z2 >= z1), Z2 = (Z1 + Y)/sqrt 2.
	sum, const1 := 0.0, 20000
	low, high := -9.0, z[0]
	for i := range const1 {
		x := low + (high-low)*(float64(i)+0.5)/float64(const1)
		sum += math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) * (1 - phi(z[1]*math.Sqrt2-x)) * (high - low) / float64(const1)
	}
	if want := 0.025 - 0.025/4; math.Abs(sum-want) > 1e-6 {
		t.Errorf("second look spends %.6g, want %.6g", sum, want)
	}
}

func TestGroupLooks(t *testing.T) {
	for _, most := range []int64{1, 5, 16, 17, 40, 500, 2000, 1e9} {
		looks := Group{MaxBlocks: most}.Looks()
		if looks[len(looks)-1] != most {
			t.Errorf("%d blocks: looks %v do not end there", most, looks)
		}
		for i, n := range looks {
			if n < min(FewBlocks, most) || i > 0 && n <= looks[i-1] {
				t.Errorf("%d blocks: looks %v", most, looks)
			}
		}
	}
}

// TestGroupSimulated plays tests at known strengths. The published numbers are
// those of go test ./tuner/stats -run GroupSimulated -runs 20000 -v
func TestGroupSimulated(t *testing.T) {
	for _, src := range sources() {
		for _, c := range []struct {
			elo  float64
			most int64
		}{{0, 500}, {10, 500}, {20, 500}, {40, 500}, {0, 2000}, {10, 2000}, {20, 2000}, {40, 2000}, {55, 2000}} {
			if src.seats > 2 && suite.Few() {
				continue
			}
			plan := groupOf(t, Group{Elo0: 0, Elo1: 10, Seats: src.seats, Alpha: 0.025, Beta: 0.05, MaxBlocks: c.most})
			p := src.at(Logistic, c.elo)
			rng := rand.New(rand.NewPCG(uint64(c.most), uint64(c.elo)))
			pass, fail, covered, over, fixed := 0, 0, 0, 0, 0
			var lengths []float64
			truth := Score(c.elo, src.seats)
			for range *runs {
				b, l := playGroup(t, plan, p, rng)
				u, err := plan.Unbiased(b)
				if err != nil {
					t.Fatal(err)
				}
				switch l.Verdict {
				case H1:
					pass++
				case H0:
					fail++
				}
				if u.ScoreCI.Lo.Value <= truth && truth <= u.ScoreCI.Hi.Value {
					covered++
				}
				if u.Score.Value > truth {
					over++
				}
				lengths = append(lengths, float64(l.Blocks))
				full := Rotated(src.seats, drawn(p, c.most, rng))
				if full.above(0+Score(0, src.seats)) >= 1.959963984540054 {
					fixed++
				}
			}
			n := float64(*runs)
			plainly := func(k int) float64 { return float64(k) / n }
			mean, sd := spread(cellsOf(p), onesOf(p))
			_ = mean
			course, err := plan.Plan(c.elo, sd)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %+.0f Elo, %d blocks: pass %.3f (planned %.3f, fixed length %.3f), fail %.3f (%.3f), covered %.3f, above the truth %.3f, median %.0f blocks (%d)",
				src.name, c.elo, c.most, plainly(pass), course.Pass, plainly(fixed), plainly(fail), course.Fail, plainly(covered), plainly(over), medianOf(lengths), course.Median)
			if tolerance := 4 * math.Sqrt(0.025*0.975/n); c.elo <= 0 && plainly(pass) > 0.025+tolerance {
				t.Errorf("%s: passes %.3f of tests at 0 Elo", src.name, plainly(pass))
			}
			if tolerance := 4 * math.Sqrt(0.05*0.95/n); plainly(covered) < 0.945-tolerance {
				t.Errorf("%s: covers %.3f at %+.0f Elo", src.name, plainly(covered), c.elo)
			}
		}
	}
}

// cellsOf returns a distribution of block scores as cells.
func cellsOf(p []float64) []cell {
	out := make([]cell, len(p))
	for i, x := range p {
		out[i] = cell{float64(i) / float64(len(p)-1), x}
	}
	return out
}

func onesOf(p []float64) []float64 {
	out := make([]float64, len(p))
	for i := range out {
		out[i] = 1
	}
	return out
}

// drawn returns a histogram of n blocks.
func drawn(p []float64, n int64, rng *rand.Rand) []int64 {
	counts := make([]int64, len(p))
	addBlocks(counts, p, n, rng)
	return counts
}

func addBlocks(counts []int64, p []float64, n int64, rng *rand.Rand) {
	for range n {
		u, i := rng.Float64(), 0
		for i < len(p)-1 && u >= p[i] {
			u -= p[i]
			i++
		}
		counts[i]++
	}
}

// playGroup runs one group-sequential test to its end.
func playGroup(t *testing.T, plan *GroupTest, p []float64, rng *rand.Rand) (Blocks, GroupLook) {
	t.Helper()
	b := Rotated(plan.Seats, make([]int64, len(p)))
	for _, n := range plan.Looks() {
		addBlocks(b.Counts, p, n-b.N(), rng)
		l, err := plan.Judge(b)
		if err != nil {
			t.Fatal(err)
		}
		if l.Done() {
			return b, l
		}
	}
	t.Fatal("still going on after the last look")
	return b, GroupLook{}
}

func medianOf(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// Blocks played twice are as much evidence as blocks played once: the mean stays,
// and so do the errors and the tests.
func TestDistinctBlocks(t *testing.T) {
	once := Pentanomial([5]int64{12, 80, 190, 102, 16})
	twice := Pentanomial([5]int64{24, 160, 380, 204, 32})
	twice.Distinct = once.N()
	near := func(what string, a, b float64) {
		t.Helper()
		if math.Abs(a-b) > 1e-3*math.Max(1e-9, math.Abs(b)) {
			t.Errorf("%s: %v of blocks played twice, %v of blocks played once", what, a, b)
		}
	}
	a, b := twice.Estimate(), Blocks{Seats: 2, Games: 2, Counts: once.Counts, Distinct: once.N()}.Estimate()
	near("score", a.Score.Value, b.Score.Value)
	near("upper end", a.EloCI.Hi.Value, b.EloCI.Hi.Value)
	near("normalised error", a.NEloErr.Value, b.NEloErr.Value)
	near("LOS", a.LOS.Value, b.LOS.Value)
	near("deviate", twice.above(0.5), once.above(0.5))
	h := Hypotheses{Logistic, 0, 10}
	x, _, _ := h.LLR(twice)
	y, _, _ := h.LLR(once)
	near("LLR", x, y)
	plan := groupOf(t, Group{Elo0: 0, Elo1: 10, Seats: 2, Alpha: 0.025, Beta: 0.05, MaxBlocks: 800})
	u, err := plan.Unbiased(twice)
	if err != nil {
		t.Fatal(err)
	}
	if width, naive := u.EloCI.Hi.Value-u.EloCI.Lo.Value, b.EloCI.Hi.Value-b.EloCI.Lo.Value; width < 0.9*naive {
		t.Errorf("interval of %v Elo, that of the different blocks is %v wide", width, naive)
	}
	twice.Distinct = 801
	if err := twice.Validate(); err == nil {
		t.Error("more different blocks than blocks are accepted")
	}
}
