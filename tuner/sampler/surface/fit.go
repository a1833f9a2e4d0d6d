package surface

import "math"

const (
	// fitAlways is the number of rows up to which every view is fitted anew; then
	// each full fit has fitGrowth times the rows of the one before, and the rows
	// since are added as they come.
	fitAlways = 128
	fitGrowth = 1.1
	// passes of Fisher's scoring; each also learns how the rows scatter.
	passes = 3
	// farBelow and fading, in Elo: rows predicted more than farBelow under the best
	// count exp(-excess/fading), as a hill is no parabola far from its top.
	farBelow = 100
	fading   = 100
	// fewBatches is the number of batches below which no common effect is looked
	// for.
	fewBatches = 8
	// ownShare is the least share of a row's variance that is its own.
	ownShare = 0.05
)

// fit brings the posterior up to date with the view.
func (s *Surface) fit() {
	if s.shown == s.view && s.now != nil {
		return // a batch is asked with one view
	}
	s.shown = s.view
	s.gather()
	n := fullRows(len(s.rows))
	for n > 0 && n < len(s.rows) && s.rows[n].batch == s.rows[n-1].batch {
		n--
	}
	if s.whole.moments == nil || s.whole.rows != n {
		s.whole = s.fitWhole(n)
	}
	w := &s.whole
	m := w.moments.clone()
	s.basis.gatherMoments(m, s.rows[n:], &w.link, w.belief.mean, w.best)
	s.now = w.belief
	if n < len(s.rows) {
		if p, ok := s.basis.solve(m, w.belief.scales); ok {
			s.now = p
		}
	}
	s.top = s.basis.peak(s.now.mean)
}

// fullRows is the number of rows of the last full fit among n.
func fullRows(n int) int {
	if n <= fitAlways {
		return n
	}
	x := float64(fitAlways)
	for float64(x*fitGrowth) <= float64(n) {
		x *= fitGrowth
	}
	return int(x)
}

// fitWhole fits the first n rows from nothing.
func (s *Surface) fitWhole(n int) fitted {
	rows := s.rows[:n]
	seats := s.view.Seats
	f := fitted{rows: n, link: learnLink(rows, seats, s.view.Maximize)}
	height := make([]float64, s.basis.size) // flat at first
	phi := make([]float64, s.basis.size)
	for pass := range passes {
		if pass > 0 {
			f.link.scatter(rows, height, f.best)
		}
		f.moments = newMoments(s.basis.size)
		s.basis.gatherMoments(f.moments, rows, &f.link, height, f.best)
		f.belief = s.basis.learn(f.moments)
		height = f.belief.mean
		s.basis.fill(s.basis.peak(height), phi)
		f.best = dot(height, phi)
		if n == 0 {
			break
		}
	}
	return f
}

// weight is how much a row counts, as its independent part's precision.
func (l *link) weight(r *row, height []float64, best float64) (y, w float64) {
	h := dot(height, r.phi)
	y, variance := l.linear(r, h)
	lowest := h
	if r.side != nil {
		a := dot(height, r.side)
		lowest = math.Min(a, a-h)
	}
	own := math.Max(variance-l.spread, ownShare*variance) + l.unknown
	return y, 1 / float64(own*fade(best-lowest))
}

// fade is the factor on the variance of what is seen that far below the best.
func fade(below float64) float64 {
	if below <= farBelow {
		return 1
	}
	return math.Exp(math.Min(below-farBelow, 30*fading) / fading)
}

// gatherMoments adds rows. The rows of a batch share an effect of variance
// spread, as its candidates met the same blocks: with it integrated out, the
// batch's precision is W - W 1 1^T W spread/(1 + spread sum of W).
func (b *basis) gatherMoments(m *moments, rows []row, l *link, height []float64, best float64) {
	common := make([]float64, b.size)
	for from := 0; from < len(rows); {
		to := from
		clear(common)
		weights, sum := 0.0, 0.0
		for ; to < len(rows) && rows[to].batch == rows[from].batch; to++ {
			r := &rows[to]
			y, w := l.weight(r, height, best)
			m.add(r.phi, y, w)
			if l.spread > 0 {
				weights += w
				sum += float64(w * y)
				for k, x := range r.phi {
					common[k] += float64(w * x)
				}
			}
		}
		if l.spread > 0 {
			m.add(common, sum, -l.spread/(1+float64(l.spread*weights)))
		}
		from = to
	}
}

// scatter learns from the residuals how much the batches have in common (the
// blocks that they share), and how much the features cannot follow.
func (l *link) scatter(rows []row, height []float64, best float64) {
	var batches, common, count, excess, total float64
	flat := *l
	flat.spread, flat.unknown = 0, 0
	for from := 0; from < len(rows); {
		to := from
		weights, sum := 0.0, 0.0
		for ; to < len(rows) && rows[to].batch == rows[from].batch; to++ {
			r := &rows[to]
			h := dot(height, r.phi)
			y, variance := flat.linear(r, h)
			e := y - h
			// Rows count by their precision, so that those far below, whose
			// residuals are huge, say little.
			lowest := h
			if r.side != nil {
				a := dot(height, r.side)
				lowest = math.Min(a, a-h)
			}
			p := 1 / float64(variance*fade(best-lowest))
			weights += p
			sum += float64(p * e)
			w := float64(p * p)
			excess += float64(w * (float64(e*e) - variance))
			total += w
			count++
		}
		if to-from > 1 && rows[from].side == nil {
			mean := sum / weights
			common += float64(mean*mean) - 1/weights
			batches++
		}
		from = to
	}
	l.spread, l.unknown = 0, 0
	if batches >= fewBatches {
		l.spread = math.Max(0, common/batches)
	}
	if count > 3*float64(len(height)) {
		l.unknown = math.Max(0, excess/total)
	}
}
