package study_test

import (
	"strings"
	"testing"
)

// An answer at one end of a range is told so, even where the other end was tried
// and is not clearly worse: "towards the lower end: 0.7 is best" helps no reader.
func TestAnswerAtTheEndOfItsRange(t *testing.T) {
	r, err := run(t, read(t, `version: 1
name: narrow
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, low: 0.2, high: 0.7, step: 0.5}]}
baseline: climber(x=0)
sampler: {name: grid, seed: 2}
race: {method: none, rungs: [64]}
final: {top: 0}
`), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Params["x"] != "0.7" {
		t.Fatalf("best is %v", r.Best.Params)
	}
	notes := strings.Join(r.Notes, "\n")
	if !strings.Contains(notes, "the optimum lies at the upper end of the range of x (0.7)") || strings.Contains(notes, "towards") {
		t.Errorf("notes: %q", r.Notes)
	}
}

// An answer inside its range has no note about an end of it, however little the ends
// were found to be worse: "towards the lower end of 1 to 60: 36 is best, 1 is not
// clearly worse" contradicts itself. Notes are of tests, and only of answers at an end.
func TestAnswerInsideItsRange(t *testing.T) {
	for _, blocks := range []string{"2", "8", "64"} {
		r, err := run(t, read(t, `version: 1
name: wide
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, step: 0.1}]}
baseline: climber(x=0)
sampler: {name: grid, seed: 2}
race: {method: none, rungs: [`+blocks+`]}
final: {top: 0}
`), newMemory(), 2)
		if err != nil {
			t.Fatal(err)
		}
		inside := r.Best.Params["x"] != "0" && r.Best.Params["x"] != "1"
		if notes := strings.Join(r.Notes, "\n"); inside && strings.Contains(notes, "the optimum lies") || strings.Contains(notes, "towards") {
			t.Errorf("%s blocks, best %v: notes %q", blocks, r.Best.Params, r.Notes)
		}
		if !inside && blocks == "64" {
			t.Errorf("best is %v", r.Best.Params)
		}
	}
}

// Several objectives have the note too.
func TestEndsOfSeveralObjectives(t *testing.T) {
	text := strings.NewReplacer("%s", ", weights: [1, 0]", "[{name: x}, {name: n}]", "[{name: x, low: 0.1, high: 0.5, step: 0.2}]", "{name: quasi, seed: 3, batch: 16}", "{name: grid}").Replace(paretoStudy)
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "x=0.5 (upper end of 0.1 to 0.5; climber allows up to 1)") || !strings.Contains(notes, "only the chosen point") {
		t.Errorf("%v: %q", r.Best.Params, r.Notes)
	}
}

// An answer at an end of its range is told in duels too, with what lies beyond: what the strategy
// allows, or that it allows no more. One inside is not.
func TestEndsInEveryMode(t *testing.T) {
	for _, c := range []struct{ name, params, from, told, not string }{
		{"narrow", "[{name: x, low: 0.1, high: 0.3}]", surfaceStudy, "(upper end of 0.1 to 0.3; climber allows up to 1)", "no more"},
		{"narrow in duels", "[{name: x, low: 0.1, high: 0.3}]", duelStudy, "(upper end of 0.1 to 0.3; climber allows up to 1)", "no more"},
		{"with an integer", "[{name: x, low: 0.6, high: 0.8}, {name: n, low: 7}]", duelStudy, "n=7 (lower end of 7 to 9; climber allows down to 1)", "no more"},
		{"the strategy's own", "[{name: n, low: 7}, {name: kind}, {name: bonus}]", surfaceStudy, "bonus=3 (upper end of 0 to 3; climber allows no more)", "bonus=3 (lower"},
		{"wide in duels", "[{name: x}]", duelStudy, "", "x="},
	} {
		text := strings.Replace(c.from, "[{name: x}, {name: n}]", c.params, 1)
		switch {
		case strings.Contains(c.params, "kind"):
			text = strings.Replace(text, "fix: [{name: kind, value: plain}]", "fix: [{name: x, value: 0.7}]", 1)
		case !strings.Contains(c.params, "name: n"):
			text = strings.Replace(text, "fix: [{name: kind, value: plain}]", "fix: [{name: kind, value: plain}, {name: n, value: 5}]", 1)
		}
		text = strings.Replace(text, "baseline: climber", "baseline: climber(x=0.1)", 1)
		r, err := run(t, read(t, text), newMemory(), 2)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(r.Notes, "\n")
		told := strings.Contains(notes, c.told) || strings.Contains(notes, "the optimum lies at the upper end") && strings.Contains(notes, "the strategy allows x up to 1") ||
			strings.Contains(notes, "the optimum lies at the lower end of the range of n (7)")
		if !told || strings.Contains(notes, c.not) {
			t.Errorf("%s: best %v: notes %q", c.name, r.Best.Params, r.Notes)
		}
	}
}
