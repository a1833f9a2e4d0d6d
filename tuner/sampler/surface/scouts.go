package surface

import (
	"cmp"
	"math"
	"slices"

	"sakusen/engines/arena"
)

const (
	// scouting is the share of the pairs that are the scouts' during the first scoutUntil of
	// a search in up to scoutWide numbers; with more than scoutFull numbers, of which a few points
	// cover less, it is smaller in proportion.
	scouting, scoutUntil = 0.6, 0.25
	scoutFull, scoutWide = 4, 8
	// scoutGames are the games of the scouts for each of them, and leastScouts and
	// mostScouts bound their number.
	scoutGames              = 24
	leastScouts, mostScouts = 8, 64
	// leastScoutMean is the mean of wins less losses of a game below which scouting ends:
	// nearly all of the box is worse than the baseline.
	leastScoutMean = -0.5
	// scoutAhead is by how many standard errors a scout is ahead of the baseline when a second
	// climb begins there, and scoutApart its least distance from the first, a share of the range
	// in each number.
	scoutAhead = 0.5
	scoutApart = 0.15
	scoutKey   = 0x73636f7574
	// priorGames is the games of no gain that are counted to every scout.
	priorGames = 8
)

// outcome is what a pair of points showed: wins less losses of the first, in games
// of two.
type outcome struct {
	draw, batch int
	x, y        []float64
	record
}

// outcomes returns the pairs of proposals that the view has beyond those taken: duels,
// or two trials of a batch that met the same blocks.
func (c *climb) outcomes() []outcome {
	v := c.view
	var out []outcome
	if v.Plan.Duels {
		for ; c.taken < len(v.Duels); c.taken++ {
			d := &v.Duels[c.taken]
			if d.Draw >= 0 && !math.IsNaN(d.Score) {
				games := 2 * float64(d.Blocks)
				out = append(out, outcome{d.Draw, d.Batch, c.points[d.A], c.points[d.B], record{games * (2*d.Score - 1), games}})
			}
		}
		return out
	}
	equal := 1 / float64(v.Seats)
	first := -1 // the observation of an even draw
	for ; c.taken < len(v.Observed); c.taken++ {
		o := &v.Observed[c.taken]
		t := &v.Told[o.Trial]
		switch {
		case t.Batch != o.Batch || math.IsNaN(o.Value): // proposed again: of which draw is not known
		case t.Draw%2 == 0:
			first = c.taken
		case first >= 0 && v.Observed[first].Batch == o.Batch && v.Told[v.Observed[first].Trial].Draw == t.Draw-1:
			a := &v.Observed[first]
			games := 2 * float64(min(a.Blocks, o.Blocks))
			wins := games * 2 * (a.Value - o.Value) * 0.25 / float64(equal*(1-equal))
			out = append(out, outcome{t.Draw, o.Batch, c.points[a.Trial], c.points[o.Trial], record{wins, games}})
		}
	}
	return out
}

// record is what one side of meetings has won: wins less losses, and games.
type record struct{ wins, games float64 }

// tell adds what was won of some more.
func (r *record) tell(more record) {
	r.wins += more.wins
	r.games += more.games
}

// lead returns by how many standard errors the side is ahead.
func (r *record) lead() float64 {
	if r.games == 0 {
		return 0
	}
	return r.wins / (spreadOfGame * math.Sqrt(r.games))
}

// path is an iterate and, by batch, where it was after it.
type path struct {
	at    []float64
	trail [][]float64
}

// mean returns the mean of the last iterates.
func (p *path) mean(b *box) []float64 {
	x := append([]float64(nil), p.at...)
	if n := len(p.trail); n > 0 {
		last := p.trail[n-max(1, int(averagedShare*float64(n))):]
		for _, i := range b.numbers {
			x[i] = 0
			for _, t := range last {
				x[i] += t[i] / float64(len(last))
			}
		}
	}
	return x
}

// move moves the iterate by what a pair on both its sides has shown. Pairs that had to
// be narrower move it as far as others do.
func (p *path) move(b *box, o *outcome, reach, rate float64) {
	widest := 0.0
	for _, k := range b.numbers {
		widest = math.Max(widest, math.Abs(o.x[k]-o.y[k])/2)
	}
	step := rate * o.wins * clamp(reach/math.Max(widest, 1e-9), 1, 1<<mostHalvings)
	for _, k := range b.numbers {
		p.at[k] = clamp(p.at[k]+float64(step*(o.x[k]-o.y[k])/2), b.low[k], b.high[k])
	}
}

