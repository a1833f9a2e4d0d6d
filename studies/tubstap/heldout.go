package tubstap

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap"
	"sakusen/tuner/stats"
)

// lesson is what the learning maps teach.
type lesson struct {
	Curves     []curve
	Fixed      float64 // the best threshold for all of them
	Blind      float64 // simulations from which on M-UCT alone is better than single alone
	Prediction tubstap.Prediction
	Games      int64
}

// learnRule measures the curves of the learning maps and fits the rules to them.
func learnRule(ctx context.Context, game *arena.Game, host arena.Host, seed uint64, blocks int64, tell func(done, of, games int64)) (*lesson, error) {
	labs, err := labsOf(game, learningMaps(), learningBudgets())
	if err != nil {
		return nil, err
	}
	lesson := &lesson{}
	count := newCount(int64(len(labs)*(len(grid())+1))*blocks, tell)
	for _, l := range labs {
		l.Seed = seed
		c, err := l.measure(ctx, host, arena.Tune, blocks, count)
		if err == nil {
			err = l.measureSingle(ctx, host, &c, arena.Tune, blocks, count)
		}
		if err != nil {
			return nil, err
		}
		lesson.Curves = append(lesson.Curves, c)
		lesson.Games += c.Games
	}
	lesson.Fixed, lesson.Blind, lesson.Prediction = bestFixed(lesson.Curves), blind(lesson.Curves), learn(lesson.Curves)
	return lesson, nil
}

// meanStrength is a player's mean win rate over the learning maps with so many simulations.
type meanStrength struct {
	Simulations int64
	Player      string
	Strength    stats.MeanInterval
}

// means returns what the prediction was learned from, the map being the unit.
func (l *lesson) means() []meanStrength {
	var all []meanStrength
	for _, b := range learningBudgets() {
		var single []float64
		at := make([][]float64, len(grid()))
		for _, c := range l.Curves {
			if c.Simulations != b {
				continue
			}
			single = append(single, c.Single)
			for i, s := range c.Scores {
				at[i] = append(at[i], s)
			}
		}
		all = append(all, meanStrength{b, "single alone", meanOf(single)})
		for i, t := range grid() {
			all = append(all, meanStrength{b, fmt.Sprintf("switch at 10^%g moves", t), meanOf(at[i])})
		}
	}
	return all
}

// newCount turns the games of runs into blocks done of all.
func newCount(of int64, tell func(done, of, games int64)) func(int64) {
	done := int64(0)
	return func(games int64) {
		done += games / 2
		if tell != nil {
			tell(done, of, games)
		}
	}
}

// threshold returns what a prediction says of the lab's map and budget, log10 of
// moves.
func (l *lab) threshold(p tubstap.Prediction) float64 {
	return p.Threshold(l.field, int(l.Simulations))
}

// method is a way to choose between the two players, on maps that no learning has
// seen.
type method struct {
	Name string
	// Learned is the number of games played once to learn the rule, New those for every new
	// map and budget.
	Learned, New int64
	cells        [][]cell // by map, by budget
}

// cell is a win rate on one map with one budget and the variance that its games
// give it.
type cell struct{ score, variance float64 }

// heldOutResult is the methods on the held-out maps.
type heldOutResult struct {
	Budgets []int64
	Maps    int
	Methods []*method // in the order of the constants below
	Games   int64     // of each method on each map and budget, to judge it
}

// The methods. The first two look at nothing, Blind only at the number of
// simulations.
const (
	search    = iota // M-UCT alone
	single           // the best single action alone
	blindRule        // single below a number of simulations, M-UCT from it on
	fixed            // switch at one threshold
	tuned            // switch at a threshold tuned on each map and budget
	predicted        // switch at the predicted threshold
)

// methods returns those that are judged, with what learning them has cost.
func methods(learned int64) []*method {
	return []*method{{Name: "M-UCT alone"}, {Name: "single alone"}, {Name: "blind to the position", Learned: learned},
		{Name: "fixed", Learned: learned}, {Name: "tuned on each map"}, {Name: "predicted", Learned: learned}}
}

// judge plays the methods on the first so many held-out maps: what was learned
// elsewhere, and a threshold tuned on each map and budget with the given number of
// blocks a threshold. All are judged on the same blocks, of another phase.
func judge(ctx context.Context, game *arena.Game, host arena.Host, lesson *lesson, trial trial, tell func(done, of, games int64)) (*heldOutResult, error) {
	designs := heldOutMaps()[:trial.Maps]
	t := &heldOutResult{Budgets: heldOutBudgets(), Maps: len(designs), Games: 2 * trial.Blocks, Methods: methods(lesson.Games)}
	played := int64(len(designs) * len(t.Budgets))
	count := newCount(played*(trial.Tune*int64(len(grid()))+4*trial.Blocks), tell)
	for _, d := range designs {
		rows := make([][]cell, len(t.Methods))
		for _, b := range t.Budgets {
			l, err := newLab(game, rulesOf(d), b)
			if err != nil {
				return nil, err
			}
			l.Seed = trial.Seed
			curve, err := l.measure(ctx, host, arena.Tune, trial.Tune, count)
			if err != nil {
				return nil, err
			}
			t.Methods[tuned].New = curve.Games
			cells, err := l.judge(ctx, host, lesson, curve.best(), trial.Blocks, count)
			if err != nil {
				return nil, err
			}
			for i, c := range cells {
				rows[i] = append(rows[i], c)
			}
		}
		for i := range rows {
			t.Methods[i].cells = append(t.Methods[i].cells, rows[i])
		}
	}
	return t, nil
}

