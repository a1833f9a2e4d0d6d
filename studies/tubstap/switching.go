package tubstap

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies/tubstap"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
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
				player, opponent, err := lab.paced(t.value, reading.search)
				if err != nil {
					return err
				}
				score, err := lab.meetOther(ctx, o.Host, player, opponent, arena.Match, o.Games, func(games int64) {
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

// runThresholdRule learns the rules on some maps and judges them on others: twice
// as many blocks a cell as in learning, on 12 maps for each of o.Games.
func runThresholdRule(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	tell := tellOf(o)
	trial := trial{Maps: int(min(mostMaps, 12*o.Games)), Tune: o.Games, Blocks: 2 * o.Games, Seed: seed}
	if o.Seed != nil {
		trial.Seed = *o.Seed
	}
	lesson, err := learnRule(ctx, game, o.Host, trial.Seed, o.Games, tell)
	if err != nil {
		return err
	}
	tellLesson(lesson, add)
	result, err := judge(ctx, game, o.Host, lesson, trial, tell)
	if err != nil {
		return err
	}
	for _, m := range result.Methods {
		maps, games := result.spread(m)
		add(measuredRow(m.Name, "win rate", result.strength(m, -1), fmt.Sprintf("%s; maps lie %.3f apart, by their games alone %.3f", m.spent(), maps, games)))
		for i, b := range result.Budgets {
			add(measuredRow(fmt.Sprintf("%s, %d simulations", m.Name, b), "win rate", result.strength(m, i), ""))
		}
	}
	for _, i := range []int{predicted, tuned} {
		rule := result.Methods[i]
		for _, j := range []int{blindRule, search, single, fixed, tuned} {
			if other := result.Methods[j]; j != i {
				add(gainRow(rule.Name+" - "+other.Name, result.gain(rule, other)))
			}
		}
	}
	far, err := transfer(ctx, game, o.Host, lesson, paperBudget, trial, tell)
	if err != nil {
		return err
	}
	note := "five times the largest budget of learning"
	add(measuredRow(fmt.Sprintf("fixed, %d simulations", paperBudget), "win rate", far.Fixed, note))
	add(measuredRow(fmt.Sprintf("predicted, %d simulations", paperBudget), "win rate", far.Predicted, note))
	add(measuredRow(fmt.Sprintf("single alone, %d simulations", paperBudget), "win rate", far.Single, note+"; a block a map"))
	return nil
}

// tellLesson adds what was learned beside what switch's prediction has.
func tellLesson(lesson *lesson, add func(experiment.Row)) {
	number := func(label, metric string, learned float64, note string) {
		add(experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(stats.Known(learned)), Note: note})
	}
	p, shipped := lesson.Prediction, tubstap.Learned()
	of := func(x float64) string { return fmt.Sprintf("switch has %g", x) }
	number("learned: base", "log10 of moves", p.Base, of(shipped.Base))
	number("learned: for ten times the simulations", "log10 of moves", p.PerDecade, of(shipped.PerDecade))
	number("learned: for planes alone", "log10 of moves", p.PerAir, of(shipped.PerAir))
	number("learned: best fixed threshold", "log10 of moves", lesson.Fixed, "")
	number("learned: M-UCT alone from here on", "simulations", math.Round(lesson.Blind), "the rule that is blind to the position")
	for _, c := range lesson.means() {
		add(measuredRow(fmt.Sprintf("learning, %d simulations, %s", c.Simulations, c.Player), "win rate", c.Strength, ""))
	}
}

// gainRow is a difference, map by map, with what it says in words.
func gainRow(label string, gain stats.MeanInterval) experiment.Row {
	note := "map by map; no difference is shown"
	if lo, hi := gain.CI95.Lo, gain.CI95.Hi; lo.Defined && hi.Defined && lo.Value > 0 {
		note = "map by map; better"
	} else if lo.Defined && hi.Defined && hi.Value < 0 {
		note = "map by map; worse"
	}
	return measuredRow(label, "win rate", gain, note)
}
