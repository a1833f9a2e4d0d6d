package battleship_test

import (
	"testing"

	"sakusen/engines/param"
	"sakusen/strategies"
)

// TestEarlierConventions opens the game by the rules as programs stored them that knew no
// conventions: the defaults of all strategies are those of that time and play as they did,
// so that studies of such programs go on.
func TestEarlierConventions(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	stored := param.Values{
		{Name: "width", Text: "10"}, {Name: "height", Text: "10"},
		{Name: "carrier.length", Text: "5"}, {Name: "carrier.ships", Text: "1"},
		{Name: "battleship.length", Text: "4"}, {Name: "battleship.ships", Text: "1"},
		{Name: "cruiser.length", Text: "3"}, {Name: "cruiser.ships", Text: "1"},
		{Name: "submarine.length", Text: "3"}, {Name: "submarine.ships", Text: "1"},
		{Name: "destroyer.length", Text: "2"}, {Name: "destroyer.ships", Text: "1"},
	}
	rules, errs := game.Open(stored)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if got := rules.Rules.String(); got != stored.String() {
		t.Errorf("canonical rules %s, want what was stored, %s", got, stored)
	}
	for strategy, want := range map[string]string{
		"random": "b0b8f6a69b89f70b", "neighbour": "e02bc9055687d509",
		"checkerboard": "b994cbfb7dff7399", "mp": "2f336c1a0b6ea3c2",
	} {
		got, err := rules.Signature(t.Context(), strategy)
		if err != nil || got != want {
			t.Errorf("%s plays as %s, %v; before there were conventions as %s", strategy, got, err, want)
		}
	}
	e, err := rules.Entrant("MP70/RSP")
	if err != nil {
		t.Fatal(err)
	}
	const want = "mp(start_squares=70,start_ships=4,open_hits=neighbours,ties=hunt,hunt=fewest_neighbours,sinking=at_once,neighbours=longest_arm,place.kind=random,place.separated=true,place.off_corners=false,place.corners=false,place.draw=sequential)"
	if e.Canonical() != want {
		t.Errorf("MP70/RSP is %s, want %s", e.Canonical(), want)
	}
	// Whoever names some rules only is a person of today.
	today, errs := game.Open(param.Values{{Name: "width", Text: "10"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if c, _ := today.Rules.Get("conventions"); c != "fitted" {
		t.Errorf("rules that name the width alone have the conventions %q, want fitted", c)
	}
	again, errs := game.Open(today.Rules)
	if len(errs) > 0 || again.Hash() != today.Hash() {
		t.Errorf("canonical rules %s read back as %s, %v", today.Rules, again.Rules, errs)
	}
	both, errs := game.Open(param.Values{{Name: "width", Text: "10"}, {Name: "conventions", Text: "earlier"}})
	if len(errs) > 0 || both.Hash() != rules.Hash() {
		t.Errorf("conventions=earlier: %v, want the rules of earlier programs", errs)
	}
}
