package tubstap

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap/switching"
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/contest/experiment"
)

// beyond are the experiments that the paper leaves open.
func beyond(game *arena.Game) []experiment.Experiment {
	return []experiment.Experiment{
		{
			Name: "tubstap-simulations", Doc: "Win rate of switch against M-UCT on paper12b by the simulations of both, thresholds given and predicted.",
			Source: "ours; the setting of " + switchingSource, Games: 8, Seed: paperSeed(), Game: game.Name,
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runSimulations(ctx, game, o, add)
			},
		},
		clockExperiment(game),
		{
			Name: "tubstap-threshold-rule", Doc: "A threshold predicted from the map and the budget, on 12 maps never seen for each game asked for, at most 50: against either player alone, a rule blind to the position, the best fixed threshold and one tuned on each map.",
			Source: "ours; the open problem of " + switchingSource + ", section 7", Games: 1, Seed: paperSeed(),
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runThresholdRule(ctx, game, o, add)
			},
		},
		{
			Name: "tubstap-yardstick", Doc: "Win rate of guided against M-UCT's corrected tree on generated maps that no tuning has seen.",
			Source: "ours", Games: 4, Simulations: 200,
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runYardstick(ctx, game, o, add)
			},
		},
	}
}

// tellOf is a function that passes counts on to the progress of an experiment, if there is
// one.
func tellOf(o experiment.Options) func(done, of, games int64) {
	if o.Progress != nil {
		return o.Progress
	}
	return func(int64, int64, int64) {}
}

// runSimulations plays some thresholds with one budget after another; the
// large ones take a quarter of the games.
func runSimulations(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	budgets := []int64{20, 50, 100, 200, 500, 2000}
	units, moves := unitThresholds(), moveThresholds()
	players := []switchPoint{singleAlone(), units[3], units[7], moves[8], moves[10], {label: "predicted"}}
	done, of := int64(0), int64(len(budgets)*len(players))*o.Games
	for _, b := range budgets {
		blocks := o.Games
		if b >= 500 {
			blocks = max(2, o.Games/4)
		}
		for _, p := range players {
			lab, err := paperLab(game, o, b)
			if err != nil {
				return err
			}
			values, note := p.value, ""
			if p.label == "predicted" {
				values = complexity.PredictedSwitch(switching.Learned())
				note = fmt.Sprintf(", threshold 10^%.1f", lab.Threshold(switching.Learned()))
			}
			player, muct, err := lab.Paced(values, nil)
			if err != nil {
				return err
			}
			score, err := lab.MeetOther(ctx, o.Host, player, muct, arena.Match, blocks, nil)
			if err != nil {
				return err
			}
			done += o.Games
			tellOf(o)(done, of, score.Games)
			row := scoreRow(fmt.Sprintf("%d simulations, %s", b, p.label), score)
			row.Note += note
			add(row)
		}
	}
	return nil
}

func runYardstick(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	y, err := complexity.MeasureYardstick(ctx, game, o.Host, o.Simulations, o.Games, tellOf(o))
	if err != nil {
		return err
	}
	for i, s := range y.Scores {
		add(scoreRow(y.Maps[i], s))
	}
	add(measuredRow("all maps", "win rate", y.All(), "the map is the unit of the interval"))
	return nil
}
