package complexity

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap/switching"
	"sakusen/tuner/rating"
)

// Lesson is what the learning maps teach.
type Lesson struct {
	Curves     []Curve
	Fixed      float64 // the best threshold for all of them
	Prediction switching.Prediction
	Games      int64
}

// LearnRule measures the curves of the learning maps and fits both rules to
// them.
func LearnRule(ctx context.Context, game *arena.Game, host arena.Host, blocks int64, tell func(done, of, games int64)) (*Lesson, error) {
	labs, err := labsOf(game, learningMaps(), learningBudgets())
	if err != nil {
		return nil, err
	}
	lesson := &Lesson{}
	count := newCount(int64(len(labs)*len(grid()))*blocks, tell)
	for _, l := range labs {
		c, err := l.Measure(ctx, host, arena.Tune, blocks, count)
		if err != nil {
			return nil, err
		}
		lesson.Curves = append(lesson.Curves, c)
		lesson.Games += c.Games
	}
	lesson.Fixed, lesson.Prediction = BestFixed(lesson.Curves), Learn(lesson.Curves)
	return lesson, nil
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

// Method is a way to come by a threshold, on maps that no learning has seen.
type Method struct {
	Name string
	// Learned is the number of games played once to learn the rule, New those for every new
	// map and budget.
	Learned, New int64
	scores       [][]float64 // by map, by budget
}

// HeldOutResult is the methods on the held-out maps.
type HeldOutResult struct {
	Budgets []int64
	Maps    int
	Methods []*Method
	Games   int64 // of each method on each map and budget, to judge it
}

// Judge plays three methods on the held-out maps: the fixed threshold and the
// prediction learned elsewhere, and one tuned on each map and budget with the
// given number of blocks a threshold. All are judged on the same blocks, twice as
// many, of another phase.
func Judge(ctx context.Context, game *arena.Game, host arena.Host, lesson *Lesson, blocks int64, tell func(done, of, games int64)) (*HeldOutResult, error) {
	t := &HeldOutResult{Budgets: heldOutBudgets(), Maps: len(heldOutMaps()), Games: 4 * blocks, Methods: []*Method{
		{Name: "fixed", Learned: lesson.Games}, {Name: "tuned on each map"}, {Name: "predicted", Learned: lesson.Games}}}
	count := newCount(int64(t.Maps*len(t.Budgets))*blocks*int64(len(grid())+2*3), tell)
	for _, d := range heldOutMaps() {
		var rows [3][]float64
		for _, b := range t.Budgets {
			l, err := NewLab(game, rulesOf(d), b)
			if err != nil {
				return nil, err
			}
			curve, err := l.Measure(ctx, host, arena.Tune, blocks, count)
			if err != nil {
				return nil, err
			}
			t.Methods[1].New = curve.Games
			thresholds := [3]float64{lesson.Fixed, curve.Best(), l.Threshold(lesson.Prediction)}
			for i, at := range thresholds {
				score, err := l.score(ctx, host, at, 2*blocks, count)
				if err != nil {
					return nil, err
				}
				rows[i] = append(rows[i], score)
			}
		}
		for i := range rows {
			t.Methods[i].scores = append(t.Methods[i].scores, rows[i])
		}
	}
	return t, nil
}

// Transfer plays the fixed threshold and the prediction on the held-out maps
// with a budget far beyond those of learning.
func Transfer(ctx context.Context, game *arena.Game, host arena.Host, lesson *Lesson, simulations, blocks int64, tell func(done, of, games int64)) (fixed, predicted rating.MeanInterval, err error) {
	var values [2][]float64
	count := newCount(2*int64(len(heldOutMaps()))*blocks, tell)
	for _, d := range heldOutMaps() {
		l, err := NewLab(game, rulesOf(d), simulations)
		if err != nil {
			return fixed, predicted, err
		}
		for i, at := range [2]float64{lesson.Fixed, l.Threshold(lesson.Prediction)} {
			score, err := l.score(ctx, host, at, blocks, count)
			if err != nil {
				return fixed, predicted, err
			}
			values[i] = append(values[i], score)
		}
	}
	return meanOf(values[0]), meanOf(values[1]), nil
}

// score is the win rate at a threshold on the match's blocks. Never to switch is
// plain M-UCT, which needs no games against itself.
func (l *Lab) score(ctx context.Context, host arena.Host, threshold float64, blocks int64, tell func(games int64)) (float64, error) {
	if threshold >= never {
		tell(2 * blocks)
		return 0.5, nil
	}
	player, err := l.Switch(moves(max(0, threshold)))
	if err != nil {
		return 0, err
	}
	s, err := l.Meet(ctx, host, player, arena.Match, blocks, tell)
	return s.Estimate().Score.Value, err
}

// Strength is a method's mean win rate against M-UCT, the map being the unit of
// its interval: it is about maps like these, not these maps. budget -1 takes
// all budgets together.
func (t *HeldOutResult) Strength(m *Method, budget int) rating.MeanInterval {
	return meanOf(t.byMap(m, budget))
}

// Gain is by how much a method wins more often than another, map by map.
func (t *HeldOutResult) Gain(m, than *Method) rating.MeanInterval {
	a, b := t.byMap(m, -1), t.byMap(than, -1)
	for i := range a {
		a[i] -= b[i]
	}
	return meanOf(a)
}

func (t *HeldOutResult) byMap(m *Method, budget int) []float64 {
	var values []float64
	for _, row := range m.scores {
		if budget >= 0 {
			values = append(values, row[budget])
			continue
		}
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		values = append(values, sum/float64(len(row)))
	}
	return values
}

// Spent tells the games that a method has cost.
func (m *Method) Spent() string {
	return fmt.Sprintf("%d games to learn, %d for each new map and budget", m.Learned, m.New)
}

// Threshold is what a prediction says of the lab's map and budget, log10 of
// moves.
func (l *Lab) Threshold(p switching.Prediction) float64 {
	return p.Threshold(l.field, int(l.Simulations))
}
