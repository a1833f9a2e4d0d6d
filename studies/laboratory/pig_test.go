package laboratory

import (
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// In Pig the players that beat other players are not those that gain most against the
// baseline: the default search finds the latter.
func TestPigIsClimbedAgainstTheBaseline(t *testing.T) {
	suite.All(t)
	g := grounds()[1]
	c := Cell{Dimensions: g.Parameters, Headroom: g.Top, Games: 20_000, Ground: g}
	const studies = 3
	sum := 0.0
	for seed := 1; seed <= studies; seed++ {
		spec, err := c.read("pig", fmt.Sprintf("version: 1\nname: pig\n%s%ssampler: {seed: %d}\nbudget: {games: 20000}\n", g.Head, g.Tune, seed))
		if err != nil {
			t.Fatal(err)
		}
		if !spec.Duels {
			t.Fatal("the default search is one in duels")
		}
		o, err := c.run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: %.1f Elo of %.1f", seed, o.Truth, g.Top)
		sum += o.Truth / g.Top / studies
	}
	if sum < 0.93 {
		t.Errorf("%s: %.3f of what can be gained", g.Name, sum)
	}
}

// A height that is believed where nothing was played makes neither a search of many games nor
// its answer: in this study 876 Elo were once believed of a player that loses 143.
func TestNoPromiseWithoutGames(t *testing.T) {
	suite.All(t)
	var g *Ground
	for _, ground := range grounds() {
		if strings.HasPrefix(ground.Name, "greedy pig") {
			g = ground
		}
	}
	c := Cell{Dimensions: g.Parameters, Headroom: g.Top, Games: 100_000, Ground: g}
	spec, err := c.read("pig", fmt.Sprintf("version: 1\nname: pig\n%s%ssampler: {seed: 1117}\nbudget: {games: 100000}\n", g.Head, g.Tune))
	if err != nil {
		t.Fatal(err)
	}
	o, err := c.run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if o.Claimed == nil {
		t.Fatal("nothing claimed")
	}
	if o.Truth < 0.93*g.Top || *o.Claimed > 1.3*g.Top {
		t.Errorf("%s: %.1f Elo of %.1f, claimed %.1f", g.Name, o.Truth, g.Top, *o.Claimed)
	}
}
