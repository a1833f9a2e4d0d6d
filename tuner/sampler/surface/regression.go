package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

// moments are the sums of a weighted regression.
type moments struct {
	xx *shared.Symmetric
	xy []float64
}

func newMoments(n int) *moments { return &moments{xx: shared.NewSymmetric(n), xy: make([]float64, n)} }

func (m *moments) add(phi []float64, y, w float64) {
	m.xx.Add(phi, w)
	f := float64(w * y)
	for i, x := range phi {
		m.xy[i] += float64(f * x)
	}
}

// addAll adds several observations, in their order.
func (m *moments) addAll(phis [][]float64, ys, ws []float64) {
	m.xx.AddAll(phis, ws)
	for k, phi := range phis {
		f := float64(ws[k] * ys[k])
		for i, x := range phi {
			m.xy[i] += float64(f * x)
		}
	}
}

func (m *moments) clone() *moments {
	return &moments{m.xx.Clone(), slices.Clone(m.xy)}
}

// scales are the standard deviations of a surface's weights before anything is
// seen, in Elo (over a whole range).
type scales struct {
	line, bend, product, level, shift float64
	own                               float64 // of what is seen against the baseline alone
	bump                              float64
}

// The weights of the squares scatter about a common mean, which may be anything: the sides
// of a hill are all bent the same way, and what is learned of one is learned of all.
const (
	commonBend = 2000
	anyHeight  = 2000
)

// prior adds the precision of the weights to a matrix and returns the logarithm
// of its determinant.
func (b *basis) prior(s scales, xx *shared.Symmetric) float64 {
	n := len(b.numbers)
	logdet := 0.0
	diagonal := func(from, to int, sd float64) {
		for i := from; i < to; i++ {
			xx.Row(i)[i] += 1 / (sd * sd)
		}
		logdet -= float64(2 * float64(to-from) * math.Log(sd))
	}
	diagonal(0, n, s.line)
	diagonal(n, 2*n, s.bend)
	if n > 0 {
		v, c := s.bend*s.bend, float64(commonBend)*commonBend
		share := c / (v + float64(float64(n)*c)) / v
		for i := n; i < 2*n; i++ {
			row := xx.Row(i)
			for j := n; j <= i; j++ {
				row[j] -= share
			}
		}
		logdet -= math.Log1p(float64(n) * c / v)
	}
	diagonal(b.products, b.levels, s.product)
	diagonal(b.levels, b.moves, s.level)
	diagonal(b.moves, b.one, s.shift)
	diagonal(b.one, b.own, anyHeight)
	diagonal(b.own, b.plain, s.own)
	diagonal(b.plain, b.size, s.bump)
	return logdet
}

// posterior is what is believed of a surface's weights.
type posterior struct {
	mean   []float64
	root   *shared.Symmetric // Cholesky factor of their precision
	scales scales
	proof  float64 // logarithm of the evidence, up to what does not depend on scales
}

// solve is the posterior under given scales.
func (b *basis) solve(m *moments, s scales) (*posterior, bool) {
	p := &posterior{root: m.xx.Clone(), scales: s}
	before := b.prior(s, p.root)
	after, ok := p.root.Factor()
	if !ok {
		return nil, false
	}
	half := append([]float64(nil), m.xy...)
	p.root.Forward(half)
	p.proof = (before - after + shared.Dot(half, half)) / 2
	p.root.Backward(half)
	p.mean = half
	return p, true
}

// The ends of the scales, between which they are tried by factors of 2.
const (
	leastScale = 4
	mostScale  = 2048
)

// learn finds the scales with the largest evidence (type-II maximum likelihood;
// D. MacKay, Bayesian interpolation, 1992), climbing from given ones, one after the other,
// twice.
func (b *basis) learn(m *moments, from scales) *posterior {
	s := from
	best, ok := b.solve(m, s)
	if !ok { // the rounding errors are too large: nothing is believed
		best, _ = b.solve(newMoments(b.size), s)
		return best
	}
	for range 2 {
		for _, at := range []*float64{&s.line, &s.bend, &s.product, &s.level, &s.shift, &s.own, &s.bump} {
			if at == &s.product && b.levels == b.products || at == &s.level && len(b.choices) == 0 ||
				at == &s.shift && !b.shifts || at == &s.own && !b.apart || at == &s.bump && b.bumps == nil {
				continue
			}
			if b.bumps == nil {
				kept := *at
				for *at = leastScale; *at <= mostScale; *at *= 2 {
					if p, ok := b.solve(m, s); ok && *at != kept && p.proof > best.proof {
						best = p
					}
				}
				s = best.scales
				continue
			}
			// With bumps a solution costs more, and the scales are nearly right.
			for _, factor := range [2]float64{2, 0.5} {
				climbed := false
				for {
					*at *= factor
					if *at < leastScale || *at > mostScale {
						break
					}
					p, ok := b.solve(m, s)
					if !ok || p.proof <= best.proof {
						break
					}
					best, climbed = p, true
				}
				if s = best.scales; climbed {
					break
				}
			}
		}
	}
	return best
}

// firstScales are where the search for scales begins.
func firstScales() scales { return scales{64, 32, 16, 32, 16, 8, 32} }

// draw is a surface drawn from the posterior; noise is a standard normal for
// every weight, and is overwritten.
func (p *posterior) draw(noise []float64) []float64 {
	p.root.Backward(noise)
	for i := range noise {
		noise[i] += p.mean[i]
	}
	return noise
}

// variance is that of the height at features phi.
func (p *posterior) variance(phi []float64) float64 {
	half := append([]float64(nil), phi...)
	p.root.Forward(half)
	return shared.Dot(half, half)
}
