package tubstap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// Experiments returns the figures of the paper, then what goes beyond them.
func Experiments(game *arena.Game) []experiment.Experiment {
	return append(figures(game), beyond(game)...)
}

// switchingSource is the paper; its figures are plots without numbers, so that
// only what its text says is printed.
const switchingSource = "R. Sagehashi, K. Muto and J. Nishino, IPSJ SIG Technical Report 2017-GI-37 No. 10"

// paperMap stands for the map of the paper. The paper prints it as figure 3, a
// picture without a file of units and terrain; a map that was read off it is played
// by the rule map.
const paperMap = "paper12b"

// paperBudget is what the figures are measured with by default, a tenth of the
// paper's 20 000 simulations a unit action.
const paperBudget = 2000

// paperSeed returns the seed when no other is asked for.
func paperSeed() *uint64 {
	seed := uint64(seed)
	return &seed
}

// paperLab opens the paper's map, or the rules that are asked for, with the seed
// that is asked for.
func paperLab(game *arena.Game, o experiment.Options, simulations int64) (*lab, error) {
	rules := o.Rules
	if rules == nil {
		rules = named(paperMap)
	}
	lab, err := newLab(game, rules, simulations)
	if err == nil && o.Seed != nil {
		lab.Seed = *o.Seed
	}
	return lab, err
}

// fewPoints is the number of blocks' points, won or lost, below which the scatter of the
// blocks says too little of their error.
const fewPoints = 5

// scoreRow returns a win rate. Its interval is that of the blocks; where nearly all of them
// were won, or lost, it is Wilson's with a block as one trial, which is on the safe side.
func scoreRow(label string, s score) experiment.Row {
	e := s.estimate()
	m := stats.MeanInterval{Mean: e.Score, CI95: e.CI95}
	if n := float64(s.Blocks.N()); e.Score.Defined && min(e.Score.Value, 1-e.Score.Value)*n < fewPoints {
		if wilson, err := stats.Wilson(e.Score.Value*n, n, 0.95); err == nil {
			m.CI95 = wilson
		}
	}
	return measuredRow(label, "win rate", m, s.String())
}

// measuredRow returns a row for which the paper prints nothing.
func measuredRow(label, metric string, m stats.MeanInterval, note string) experiment.Row {
	return experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(m.Mean), CI: m.CI95, Note: note}
}

// Scales that take about three minutes of two cores in all.
const (
	watchedGames    = 8
	thresholdBlocks = 4
	clockBlocks     = 2
)

