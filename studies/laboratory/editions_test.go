package laboratory

import (
	"flag"
	"fmt"
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
			var before Result
			for _, edition := range []string{"10", "11"} {
				r := Result{Method: "edition " + edition, Cell: c}
				held := 0
				m := Method{Name: r.Method, file: func(c Cell, seed int) (string, bool) {
					return c.tunes() + fmt.Sprintf("sampler: {seed: %d, options: [{name: edition, value: %s}]}\nbudget: {games: %d}\n", seed, edition, c.Games), true
				}}
				for seed := *editionFirst; seed < *editionFirst+*editionStudies; seed++ {
					text, _ := m.study(c, seed)
					spec, err := c.read(m.Name, text)
					if err != nil {
						t.Fatal(err)
					}
					o, err := c.run(t.Context(), spec)
					if err != nil {
						t.Fatal(err)
					}
					r.Outcomes = append(r.Outcomes, o)
					if o.ClaimCI != nil && o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
						held++
					}
				}
				s := sampleOf(r.Outcomes, func(o Outcome) *float64 { return &o.Truth })
				t.Logf("%s: %.1f +- %.1f of %.1f Elo, %d of %d intervals hold", m.Name, s.mean, s.se, c.Headroom, held, len(r.Outcomes))
				for i := range before.Outcomes {
					before.Outcomes[i].Truth = r.Outcomes[i].Truth - before.Outcomes[i].Truth
				}
				if d := sampleOf(before.Outcomes, func(o Outcome) *float64 { return &o.Truth }); d.n > 0 {
					t.Logf("%s less the one before: %+.1f +- %.1f", m.Name, d.mean, d.se)
				}
				before = r
			}
		})
	}
}
