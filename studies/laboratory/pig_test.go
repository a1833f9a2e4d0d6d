package laboratory

import (
	"fmt"
	"testing"
)

// In Pig the players that beat other players are not those that gain most against the
// baseline: the default search finds the latter.
func TestPigIsClimbedAgainstTheBaseline(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: CI runs it, without -short")
	}
	g := Grounds()[1]
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
