package bisect

import (
	"math"

	"golang.org/x/perf/benchmath"

	"sakusen/bench"
)

// Class is what is known of a commit.
type Class int

// The classes.
const (
	Good Class = iota
	Bad
	Skip // does not build, or has no such benchmark
)

// found is where a search ended.
type found struct {
	Good    int   // the last good commit before it; -1 is the one before all
	First   int   // the first bad commit that could be judged
	Skipped []int // commits between the two, each of which may be the first bad one
	Tested  int   // commits that were judged
}

// search finds the first bad one of commits 0 to n-1, oldest first, of which the
// last is known to be bad and the one before the first to be good. It asks for
// the one in the middle, or the nearest to it that was not skipped.
func search(n int, class func(i int) (Class, error)) (found, error) {
	f := found{Good: -1, First: n - 1}
	skipped := map[int]bool{}
	for {
		at, ok := middle(f.Good, f.First, skipped)
		if !ok {
			break
		}
		c, err := class(at)
		if err != nil {
			return f, err
		}
		switch c {
		case Good:
			f.Good = at
			f.Tested++
		case Bad:
			f.First = at
			f.Tested++
		case Skip:
			skipped[at] = true
		}
	}
	for i := f.Good + 1; i < f.First; i++ {
		f.Skipped = append(f.Skipped, i)
	}
	return f, nil
}

// middle is the index between two others that is nearest to their middle and was
// not skipped.
func middle(lo, hi int, skipped map[int]bool) (int, bool) {
	mid := lo + (hi-lo)/2
	for d := range hi - lo {
		for _, at := range []int{mid - d, mid + d} {
			if at > lo && at < hi && !skipped[at] {
				return at, true
			}
		}
	}
	return 0, false
}

// looks are the numbers of rounds after which the samples are looked at: few
// suffice where a change is clear. The last is the most.
func looks(most int) []int {
	var list []int
	for _, n := range []int{2, 5, 6, 8, 10, 12, 16, 20, 28, 40} {
		if n < most {
			list = append(list, n)
		}
	}
	return append(list, most)
}

// alpha is the chance of finding a difference between two equal levels, over all looks. It
// is spent by the square of the share of the rounds, so that most is left for the last
// look. The sum over the looks bounds it, even though they are not independent.
const alpha = 0.01

// spent is the level of the look after so many rounds.
func spent(list []int, k int) float64 {
	before := 0.0
	if k > 0 {
		before = share(list, k-1)
	}
	return alpha * (share(list, k) - before)
}

func share(list []int, k int) float64 {
	t := float64(list[k]) / float64(list[len(list)-1])
	return t * t
}

// differ tells whether two samples stand on two levels, which differ by at least
// the least relative change.
func differ(one, other []float64, level, least float64) bool {
	a, b := bench.Median(one), bench.Median(other)
	if a == b || math.Abs(b-a) < least*math.Abs(a) {
		return false
	}
	return constant(one) && constant(other) && len(one) > 1 || uTest(one, other) < level
}

// nearer tells whether the middle commit is nearer to the bad level than to the good one,
// and whether that is certain. It is compared with the mean of both in each round, so that
// a machine whose speed drifts moves all three.
func nearer(good, mid, bad []float64) (toBad, sure bool) {
	n := min(len(good), len(mid), len(bad))
	halfway := make([]float64, n)
	for i := range n {
		halfway[i] = (good[i] + bad[i]) / 2
	}
	rises := bench.Median(bad) > bench.Median(good)
	m, h := bench.Median(mid[:n]), bench.Median(halfway)
	sure = constant(good) && constant(mid) && constant(bad) && n > 1 || uTest(halfway, mid[:n]) < 0.01
	return (m > h) == rises, sure
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// uTest is the p of Mann and Whitney's test.
func uTest(one, other []float64) float64 {
	thresholds := benchmath.DefaultThresholds
	a := benchmath.NewSample(append([]float64(nil), one...), &thresholds)
	b := benchmath.NewSample(append([]float64(nil), other...), &thresholds)
	return benchmath.AssumeNothing.Compare(a, b).P
}
