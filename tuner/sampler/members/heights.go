package members

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// firstFull is the number of observations at which kind and scales are learnt first, and
	// fullMore by how much there must be more of them before they are learnt again.
	firstFull = 32
	fullMore  = 1.5
	// leastHeights and mostHeights bound the standard deviation of the heights, Elo: few games make
	// members look alike that are not.
	leastHeights, mostHeights = 32.0, 512
	// passes of Fisher's scoring.
	passes = 3
	// pinnedAt is the variance, squared Elo, of the baseline's height, which is 0.
	pinnedAt = 0.01
	// settled is what another member must be expected to gain, Elo, for the search to go on.
	settled = 0.02
	// anyLevel is the standard deviation, Elo, of the height of all members against opponents
	// of which none is a member.
	anyLevel = 500
)

// scale is a kind and its scales.
type scale struct {
	kind   int
	size   float64 // standard deviation of the heights, Elo
	common float64 // part of the variance of what was seen that a batch has in common
}

// firstScale is where learning begins, and commons are the parts in common that are compared.
var (
	firstScale = scale{size: 64, common: 0.6}
	commons    = [5]float64{0, 0.3, 0.6, 0.8, 0.95}
)

// heights is what is believed of the members' heights and, behind them, where the baseline is
// no member, of the level of all.
type heights struct {
	mean  []float64
	root  *shared.Symmetric // factor of their precision
	proof float64           // logarithm of the evidence
	scale
}

// believe brings the belief up to date.
func (m *Model) believe() {
	if m.now != nil && m.rows == len(m.seen) {
		return
	}
	if m.known == 0 {
		m.full = firstScale
	}
	if n := m.learning(); n > m.known {
		m.full, m.known = m.learn(m.seen[:n]), n
	}
	m.now, m.rows = m.fitted(m.seen, m.full), len(m.seen)
	m.over = m.known > 0 && m.toGain() < settled
}

// learning is the number of observations at which kind and scales were to be learnt last: of
// whole batches; 0 where there are few.
func (m *Model) learning() int {
	n, x := len(m.seen), float64(firstFull)
	if n < firstFull {
		return 0
	}
	for float64(x*fullMore) <= float64(n) {
		x *= fullMore
	}
	k := int(x)
	for k > 0 && k < n && m.seen[k].batch == m.seen[k-1].batch {
		k--
	}
	return k
}

// size is the number of unknowns.
func (m *Model) size() int {
	if m.space.based {
		return len(m.space.values)
	}
	return len(m.space.values) + 1
}

// height is a member's, by given unknowns.
func (m *Model) height(x []float64, i int) float64 {
	if m.space.based {
		return x[i]
	}
	return x[i] + x[len(m.space.values)]
}

// fitted is the belief by what was seen so far.
func (m *Model) fitted(rows []seen, with scale) *heights {
	var p *heights
	guess := make([]float64, m.size())
	m.measure(rows)
	for range passes {
		if p = m.solve(m.gather(rows, guess, with.common), with); p == nil {
			p = m.solve(m.empty(), with)
		}
		guess = p.mean
	}
	return p
}

// learn finds the kind and the scales with the largest evidence.
func (m *Model) learn(rows []seen) scale {
	best := firstScale
	for range 2 {
		p := m.fitted(rows, best)
		sum := m.gather(rows, p.mean, best.common)
		most := math.Inf(-1)
		try := func(with scale) {
			if q := m.solve(sum, with); q != nil && q.proof > most {
				most, best = q.proof, with
			}
		}
		try(best)
		with := best
		for with.kind = range m.kinds {
			try(with)
		}
		with = best
		for with.size = leastHeights; with.size <= mostHeights; with.size *= 2 {
			try(with)
		}
		with = best
		for _, with.common = range commons {
			sum = m.gather(rows, p.mean, with.common)
			try(with)
		}
	}
	return best
}

