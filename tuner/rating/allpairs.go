package rating

import (
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

// AllPairs estimates the score of a race in which both play alone and the shorter length wins,
// seat 0 on a tie: of every length of the first against every length of the second, as if each
// had met each (H. Mann, D. Whitney, 1947). The error is that of the blocks' placements among
// the others (W. Hoeffding, A class of statistics with asymptotically normal distribution,
// 1948; E. DeLong et al., 1988), both sides' of a block together, so that what a block's games
// have in common does not matter. It is undefined below 16 blocks, or where nothing varies.
func AllPairs(blocks []Lengths) Pairs {
	const fewest = 16
	n := len(blocks)
	if n < fewest {
		return Pairs{}
	}
	var first, second [2][]int64
	for seat := range 2 {
		for _, b := range blocks {
			first[seat] = append(first[seat], b.First[seat])
			second[seat] = append(second[seat], b.Second[seat])
		}
		slices.Sort(first[seat])
		slices.Sort(second[seat])
	}
	below := func(sorted []int64, x int64) float64 { // the share that is less
		at, _ := slices.BinarySearch(sorted, x)
		return float64(at) / float64(n)
	}
	placed, played := make([]float64, n), make([]float64, n)
	score := 0.0
	for i, b := range blocks {
		// In seat 0 the first entrant wins if it is not longer, in seat 1 if it is shorter.
		own := (1 - below(second[0], b.First[0]) + 1 - below(second[1], b.First[1]+1)) / 2
		others := (below(first[0], b.Second[0]+1) + below(first[1], b.Second[1])) / 2
		score += own / float64(n)
		placed[i] = own + others
		if b.First[0] <= b.Second[0] {
			played[i] += 0.5
		}
		if b.First[1] < b.Second[1] {
			played[i] += 0.5
		}
	}
	variance, plain := scatter(placed), scatter(played)
	if variance < 1e-12 || plain < 1e-12 {
		return Pairs{}
	}
	half := Deviate95 * math.Sqrt(variance/float64(n))
	out := Pairs{Score: Known(score), CI95: Interval{Known(score - half), Known(score + half)}}
	out.Elo = Known(Elo(score, 2))
	out.EloCI = Interval{Known(Elo(score-half, 2)), Known(Elo(score+half, 2))}
	out.Saves = Known(plain / variance)
	return out
}

// scatter is the variance of a sample.
func scatter(x []float64) float64 {
	n, mean, sum := float64(len(x)), 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / (n - 1)
}
