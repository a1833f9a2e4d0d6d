package stats_test

import (
	"math/rand/v2"
	"testing"

	"sakusen/tuner/stats"
)

// Where two players differ in few blocks, each end of the 95 % interval is wrong in at most
// 2.5 % of the matches, whatever the sizes and signs of the differences: a bound such as "costs
// at most 4 Elo" holds. By the normal interval it was wrong in up to 14.7 % of these.
func TestRareDifferences(t *testing.T) {
	const matches, slack = 3000, 0.009 // slack: three standard errors
	r := rand.New(rand.NewPCG(1, 2))
	cells := []int{0, 1, 3, 4}
	for _, blocks := range []int{48, 150, 400} {
		for _, differ := range []float64{0.003, 0.01, 0.02, 0.05, 0.1, 0.2} {
			for _, kinds := range [][4]float64{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0.1, 0.9, 0}, {0, 0.5, 0.5, 0}, {0.1, 0.4, 0.4, 0.1}, {0, 0.25, 0.65, 0.1}} {
				mean := 0.5
				for i, share := range kinds {
					mean += differ * share * (float64(cells[i])/4 - 0.5)
				}
				low, high, known := 0.0, 0.0, map[[5]int64]*[2]float64{}
				for range matches {
					pairs := [5]int64{2: int64(blocks)}
					for range blocks {
						if r.Float64() < differ {
							at, u := 4, r.Float64()
							for i, share := range kinds {
								if u >= 0 && u < share {
									at = cells[i]
								}
								u -= share
							}
							pairs[at]++
							pairs[2]--
						}
					}
					ci, ok := known[pairs]
					if !ok {
						ci = stats.Pentanomial(pairs).Estimate().CI95.Ends()
						known[pairs] = ci
					}
					if ci != nil {
						if ci[1] < mean {
							low++
						}
						if ci[0] > mean {
							high++
						}
					}
				}
				if low/matches > 0.025+slack || high/matches > 0.025+slack {
					t.Errorf("%d blocks of which %.3f differ by %v: the upper end is too low in %.2f %%, the lower too high in %.2f %%", blocks, differ, kinds, 100*low/matches, 100*high/matches)
				}
			}
		}
	}
}

// One block of 150 that differs allows a loss of 10 Elo, where the normal interval ended at 4;
// many that differ rarely have about the normal interval; a match that was won but for one game
// keeps an interval on both sides.
func TestRareIntervals(t *testing.T) {
	for _, c := range []struct {
		pairs     [5]int64
		low, high float64 // Elo
	}{
		{[5]int64{0, 0, 149, 1, 0}, -7.5, 10.1},
		{[5]int64{0, 100, 9800, 100, 0}, -0.5, 0.5},
		{[5]int64{0, 0, 0, 1, 99}, 555.5, 1200},
	} {
		e := stats.Pentanomial(c.pairs).Estimate()
		if ci := e.EloCI.Ends(); ci[0] > e.Elo.Value || ci[1] < e.Elo.Value || ci[0] < c.low-0.5 || ci[0] > c.low+0.5 || ci[1] < c.high-0.5 || ci[1] > c.high+0.5 {
			t.Errorf("%v: %.1f Elo %.2f, want %v to %v", c.pairs, e.Elo.Value, ci, c.low, c.high)
		}
	}
}

// As many blocks as are enough have just that interval: of usual games the root of their number
// counts, of rare differences that they are enough to happen.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		pairs  [5]int64
		blocks float64
	}{
		{[5]int64{30, 20, 100, 20, 30}, 1700},
		{[5]int64{0, 0, 149, 1, 0}, 135},
		{[5]int64{0, 0, 1499, 1, 0}, 130},
		{[5]int64{0, 0, 47, 1, 0}, 145},
	} {
		b := stats.Pentanomial(c.pairs)
		got := b.Enough(0.0141) // 9.8 Elo
		b.Distinct = int64(got)
		if half := b.Estimate().CI95.Half(); got < 0.9*c.blocks || got > 1.1*c.blocks || half > 0.0141 || half < 0.0138 {
			t.Errorf("%v: %.0f blocks, about %.0f are enough; then half is %.4f", c.pairs, got, c.blocks, half)
		}
	}
}
