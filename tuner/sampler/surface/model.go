package surface

import (
	"math"
	"sakusen/tuner"
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
	// fewRows is the number of rows below which no bumps are looked for; bumpsEvidence is by
	// how much, in natural logarithms, the evidence for bumps must be larger than without.
	fewRows       = 60
	bumpsEvidence = 1
	// smoothEvidence is by how much, in natural logarithms, the evidence for bumps must be
	// larger than without for a quadratic not to fit all that is seen.
	smoothEvidence = 0.5
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

// model is what the games seen so far tell: their rows, and the regression of them.
type model struct {
	search
	points [][]float64 // by trial
	rows   []row       // by observation or duel
	seen   int         // observations or duels in them

	fitted *tuner.View // the view of the posterior
	whole  fitted      // all up to the last full fit
	now    *posterior
	top    []float64 // its peak
	summit float64   // the peak's height, Elo
}

// fitted is a full fit of the first rows.
type fitted struct {
	rows    int
	link    link
	moments *moments
	belief  *posterior
	bumps   bumps
	best    float64    // height of its peak
	rivals  []rivalFit // every family that was tried
	known
}

// known is what a full fit showed: whether it had bumps, whether none of those that were
// tried were likelier than a quadratic alone, and how clear it was that the baseline tells
// another thing than duels do.
type known struct {
	bumpy   bool
	smooth  bool
	discord float64
}

// update brings the posterior up to date with the view, and reports whether it was not.
func (m *model) update() bool {
	if m.fitted == m.view && m.now != nil {
		return false // a batch is asked with one view
	}
	m.fitted = m.view
	m.gather()
	n := m.fullAt(len(m.rows))
	if m.whole.moments == nil || m.whole.rows != n {
		m.whole = m.fitWhole(n)
	}
	w := &m.whole
	sums := w.moments.clone()
	m.basis.guess(m.rows[n:], w.belief.mean)
	m.basis.gatherMoments(sums, m.rows[n:], &w.link, w.best)
	m.now = w.belief
	if n < len(m.rows) {
		if p, ok := m.basis.solve(sums, w.belief.scales); ok {
			m.now = p
		}
	}
	believed := m.basis.shape(m.now.mean)
	m.top = believed.peak()
	m.summit, _ = believed.height(m.top)
	return true
}

// gather turns what is new in the view into rows.
func (m *model) gather() {
	v := m.view
	if m.basis != nil && (len(v.Told) < len(m.points) || len(v.Observed)+len(v.Duels) < m.seen) {
		m.basis, m.points, m.rows, m.seen, m.whole = nil, nil, nil, 0, fitted{} // another study
	}
	if m.basis == nil {
		m.basis = m.newBasis()
	}
	for i := len(m.points); i < len(v.Told); i++ {
		m.points = append(m.points, m.basis.point(v.Told[i].Params))
	}
	for ; v.Plan.Duels && m.seen < len(v.Duels); m.seen++ {
		d := &v.Duels[m.seen]
		m.add(row{at: m.points[d.A], other: m.points[d.B], batch: d.Batch, value: d.Score, noise: d.Noise, blocks: float64(d.Blocks)})
	}
	for ; !v.Plan.Duels && m.seen < len(v.Observed); m.seen++ {
		o := &v.Observed[m.seen]
		if o.Blocks > 0 && !math.IsNaN(o.Value) {
			m.add(row{at: m.points[o.Trial], batch: o.Batch, value: o.Value, noise: o.Noise, blocks: float64(o.Blocks)})
		}
	}
}

func (m *model) add(r row) {
	_, r.sign, _ = m.basis.againstCentre(&r)
	m.rows = append(m.rows, r)
	m.features(m.rows[len(m.rows)-1:])
}

// fullAt returns the number of rows of the last full fit when so many were there: of whole
// batches.
func (m *model) fullAt(rows int) int {
	n := fullRows(rows)
	for n > 0 && n < rows && m.rows[n].batch == m.rows[n-1].batch {
		n--
	}
	return n
}

// fullRows returns the number of rows of the last full fit among n.
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
func (m *model) fitWhole(n int) fitted {
	b, rows := m.basis, m.rows[:n]
	f := fitted{rows: n, link: learnLink(rows, m.view.Seats, m.view.Maximize)}
	m.setBumps(nil)
	b.guess(rows, make([]float64, b.size)) // flat at first
	for pass := range passes {
		m.pass(&f, rows, pass > 0)
		if n == 0 {
			return f
		}
	}
	if n < fewRows || len(b.numbers) == 0 || len(b.numbers) > mostBumpy {
		return f
	}
	played, height := m.played(rows, &f)
	bare := f.link
	bare.unknown = 0 // or it would stand for the bumps
	prior := f.belief.scales
	tried := []bumps{nil}
	for _, k := range b.families() {
		if u := k.bumps(&b.box, played, height); u != nil {
			tried = append(tried, u)
		}
	}
	var chosen bumps
	most := 0.0 // of the evidence
	for _, u := range tried {
		m.setBumps(u)
		sums := newMoments(b.size)
		b.gatherMoments(sums, rows, &bare, f.best)
		proof := b.learn(sums, prior).proof
		f.rivals = append(f.rivals, rivalFit{u, proof})
		if u == nil {
			most = proof + bumpsEvidence
		} else if proof > most {
			most, chosen = proof, u
		}
	}
	m.setBumps(chosen)
	f.bumps = chosen
	if chosen != nil {
		for range passes {
			m.pass(&f, rows, true)
		}
	}
	f.known = known{bumpy: chosen != nil, smooth: f.quadratic(), discord: m.discord(&f)}
	return f
}

// ownEvidence is by how much, in natural logarithms, the evidence must be larger with what is seen
// against the baseline alone than nearly without it, when only games against the baseline
// count for a search.
const ownEvidence = 1

// discord returns how clear a fit makes it, 0 to 1, that what beats the baseline is another
// thing than what beats other candidates: the evidence of all games for a height of its own
// against the baseline, over the whole box, against next to none.
func (m *model) discord(f *fitted) float64 {
	b := m.basis
	if !b.apart {
		return 0
	}
	none := f.belief.scales
	none.own = leastScale
	p, ok := b.solve(f.moments, none)
	if !ok {
		return 0
	}
	// Few games do not tell it from a hill that is no parabola.
	return clamp((f.belief.proof-p.proof)/ownEvidence, 0, 1) * m.abundance()
}

// quadratic reports whether kinds of bumps were tried, and none was clearly likelier than a
// quadratic alone.
func (f *fitted) quadratic() bool {
	if f.bumps != nil || len(f.rivals) < 2 {
		return false
	}
	for _, r := range f.rivals[1:] {
		if r.proof > f.rivals[0].proof+smoothEvidence {
			return false
		}
	}
	return true
}

// pass makes one pass of Fisher's scoring.
func (m *model) pass(f *fitted, rows []row, scatter bool) {
	b := m.basis
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
	believed := b.shape(f.belief.mean)
	f.best, _ = believed.height(believed.peak())
	b.guess(rows, f.belief.mean)
	f.best = math.Min(f.best, bestPlayed(rows)+farBelow)
}

// bestPlayed returns the height of the best place that was played. A height that is believed far
// above it, where nothing was played, must not make all that was seen count for nothing.
func bestPlayed(rows []row) float64 {
	best := 0.0
	for i := range rows {
		best = math.Max(best, rows[i].highest)
	}
	return best
}

// with returns the model of the same games with bumps of a family, which were tried.
func (m *model) with(u bumps) *model {
	o := m.bare(len(m.rows))
	o.setBumps(u)
	f := fitted{rows: len(o.rows), link: m.whole.link, best: m.whole.best, belief: m.now} // its scales are nearly right
	o.pass(&f, o.rows, false)
	o.whole, o.now = f, f.belief
	o.top = o.basis.shape(o.now.mean).peak()
	return o
}

// bare returns a model of the first n rows, whose features are not written yet.
func (m *model) bare(n int) *model {
	o := &model{search: m.search, rows: slices.Clone(m.rows[:n])}
	o.basis = o.newBasis()
	for i := range o.rows {
		o.rows[i].phi, o.rows[i].side = nil, nil
	}
	return o
}

// setBumps gives the surface other bumps, or none.
func (m *model) setBumps(u bumps) {
	b := m.basis
	b.bumps, b.size = u, b.plain
	if u != nil {
		b.size += u.count()
	}
	const some = 64
	for rows := m.rows; len(rows) > 0; rows = rows[min(some, len(rows)):] {
		m.features(rows[:min(some, len(rows))])
	}
}

// features writes those of rows.
func (m *model) features(rows []row) {
	b := m.basis
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

// guess writes the heights at which the rows are linearised.
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

// played returns the points of rows, and how high they are taken to be.
func (m *model) played(rows []row, f *fitted) (at [][]float64, height []float64) {
	sh := m.basis.shape(f.belief.mean)
	add := func(x []float64) {
		h, _ := sh.height(x)
		at, height = append(at, x), append(height, h)
	}
	add(m.basis.origin())
	for i := range rows {
		add(rows[i].at)
		if rows[i].other != nil {
			add(rows[i].other)
		}
	}
	return at, height
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