// solve is the posterior under a kind and scales; nil where rounding errors are too large.
func (m *Model) solve(sum *sums, with scale) *heights {
	k := &m.kinds[with.kind]
	if !k.prepare(m.space) {
		return nil
	}
	n := len(m.space.values)
	root := sum.xx.Clone()
	share := 1 / float64(with.size*with.size)
	for i := range n {
		row := root.Row(i)
		for j, x := range k.inverse.Row(i)[:i+1] {
			row[j] += float64(share * x)
		}
	}
	before := -k.logdet - float64(2*float64(n)*math.Log(with.size))
	if m.space.based {
		root.Row(0)[0] += 1 / pinnedAt
	} else {
		root.Row(n)[n] += 1.0 / (anyLevel * anyLevel)
	}
	after, ok := root.Factor()
	if !ok {
		return nil
	}
	half := slices.Clone(sum.xy)
	root.Forward(half)
	p := &heights{root: root, scale: with, proof: sum.rest + (before-after+shared.Dot(half, half))/2}
	root.Backward(half)
	p.mean = half
	return p
}

// averaged is what is believed of the members' heights, over all kinds and the sizes near the
// best one, by their evidence: means and standard errors, Elo.
func (m *Model) averaged() (mean, sd []float64) {
	sum := m.gather(m.seen, m.now.mean, m.now.common)
	var all []*heights
	most := math.Inf(-1)
	for k := range m.kinds {
		for _, factor := range [3]float64{0.5, 1, 2} {
			with := m.now.scale
			with.kind, with.size = k, math.Max(leastHeights, with.size*factor)
			if p := m.solve(sum, with); p != nil {
				all, most = append(all, p), math.Max(most, p.proof)
			}
		}
	}
	mean, sd = make([]float64, len(m.space.values)), make([]float64, len(m.space.values))
	phi := make([]float64, m.size())
	total := 0.0
	for _, p := range all {
		weight := math.Exp(p.proof - most)
		if weight < 1e-3 {
			continue
		}
		total += weight
		for i := range mean {
			clear(phi)
			if phi[i] = 1; !m.space.based {
				phi[len(phi)-1] = 1 // the level of all
			}
			h := shared.Dot(phi, p.mean)
			p.root.Forward(phi)
			mean[i] += float64(weight * h)
			sd[i] += float64(weight * (float64(h*h) + shared.Dot(phi, phi)))
		}
	}
	for i := range mean {
		mean[i] /= total
		sd[i] = math.Sqrt(math.Max(0, sd[i]/total-float64(mean[i]*mean[i])))
	}
	return mean, sd
}

// sums are those of a regression of the heights, with the part of its evidence that depends on
// nothing but the noise.
type sums struct {
	xx   *shared.Symmetric
	xy   []float64
	rest float64
}

// empty is the sums of nothing.
func (m *Model) empty() *sums {
	return &sums{xx: shared.NewSymmetric(m.size()), xy: make([]float64, m.size())}
}

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
	batch := make([]float64, m.size())
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
		clear(batch)
		weights, sum := 0.0, 0.0
		for i, y := range ys {
			j, w := rows[from+i].member, 1/(vs[i]-t)
			weights += w
			sum += float64(w * y)
			out.rest -= (float64(float64(w*y)*y) - math.Log(w)) / 2
			batch[j] += w
			out.xy[j] += float64(w * y)
			out.xx.Row(j)[j] += w
			if !m.space.based {
				out.xx.Row(n)[j] += w
			}
		}
		if !m.space.based {
			batch[n] = weights
			out.xy[n] += sum
			out.xx.Row(n)[n] += weights
		}
		if t > 0 {
			part := t / (1 + float64(t*weights))
			out.xx.Add(batch, -part)
			for i, x := range batch {
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

// toGain is the most, in Elo, that any member may be expected to gain on the best: the mean of
// how far it lies above it, where it does (the expected improvement; J. Mockus, 1978).
func (m *Model) toGain() float64 {
	best := 0
	for i := range m.space.values {
		if m.height(m.now.mean, i) > m.height(m.now.mean, best) {
			best = i
		}
	}
	most := 0.0
	phi := make([]float64, m.size())
	for i := range m.space.values {
		if i == best {
			continue
		}
		clear(phi)
		phi[i], phi[best] = 1, -1
		behind := m.height(m.now.mean, best) - m.height(m.now.mean, i)
		m.now.root.Forward(phi)
		sd := math.Sqrt(shared.Dot(phi, phi))
		z := behind / sd
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		most = math.Max(most, sd*(density-float64(z*shared.NormalBelow(-z))))
	}
	return most
}
