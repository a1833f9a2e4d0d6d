package sampler_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"sakusen/engines/suite"
)

// SAKUSEN_HILLS=60 measures the table of docs/research/optimisers.md over so many seeds.
// Without it the cells of 5 000 games are run over a few, against bounds well
// below what the table has.
func TestEvolutionClimbsHills(t *testing.T) {
	seeds, _ := strconv.Atoi(os.Getenv(hillsSeeds))
	for _, s := range []struct {
		name  string
		duels bool
		least map[int]float64 // at 5 000 games, by parameters
	}{
		{"spsa", true, map[int]float64{1: 95, 4: 85, 16: 60}},
		{"spsa", false, map[int]float64{1: 85, 4: 60, 16: 15}},
	} {
		for _, dims := range []int{1, 4, 16} {
			for _, games := range []int64{5000, 20000, 100000} {
				n := seeds
				if n == 0 {
					if games > 5000 || suite.Few() && dims != 4 {
						continue
					}
					n = 4
				}
				t.Run(fmt.Sprintf("%s, %d parameters, %d games, duels %v", s.name, dims, games, s.duels), func(t *testing.T) {
					c := hillSearch{sampler: s.name, dims: dims, gain: 60, reach: 1, games: games, duels: s.duels, form: os.Getenv("SAKUSEN_HILLS_FORM")}
					mean, e, _ := c.share(t, n)
					t.Logf("%.1f %% +- %.1f of the gain", mean, e)
					if c.form == "" && mean+2*e < s.least[dims] {
						t.Errorf("%.1f %% +- %.1f, expected %g", mean, e, s.least[dims])
					}
				})
			}
		}
	}
}