// keep adds the iterate to the trail.
func (p *path) keep() { p.trail = append(p.trail, slices.Clone(p.at)) }

// scouts are places all over the box that meet the baseline early in a search, to find one
// from which a second climb begins.
type scouts struct {
	*model
	list []scout
	over bool // scouting has ended
}

// scout is a place far from the baseline, and what it has won of it.
type scout struct {
	at []float64
	record
}

// promise returns the mean of its wins, with an optimist's part of the error.
func (c *scout) promise() float64 {
	n := c.games + priorGames
	return c.wins/n + spreadOfGame/math.Sqrt(n)
}

// part returns the share of the pairs that are the scouts' at a share of the search: none but
// in duels with a baseline, where a few dozen places are enough to find one that a climb from
// the baseline does not.
func (o *scouts) part(progress float64) float64 {
	n := len(o.basis.numbers)
	if o.over || progress >= scoutUntil || o.walk <= 0 || !o.view.Plan.Duels || o.view.Baseline == nil || n < 2 || n > scoutWide {
		return 0
	}
	return scouting * o.abundance() * math.Min(1, scoutFull/float64(n))
}

// count returns how many scouts a search has.
func (o *scouts) count() int {
	games := float64(o.view.Plan.Games) * o.pairFactor() * o.part(0) * scoutUntil
	return int(clamp(games/scoutGames, leastScouts, mostScouts))
}

// place returns the place of the n-th scout (a shifted Kronecker sequence, of the powers of the
// root of x^(d+1) = x + 1: M. Roberts, The unreasonable effectiveness of quasirandom
// sequences, 2018).
func (o *scouts) place(n int) []float64 {
	b := o.basis
	x := b.origin()
	root := 2.0
	for range 40 {
		root = math.Pow(1+root, 1/float64(len(b.numbers)+1))
	}
	rng := arena.NewStream(o.seed^scoutKey, 0)
	step := 1.0
	for _, i := range b.numbers {
		step /= root
		_, u := math.Modf(rng.Float64() + step*float64(n+1))
		x[i] = b.low[i] + (b.high[i]-b.low[i])*u
	}
	if len(b.choices) > 0 {
		rng = arena.NewStream(o.seed^scoutKey, uint64(n+1))
		for _, i := range b.choices {
			x[i] = o.drawChoice(&rng, i, o.top[i])
		}
	}
	return x
}

// next returns the place that meets the baseline in the k-th scouting pair of a batch: first
// all once, then the most promising.
func (o *scouts) next(k int) []float64 {
	if n := len(o.list) + k; n < o.count() {
		return o.place(n)
	}
	if len(o.list) == 0 {
		return o.place(k)
	}
	order := slices.Clone(o.list)
	slices.SortStableFunc(order, func(p, q scout) int { return cmp.Compare(q.promise(), p.promise()) })
	return order[k%len(order)].at
}

// told takes a scout's pair.
func (o *scouts) told(p *outcome) {
	i := slices.IndexFunc(o.list, func(c scout) bool { return slices.Equal(c.at, p.x) })
	if i < 0 {
		i = len(o.list)
		o.list = append(o.list, scout{at: p.x})
	}
	o.list[i].tell(p.record)
}

// judge ends scouting, when the pairs of a batch have been told, and returns where a second
// climb begins: at the best of the scouts, if that is ahead of the baseline and far from the
// iterate of the first, else nil. In more than fewNumbers numbers scouting ends halfway where a
// quadratic fits all that was seen.
func (o *scouts) judge(progress float64, fit known, iterate []float64) []float64 {
	b := o.basis
	if o.over || len(o.list) < leastScouts {
		return nil
	}
	var all record
	for i := range o.list {
		all.tell(o.list[i].record)
	}
	quiet := progress >= scoutUntil/2 && len(b.numbers) > fewNumbers && fit.smooth
	bad := all.wins < leastScoutMean*all.games
	o.over = bad || quiet || progress >= scoutUntil
	if bad || !o.over {
		return nil
	}
	best := slices.MaxFunc(o.list, func(p, q scout) int { return cmp.Compare(p.wins/(p.games+priorGames), q.wins/(q.games+priorGames)) })
	if best.wins < scoutAhead*spreadOfGame*math.Sqrt(best.games) ||
		b.distance(best.at, iterate) < scoutApart*scoutApart*float64(len(b.numbers)) {
		return nil
	}
	return slices.Clone(best.at)
}
