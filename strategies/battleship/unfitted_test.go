package battleship_test

import (
	"testing"

	"sakusen/engines/param"
	"sakusen/strategies"
)

// With the rule conventions=plain the strategies' defaults are not those that fit the
// paper's tables.
func TestPlainConventions(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(param.Values{{Name: "conventions", Text: "plain"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for strategy, want := range map[string]string{
		"random": "b0b8f6a69b89f70b", "neighbour": "e02bc9055687d509",
		"checkerboard": "b994cbfb7dff7399", "mp": "2f336c1a0b6ea3c2",
	} {
		got, err := rules.Signature(t.Context(), strategy)
		if err != nil || got != want {
			t.Errorf("%s plays as %s, %v, want %s", strategy, got, err, want)
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
	fitted, errs := game.Open(param.Values{{Name: "width", Text: "10"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if c, _ := fitted.Rules.Get("conventions"); c != "fitted" {
		t.Errorf("rules that name the width alone have the conventions %q, want fitted", c)
	}
	for _, of := range []param.Values{fitted.Rules, rules.Rules} {
		again, errs := game.Open(of)
		if len(errs) > 0 || again.Rules.String() != of.String() {
			t.Errorf("canonical rules %s read back as %s, %v", of, again.Rules, errs)
		}
	}
}
