package surface

import (
	"math"
	"slices"

	"sakusen/tuner/sampler/shared"
)

const (
	// fitAlways is the number of rows up to which every view is fitted anew; then
	// each full fit has fitGrowth times the rows of the one before, and the rows
	// since are added as they come.
	fitAlways = 128
	fitGrowth = 1.4
	// passes of Fisher's scoring; each also learns how the rows scatter.
	passes = 3
	// fewRows is the number of rows below which no bumps are looked for; persuading is by
	// how much, in natural logarithms, the evidence for bumps must be larger than without.
	fewRows    = 60
	persuading = 1
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
	s.shown, s.agreed = s.view, nil
	s.gather()
	n := fullAt(s, len(s.rows))
	if s.whole.moments == nil || s.whole.rows != n {
		s.whole = s.fitWhole(n)
	}
	w := &s.whole
	m := w.moments.clone()
	s.basis.guess(s.rows[n:], w.belief.mean)
	s.basis.gatherMoments(m, s.rows[n:], &w.link, w.best)
	s.now = w.belief
	if n < len(s.rows) {
		if p, ok := s.basis.solve(m, w.belief.scales); ok {
			s.now = p
		}
	}
	s.top = s.basis.peak(s.now.mean)
	s.summit, _ = s.basis.shape(s.now.mean).height(s.top)
}

// fullAt is the number of rows of the last full fit when so many were there: of whole
// batches.
func fullAt(s *Surface, rows int) int {
	n := fullRows(rows)
	for n > 0 && n < rows && s.rows[n].batch == s.rows[n-1].batch {
		n--
	}
	return n
}

