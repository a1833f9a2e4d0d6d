package study_test

import (
	"strings"
	"testing"
)

// An answer at one end of a range is told so, even where the other end was tried
// and is not clearly worse: "towards the lower end: 0.7 is best" helps nobody.
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
