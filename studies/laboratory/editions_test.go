package laboratory

import (
	"flag"
	"regexp"
	"testing"
)

var (
	editionStudies = flag.Int("editions", 0, "studies of each edition in a cell; 0 compares none")
	editionFirst   = flag.Int("editions-seed", 901, "seed of the first of them")
	editionGames   = flag.Int64("editions-games", 20_000, "games of a study")
	editionCells   = flag.String("editions-cells", ".", "cells whose label this regular expression matches")
)

// Editions of the default search on the same seeds: what is exported, in true Elo, and how
// many intervals of claims hold the truth.
func TestEditions(t *testing.T) {
	if *editionStudies == 0 {
		t.Skip("minutes: -editions 12")
	}
	for _, c := range Suite(*editionGames) {
		if !regexp.MustCompile(*editionCells).MatchString(c.Label()) || c.mixed() || c.conditional() {
			continue
		}
		t.Run(c.Label(), func(t *testing.T) {
			var before []Outcome
			for _, n := range []string{"10", "11"} {
				m := edition(n)
				f := play(t, m, func(int) Cell { return c }, *editionFirst, *editionStudies)
				s := sampleOf(f.outcomes, func(o Outcome) *float64 { return &o.Truth })
				t.Logf("%s: %.1f +- %.1f of %.1f Elo, %d of %d intervals hold", m.Name, s.mean, s.se, c.Headroom, f.held, len(f.outcomes))
				for i := range before {
					before[i].Truth = f.outcomes[i].Truth - before[i].Truth
				}
				if d := sampleOf(before, func(o Outcome) *float64 { return &o.Truth }); d.n > 0 {
					t.Logf("%s less the one before: %+.1f +- %.1f", m.Name, d.mean, d.se)
				}
				before = f.outcomes
			}
		})
	}
}
