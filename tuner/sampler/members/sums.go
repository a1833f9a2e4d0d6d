package members

import (
	"math"

	"sakusen/tuner/sampler/dense"
)

// sums are those of a regression of the heights, with the part of its evidence that depends on
// nothing but the noise.
type sums struct {
	xx   *dense.Symmetric
	xy   []float64
	rest float64
}

// empty is the sums of nothing.
func (m *Model) empty() *sums { return &sums{xx: dense.New(m.size()), xy: make([]float64, m.size())} }

// gather sums what was seen, linearised at guessed heights. The members of a batch met the same
// blocks and have an effect in common, with which integrated out the batch's precision is
// W - W 1 1^T W t/(1 + t sum of W), where t is its variance.
func (m *Model) gather(rows []seen, guess []float64, common float64) *sums {
	n := len(m.space.values)
	out := m.empty()
	best := math.Inf(-1)
	for i := range n {
		best = math.Max(best, m.height(guess, i))
	}
	shared := make([]float64, m.size())
	var ys, vs []float64
	for from := 0; from < len(rows); {
		to, t := from, math.Inf(1)
		ys, vs = ys[:0], vs[:0]
		for ; to < len(rows) && rows[to].batch == rows[from].batch; to++ {
			y, variance := m.linear(&rows[to], m.height(guess, rows[to].member))
			variance *= fade(best - m.height(guess, rows[to].member))
			ys, vs, t = append(ys, y), append(vs, variance), math.Min(t, variance)
		}
		if t *= common; to-from == 1 {
			t = 0
		}
		clear(shared)
		weights, sum := 0.0, 0.0
		for i, y := range ys {
			j, w := rows[from+i].member, 1/(vs[i]-t)
			weights += w
			sum += float64(w * y)
			out.rest -= (float64(float64(w*y)*y) - math.Log(w)) / 2
			shared[j] += w
			out.xy[j] += float64(w * y)
			out.xx.Row(j)[j] += w
			if !m.space.based {
				out.xx.Row(n)[j] += w
			}
		}
		if !m.space.based {
			shared[n] = weights
			out.xy[n] += sum
			out.xx.Row(n)[n] += weights
		}
		if t > 0 {
			part := t / (1 + float64(t*weights))
			out.xx.Add(shared, -part)
			for i, x := range shared {
				out.xy[i] -= float64(float64(part*sum) * x)
			}
			out.rest -= (math.Log1p(float64(t*weights)) - float64(float64(part*sum)*sum)) / 2
		}
		from = to
	}
	return out
}

// measure finds the variance of a block's score of each member: what its own blocks show, and
// as if usualBlocks more had shown that of all, but not less than guessedNoise. Who plays nearly
// as the baseline does has a small one, and others have not.
func (m *Model) measure(rows []seen) {
	m.noise = make([]float64, len(m.space.values))
	degrees := make([]float64, len(m.space.values))
	all, count := 0.0, 0.0
	for i := range rows {
		r := &rows[i]
		if n := r.blocks; n > 1 && !math.IsNaN(r.noise) {
			squares := float64((n - 1) * n * float64(r.noise*r.noise))
			m.noise[r.member] += squares
			degrees[r.member] += n - 1
			all, count = all+squares, count+n-1
		}
	}
	usual := math.Max(guessedNoise, all/math.Max(1, count))
	for i := range m.noise {
		m.noise[i] = (m.noise[i] + float64(usualBlocks*usual)) / (degrees[i] + usualBlocks)
	}
}

// linear is what was seen, brought to the scale of heights, and its variance.
func (m *Model) linear(r *seen, h float64) (y, variance float64) {
	h = clamp(h, -steepest, steepest)
	s, slope := m.score(h)
	return h + (r.score-s)/slope, m.noise[r.member] / r.blocks / float64(slope*slope)
}

// score is the score expected at a height, and its slope.
func (m *Model) score(h float64) (score, slope float64) {
	s := 1 / (1 + float64(float64(m.seats-1)*math.Exp(-ln10over400*h)))
	return s, float64(ln10over400 * s * (1 - s))
}

func clamp(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }

// fade is the factor on the variance of what is seen that far below the best.
func fade(below float64) float64 {
	if below <= farBelow {
		return 1
	}
	return math.Exp(math.Min(below-farBelow, 30*fading) / fading)
}

const (
	// ln10over400 turns Elo into natural logarithms of odds.
	ln10over400 = math.Ln10 / 400
	// steepest bounds, in Elo, the heights at which a score is linearised.
	steepest = 800
	// guessedNoise is the least variance of a block's score that is taken for usual.
	guessedNoise = 0.06
	// usualBlocks are the blocks by which the variance of a member's score is taken to be known
	// before it has played.
	usualBlocks = 10
	// farBelow and fading, in Elo: what is seen more than farBelow under the best counts
	// exp(-excess/fading).
	farBelow = 100
	fading   = 100
)
