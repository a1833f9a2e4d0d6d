package main

import (
	"context"
	"fmt"
	"strconv"

	"sakusen/cmd/sakusen/complexity"
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/experiment"
	"sakusen/tuner/rating"
)

// switchingSource is the paper; its figures are plots without numbers, so that
// only what its text says is printed.
const switchingSource = "R. Sagehashi, K. Muto and J. Nishino, IPSJ SIG Technical Report 2017-GI-37 No. 10"

// paperMap stands for the map of the paper's figure 3, which is not published.
const paperMap = "paper12b"

// paperBudget is what the figures are measured with by default, a tenth of the
// paper's 20 000 simulations a unit action.
const paperBudget = 2000

// Scales that take about eight minutes of two cores in all.
const (
	watchedGames    = 24
	thresholdBlocks = 12
)

// tubstapExperiments are the figures of the paper and what goes beyond them.
func tubstapExperiments(game *arena.Game) []experiment.Experiment {
	return []experiment.Experiment{
		{
			Name: "tubstap-figure4", Doc: "Estimated legal moves (log10) by turn, M-UCT against itself on paper12b.",
			Source: switchingSource + ", section 5.1, figure 4", Games: watchedGames, Simulations: paperBudget, Seed: paperSeed(),
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runFigure4(ctx, game, o, add)
			},
		},
		switchFigure(game, "tubstap-figure5", "figure 5", "units", unitThresholds()),
		switchFigure(game, "tubstap-figure6", "figure 6", "moves", moveThresholds()),
		{
			Name: "tubstap-figure7", Doc: "Units against estimated legal moves (log10), M-UCT against itself on paper12b.",
			Source: switchingSource + ", section 6.4.3, figure 7", Games: watchedGames, Simulations: paperBudget, Seed: paperSeed(),
			Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
				return runFigure7(ctx, game, o, add)
			},
		},
	}
}

// paperSeed is the seed when no other is asked for.
func paperSeed() *uint64 {
	seed := uint64(complexity.Seed)
	return &seed
}

// paperLab opens the paper's map with the seed that is asked for.
func paperLab(game *arena.Game, o experiment.Options, simulations int64) (*complexity.Lab, error) {
	lab, err := complexity.NewLab(game, complexity.Named(paperMap), simulations)
	if err == nil && o.Seed != nil {
		lab.Seed = *o.Seed
	}
	return lab, err
}

// watchMuct plays the games of figures 4 and 7.
func watchMuct(ctx context.Context, game *arena.Game, o experiment.Options) ([][]complexity.Moment, error) {
	lab, err := paperLab(game, o, o.Simulations)
	if err != nil {
		return nil, err
	}
	turn := func(game int, play func() ([]complexity.Moment, error)) ([]complexity.Moment, error) {
		return experiment.Part(ctx, o, fmt.Sprintf("game %d", game), play)
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
	add(stated(measuredRow(fmt.Sprintf("from turn 0 to turn %d", levels[peak].Turn), "change of log10", rise, "the highest turn"), "above 0", rise.CI95, 0, 1))
	add(stated(measuredRow(fmt.Sprintf("from turn %d to turn %d", levels[peak].Turn, levels[last].Turn), "change of log10", fall, "the last turn of half of the games"), "below 0", fall.CI95, 0, -1))
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
	add(stated(measuredRow("all positions", "correlation", r, "error by games"), "above 0", r.CI95, 0, 1))
	return nil
}

// switchPoint is a value of the switch's threshold and whether the paper's text
// says that it wins clearly more than it loses.
type switchPoint struct {
	label string
	value param.Values
	wins  bool
}

func unitThresholds() []switchPoint {
	var all []switchPoint
	for u := 5; u <= 12; u++ {
		all = append(all, switchPoint{fmt.Sprintf("%d units", u), param.Values{{Name: "measure", Text: "units"}, {Name: "units_threshold", Text: strconv.Itoa(u)}}, u == 10 || u == 11})
	}
	return all
}

func moveThresholds() []switchPoint {
	var all []switchPoint
	for m := 12; m <= 23; m++ {
		all = append(all, switchPoint{fmt.Sprintf("10^%d moves", m), param.Values{{Name: "measure", Text: "moves"}, {Name: "moves_threshold", Text: strconv.Itoa(m)}}, m == 16 || m == 21 || m == 22})
	}
	return all
}

// switchFigure is the experiment of figure 5 or 6: the win rate of switch against
// M-UCT with the same simulations, by threshold, on the same blocks.
func switchFigure(game *arena.Game, name, figure, measure string, list []switchPoint) experiment.Experiment {
	return experiment.Experiment{
		Name: name, Doc: "Win rate of switch against M-UCT by threshold (" + measure + ") on paper12b, draws half.",
		Source: switchingSource + ", section 6.3, " + figure, Games: thresholdBlocks, Simulations: paperBudget, Seed: paperSeed(),
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			lab, err := paperLab(game, o, o.Simulations)
			if err != nil {
				return err
			}
			done := int64(0)
			for _, t := range list {
				player, err := lab.Switch(t.value)
				if err != nil {
					return err
				}
				score, err := lab.Meet(ctx, o.Host, player, arena.Match, o.Games, func(games int64) {
					done += games / 2
					if o.Progress != nil {
						o.Progress(done, o.Games*int64(len(list)), games)
					}
				})
				if err != nil {
					return err
				}
				row := scoreRow(t.label, score)
				if t.wins {
					row = stated(row, "above 0.5", score.Estimate().CI95, 0.5, 1)
				}
				add(row)
			}
			return nil
		},
	}
}

// scoreRow is a win rate.
func scoreRow(label string, s complexity.Score) experiment.Row {
	e := s.Estimate()
	return measuredRow(label, "win rate", rating.MeanInterval{Mean: e.Score, CI95: e.CI95}, s.String())
}

// measuredRow is a row of which the paper prints nothing.
func measuredRow(label, metric string, m rating.MeanInterval, note string) experiment.Row {
	row := experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), Note: note}
	if m.CI95.Lo.Defined && m.CI95.Hi.Defined {
		row.CI = &experiment.Span{m.CI95.Lo.Value, m.CI95.Hi.Value}
	}
	return row
}

// stated sets a statement of the paper's text beside a row: that the value lies
// above (side 1) or below (side -1) a bound. It agrees, or does not, where the
// interval leaves no doubt.
func stated(row experiment.Row, printed string, i rating.Interval, bound, side float64) experiment.Row {
	row.Printed = experiment.Text(printed)
	if !i.Lo.Defined || !i.Hi.Defined {
		return row
	}
	agrees := side*i.Lo.Value > side*bound && side*i.Hi.Value > side*bound
	differs := side*i.Lo.Value < side*bound && side*i.Hi.Value < side*bound
	if agrees || differs {
		row.Agrees = &agrees
	}
	return row
}
