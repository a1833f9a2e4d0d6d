package evolution_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"sakusen/cmd/sakusen/evolution"
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

func study(t testing.TB, name string, seed uint64) *tuner.Spec {
	t.Helper()
	text, err := studies.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := tuner.ReadSpec(name, text, strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	spec.Sampler.Seed = seed
	return spec
}

// Forty generations of the fast study already find what matters most, and the
// same seed finds the same again.
func TestEvolve(t *testing.T) {
	spec := study(t, "lifeboats-evolution-fast", 3)
	spec.Budget.Trials = 40 * 85
	spec.Final.Top, spec.Validation.MaxBlocks = 1, 64
	var runs [2]*evolution.Run
	for i := range runs {
		run, err := evolution.Evolve(context.Background(), spec, arena.NewPool(1+i))
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
	lab, err := evolution.NewLab(arena.NewPool(2), 1)
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
	for _, f := range evolution.Judge(runs[0])[:1] {
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
	lab, err := evolution.NewLab(arena.NewPool(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.LevelOne(context.Background(), "level1", 1, nil, nil); err == nil {
		t.Error("played against nobody")
	}
}

// The experiments of the paper. LIFEBOATS_RUNS=10 makes ten runs of the study
// named by LIFEBOATS_STUDY (lifeboats-evolution) and prints figures 1 and 2, the
// table of candidate rules, leads and findings, the table and the leads only of
// the default study. LIFEBOATS_EVERY sets the generations between the points of
// figure 1 (10). A run takes about a minute of one processor.
func TestRuns(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("LIFEBOATS_RUNS"))
	if err != nil {
		return
	}
	every, err := strconv.Atoi(os.Getenv("LIFEBOATS_EVERY"))
	if err != nil {
		every = 10
	}
	name := os.Getenv("LIFEBOATS_STUDY")
	if name == "" {
		name = "lifeboats-evolution"
	}
	ctx, pool := context.Background(), arena.NewPool(2)
	lab, err := evolution.NewLab(pool, 77)
	if err != nil {
		t.Fatal(err)
	}
	holds := map[string]int{}
	first, _ := strconv.Atoi(os.Getenv("LIFEBOATS_FIRST")) // seed of the first run, less 1
	for seed := first; seed < first+runs; seed++ {
		run, err := evolution.Evolve(ctx, study(t, name, uint64(seed+1)), pool)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("run %d: %d games, validated %.4f\n  figure 1:", seed+1, run.Result.Games, *run.Result.Validation.Score)
		last := len(run.Generations) - 1
		for g := 0; ; g = min(g+every, last) {
			s, err := lab.Wins(ctx, run.Generations[g])
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf(" %d:%.0f", g, s.Of(500))
			if g == last {
				break
			}
		}
		for _, g := range []int{0, last / 4, last / 2, last} {
			w := evolution.Means(run.Generations[g])
			fmt.Printf("\n  figure 2, generation %d:", g)
			for _, n := range []string{"A1", "A2", "A3", "D", "L1", "L2", "L3", "C2", "C3", "C4", "C5", "R1", "R2", "R3", "R4", "R5", "X"} {
				fmt.Printf(" %s %.2f", n, w[n])
			}
		}
		fmt.Println()
		for _, f := range evolution.Judge(run) {
			if f.Holds {
				holds[f.Name]++
			}
		}
		if name != "lifeboats-evolution" {
			continue
		}
		players := run.Generations[last]
		fmt.Print("  against four of level 0, wins of 10000:")
		for _, c := range []struct{ strategy, name, value string }{
			{"level0", "full_boat", "aboard"},
			{"level1", "alive", "strict"}, {"level1", "alive", "tie"}, {"level1", "alive", "expected"},
			{"adaptive", "ahead", "level0"}, {"adaptive", "behind", "level0"}, {"adaptive", "early", "level0"},
			{"adaptive", "early", "tie"}, {"adaptive", "early", "strict"},
		} {
			s, err := lab.LevelOne(ctx, c.strategy, 2000, param.Values{{Name: c.name, Text: c.value}}, players)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf(" %s(%s=%s) %.0f+-%.0f", c.strategy, c.name, c.value, s.Of(10000), 1.96*s.Error*10000)
		}
		fmt.Println()
		for _, alive := range []string{"strict", "expected"} {
			moments, err := lab.Lead(ctx, "level1", 1000, param.Values{{Name: "alive", Text: alive}}, players)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("  lead of level 1, %s:", alive)
			for _, m := range moments {
				fmt.Printf(" %d:%.2f/%.2f", m.Round, m.Lead, m.Aimed)
			}
			fmt.Println()
		}
	}
	for f, n := range holds {
		fmt.Printf("%s: %d of %d\n", f, n, runs)
	}
}
