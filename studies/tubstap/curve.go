package tubstap

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	strategies "sakusen/strategies/tubstap"
	"sakusen/tuner/stats"
)

// grid returns the thresholds that are tried, log10 of moves. A switch that never happens
// is plain M-UCT, whose score against itself is a half without playing.
func grid() []float64 { return []float64{8, 14, 20, 26} }

// never is a threshold at which a curve has come back to a half.
const never = 32

// curve is the win rates of one map and budget at the thresholds of the grid.
type curve struct {
	Air         float64
	Simulations int64
	Scores      []float64
	Single      float64 // the win rate of the best single action all game long
	Games       int64
}

// moves returns the values of a switch at a threshold, log10 of moves.
func moves(threshold float64) param.Values {
	return param.Values{{Name: "measure", Text: strategies.Moves}, {Name: "moves_threshold", Text: strconv.FormatFloat(threshold, 'g', -1, 64)}}
}

// predictedSwitch returns the values of a switch that predicts its threshold.
func predictedSwitch(p strategies.Prediction) param.Values {
	number := func(name string, x float64) param.Value {
		return param.Value{Name: name, Text: strconv.FormatFloat(x, 'g', -1, 64)}
	}
	return param.Values{{Name: "measure", Text: strategies.Predicted}, number("base", p.Base), number("per_decade", p.PerDecade), number("per_air", p.PerAir)}
}

// measure plays a lab's curve.
func (l *lab) measure(ctx context.Context, host arena.Host, phase arena.Phase, blocks int64, tell func(games int64)) (curve, error) {
	c := curve{Air: strategies.Air(l.field), Simulations: l.Simulations}
	for _, t := range grid() {
		player, err := l.switching(moves(t))
		if err != nil {
			return c, err
		}
		s, err := l.meet(ctx, host, player, phase, blocks, tell)
		if err != nil {
			return c, err
		}
		c.Scores = append(c.Scores, s.estimate().Score.Value)
		c.Games += s.Games
	}
	return c, nil
}

// measureSingle plays the curve's game without any search.
func (l *lab) measureSingle(ctx context.Context, host arena.Host, c *curve, phase arena.Phase, blocks int64, tell func(games int64)) error {
	s, err := l.meet(ctx, host, l.single, phase, blocks, tell)
	if err != nil {
		return err
	}
	c.Single = s.estimate().Score.Value
	c.Games += s.Games
	return nil
}

// at returns the win rate at any threshold, by interpolation.
func (c *curve) at(threshold float64) float64 {
	points := append(grid(), never)
	scores := append(append([]float64(nil), c.Scores...), 0.5)
	if threshold <= points[0] {
		return scores[0]
	}
	for i := 1; i < len(points); i++ {
		if threshold <= points[i] {
			share := (threshold - points[i-1]) / (points[i] - points[i-1])
			return scores[i-1] + share*(scores[i]-scores[i-1])
		}
	}
	return 0.5
}

// best returns the threshold of the greatest win rate of the grid, never where none
// wins more than it loses.
func (c *curve) best() float64 {
	at, best := float64(never), 0.5
	for i, t := range grid() {
		if c.Scores[i] > best {
			at, best = t, c.Scores[i]
		}
	}
	return at
}

// mean returns the mean win rate over curves at the threshold of each.
func mean(curves []curve, threshold func(*curve) float64) float64 {
	sum := 0.0
	for i := range curves {
		sum += curves[i].at(threshold(&curves[i]))
	}
	return sum / float64(len(curves))
}

// bestFixed returns the threshold that is best for all curves together.
func bestFixed(curves []curve) float64 {
	at, best := float64(never), 0.5
	for _, t := range grid() {
		if s := mean(curves, func(*curve) float64 { return t }); s > best {
			at, best = t, s
		}
	}
	return at
}

