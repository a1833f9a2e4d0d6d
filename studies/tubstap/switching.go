package tubstap

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
)

// switchPoint is a value of the switch's threshold and whether the paper's text
// says that it wins clearly more than it loses.
type switchPoint struct {
	label string
	value param.Values
	wins  bool
}

// singleAlone stands beside every switch: the best single action all game long. The other
// part alone, M-UCT, scores a half against itself.
func singleAlone() switchPoint { return switchPoint{label: "single alone"} }

func unitThresholds() []switchPoint {
	var all []switchPoint
	for u := 5; u <= 12; u++ {
		all = append(all, switchPoint{fmt.Sprintf("%d units", u), unitThreshold(u), u == 10 || u == 11})
	}
	return all
}

// unitThreshold are the values of a switch at a number of own units.
func unitThreshold(units int) param.Values {
	return param.Values{{Name: "measure", Text: "units"}, {Name: "units_threshold", Text: strconv.Itoa(units)}}
}

func moveThresholds() []switchPoint {
	var all []switchPoint
	for m := 12; m <= 23; m++ {
		all = append(all, switchPoint{fmt.Sprintf("10^%d moves", m), param.Values{{Name: "measure", Text: "moves"}, {Name: "moves_threshold", Text: strconv.Itoa(m)}}, m == 16 || m == 21 || m == 22})
	}
	return all
}

// figureReading is one way to read "20 000 simulations" in the paper: as they are asked
// for, or within the 9.7 seconds a turn of the program that it used.
type figureReading struct {
	suffix, doc        string
	search             param.Values // of muct, beside its simulations
	games, simulations int64        // by default
}

func figureReadings() []figureReading {
	return []figureReading{
		{games: thresholdBlocks, simulations: paperBudget},
		{suffix: "-clock", doc: " By the program's clock: 9.7 s a turn at 850 playouts/s, new random numbers every 15.6 ms.",
			search: clockValues("850", "15.6"), games: clockBlocks, simulations: 10 * paperBudget},
	}
}

// switchFigure is the experiment of figure 5 or 6: the win rate of switch against
// M-UCT with the same simulations, by threshold, on the same blocks.
func switchFigure(game *arena.Game, reading figureReading, name, figure, measure string, list []switchPoint) experiment.Experiment {
	return experiment.Experiment{
		Name: name + reading.suffix, Doc: "Win rate of switch against M-UCT by threshold (" + measure + ") on paper12b, draws half." + reading.doc,
		Source: switchingSource + ", section 6.3, " + figure, Games: reading.games, Simulations: reading.simulations, Seed: paperSeed(), Game: game.Name,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			lab, err := paperLab(game, o, o.Simulations)
			if err != nil {
				return err
			}
			done := int64(0)
			list := append(slices.Clip(list), singleAlone())
			for _, t := range list {
				player, opponent, err := lab.Paced(t.value, reading.search)
				if err != nil {
					return err
				}
				score, err := lab.MeetOther(ctx, o.Host, player, opponent, arena.Match, o.Games, func(games int64) {
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
					row = experiment.Stated(row, "above 0.5", row.CI, 0.5, 1)
				}
				add(row)
			}
			return nil
		},
	}
}
