package study

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// values is a trial's value of every block from..from+blocks of the search or the final,
// the mean over its opponents, more being better. Trials are compared by it block by block.
// The blocks have been played, so they come from the cache if there is one.
//
// A block's value of a ratio of two components is linearised, R + (x - R y)/mean y, so that
// its mean is the ratio of the sums; a block whose denominator is 0 changes nothing. A
// metric relative to the baseline's counts as it is: on common blocks all candidates have
// the same denominator.
func (st *Study) values(ctx context.Context, phase arena.Phase, t *tuner.Trial, from, blocks int64) ([]float64, error) {
	goals := st.Setup.Objective.Goals()
	goal := &goals[0]
	opponents := st.Setup.Opponents()
	if len(opponents) == 0 {
		opponents = []arena.Entrant{t.Entrant}
	}
	out := make([]float64, blocks)
	for _, o := range opponents {
		s := st.Setup.Series(t.Entrant, o, st.Setup.TuneSeed(), phase, from, from+blocks)
		one := make([]float64, 0, blocks)
		of, per := st.components(goal)
		var xs, ys []int64
		err := again(ctx, st, s, func(r *arena.Run) error {
			for b := range r.Blocks {
				if of < 0 {
					one = append(one, blockScore(r, b))
					continue
				}
				sums := blockSums(r, b)
				xs = append(xs, sums[of])
				if per >= 0 {
					ys = append(ys, sums[per])
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if of >= 0 {
			one = linear(xs, ys)
		}
		if int64(len(one)) < blocks {
			return nil, nil // of games that cannot be played again, not all are kept
		}
		for b, x := range one {
			if !goal.Maximize() {
				x = -x
			}
			out[b] += x / float64(len(opponents))
		}
	}
	return out, nil
}

// components are those of a metric; the first is -1 for a score, the second for
// a mean.
func (st *Study) components(goal *tuner.Objective) (of, per int) {
	if goal.Of == "score" {
		return -1, -1
	}
	m := st.Setup.MetricOf(goal.Metric)
	if m.Per == "" {
		return st.Setup.Ruleset.Component(m.Of), -1
	}
	return st.Setup.Ruleset.Component(m.Of), st.Setup.Ruleset.Component(m.Per)
}

// blockScore is the first entrant's score of a block, per game, in [0, 1].
func blockScore(r *arena.Run, block int) float64 {
	units := int64(0)
	for rotation := range r.Seats {
		units += r.Game(block, rotation%r.Rotations, rotation)[0]
	}
	return float64(units) / float64(int64(r.Seats)*arena.Scale(r.Seats))
}

// linear is a metric's value of every block, without denominators the numbers
// themselves.
func linear(xs, ys []int64) []float64 {
	out := make([]float64, len(xs))
	x, y := 0.0, 0.0
	for b := range xs {
		out[b] = float64(xs[b])
		x += out[b]
		if ys != nil {
			y += float64(ys[b])
		}
	}
	if ys == nil {
		return out
	}
	if y == 0 {
		clear(out)
		return out
	}
	ratio, mean := x/y, y/float64(len(xs))
	for b := range out {
		out[b] = ratio + (out[b]-float64(ratio*float64(ys[b])))/mean
	}
	return out
}
