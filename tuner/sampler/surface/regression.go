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
	m.addAll([][]float64{phi}, []float64{y}, []float64{w})
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

// solve returns the posterior under given scales.
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

// firstScales returns where the search for scales begins.
func firstScales() scales { return scales{64, 32, 16, 32, 16, 8, 32} }

// draw returns a surface drawn from the posterior; noise is a standard normal for
// every weight, and is overwritten.
func (p *posterior) draw(noise []float64) []float64 {
	p.root.Backward(noise)
	for i := range noise {
		noise[i] += p.mean[i]
	}
	return noise
}

// variance returns that of the height at features phi.
func (p *posterior) variance(phi []float64) float64 {
	half := append([]float64(nil), phi...)
	p.root.Forward(half)
	return shared.Dot(half, half)
}

// row is one observation of a surface, or one duel.
type row struct {
	phi     []float64 // features; of a duel, A's less B's
	side    []float64 // A's features of a duel, else nil
	at      []float64 // the point; of a duel A's
	other   []float64 // B's of a duel, else nil
	guess   float64   // height at which it is linearised; of a duel A's less B's
	lowest  float64   // that of the lower of a duel's two
	highest float64   // and of the higher
	sign    float64   // whose gain over the baseline it shows: 1 the point's, -1 the other's, 0 of a duel without the baseline
	batch   int
	value   float64 // mean of the blocks: a score in [0, 1], or a metric
	noise   float64 // its standard error, NaN where it is not known
	blocks  float64
}

// link is how a surface's height becomes what is seen: a score by the logistic
// curve of Elo, a metric by a line.
type link struct {
	seats   int     // of a score; 0 for a metric
	scale   float64 // of a metric: the amount that counts like one Elo; negative to minimise
	shift   float64 // of a metric: its value at height 0
	noise   float64 // variance of one block; of a score, at equality
	spread  float64 // variance of a batch's common effect, squared Elo
	unknown float64 // variance of what the features cannot follow, squared Elo
}

const (
	// ln10over400 turns Elo into natural logarithms of odds.
	ln10over400 = math.Ln10 / 400
	// steepest bounds, in Elo, the heights at which a score is linearised: beyond it every
	// game is won or lost.
	steepest = 800
	// farGuess is how far, in Elo, a row against the baseline may be linearised
	// above what was seen of it: a height that is believed far above it would be moved far
	// beyond it.
	farGuess = 400
	// metricSpread is the assumed standard deviation of the observed metrics, in what
	// counts like Elo; hills of games have about this much.
	metricSpread = 50
	// guessedNoise is the variance of a block's score if nothing shows it; guessedShare is
	// the same for a metric, as a share of the variance of all.
	guessedNoise = 0.06
	guessedShare = 0.01
	// leastNoise is the least variance of a block in squared Elo, and
	// leastScoreNoise of its score.
	leastNoise      = 0.01
	leastScoreNoise = 1e-4
)

// learnLink finds a link's constants from what was seen.
func learnLink(rows []row, seats int, maximize bool) link {
	l := link{seats: seats, scale: 1, noise: guessedNoise}
	sum, degrees, mean := 0.0, 0.0, 0.0
	for i := range rows {
		r := &rows[i]
		if n := r.blocks; !math.IsNaN(r.noise) && n > 1 {
			sum += float64((n - 1) * n * r.noise * r.noise)
			degrees += n - 1
		}
		mean += r.value / float64(len(rows))
	}
	if seats == 0 {
		squares := 0.0
		for i := range rows {
			e := rows[i].value - mean
			squares += float64(e*e) / float64(len(rows))
		}
		l.shift = mean
		if squares > 0 {
			l.scale = math.Sqrt(squares) / metricSpread
		}
		l.noise = guessedShare * squares
		if !maximize {
			l.scale = -l.scale
		}
	}
	if degrees > 0 && sum > 0 {
		l.noise = sum / degrees
	}
	// An exact value would have infinite weight.
	if seats == 0 {
		l.noise = math.Max(l.noise, leastNoise*float64(l.scale*l.scale))
	} else {
		l.noise = math.Max(l.noise, leastScoreNoise)
	}
	return l
}

