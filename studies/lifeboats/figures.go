package lifeboats

import (
	"context"
	"fmt"
	"strings"

	"sakusen/strategies/lifeboats/worth"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

const paper = "T. Kasuya, R. Suzuki and T. Arita, Evolution of players for a board game based on majority voting"

const (
	againstRandom = 500 // games of an individual of figure 1
	wantedWins    = 380 // of them, by generation 80
)

// figure1 is the strength of populations over the generations.
func figure1() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-figure1",
		Doc: "Wins of 500 of level-0 players against four random voters, every 10 generations of several evolutions " +
			"(games are of all evolutions; 416 000 a run of 80 generations, below two runs fewer generations).",
		Source: paper + ", figure 1", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			runs, generations := scale(o.Games)
			shown := int64(runs*((generations+8)/10+1)) * 17 * againstRandom / 5
			lab, err := labOf(o, historyBlocks(o.Games)+shown)
			if err != nil {
				return err
			}
			h, err := evolve(ctx, o, lab, PaperStudy)
			if err != nil {
				return err
			}
			reached := make([]bool, len(h.runs))
			for _, g := range h.points(10) {
				wins := make([]float64, len(h.runs))
				for i, run := range h.runs {
					s, err := lab.Wins(ctx, run.Generations[g])
					if err != nil {
						return err
					}
					wins[i] = s.Of(againstRandom)
					reached[i] = reached[i] || wins[i] >= wantedWins
				}
				add(measured(fmt.Sprintf("generation %d", g), "wins of 500", wins, "%.0f"))
			}
			n := 0
			for _, r := range reached {
				if r {
					n++
				}
			}
			add(experiment.Row{Label: fmt.Sprintf("runs with %d or more by generation %d", wantedWins, h.generations-1),
				Metric: fmt.Sprintf("runs of %d", len(h.runs)), Measured: experiment.Integer(int64(n))})
			return nil
		},
	}
}

// figure2 is the weights of populations over the generations.
func figure2() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-figure2",
		Doc: "Mean weights of level-0 players, each scaled to a largest weight of 1, every 20 generations of several evolutions " +
			"(games as in lifeboats-figure1).",
		Source: paper + ", figure 2", Games: defaultRuns * runGames, Seed: seeded(), Fresh: true, Declare: start,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			lab, err := labOf(o, historyBlocks(o.Games))
			if err != nil {
				return err
			}
			h, err := evolve(ctx, o, lab, PaperStudy)
			if err != nil {
				return err
			}
			for _, name := range worth.Names(5) {
				for _, g := range h.points(20) {
					weights := make([]float64, len(h.runs))
					for i, run := range h.runs {
						weights[i] = Means(run.Generations[g])[name]
					}
					add(measured(fmt.Sprintf("generation %d", g), name, weights, "%.2f"))
				}
			}
			return nil
		},
	}
}

// measured is a row of one number a run, for which the paper prints none. The
// note lists the runs.
func measured(label, metric string, runs []float64, format string) experiment.Row {
	m := stats.OfRuns(runs)
	return experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), CI: m.CI95, Note: "runs " + list(runs, format)}
}

// list is numbers for people.
func list(numbers []float64, format string) string {
	texts := make([]string, len(numbers))
	for i, x := range numbers {
		texts[i] = fmt.Sprintf(format, x)
	}
	return strings.Join(texts, " ")
}
