package lifeboats_test

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/studies/lifeboats"
	"sakusen/tuner"
)

func study(t testing.TB, name string, seed uint64) *tuner.Setup {
	t.Helper()
	spec, err := lifeboats.Study(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Forty generations of the fast study already find what matters most, and the
// same seed finds the same again.
func TestEvolve(t *testing.T) {
	suite.All(t)
	spec := study(t, "lifeboats-evolution-fast", 3)
	spec.Budget.Trials = 40 * 86
	spec.Final.Top, spec.Validation.MaxBlocks = 1, 64
	var runs [2]*lifeboats.Evolution
	for i := range runs {
		run, err := lifeboats.Evolve(context.Background(), spec, arena.NewPool(1+i))
		if err != nil {
			t.Fatal(err)
		}
		runs[i] = run
	}
	if runs[0].Result.Digest != runs[1].Result.Digest {
		t.Error("two workers and one end differently")
	}
	if n := len(runs[0].Generations); n != 40 || len(runs[0].Generations[39]) != 17 {
		t.Fatalf("%d generations", n)
	}
	lab, err := lifeboats.NewLab(arena.NewPool(2), 1)
	if err != nil {
		t.Fatal(err)
	}
	first, err := lab.Wins(context.Background(), runs[0].Generations[0])
	if err != nil {
		t.Fatal(err)
	}
	last, err := lab.Wins(context.Background(), runs[0].Generations[39])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f and %.0f of 500", first.Of(500), last.Of(500))
	if first.Games != 17*500 || last.Value < first.Value+3*math.Hypot(first.Error, last.Error) {
		t.Errorf("from %+v to %+v in forty generations", first, last)
	}
	for _, f := range lifeboats.Judge(runs[0])[:1] {
		if !f.Holds {
			t.Errorf("%s: %s", f.Name, f.Seen)
		}
	}
	for _, alive := range []string{"strict", "tie", "expected"} {
		moments, err := lab.Lead(context.Background(), "level1", 1000, param.Values{{Name: "alive", Text: alive}}, runs[0].Generations[39])
		if err != nil {
			t.Fatal(err)
		}
		if moments[0].Games != 5000 || moments[0].Round != 1 || len(moments) < 6 {
			t.Errorf("%s: %+v", alive, moments)
		}
	}
}

func TestLevelOneNeedsPlayers(t *testing.T) {
	lab, err := lifeboats.NewLab(arena.NewPool(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.LevelOne(context.Background(), "level1", 1, nil, nil); err == nil {
		t.Error("played against nobody")
	}
}
