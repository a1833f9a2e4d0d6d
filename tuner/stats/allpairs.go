package stats

import (
	"iter"
	"math"
	"slices"
)

// Lengths are the lengths of the two games of a block of a race: of the first entrant in
// seats 0 and 1, and of the second in seats 1 and 0 of the same games.
type Lengths struct{ First, Second [2]int64 }

// Pairs is what all pairs of lengths say of the first entrant's score.
type Pairs struct {
	Score Number   `json:"score"`
	CI95  Interval `json:"ci95"`
	Elo   Number   `json:"elo"`
	EloCI Interval `json:"elo_ci95"`
	// Saves is how many times more games the score of the games themselves needs for the
	// same error.
	Saves Number `json:"saves"`
}

// Placed is the score that all pairs of lengths of a race give, and how far its blocks
// scatter: what [Blocks] take in place of the scores of the games.
type Placed struct {
	Score float64 `json:"score"` // of the first entrant, in (0, 1)
	// Variance is that of a block's placement, divided by the number of blocks, as in
	// [Moments]: the score's own is it over the number of blocks less one.
	Variance float64 `json:"variance"`
}

// Place compares every length of the first entrant with every length of the second: in a race
// both play alone, and the shorter length wins, seat 0 on a tie. The score is as if each had
// met each (H. Mann, D. Whitney, 1947). The placement of a block is the share of the other's
// lengths that its own lengths beat, plus the share that the other's lengths beat. Both sides
// of a block are taken together, so that what a block's games have in common does not matter.
// Placements behave as independent draws whose mean is twice the score (W. Hoeffding, A class
// of statistics with asymptotically normal distribution, 1948; E. DeLong et al., 1988), also
// where they are looked at again and again as blocks are added. It is nil below 16 blocks, or
// where nothing varies. The blocks are gone through three times.
func Place(blocks iter.Seq[Lengths]) *Placed {
	first, second, n := columns(blocks)
	if n < FewBlocks {
		return nil
	}
	score, sum, squares := 0.0, 0.0, 0.0
	for b := range blocks {
		// In seat 0 the first entrant wins if it is not longer, in seat 1 if it is shorter.
		own := n - second[0].below(b.First[0]) + n - second[1].below(b.First[1]+1)
		others := first[0].below(b.Second[0]+1) + first[1].below(b.Second[1])
		score += float64(own)
		placed := float64(own+others) / float64(2*n)
		sum += placed
		squares += float64(placed * placed)
	}
	mean := sum / float64(n)
	out := &Placed{Score: score / float64(2*n) / float64(n), Variance: squares/float64(n) - float64(mean*mean)}
	if out.Variance < 1e-12 {
		return nil
	}
	return out
}

// column is lengths of which one asks how many are less than another.
type column struct {
	least  int64
	up     []int32 // up[i] is how many are less than least + i; nil where that would be too long
	sorted []int64
}

// columns returns the lengths of the first entrant and of the second by seat, of n blocks;
// none of fewer than FewBlocks.
func columns(blocks iter.Seq[Lengths]) (first, second [2]column, n int) {
	all := [4]*column{&first[0], &first[1], &second[0], &second[1]}
	var least, most [4]int64
	for b := range blocks {
		for i, x := range [4]int64{b.First[0], b.First[1], b.Second[0], b.Second[1]} {
			if n == 0 {
				least[i], most[i] = x, x
			}
			least[i], most[i] = min(least[i], x), max(most[i], x)
		}
		n++
	}
	if n < FewBlocks {
		return first, second, n
	}
	for i, c := range all {
		c.least = least[i]
		if span := most[i] - least[i]; span >= 0 && span < int64(4*n) {
			c.up = make([]int32, span+2)
		} else {
			c.sorted = make([]int64, 0, n)
		}
	}
	for b := range blocks {
		for i, x := range [4]int64{b.First[0], b.First[1], b.Second[0], b.Second[1]} {
			if c := all[i]; c.up != nil {
				c.up[x-c.least+1]++
			} else {
				c.sorted = append(c.sorted, x)
			}
		}
	}
	for _, c := range all {
		for i := 1; i < len(c.up); i++ {
			c.up[i] += c.up[i-1]
		}
		slices.Sort(c.sorted)
	}
	return first, second, n
}

// below returns how many are less than x.
func (c *column) below(x int64) int {
	if c.up == nil {
		at, _ := slices.BinarySearch(c.sorted, x)
		return at
	}
	if x <= c.least {
		return 0
	}
	return int(c.up[min(x-c.least, int64(len(c.up)-1))])
}

// AllPairs returns the estimate of [Place], undefined where that is nil.
func AllPairs(blocks iter.Seq[Lengths]) Pairs {
	p := Place(blocks)
	if p == nil {
		return Pairs{}
	}
	n, sum, squares := 0.0, 0.0, 0.0
	for b := range blocks {
		n++
		played := 0.0
		if b.First[0] <= b.Second[0] {
			played += 0.5
		}
		if b.First[1] < b.Second[1] {
			played += 0.5
		}
		sum += played
		squares += float64(played * played)
	}
	plain := squares/n - float64(sum/n*sum/n)
	if plain < 1e-12 {
		return Pairs{}
	}
	half := Deviate95 * math.Sqrt(p.Variance/(n-1))
	out := Pairs{Score: Known(p.Score), CI95: Interval{Known(p.Score - half), Known(p.Score + half)}}
	out.Elo = Known(Elo(p.Score, 2))
	out.EloCI = Interval{Known(Elo(p.Score-half, 2)), Known(Elo(p.Score+half, 2))}
	out.Saves = Known(plain / p.Variance)
	return out
}