// linearRow returns linear at the row's guess, or near what was seen where the guess gives a
// point a far larger gain over the baseline.
func (l *link) linearRow(r *row) (y, variance float64) {
	h := r.guess
	if l.seats > 0 {
		// One point is added to the row's, half of it lost between equals.
		games := math.Max(1, float64(r.blocks*float64(l.seats)))
		equal := 1 / float64(l.seats)
		s := (float64(clamp(r.value, 0, 1)*games) + equal) / (games + 1)
		seen := math.Log(s/(1-s)*float64(l.seats-1)) / ln10over400
		switch r.sign {
		case 1:
			h = math.Min(h, seen+farGuess)
		case -1:
			h = math.Max(h, seen-farGuess)
		}
	}
	return l.linear(r, h)
}

// linear returns what is seen of a row at a height h, brought to the height's scale: y
// = h + (seen - expected)/slope, with its variance. This is the delta method at
// the fitted height; fitting again and again with it is Fisher's scoring.
func (l *link) linear(r *row, h float64) (y, variance float64) {
	if l.seats == 0 {
		return (r.value - l.shift) / l.scale, l.noise / float64(l.scale*l.scale*r.blocks)
	}
	h = clamp(h, -steepest, steepest)
	s, slope := l.seen(h)
	equal := 1 / float64(l.seats)
	// The variance of a score goes like s(1-s).
	v := l.noise * float64(s*(1-s)) / float64(equal*(1-equal)) / r.blocks
	return h + (r.value-s)/slope, v / float64(slope*slope)
}

// seen returns the value expected at a height, and its slope.
func (l *link) seen(h float64) (value, slope float64) {
	if l.seats == 0 {
		return l.shift + float64(l.scale*h), l.scale
	}
	s := 1 / (1 + float64(float64(l.seats-1)*math.Exp(-ln10over400*h)))
	return s, float64(ln10over400 * s * (1 - s))
}

// weight returns how much a row counts, as its independent part's precision.
func (l *link) weight(r *row, best float64) (y, w float64) {
	y, variance := l.linearRow(r)
	own := math.Max(variance-l.spread, ownShare*variance) + l.unknown
	return y, 1 / float64(own*fade(best-r.lowest))
}

// fade returns the factor on the variance of what is seen that far below the best.
func fade(below float64) float64 {
	if below <= farBelow {
		return 1
	}
	return math.Exp(math.Min(below-farBelow, 30*fading) / fading)
}

// gatherMoments adds rows. The rows of a batch share an effect of variance
// spread, as its candidates met the same blocks: with it integrated out, the
// batch's precision is W - W 1 1^T W spread/(1 + spread sum of W).
func (b *basis) gatherMoments(m *moments, rows []row, l *link, best float64) {
	common := make([]float64, b.size)
	var phis [][]float64
	var ys, ws []float64
	for from := 0; from < len(rows); {
		to := from
		clear(common)
		weights, sum := 0.0, 0.0
		phis, ys, ws = phis[:0], ys[:0], ws[:0]
		for ; to < len(rows) && rows[to].batch == rows[from].batch; to++ {
			r := &rows[to]
			y, w := l.weight(r, best)
			phis, ys, ws = append(phis, r.phi), append(ys, y), append(ws, w)
			if l.spread > 0 {
				weights += w
				sum += float64(w * y)
				for k, x := range r.phi {
					common[k] += float64(w * x)
				}
			}
		}
		m.addAll(phis, ys, ws)
		if l.spread > 0 {
			m.add(common, sum, -l.spread/(1+float64(l.spread*weights)))
		}
		from = to
	}
}

func clamp(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
