package tubstap

import (
	"context"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/contest/experiment"
)

// Scales that take about three minutes of two cores in all.
const (
	watchedGames    = 8
	thresholdBlocks = 4
	clockBlocks     = 2
)

// figures are those of the paper.
func figures(game *arena.Game) []experiment.Experiment {
	list := []experiment.Experiment{
		{
			Name: "tubstap-figure4", Doc: "Estimated legal moves (log10) by turn, M-UCT against itself on paper12b.",
			Source: switchingSource + ", section 5.1, figure 4", Games: watchedGames, Simulations: paperBudget, Seed: paperSeed(), Game: game.Name,
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runFigure4(ctx, game, o, add)
			},
		},
		{
			Name: "tubstap-figure7", Doc: "Units against estimated legal moves (log10), M-UCT against itself on paper12b.",
			Source: switchingSource + ", section 6.4.3, figure 7", Games: watchedGames, Simulations: paperBudget, Seed: paperSeed(), Game: game.Name,
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runFigure7(ctx, game, o, add)
			},
		},
	}
	var switched []experiment.Experiment
	for _, r := range figureReadings() {
		switched = append(switched, switchFigure(game, r, "tubstap-figure5", "figure 5", "units", unitThresholds()),
			switchFigure(game, r, "tubstap-figure6", "figure 6", "moves", moveThresholds()))
	}
	return slices.Insert(list, 1, switched...)
}

// watchMuct plays the games of figures 4 and 7.
func watchMuct(ctx context.Context, game *arena.Game, o experiment.Options) ([][]complexity.Moment, error) {
	lab, err := paperLab(game, o, o.Simulations)
	if err != nil {
		return nil, err
	}
	turn := func(game int, play func() ([]complexity.Moment, error)) ([]complexity.Moment, error) {
		return experiment.RunCached(ctx, o, fmt.Sprintf("game %d", game), play)
	}
	return lab.Watch(ctx, int(o.Games), o.Workers, turn, func(done int) {
		if o.Progress != nil {
			o.Progress(int64(done), o.Games, 1)
		}
	})
}

func runFigure4(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	games, err := watchMuct(ctx, game, o)
	if err != nil {
		return err
	}
	levels := complexity.ByTurn(games)
	peak := 0
	for i, l := range levels {
		if l.LogMoves.Mean.Value > levels[peak].LogMoves.Mean.Value && l.Games > 1 {
			peak = i
		}
		add(measuredRow(fmt.Sprintf("turn %d", l.Turn), "log10 of moves", l.LogMoves, fmt.Sprintf("%d games last so long", l.Games)))
	}
	if len(levels) == 0 {
		return nil
	}
	// The text of section 5.1: complexity rises in the opening, then falls.
	last := peak
	for i := peak; i < len(levels) && 2*levels[i].Games > int(o.Games); i++ {
		last = i
	}
	rise := complexity.Change(games, levels[0].Turn, levels[peak].Turn)
	fall := complexity.Change(games, levels[peak].Turn, levels[last].Turn)
	add(experiment.Stated(measuredRow(fmt.Sprintf("from turn 0 to turn %d", levels[peak].Turn), "change of log10", rise, "the highest turn"), "above 0", rise.CI95, 0, 1))
	add(experiment.Stated(measuredRow(fmt.Sprintf("from turn %d to turn %d", levels[peak].Turn, levels[last].Turn), "change of log10", fall, "the last turn of half of the games"), "below 0", fall.CI95, 0, -1))
	return nil
}

func runFigure7(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	games, err := watchMuct(ctx, game, o)
	if err != nil {
		return err
	}
	for _, c := range complexity.ByUnits(games) {
		add(measuredRow(fmt.Sprintf("%d units", c.Units), "log10 of moves", c.LogMoves,
			fmt.Sprintf("%d positions, %.1f to %.1f", c.Positions, c.Low, c.High)))
	}
	r := complexity.Correlation(games)
	add(experiment.Stated(measuredRow("all positions", "correlation", r, "error by games"), "above 0", r.CI95, 0, 1))
	return nil
}
