package stats_test

import (
	"fmt"

	"sakusen/tuner/stats"
)

// The worked examples of docs/research/statistics.md, section 9.
func ExampleGroup() {
	alpha, _ := stats.AttemptAlpha(0.025, 1)
	plan := stats.Group{Elo0: 0, Elo1: 10, Seats: 2, Alpha: alpha, Beta: 0.05, MaxBlocks: 550}
	test, _ := plan.Prepare()
	fmt.Println("looks", test.Looks()[:3], "...", test.Looks()[len(test.Looks())-1])
	for _, elo := range []float64{0, 20, 40} {
		course, _ := test.Plan(elo, 0.35)
		fmt.Printf("true %+.0f Elo: pass %.3f, half of the tests end by block %d\n", elo, course.Pass, course.Median)
	}

	// After 330 blocks: 66 pairs lost, 147 even, 117 won.
	seen := stats.Pentanomial([5]int64{66, 0, 147, 0, 117})
	look, _ := test.Judge(seen)
	fmt.Printf("%v: %.2f standard errors above, %.2f needed\n", look.Verdict, look.Above, look.Pass)
	all, _ := test.Unbiased(seen)
	fmt.Printf("median-unbiased %.1f [%.1f, %.1f], naive %.1f\n",
		all.Elo.Value, all.EloCI.Lo.Value, all.EloCI.Hi.Value, all.Naive.Elo.Value)

	// The same scores of 40 different blocks that were repeated prove nothing.
	seen.Distinct = 40
	look, _ = test.Judge(seen)
	e := seen.Estimate()
	fmt.Printf("40 different blocks: %v, %.2f standard errors above, Elo %.1f [%.1f, %.1f]\n",
		look.Verdict, look.Above, e.Elo.Value, e.EloCI.Lo.Value, e.EloCI.Hi.Value)

	level, _ := stats.AttemptAlpha(0.025, 4)
	fmt.Printf("attempt 4: alpha %.5f\n", level)
	// Output:
	// looks [28 42 55] ... 550
	// true +0 Elo: pass 0.015, half of the tests end by block 550
	// true +20 Elo: pass 0.370, half of the tests end by block 550
	// true +40 Elo: pass 0.938, half of the tests end by block 330
	// H1: 3.80 standard errors above, 2.73 needed
	// median-unbiased 42.6 [11.6, 73.4], naive 54.1
	// 40 different blocks: continue, 1.30 standard errors above, Elo 54.1 [-28.3, 143.3]
	// attempt 4: alpha 0.00095
}
