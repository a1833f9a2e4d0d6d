package rating

import (
	"cmp"
	"math"
	"slices"
)

// Lengths are the lengths of the two games of a block of a race: of the first entrant in
// seats 0 and 1, and of the second in seats 1 and 0 of the same games. A long match keeps
// those of every block, so they are no wider than they need be.
type Lengths struct{ First, Second [2]int32 }

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

// Place compares every length of the first entrant with every length of the second: in a
// race both play alone, and the shorter length wins, seat 0 on a tie. The score is as if
// each had met each (H. Mann, D. Whitney, 1947). The placement of a block is the share of
// the other's lengths that its own beat plus the share that the other's own beat, both
// sides' of a block together, so that what a block's games have in common does not matter.
// Placements behave as independent draws whose mean is twice the score (W. Hoeffding, A
// class of statistics with asymptotically normal distribution, 1948; E. DeLong et al.,
// 1988), also where they are looked at again and again as blocks are added. It is nil below
// 16 blocks, or where nothing varies. The blocks may come in several parts.
func Place(parts ...[]Lengths) *Placed {
	n := count(parts)
	if n < FewBlocks {
		return nil
	}
	var first, second [2]column
	for seat := range 2 {
		first[seat] = newColumn(parts, func(b *Lengths) int32 { return b.First[seat] })
		second[seat] = newColumn(parts, func(b *Lengths) int32 { return b.Second[seat] })
	}
	score, sum, squares := 0.0, 0.0, 0.0
	for _, part := range parts {
		for i := range part {
			b := &part[i]
			// In seat 0 the first entrant wins if it is not longer, in seat 1 if it is shorter.
			own := n - second[0].below(int64(b.First[0])) + n - second[1].below(int64(b.First[1])+1)
			others := first[0].below(int64(b.Second[0])+1) + first[1].below(int64(b.Second[1]))
			score += float64(own)
			placed := float64(own+others) / float64(2*n)
			sum += placed
			squares += float64(placed * placed)
		}
	}
	mean := sum / float64(n)
	out := &Placed{Score: score / float64(2*n) / float64(n), Variance: squares/float64(n) - float64(mean*mean)}
	if out.Variance < 1e-12 {
		return nil
	}
	return out
}

// count is the number of blocks.
func count(parts [][]Lengths) (n int) {
	for _, part := range parts {
		n += len(part)
	}
	return n
}

// column is lengths of which one asks how many are less than another.
type column struct {
	least  int64
	up     []int32 // up[i] is how many are less than least + i; nil where that would be too long
	sorted []int32
}

// newColumn is the column of one length of each block.
func newColumn(parts [][]Lengths, of func(*Lengths) int32) column {
	c, most := column{least: math.MaxInt32}, int64(math.MinInt32)
	for _, part := range parts {
		for i := range part {
			x := int64(of(&part[i]))
			c.least, most = min(c.least, x), max(most, x)
		}
	}
	n := count(parts)
	if span := most - c.least; span < int64(4*n) {
		c.up = make([]int32, span+2)
		for _, part := range parts {
			for i := range part {
				c.up[int64(of(&part[i]))-c.least+1]++
			}
		}
		for i := 1; i < len(c.up); i++ {
			c.up[i] += c.up[i-1]
		}
		return c
	}
	c.sorted = make([]int32, 0, n)
	for _, part := range parts {
		for i := range part {
			c.sorted = append(c.sorted, of(&part[i]))
		}
	}
	slices.Sort(c.sorted)
	return c
}

// below is how many are less than x.
func (c *column) below(x int64) int {
	if c.up == nil {
		at, _ := slices.BinarySearchFunc(c.sorted, x, func(l int32, x int64) int { return cmp.Compare(int64(l), x) })
		return at
	}
	if x <= c.least {
		return 0
	}
	return int(c.up[min(x-c.least, int64(len(c.up)-1))])
}

// AllPairs is the estimate of [Place], undefined where that is nil.
func AllPairs(parts ...[]Lengths) Pairs {
	p := Place(parts...)
	if p == nil {
		return Pairs{}
	}
	n := float64(count(parts))
	sum, squares := 0.0, 0.0
	for _, part := range parts {
		for _, b := range part {
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