// figures returns those of the paper.
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
func watchMuct(ctx context.Context, game *arena.Game, o experiment.Options) ([][]moment, error) {
	lab, err := paperLab(game, o, o.Simulations)
	if err != nil {
		return nil, err
	}
	turn := func(game int, play func() ([]moment, error)) ([]moment, error) {
		return experiment.RunCached(ctx, o, fmt.Sprintf("game %d", game), play)
	}
	return lab.watchGames(ctx, int(o.Games), o.Workers, turn, func(done int) {
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
	levels := byTurn(games)
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
	rise := change(games, levels[0].Turn, levels[peak].Turn)
	fall := change(games, levels[peak].Turn, levels[last].Turn)
	add(experiment.Stated(measuredRow(fmt.Sprintf("from turn 0 to turn %d", levels[peak].Turn), "change of log10", rise, "the highest turn"), "above 0", rise.CI95, 0, 1))
	add(experiment.Stated(measuredRow(fmt.Sprintf("from turn %d to turn %d", levels[peak].Turn, levels[last].Turn), "change of log10", fall, "the last turn of half of the games"), "below 0", fall.CI95, 0, -1))
	return nil
}

func runFigure7(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	games, err := watchMuct(ctx, game, o)
	if err != nil {
		return err
	}
	for _, c := range byUnits(games) {
		add(measuredRow(fmt.Sprintf("%d units", c.Units), "log10 of moves", c.LogMoves,
			fmt.Sprintf("%d positions, %.1f to %.1f", c.Positions, c.Low, c.High)))
	}
	r := correlate(games)
	add(experiment.Stated(measuredRow("all positions", "correlation", r, "error by games"), "above 0", r.CI95, 0, 1))
	return nil
}

// level is the complexity at one turn over games.
type level struct {
	Turn     int // half-turns played
	Games    int // that last so long
	LogMoves stats.MeanInterval
}

// byTurn returns figure 4: the mean logarithm of the estimated legal moves, which is
// that of their geometric mean, turn by turn over the games that last so long.
func byTurn(games [][]moment) []level {
	var values [][]float64
	for _, g := range games {
		for _, m := range g {
			for len(values) <= m.Turn {
				values = append(values, nil)
			}
			values[m.Turn] = append(values[m.Turn], m.LogMoves)
		}
	}
	var levels []level
	for turn, v := range values {
		if len(v) > 0 {
			levels = append(levels, level{turn, len(v), meanOf(v)})
		}
	}
	return levels
}

// change returns by how much the logarithm of moves differs between two turns, over the
// games that reach both.
func change(games [][]moment, from, to int) stats.MeanInterval {
	var values []float64
	for _, g := range games {
		at := map[int]float64{}
		for _, m := range g {
			at[m.Turn] = m.LogMoves
		}
		a, began := at[from]
		b, lasted := at[to]
		if began && lasted {
			values = append(values, b-a)
		}
	}
	return meanOf(values)
}

// column is the positions with one number of units in figure 7's scatter.
type column struct {
	Units     int
	Positions int
	Low, High float64 // least and greatest log10 of moves
	LogMoves  stats.MeanInterval
}

// byUnits returns figure 7, column by column.
func byUnits(games [][]moment) []column {
	columns := map[int]*column{}
	for _, g := range games {
		for _, m := range g {
			c, ok := columns[m.Units]
			if !ok {
				c = &column{Units: m.Units, Low: m.LogMoves, High: m.LogMoves}
				columns[m.Units] = c
			}
			c.Positions++
			c.Low, c.High = min(c.Low, m.LogMoves), max(c.High, m.LogMoves)
		}
	}
	var out []column
	for _, c := range columns {
		c.LogMoves = jackknife(games, func(games [][]moment) stats.Number {
			sum, n := 0.0, 0
			for _, g := range games {
				for _, m := range g {
					if m.Units == c.Units {
						sum += m.LogMoves
						n++
					}
				}
			}
			return stats.Known(sum / float64(n))
		})
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b column) int { return a.Units - b.Units })
	return out
}

// correlate returns that of units and log10 of moves over all positions.
func correlate(games [][]moment) stats.MeanInterval { return jackknife(games, correlation) }

// yardstick is how often guided beats M-UCT's corrected tree with the same
// simulations on the held-out maps, map by map.
type yardstick struct {
	Maps   []string
	Scores []score
}

// measureYardstick plays it: guided was tuned on other maps.
func measureYardstick(ctx context.Context, game *arena.Game, host arena.Host, simulations, blocks int64, tell func(done, of, games int64)) (*yardstick, error) {
	maps := heldOutMaps()[:12]
	count := newCount(int64(len(maps))*blocks, tell)
	y := &yardstick{}
	budget := param.Value{Name: "simulations", Text: strconv.FormatInt(simulations, 10)}
	for _, d := range maps {
		rs, errs := game.Open(rulesOf(d))
		if len(errs) > 0 {
			return nil, fmt.Errorf("tubstap: %w", errors.Join(errs...))
		}
		guided, err := rs.NewEntrant("guided", "guided", param.Values{budget})
		if err != nil {
			return nil, err
		}
		muct, err := rs.NewEntrant("muct", "muct", param.Values{budget, {Name: "mode", Text: "corrected"}})
		if err != nil {
			return nil, err
		}
		s, err := meet(ctx, host, arena.Series{Ruleset: rs, Entrants: []arena.Entrant{guided, muct}, Seed: seed, To: blocks}, count)
		if err != nil {
			return nil, err
		}
		y.Maps = append(y.Maps, fmt.Sprintf("%d x %d, %d units, %d %% planes", d.Width, d.Height, d.Units, d.Planes))
		y.Scores = append(y.Scores, s)
	}
	return y, nil
}

// all returns the mean over the maps, which are the unit of the interval.
func (y *yardstick) all() stats.MeanInterval {
	var values []float64
	for _, s := range y.Scores {
		values = append(values, s.estimate().Score.Value)
	}
	return meanOf(values)
}
