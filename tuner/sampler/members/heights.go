package members

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/dense"
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
	root  *dense.Symmetric // factor of their precision
	proof float64          // logarithm of the evidence
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
	p := &heights{root: root, scale: with, proof: sum.rest + (before-after+dense.Dot(half, half))/2}
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
			h := dense.Dot(phi, p.mean)
			p.root.Forward(phi)
			mean[i] += float64(weight * h)
			sd[i] += float64(weight * (float64(h*h) + dense.Dot(phi, phi)))
		}
	}
	for i := range mean {
		mean[i] /= total
		sd[i] = math.Sqrt(math.Max(0, sd[i]/total-float64(mean[i]*mean[i])))
	}
	return mean, sd
}
