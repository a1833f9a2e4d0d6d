package stats_test

import (
	"fmt"

	"sakusen/tuner/stats"
)

// A commit of Stockfish (d077f9a81) that passed its test.
func ExampleTest_Judge() {
	test := stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Normalized, Elo0: 0, Elo1: 2},
		Alpha:      0.05, Beta: 0.05, MinBlocks: stats.FewBlocks, MaxBlocks: 100000,
	}
	r, err := test.Judge(stats.Pentanomial([5]int64{20, 1334, 3810, 1569, 35}))
	fmt.Println(r.Verdict, r.Reason, err)
	// Output: H1 LLR 2.95 reached 2.94 after 6768 blocks <nil>
}

// A test that stopped because it looked good, read as if its blocks had been
// fixed in number, and as what it is.
func ExampleTest_Unbiased() {
	test := stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Normalized, Elo0: 0, Elo1: 10},
		Alpha:      0.05, Beta: 0.05, MinBlocks: stats.FewBlocks, MaxBlocks: 4000,
	}
	u, err := test.Unbiased(stats.Pentanomial([5]int64{10, 213, 556, 287, 22}), 16)
	fmt.Printf("naive %.2f, unbiased %.2f [%.2f, %.2f] Elo, %v\n",
		u.Naive.Elo.Value, u.Elo.Value, u.EloCI.Lo.Value, u.EloCI.Hi.Value, err)
	// Output: naive 15.66, unbiased 10.93 [2.84, 18.94] Elo, <nil>
}

// Blocks of four seats: a block of four games scores 0 to 4 wins of one
// candidate among equals, who win a quarter.
func ExampleRotated() {
	e := stats.Rotated(4, []int64{20, 30, 25, 20, 5}).Estimate()
	fmt.Printf("score %.3f, %+.0f ± %.0f Elo\n", e.Score.Value, e.Elo.Value, e.EloErr.Value)
	// Output: score 0.400, +120 ± 41 Elo
}

// Hits per shot over all games, with the block as unit.
func ExampleSums_Ratio() {
	hits := stats.Sums{N: 6, X: 94, XX: 1492, Y: 490, YY: 40706, XY: 7588}
	r := hits.Ratio(100)
	fmt.Printf("%.2f ± %.2f\n", r.Mean.Value, 1.96*r.SE.Value)
	// Output: 19.18 ± 3.89
}

func ExampleHalve() {
	kept, _ := stats.Halve([]stats.Standing{{Trial: 1, Score: 0.52}, {Trial: 2, Score: 0.55}, {Trial: 3, Score: 0.52}, {Trial: 4, Score: 0.47}}, 0.5)
	fmt.Println(kept)
	// Output: [1 2]
}
