package study_test

import (
	"fmt"
	"strings"
	"testing"
)

// What a budget has left is told with what ended each part of the study, whatever its kind.
func TestUnplayed(t *testing.T) {
	boats := `version: 1
name: boats
game: lifeboats
tune: {strategy: level0}
evaluate: {mode: pool, group: 4, filler: random, rounds: 1, games: 10}
sampler: {name: uniform, seed: 1, batch: 8}
budget: {trials: 16, games: 3000}
final: {top: 2, blocks: 5}
validation: {gain_elo: [0, 100], max_blocks: 20}
`
	hill := strings.NewReplacer("GAMES", "4000", "MORE", "")
	for name, c := range map[string]struct {
		text string
		why  []string // nil: all are played
	}{
		"a space":       {hill.Replace(afterStudy), []string{"the search has tried all 3 parameter sets", "with all the games that the study file gives them"}},
		"nothing after": {hill.Replace(strings.ReplaceAll(afterStudy, "baseline: climber", "baseline: climber(x=0.7,n=5,kind=fancy,bonus=3)")), []string{"all 3 parameter sets", "and more is played only after a pass"}},
		"trials":        {strings.Replace(fmt.Sprintf(hillStudy, "uniform"), "trials: 48", "trials: 16", 1), []string{"the search has had all trials of its budget (16)", ""}},
		"duels":         {"version: 1\nname: duels\ngame: hill\ntune: {strategy: climber, params: [{name: x}, {name: n}]}\nbaseline: climber\nbudget: {games: 3000}\n", nil},
		"a pool":        {boats, []string{"the search has had all trials of its budget (16)", ""}},
		"a metric":      {"", []string{"the search has tried all 12 parameter sets", "what is held back to measure a gain is played only after a pass"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := supplied("budget: {games: 3000}\nvalidation: {max_blocks: 20}\nsampler: {name: uniform}")
			switch name {
			case "a pool":
				s, err = readBoats(t, boats)
			case "a metric":
			default:
				s, err = read(t, c.text), error(nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := run(t, s, newMemory(), 2)
			if err != nil {
				t.Fatal(err)
			}
			u := r.Unplayed
			if u == nil && c.why == nil && r.Games == s.Budget.Games {
				return
			}
			if u == nil || u.Games+r.Games != s.Budget.Games || len(u.Why) != len(c.why) {
				t.Fatalf("%d of %d games, verdict %s, unplayed %+v", r.Games, s.Budget.Games, r.Validation.Verdict, u)
			}
			for i := range u.Why {
				if !strings.Contains(u.Why[i], c.why[i]) || u.Why[i] == "" {
					t.Errorf("%s: %q", r.Validation.Verdict, u.Why)
				}
			}
		})
	}
}