// fittedAt is what the full fit showed when a batch had been told, the last so far. Where
// more has been told since, as after a resumption, the fit of then is made again.
func fittedAt(s *Surface, batch int) known {
	rows := len(s.rows)
	for rows > 0 && s.rows[rows-1].batch != batch {
		rows--
	}
	n := fullAt(s, rows)
	if n == s.whole.rows {
		return knownBy(&s.whole)
	}
	if k, ok := s.walk.then[n]; ok {
		return k
	}
	then := &Surface{seed: s.seed, space: s.space, options: s.options, view: s.view}
	then.basis = basisOf(then)
	for i := range s.rows[:n] {
		r := &s.rows[i]
		then.add(row{at: r.at, other: r.other, batch: r.batch, value: r.value, noise: r.noise, blocks: r.blocks})
	}
	if s.walk.then == nil {
		s.walk.then = map[int]known{}
	}
	f := then.fitWhole(n)
	s.walk.then[n] = knownBy(&f)
	return s.walk.then[n]
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

// fitWhole fits the first n rows anew: first a quadratic; then bumps on it, of the length
// with the largest evidence, if that is larger than without bumps.
func (s *Surface) fitWhole(n int) fitted {
	b, rows := s.basis, s.rows[:n]
	f := fitted{rows: n, link: learnLink(rows, s.view.Seats, s.view.Maximize)}
	s.shape(nil)
	b.guess(rows, make([]float64, b.size)) // flat at first
	for pass := range passes {
		s.pass(&f, rows, pass > 0)
		if n == 0 {
			return f
		}
	}
	if n < fewRows || len(b.numbers) == 0 || len(b.numbers) > mostBumpy {
		return f
	}
	played, height := s.played(rows, &f)
	bare := f.link
	bare.unknown = 0 // or it would stand for the bumps
	m := newMoments(b.size)
	b.gatherMoments(m, rows, &bare, f.best)
	prior := f.belief.scales
	bald := b.learn(m, prior).proof
	most := bald + persuading
	f.rivals = append(f.rivals, rivalFit{nil, bald})
	var tried []bumps
	for _, k := range b.families() {
		if u := k.bumps(b, played, height); u != nil {
			tried = append(tried, u)
		}
	}
	var chosen bumps
	for _, u := range tried {
		s.shape(u)
		m := newMoments(b.size)
		b.gatherMoments(m, rows, &bare, f.best)
		p := b.learn(m, prior)
		f.rivals = append(f.rivals, rivalFit{u, p.proof})
		if p.proof > most {
			most, chosen = p.proof, u
		}
	}
	s.shape(chosen)
	f.bumps = chosen
	if chosen != nil {
		for range passes {
			s.pass(&f, rows, true)
		}
	}
	f.discord = discordOf(s, &f)
	return f
}

// pass is one of Fisher's scoring.
func (s *Surface) pass(f *fitted, rows []row, scatter bool) {
	b := s.basis
	if scatter {
		f.link.scatter(rows, f.best)
	}
	f.moments = newMoments(b.size)
	b.gatherMoments(f.moments, rows, &f.link, f.best)
	from := firstScales()
	if f.belief != nil {
		from = f.belief.scales
	}
	f.belief = b.learn(f.moments, from)
	f.best, _ = b.shape(f.belief.mean).height(b.peak(f.belief.mean))
	b.guess(rows, f.belief.mean)
	f.best = math.Min(f.best, bestPlayed(rows)+farBelow)
}

// bestPlayed is the height of the best place that was played. A height that is believed far
// above it, where nothing was played, must not make all that was seen count for nothing.
func bestPlayed(rows []row) float64 {
	best := 0.0
	for i := range rows {
		best = math.Max(best, rows[i].highest)
	}
	return best
}

// shape gives the surface other bumps, or none.
func (s *Surface) shape(u bumps) {
	b := s.basis
	b.bumps, b.size = u, b.plain
	if u != nil {
		b.size += u.count()
	}
	const some = 64
	for rows := s.rows; len(rows) > 0; rows = rows[min(some, len(rows)):] {
		s.features(rows[:min(some, len(rows))])
	}
}

// features writes those of rows.
func (s *Surface) features(rows []row) {
	b := s.basis
	var at, phi [][]float64
	for i := range rows {
		r := &rows[i]
		r.phi = slices.Grow(r.phi[:0], b.size)[:b.size]
		at, phi = append(at, r.at), append(phi, r.phi)
		if r.other != nil {
			at, phi = append(at, r.other), append(phi, make([]float64, b.size))
		}
	}
	b.fillAll(at, phi)
	k := 0
	for i := range rows {
		r := &rows[i]
		if k++; r.other == nil {
			continue
		}
		r.side = append(r.side[:0], r.phi...)
		for j, x := range phi[k] {
			r.phi[j] -= x
		}
		k++
		if b.apart && !b.atCentre(r.at) && !b.atCentre(r.other) {
			clear(r.phi[b.own:b.plain])
		}
	}
}

// guess is the heights at which the rows are linearised.
func (b *basis) guess(rows []row, height []float64) {
	for i := range rows {
		r := &rows[i]
		r.guess = shared.Dot(height, r.phi)
		r.lowest, r.highest = r.guess, r.guess
		if r.side != nil {
			a := shared.Dot(height, r.side)
			r.lowest, r.highest = math.Min(a, a-r.guess), math.Max(a, a-r.guess)
			switch {
			case !b.pinned:
			case b.atCentre(r.other):
				r.lowest, r.highest = a, math.Max(a, 0)
			case b.atCentre(r.at):
				r.lowest, r.highest = a-r.guess, math.Max(a-r.guess, 0)
			}
		}
	}
}

// played is the points of rows, and how high they are taken to be.
func (s *Surface) played(rows []row, f *fitted) (at [][]float64, height []float64) {
	sh := s.basis.shape(f.belief.mean)
	add := func(x []float64) {
		h, _ := sh.height(x)
		at, height = append(at, x), append(height, h)
	}
	add(s.basis.origin())
	for i := range rows {
		add(rows[i].at)
		if rows[i].other != nil {
			add(rows[i].other)
		}
	}
	return at, height
}

// weight is how much a row counts, as its independent part's precision.
func (l *link) weight(r *row, best float64) (y, w float64) {
	y, variance := l.linearRow(r)
	own := math.Max(variance-l.spread, ownShare*variance) + l.unknown
	return y, 1 / float64(own*fade(best-r.lowest))
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

// scatter learns from the residuals how much the batches have in common (the
// blocks that they share), and how much the features cannot follow.
func (l *link) scatter(rows []row, best float64) {
	var batches, common, count, excess, total float64
	flat := *l
	flat.spread, flat.unknown = 0, 0
	for from := 0; from < len(rows); {
		to := from
		weights, sum := 0.0, 0.0
		for ; to < len(rows) && rows[to].batch == rows[from].batch; to++ {
			r := &rows[to]
			y, variance := flat.linearRow(r)
			e := y - r.guess
			// Rows count by their precision, so that those far below, with huge residuals,
			// say little.
			p := 1 / float64(variance*fade(best-r.lowest))
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
	if len(rows) > 0 && count > 3*float64(len(rows[0].phi)) {
		l.unknown = math.Max(0, excess/total)
	}
}
