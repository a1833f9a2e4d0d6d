package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/suite"
)

// fleetOf plays blocks by workers. It returns the worker that is the first apart from the others,
// -1 for none, and after how many blocks of its own.
func fleetOf(chance *rand.Rand, workers int, blocks, every int64, lies float64, always bool) (who int, after int64) {
	strata, alpha := make([][][]int64, 3), 1e-4/float64(workers)
	pairs := [3][3]float64{{.3, .4, .3}, {.25, .45, .3}, {.05, .9, .05}} // losses, draws and wins against three entrants
	for i := range strata {
		strata[i] = make([][]int64, workers)
		for w := range workers {
			strata[i][w] = make([]int64, 5)
		}
	}
	game := func(p [3]float64) int {
		x := chance.Float64()
		switch {
		case x < p[0]:
			return 0
		case x < p[0]+p[1]:
			return 1
		}
		return 2
	}
	for n := int64(1); n <= blocks; n++ {
		for w := range workers {
			i := chance.IntN(len(strata))
			score := 0
			for range 2 {
				g := game(pairs[i])
				if w == 0 && chance.Float64() < lies {
					if g = 2; !always {
						g = 2 * chance.IntN(2)
					}
				}
				score += g
			}
			strata[i][w][score]++
		}
		if n%every != 0 {
			continue
		}
		worst, who := 0., -1
		for w := range workers {
			var all []Stratum
			for _, s := range strata {
				others := make([]int64, 5)
				for o := range workers {
					for c := range others {
						if o != w {
							others[c] += s[o][c]
						}
					}
				}
				all = append(all, Stratum{Rotated(2, s[w]), Rotated(2, others)})
			}
			if a := Apart(all, alpha); a.Ratio >= 1 && a.Ratio > worst {
				worst, who = a.Ratio, w
			}
		}
		if who >= 0 {
			return who, n
		}
	}
	return -1, blocks
}

// A worker that lies in a tenth of its games, for one side, is apart within 2 000 of its games in 95 of
// 100 runs, and no sound worker is called so over long jobs.
func TestApart(t *testing.T) {
	runs, long := 100, int64(4000)
	if !suite.Few() {
		runs, long = 400, 20000
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for _, lies := range []float64{.1, .15} {
		found := 0
		for range runs {
			if who, _ := fleetOf(chance, 4, 1000, 50, lies, true); who == 0 {
				found++
			}
		}
		t.Logf("a liar in %g of its games among four: found within 1000 blocks in %d of %d runs", lies, found, runs)
		if found < runs*95/100 {
			t.Errorf("found in %d of %d", found, runs)
		}
	}
	for range runs / 2 {
		if who, after := fleetOf(chance, 8, long, long/40, 0, false); who >= 0 {
			t.Errorf("a sound worker is apart after %d blocks", after)
		}
	}
}

// How far a worker leans is in units of the score, with the errors of that and of the mean of all.
func TestLean(t *testing.T) {
	blocks := func(counts ...int64) Blocks { return Rotated(2, counts) }
	lean, own, all := Stratum{blocks(0, 0, 50, 0, 50), blocks(75, 0, 150, 0, 75)}.Lean()
	// 100 blocks of .75 beside 300 of .5: a mean of .5625, of squares .4375, a variance of .12109375.
	if math.Abs(lean-.25) > 1e-12 || math.Abs(own-math.Sqrt(.12109375/75)) > 1e-12 || math.Abs(all-math.Sqrt(.12109375/400)) > 1e-12 {
		t.Errorf("%g, %g, %g", lean, own, all)
	}
	for _, s := range []Stratum{{blocks(1, 2, 3, 4, 5), blocks(0, 0, 0, 0, 0)}, {blocks(0, 0, 0, 0, 0), blocks(1, 2, 3, 4, 5)}, {blocks(0, 0, 3, 0, 0), blocks(0, 0, 9, 0, 0)}} {
		if lean, own, all := s.Lean(); lean != 0 || own != 0 || all != 0 {
			t.Errorf("%+v: %g, %g, %g", s, lean, own, all)
		}
	}
}