// blind finds from how many simulations on M-UCT alone is better than the best single action
// alone, on any map. This is where the mean win rate of single over the curves falls through a
// half, by interpolation in log10 of the simulations. A player that follows it looks at no
// position.
func blind(curves []curve) float64 {
	sums, counts := map[int64]float64{}, map[int64]float64{}
	for _, c := range curves {
		sums[c.Simulations] += c.Single
		counts[c.Simulations]++
	}
	budgets := slices.Sorted(maps.Keys(sums))
	lowX, lowY := 0.0, 1.0 // one simulation searches nothing
	for _, b := range budgets {
		x, y := math.Log10(float64(b)), sums[b]/counts[b]
		if y < 0.5 {
			return math.Pow(10, lowX+(x-lowX)*(lowY-0.5)/(lowY-y))
		}
		lowX, lowY = x, y
	}
	return math.Inf(1)
}

// slack is how far a prediction's mean win rate may lie below the best one's, so that the
// flattest of those that cannot be distinguished is taken. A plateau has no best point, only
// one that games chose by chance.
const slack = 0.005

// learn finds the prediction with the greatest mean win rate over the curves, on
// a grid of coefficients: of those within slack of it the one that depends least
// on the simulations, then least on planes, then the best.
func learn(curves []curve) strategies.Prediction {
	type candidate struct {
		strategies.Prediction
		score float64
	}
	var all []candidate
	best := math.Inf(-1)
	for decade := 0.0; decade <= 40; decade += 2 {
		for air := -60.0; air <= 20; air += 10 {
			for base := -80.0; base <= 30; base += 2 {
				p := strategies.Prediction{Base: base, PerDecade: decade, PerAir: air}
				s := mean(curves, func(c *curve) float64 {
					return base + decade*math.Log10(float64(c.Simulations)) + air*c.Air
				})
				all = append(all, candidate{p, s})
				best = max(best, s)
			}
		}
	}
	all = slices.DeleteFunc(all, func(c candidate) bool { return c.score < best-slack })
	return slices.MinFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.PerDecade, b.PerDecade), cmp.Compare(math.Abs(a.PerAir), math.Abs(b.PerAir)), cmp.Compare(b.score, a.score))
	}).Prediction
}

// labsOf opens a lab for each map and budget.
func labsOf(game *arena.Game, maps []tubstap.Design, budgets []int64) ([]*lab, error) {
	var labs []*lab
	for _, d := range maps {
		for _, b := range budgets {
			l, err := newLab(game, rulesOf(d), b)
			if err != nil {
				return nil, err
			}
			labs = append(labs, l)
		}
	}
	return labs, nil
}

// meanOf returns the mean of independent values with its interval.
func meanOf(values []float64) stats.MeanInterval {
	s := stats.Sums{N: int64(len(values))}
	for _, x := range values {
		s.X += x
		s.XX += x * x
	}
	return s.Mean()
}

// jackknife returns a statistic of games with the error that leaving out one game
// after another gives: positions of one game are not independent, games are.
// Source: B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans
// (1982), chapter 3.
func jackknife(games [][]moment, of func([][]moment) stats.Number) stats.MeanInterval {
	whole := of(games)
	n := len(games)
	if !whole.Defined || n < 2 {
		return stats.MeanInterval{Mean: whole}
	}
	var parts []float64
	mean := 0.0
	for i := range games {
		rest := append(append([][]moment(nil), games[:i]...), games[i+1:]...)
		x := of(rest)
		if !x.Defined {
			return stats.MeanInterval{Mean: whole}
		}
		parts = append(parts, x.Value)
		mean += x.Value / float64(n)
	}
	sum := 0.0
	for _, x := range parts {
		sum += (x - mean) * (x - mean)
	}
	se := math.Sqrt(float64(n-1) / float64(n) * sum)
	return stats.MeanInterval{Mean: whole, SE: stats.Known(se), CI95: stats.Interval{
		Lo: stats.Known(whole.Value - stats.Deviate95*se), Hi: stats.Known(whole.Value + stats.Deviate95*se)}}
}

// correlation returns Pearson's correlation of units and the logarithm of moves.
func correlation(games [][]moment) stats.Number {
	var n, sx, sy, sxx, syy, sxy float64
	for _, g := range games {
		for _, m := range g {
			x, y := float64(m.Units), m.LogMoves
			n++
			sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
		}
	}
	return stats.Known((n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy)))
}
