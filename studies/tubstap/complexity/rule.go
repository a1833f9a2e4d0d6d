package complexity

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap/switching"
	"sakusen/tuner/stats"
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

// Mean is a player's mean win rate over the learning maps with so many simulations.
type Mean struct {
	Simulations int64
	Player      string
	Strength    stats.MeanInterval
}

// Means are what the prediction was learned from, the map being the unit.
func (l *Lesson) Means() []Mean {
	var all []Mean
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
		all = append(all, Mean{b, "single alone", meanOf(single)})
		for i, t := range grid() {
			all = append(all, Mean{b, fmt.Sprintf("switch at 10^%g moves", t), meanOf(at[i])})
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

// Threshold is what a prediction says of the lab's map and budget, log10 of
// moves.
func (l *Lab) Threshold(p switching.Prediction) float64 {
	return p.Threshold(l.field, int(l.Simulations))
}
