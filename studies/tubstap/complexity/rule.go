package complexity

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap/switching"
)

// Lesson is what the learning maps teach.
type Lesson struct {
	Curves     []Curve
	Fixed      float64 // the best threshold for all of them
	Blind      float64 // simulations from which on M-UCT alone is better than single alone
	Prediction switching.Prediction
	Games      int64
}

// LearnRule measures the curves of the learning maps and fits the rules to them.
func LearnRule(ctx context.Context, game *arena.Game, host arena.Host, seed uint64, blocks int64, tell func(done, of, games int64)) (*Lesson, error) {
	labs, err := labsOf(game, learningMaps(), learningBudgets())
	if err != nil {
		return nil, err
	}
	lesson := &Lesson{}
	count := newCount(int64(len(labs)*(len(grid())+1))*blocks, tell)
	for _, l := range labs {
		l.Seed = seed
		c, err := l.Measure(ctx, host, arena.Tune, blocks, count)
		if err == nil {
			err = l.MeasureSingle(ctx, host, &c, arena.Tune, blocks, count)
		}
		if err != nil {
			return nil, err
		}
		lesson.Curves = append(lesson.Curves, c)
		lesson.Games += c.Games
	}
	lesson.Fixed, lesson.Blind, lesson.Prediction = BestFixed(lesson.Curves), Blind(lesson.Curves), Learn(lesson.Curves)
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

// Threshold is what a prediction says of the lab's map and budget, log10 of
// moves.
func (l *Lab) Threshold(p switching.Prediction) float64 {
	return p.Threshold(l.field, int(l.Simulations))
}
