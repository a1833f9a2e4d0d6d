package strategies_test

import (
	"testing"

	"sakusen/strategies"
)

// A brief text leaves out what a strategy does by default and reads back as the same entrant,
// so that different entrants have different ones.
func TestBrief(t *testing.T) {
	game, err := strategies.All().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if errs != nil {
		t.Fatal(errs)
	}
	for text, want := range map[string]string{
		"CB": "checkerboard", "checkerboard(place.kind=edge2)": "checkerboard(place.kind=edge2)", "mp(start_squares=60)": "mp(start_squares=60)", "MP70": "mp",
		"R": "random", "RNB/PK2X10": "neighbour(place.kind=packed)",
	} {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		got := rules.Brief(e)
		again, err := rules.Entrant(got)
		if err != nil || again.Canonical() != e.Canonical() {
			t.Errorf("%s: %s plays otherwise (%v)", text, got, err)
		}
		if got != want {
			t.Errorf("%s is %s, expected %s", text, got, want)
		}
	}
}
