package laboratory

import (
	"fmt"
	"testing"

	"sakusen/engines/suite"
)

// Where a space is finite, however few its members are, and whether they are numbers, choices or
// have conditions: the default finds nearly the best of them, and its claims hold.
func TestFewMembersAreTold(t *testing.T) {
	suite.All(t)
	const studies = 3
	held := 0
	for _, want := range []struct {
		ground string
		least  float64 // mean Elo of the answers
	}{{"battleship thresholds", 42}, {"battleship placements", 95}} {
		for _, g := range grounds() {
			if g.Name != want.ground {
				continue
			}
			c := Cell{Dimensions: g.Parameters, Headroom: g.Top, Games: 20_000, Ground: g}
			sum := 0.0
			for seed := 1; seed <= studies; seed++ {
				spec, err := c.read("few", fmt.Sprintf("version: 1\nname: few\n%s%ssampler: {seed: %d}\nbudget: {games: 20000}\n", g.Head, g.Tune, seed))
				if err != nil {
					t.Fatal(err)
				}
				if spec.Sampler.Name != "surface" || spec.Duels {
					t.Fatalf("%s is searched by %s, duels %v", g.Name, spec.Sampler.Name, spec.Duels)
				}
				o, err := c.run(t.Context(), spec)
				if err != nil {
					t.Fatal(err)
				}
				if o.ClaimCI == nil {
					t.Fatalf("%s, seed %d: nothing is claimed", g.Name, seed)
				}
				if o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
					held++
				}
				t.Logf("%s, seed %d: %.1f Elo of %.1f, claimed %.1f %.1f", g.Name, seed, o.Truth, g.Top, *o.Claimed, *o.ClaimCI)
				sum += o.Truth / studies
			}
			if sum < want.least {
				t.Errorf("%s: %.1f of %.1f Elo", g.Name, sum, g.Top)
			}
		}
	}
	if held < 2*studies-2 {
		t.Errorf("%d of %d intervals hold the truth", held, 2*studies)
	}
}