// trial is the scale at which methods are judged.
type trial struct {
	Maps   int    // of the held-out ones
	Tune   int64  // blocks a threshold for the method that is tuned on each map
	Blocks int64  // of each method on each map and budget
	Seed   uint64 // of all chance
}

// judge returns every method's win rate on the lab's map and budget.
func (l *lab) judge(ctx context.Context, host arena.Host, lesson *lesson, tuned float64, blocks int64, tell func(int64)) ([]cell, error) {
	cells := []cell{search: {score: 0.5}, predicted: {}}
	alone, err := l.meet(ctx, host, l.single, arena.Match, blocks, tell)
	if err != nil {
		return nil, err
	}
	cells[single] = cellOf(alone)
	cells[blindRule] = cells[search]
	if float64(l.Simulations) < lesson.Blind {
		cells[blindRule] = cells[single]
	}
	for i, at := range []float64{lesson.Fixed, tuned, l.threshold(lesson.Prediction)} {
		if cells[fixed+i], err = l.score(ctx, host, at, blocks, tell); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// cellOf returns a result as a cell.
func cellOf(s score) cell {
	m := s.Blocks.Moments()
	return cell{score: m.Mean, variance: m.Variance / float64(max(1, m.N-1))}
}

// far is how the methods do with a budget far beyond those of learning.
type far struct{ Fixed, Predicted, Single stats.MeanInterval }

// transfer plays the fixed threshold and the prediction on the held-out maps with such a
// budget, and the best single action alone in one block a map.
func transfer(ctx context.Context, game *arena.Game, host arena.Host, lesson *lesson, simulations int64, trial trial, tell func(done, of, games int64)) (*far, error) {
	var values [3][]float64
	count := newCount(int64(trial.Maps)*(2*trial.Tune+1), tell)
	for _, d := range heldOutMaps()[:trial.Maps] {
		l, err := newLab(game, rulesOf(d), simulations)
		if err != nil {
			return nil, err
		}
		l.Seed = trial.Seed
		for i, at := range [2]float64{lesson.Fixed, l.threshold(lesson.Prediction)} {
			c, err := l.score(ctx, host, at, trial.Tune, count)
			if err != nil {
				return nil, err
			}
			values[i] = append(values[i], c.score)
		}
		s, err := l.meet(ctx, host, l.single, arena.Match, 1, count)
		if err != nil {
			return nil, err
		}
		values[2] = append(values[2], cellOf(s).score)
	}
	return &far{meanOf(values[0]), meanOf(values[1]), meanOf(values[2])}, nil
}

// score returns the win rate at a threshold on the match's blocks. Never to switch is
// plain M-UCT, which needs no games against itself.
func (l *lab) score(ctx context.Context, host arena.Host, threshold float64, blocks int64, tell func(games int64)) (cell, error) {
	if threshold >= never {
		tell(2 * blocks)
		return cell{score: 0.5}, nil
	}
	player, err := l.switching(moves(max(0, threshold)))
	if err != nil {
		return cell{}, err
	}
	s, err := l.meet(ctx, host, player, arena.Match, blocks, tell)
	return cellOf(s), err
}

// strength returns a method's mean win rate against M-UCT, the map being the unit of
// its interval: it is about maps like these, not these maps. budget -1 takes
// all budgets together.
func (t *heldOutResult) strength(m *method, budget int) stats.MeanInterval {
	return meanOf(t.byMap(m, budget))
}

// gain returns by how much a method wins more often than another, map by map.
func (t *heldOutResult) gain(m, than *method) stats.MeanInterval {
	a, b := t.byMap(m, -1), t.byMap(than, -1)
	for i := range a {
		a[i] -= b[i]
	}
	return meanOf(a)
}

func (t *heldOutResult) byMap(m *method, budget int) []float64 {
	var values []float64
	for _, row := range m.cells {
		values = append(values, overBudgets(row, budget).score)
	}
	return values
}

// overBudgets returns a map's cell of one budget, or the mean of all (budget -1).
func overBudgets(row []cell, budget int) cell {
	if budget >= 0 {
		return row[budget]
	}
	var all cell
	for _, c := range row {
		all.score += c.score / float64(len(row))
		all.variance += c.variance / float64(len(row)*len(row))
	}
	return all
}

// spread returns how far the maps lie apart, and how far they would by the chance of
// their games alone: standard deviations of a map's win rate over all budgets.
func (t *heldOutResult) spread(m *method) (maps, games float64) {
	mean, n := t.strength(m, -1).Mean.Value, float64(len(m.cells))
	for _, row := range m.cells {
		c := overBudgets(row, -1)
		maps += (c.score - mean) * (c.score - mean) / max(1, n-1)
		games += c.variance / n
	}
	return math.Sqrt(maps), math.Sqrt(games)
}

// spent returns the games that a method has cost.
func (m *method) spent() string {
	return fmt.Sprintf("%d games to learn, %d for each new map and budget", m.Learned, m.New)
}
