package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// mostAlike is the share of blocks with one score from which the others count as rare.
const mostAlike = 0.75

// rare returns the 95 % interval of the mean score where all but few blocks have one score,
// and whether they have. What the few say is a sum of rare events of several sizes, and a
// spread seen of one or two of them says next to nothing, so the normal interval is far too
// narrow. Those above the common score and those below have the gamma interval of a weighted
// sum of Poisson counts, whose upper end has one block more of the largest size there is (M.
// Fay and E. Feuer, Statistics in Medicine 16, 1997); their difference has its ends by the
// squares of the distances (G. Zou and A. Donner, Statistics in Medicine 27, 2008).
func (b Blocks) rare() (ci Interval, ok bool) {
	n, common := b.N(), 0
	for i, c := range b.Counts {
		if c > b.Counts[common] {
			common = i
		}
	}
	if n == 0 || b.Placed != nil || float64(b.Counts[common]) < mostAlike*float64(n) {
		return Interval{}, false
	}
	middle, evidence := b.score(common), float64(b.effective())
	var sides [2]struct{ sum, squares float64 } // below and above, in blocks that are evidence
	for i, c := range b.Counts {
		side, size := &sides[0], b.score(i)-middle
		if size > 0 {
			side = &sides[1]
		}
		weight := float64(c) * evidence / float64(n)
		side.sum += weight * math.Abs(size)
		side.squares += weight * size * size
	}
	below, above := sides[0], sides[1]
	belowLo, belowHi := weighted(below.sum, below.squares, middle)
	aboveLo, aboveHi := weighted(above.sum, above.squares, 1-middle)
	mean := above.sum - below.sum
	lo := mean - math.Hypot(above.sum-aboveLo, belowHi-below.sum)
	hi := mean + math.Hypot(aboveHi-above.sum, below.sum-belowLo)
	return Interval{Known(max(middle+lo/evidence, 0)), Known(min(middle+hi/evidence, 1))}, true
}

// weighted returns the 95 % interval of the expectation of a sum of Poisson counts, each times
// its size, by the sum, that of the squared sizes and the largest size that there is.
func weighted(sum, squares, most float64) (lo, hi float64) {
	gamma := func(sum, squares, p float64) float64 {
		if !(sum > 0) {
			return 0
		}
		return squares / (2 * sum) * distuv.ChiSquared{K: 2 * sum * sum / squares}.Quantile(p)
	}
	return gamma(sum, squares, 0.025), gamma(sum+most, squares+most*most, 0.975)
}

// Enough returns after how many blocks that differ as these do the half-width of the 95 %
// interval of their mean is at most so much, which is above 0.
func (b Blocks) Enough(half float64) float64 {
	within := func(evidence int) bool {
		like := b
		like.Distinct = int64(evidence)
		return like.Estimate().CI95.Half() <= half
	}
	most := 2
	for most < 1<<30 && !within(most) {
		most *= 2
	}
	evidence := sort.Search(most, func(i int) bool { return i > 1 && within(i) })
	return float64(evidence) * float64(b.N()) / float64(b.effective())
}
