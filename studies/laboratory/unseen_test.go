package laboratory

import (
	"flag"
	"fmt"
	"math"
	"regexp"
	"testing"
)

var (
	unseenStudies = flag.Int("unseen", 0, "studies of each search on each landscape beside the suite's; 0 plays none")
	unseenFirst   = flag.Int("unseen-seed", 101, "seed of the first of them, and of its landscape")
	unseenGames   = flag.Int64("unseen-games", 5_000, "games of a study")
	unseenWhich   = flag.String("unseen-which", ".", "landscapes whose name this regular expression matches")
)

// What the default finds on landscapes by which no constant was chosen, beside SPSA: true
// Elo of 60, and how many intervals of claims hold the truth.
func TestUnseen(t *testing.T) {
	if *unseenStudies == 0 {
		t.Skip("minutes: -unseen 12")
	}
	methods := []Method{
		{Name: Default, file: Methods()[0].file},
		named(HeadToHead, "spsa", "evaluate: {mode: duels}\n", paired),
	}
	for _, r := range []unseenRules{
		{"corner", 3, 0}, {"corner", 8, 0}, {"cornersmall", 5, 0}, {"maxnorm", 4, 0}, {"rosen", 4, 0}, {"egg", 3, 0}, {"saturate", 6, 0},
		{"ratios", 6, 0}, {"net", 5, 0}, {"net", 10, 0}, {"fourier", 2, 0}, {"fourier", 4, 0}, {"cyclic", 3, 0}, {"cyclic", 6, 0},
		{"lossy", 4, 0}, {"lossy", 10, 0}, {"thirds", 4, 0}, {"few", 12, 0}, {"needleslope", 5, 0}, {"quiet", 4, 0},
	} {
		name := fmt.Sprintf("%s, %d", r.form, r.dimensions)
		if !regexp.MustCompile(*unseenWhich).MatchString(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range methods {
				f := play(t, m, func(seed int) Cell {
					r.seed = seed
					g := r.ground()
					return Cell{Dimensions: r.dimensions, Headroom: g.Top, Games: *unseenGames, Ground: g}
				}, *unseenFirst, *unseenStudies)
				for i := range f.outcomes {
					f.outcomes[i].Truth = f.sixtieths[i]
				}
				s := sampleOf(f.outcomes, func(o Outcome) *float64 { return &o.Truth })
				t.Logf("%s: %.1f +- %.1f of 60 Elo, %d of %d intervals hold, %d answers below the baseline", m.Name, s.mean, s.se, f.held, f.claims, f.below)
			}
		})
	}
}

// The top of a landscape is where it was said to be: no point that is drawn has more, and the
// baseline has nothing.
func TestUnseenTops(t *testing.T) {
	for _, form := range unseenForms {
		u := unseenRules{form, 3, 7}.land()
		if e := u.elo(u.base, u.base); e != 0 {
			t.Errorf("%s: the baseline has %v Elo over itself", form, e)
		}
		x := make([]float64, 3)
		most := math.Inf(-1)
		for n := range 8000 {
			for i := range x {
				x[i] = float64(n/[3]int{1, 20, 400}[i]%20) / 19
			}
			most = math.Max(most, u.elo(x, u.base))
		}
		if most > u.top+1e-6 || most < u.top/2 {
			t.Errorf("%s: %.1f Elo on a grid, and %.1f at the top", form, most, u.top)
		}
	}
}
