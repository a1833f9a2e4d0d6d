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

// unitThreshold returns the values of a switch at a number of own units.
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

// switchFigure returns the experiment of figure 5 or 6: the win rate of switch against
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

// gainRow returns a difference, map by map, with what it says in words.
func gainRow(label string, gain stats.MeanInterval) experiment.Row {
	note := "map by map; no difference is shown"
	if lo, hi := gain.CI95.Lo, gain.CI95.Hi; lo.Defined && hi.Defined && lo.Value > 0 {
		note = "map by map; better"
	} else if lo.Defined && hi.Defined && hi.Value < 0 {
		note = "map by map; worse"
	}
	return measuredRow(label, "win rate", gain, note)
}

// clockUnits is a threshold of which the paper's text says that it wins.
const clockUnits = 11

// leastSimulations is the least that M-UCT takes.
const leastSimulations = 10

// pace is how the searches of a game are bounded.
type pace struct {
	label  string
	values param.Values // of muct, beside its simulations
	share  int64        // of the simulations asked for: 1/share
}

// paces returns a tenth of the simulations without a clock, and all of them within
// the program's 9.7 s a turn at several speeds.
func paces() []pace {
	return []pace{
		{"no clock, a tenth of the simulations", nil, 10},
		{"the program's clock, 850 playouts/s", clockValues("850", "15.6"), 1},
		{"the same, numbers of its own for each playout", clockValues("850", "0"), 1},
		{"the program's clock, 4000 playouts/s", clockValues("4000", "15.6"), 1},
	}
}

// clockValues returns the program's 9.7 s a turn at a speed in playouts/s, whose playouts
// of so many milliseconds draw the same numbers.
func clockValues(rate, shared string) param.Values {
	return param.Values{{Name: "seconds_a_turn", Text: "9.7"}, {Name: "playouts_a_second", Text: rate}, {Name: "shared_ms", Text: shared}}
}

// clockExperiment asks whether the paper's threshold wins under the time and the
// generator of the program that the paper used.
func clockExperiment(game *arena.Game) experiment.Experiment {
	return experiment.Experiment{
		Name:   "tubstap-clock",
		Doc:    fmt.Sprintf("Win rate of switch at %d units against M-UCT by the program's clock, on eight maps with 40 %% planes and eight without.", clockUnits),
		Source: "ours; the setting of " + switchingSource + ", section 6.3", Games: 1, Simulations: 10 * paperBudget, Seed: paperSeed(),
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			return runClock(ctx, game, o, add)
		},
	}
}

func runClock(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	players := []switchPoint{{label: "", value: unitThreshold(clockUnits)}, singleAlone()}
	done, of := int64(0), int64(len(players)*2*len(paces())*clockMaps)*o.Games
	for _, planes := range []int{40, 0} {
		for _, p := range paces() {
			for _, player := range players {
				var values []float64
				above := 0
				for i := range clockMaps {
					score, err := meetByClock(ctx, game, o, clockRules(i, planes), player.value, p, func(games int64) {
						done += games / 2
						tellOf(o)(done, of, games)
					})
					if err != nil {
						return err
					}
					values = append(values, score)
					if score > 0.5 {
						above++
					}
				}
				label := fmt.Sprintf("%d %% planes, %s", planes, p.label)
				if player.label != "" {
					label += ": " + player.label
				}
				add(measuredRow(label, "win rate", overMaps(values),
					fmt.Sprintf("above a half on %d of %d maps, which are the unit of the interval", above, len(values))))
			}
		}
	}
	return nil
}

// overMaps returns a mean win rate with Student's interval over the maps, within 0 and 1.
// Where every map was won, or lost, it is Wilson's interval of that share of the maps: so
// few alike do not say that all are.
func overMaps(values []float64) stats.MeanInterval {
	m := stats.OfRuns(values)
	if !m.CI95.Defined() {
		return m
	}
	if at := m.Mean.Value; m.CI95.Half() == 0 && (at == 0 || at == 1) {
		n := float64(len(values))
		if all, err := stats.Wilson(at*n, n, 0.95); err == nil {
			m.CI95 = all
		}
		return m
	}
	m.CI95 = stats.Interval{Lo: stats.Known(max(0, m.CI95.Lo.Value)), Hi: stats.Known(min(1, m.CI95.Hi.Value))}
	return m
}

// meetByClock returns the win rate of a switch, or without values of the best single action
// alone, against M-UCT, both under a pace.
func meetByClock(ctx context.Context, game *arena.Game, o experiment.Options, rules, values param.Values, p pace, tell func(int64)) (float64, error) {
	lab, err := newLab(game, rules, max(leastSimulations, o.Simulations/p.share))
	if err != nil {
		return 0, err
	}
	if o.Seed != nil {
		lab.Seed = *o.Seed
	}
	player, opponent, err := lab.paced(values, p.values)
	if err != nil {
		return 0, err
	}
	score, err := lab.meetOther(ctx, o.Host, player, opponent, arena.Match, o.Games, tell)
	return score.estimate().Score.Value, err
}

// beyond returns the experiments that the paper leaves open.
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

// tellOf returns a function that passes counts on to the progress of an experiment, if
// there is one.
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
				values = predictedSwitch(tubstap.Learned())
				note = fmt.Sprintf(", threshold 10^%.1f", lab.threshold(tubstap.Learned()))
			}
			player, muct, err := lab.paced(values, nil)
			if err != nil {
				return err
			}
			score, err := lab.meetOther(ctx, o.Host, player, muct, arena.Match, blocks, nil)
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
	y, err := measureYardstick(ctx, game, o.Host, o.Simulations, o.Games, tellOf(o))
	if err != nil {
		return err
	}
	for i, s := range y.Scores {
		add(scoreRow(y.Maps[i], s))
	}
	add(measuredRow("all maps", "win rate", y.all(), "the map is the unit of the interval"))
	return nil
}
