package laboratory

import (
	"context"
	"testing"

	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/strategies/laboratory/point"
	"sakusen/tuner"
)

// Study runs a study of the game laboratory in memory and holds its answer against the truth.
func Study(ctx context.Context, spec *tuner.Setup) (Outcome, error) {
	g := &ground{Elo: func(best param.Values) (float64, error) { return point.Elo(spec.Rules, best) }}
	return g.run(ctx, spec)
}

// read reads a study file of the games that there are.
func read(name, text string) (*tuner.Setup, error) {
	return (&ground{Catalogue: strategies.Catalogue()}).read(name, text)
}

// named returns the real game of a name.
func named(t *testing.T, name string) *ground {
	t.Helper()
	for _, g := range grounds() {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("there is no ground %s", name)
	return nil
}

// found returns the mean truth of a method's answers on a ground, and how many intervals of claims hold
// it.
func found(t *testing.T, g *ground, m method, games int64, first, studies int) (truth float64, held int) {
	t.Helper()
	err := (&bench{Seeds: studies, First: first}).Run(t.Context(), []cell{g.cell(games)}, []method{m}, func(r result) {
		for _, o := range r.Outcomes {
			if o.Claimed == nil || o.ClaimCI == nil {
				t.Fatalf("%s, seed %d: nothing is claimed", g.Name, o.Seed)
			}
			if o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
				held++
			}
			t.Logf("%s, seed %d: %.1f Elo of %.1f, claimed %.1f %.1f", g.Name, o.Seed, o.Truth, g.Top, *o.Claimed, *o.ClaimCI)
			truth += o.Truth / float64(studies)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return truth, held
}

// setupOf returns the setup of the default's study on a ground.
func setupOf(t *testing.T, g *ground) *tuner.Setup {
	t.Helper()
	text, _ := methods()[0].study(g, 20_000, 1)
	s, err := g.read(g.Name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
