package lifeboats_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/studies/lifeboats"
	"sakusen/tuner"
	"sakusen/tuner/stats"
)

// margin is 10 of 500 wins.
const margin = 0.02

// fastStudy is the embedded study of evolution with a fifth of the paper's games.
const fastStudy = "lifeboats-evolution-fast"

// The fast study may search, prove and measure with a fifth of the games of the
// paper's setting.
func TestFastStudyIsFast(t *testing.T) {
	games := func(name string) int64 {
		spec, err := lifeboats.Study(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		return searchGames(spec) + int64(spec.Final.Top)*spec.Final.Blocks*5 + spec.Validation.MaxBlocks*5
	}
	fast, slow := games(fastStudy), games(lifeboats.PaperStudy)
	t.Logf("%d and %d games", fast, slow)
	if 5*fast > slow {
		t.Errorf("%d games are more than a fifth of %d", fast, slow)
	}
}

// searchGames returns the games of whole generations that a study's trials make.
func searchGames(spec *tuner.Setup) int64 {
	option := func(name string) int {
		text, _ := spec.Sampler.Options.Get(name)
		n, _ := strconv.Atoi(text)
		return n
	}
	first := 2 * option("parents")
	if answer, _ := spec.Sampler.Options.Get("answer"); answer == "centroid" {
		first++
	}
	tables := func(n int) int64 { return int64((n + spec.Evaluate.Group - 1) / spec.Evaluate.Group) }
	per := int64(spec.Evaluate.Rounds) * spec.Evaluate.Games
	trials, children := spec.Budget.Trials, option("children")
	games := int64(trials/(first+children)) * (tables(first) + tables(children)) * per
	return games + tables(trials%(first+children))*per
}

// LIFEBOATS_FAST=10 holds the answers of ten runs of the fast study against
// those of ten at the paper's setting: 20 000 games each against four random
// voters, all on the same deals. The difference must not be below -0.02 (10 of
// 500 wins) at 97.5 %. It takes about ten minutes of one processor.
func TestFastStudyHoldsUp(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("LIFEBOATS_FAST"))
	if err != nil {
		return
	}
	ctx, pool := context.Background(), arena.NewPool(1)
	lab, err := lifeboats.NewLab(pool, 99)
	if err != nil {
		t.Fatal(err)
	}
	var gains []float64
	games := map[string]int64{}
	for seed := range runs {
		strength := map[string]float64{}
		for _, name := range []string{fastStudy, lifeboats.PaperStudy} {
			spec, err := lifeboats.Study(name, uint64(seed+1))
			if err != nil {
				t.Fatal(err)
			}
			run, err := lifeboats.Evolve(ctx, spec, pool)
			if err != nil {
				t.Fatal(err)
			}
			s, err := lab.Strength(ctx, run.Result.Best.Values, 4000)
			if err != nil {
				t.Fatal(err)
			}
			strength[name] = s.Value
			games[name] += run.Result.Games
		}
		gains = append(gains, strength[fastStudy]-strength[lifeboats.PaperStudy])
		fmt.Printf("run %d: fast %.4f, paper's setting %.4f\n", seed+1, strength[fastStudy], strength[lifeboats.PaperStudy])
	}
	m := stats.OfRuns(gains)
	fmt.Printf("difference %+.4f, 95 %% [%+.4f, %+.4f]; games %v\n", m.Mean.Value, m.CI95.Lo.Value, m.CI95.Hi.Value, games)
	if m.CI95.Lo.Value < -margin || 5*games[fastStudy] > games[lifeboats.PaperStudy] {
		t.Errorf("the fast study is not shown to be as good within %g, or takes more than a fifth of the games", margin)
	}
}
