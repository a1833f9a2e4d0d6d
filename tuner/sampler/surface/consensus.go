package surface

import (
	"cmp"
	"math"
	"slices"
)

const (
	// mostMembers is the most families whose heights are averaged for an answer, and unlikely
	// by how much, in natural logarithms, the evidence of each may be less than the best's.
	mostMembers = 3
	unlikely    = 4
)

// agree is the mean of the surfaces that the games do not decide between, by their evidence,
// and its peak; the mean is nil where one surface is enough.
func agree(s *Surface) (mean *shape, peak []float64) {
	s.basis.guess(s.rows, s.now.mean)
	rivals := slices.Clone(s.whole.rivals)
	slices.SortStableFunc(rivals, func(p, q rivalFit) int { return cmp.Compare(q.proof, p.proof) })
	var all []*shape
	var weights []float64
	var starts [][]float64
	for _, r := range rivals[:min(len(rivals), mostMembers)] {
		if r.proof < rivals[0].proof-unlikely {
			break
		}
		m := memberOf(s, r.bumps)
		all = append(all, m.basis.shape(m.now.mean))
		weights = append(weights, math.Exp(r.proof-rivals[0].proof))
		starts = append(starts, m.top)
	}
	if len(all) < 2 {
		return nil, s.top
	}
	mix := &shape{b: s.basis, members: all, weights: weights}
	var top summit
	for k, x := range append([][]float64{s.top}, starts...) {
		h, near := mix.height(x)
		if k > 0 && !near {
			continue
		}
		if p := mix.improve(summit{x, h}); k == 0 || p.height > top.height {
			top = p
		}
	}
	return mix, top.at
}

// memberOf is the surface of a family, fitted to all that was seen.
func memberOf(s *Surface, u bumps) *Surface {
	m := &Surface{seed: s.seed, space: s.space, options: s.options, view: s.view}
	m.basis = basisOf(m)
	for i := range s.rows {
		r := &s.rows[i]
		m.rows = append(m.rows, row{at: r.at, other: r.other, batch: r.batch, value: r.value, noise: r.noise, blocks: r.blocks, guess: r.guess, lowest: r.lowest, highest: r.highest, sign: r.sign})
	}
	m.shape(u)
	f := fitted{rows: len(m.rows), link: s.whole.link, best: s.whole.best, belief: s.now} // its scales are nearly right
	m.pass(&f, m.rows, false)
	m.whole, m.now = f, f.belief
	m.top = m.basis.peak(m.now.mean)
	return m
}
