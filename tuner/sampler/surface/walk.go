package surface

import (
	"math"

	"sakusen/engines/arena"
)

const (
	// shown is the share of the games, the last ones, in which the believed answer of a
	// study in duels plays the baseline.
	shown = 0.05
	// walkReach is the distance of a pair's ends from the iterate at the end of a
	// search of walkBlocks blocks of pairs, a share of the range, and walkRate the
	// step's size there; more blocks make both smaller, by these powers, but not
	// below the least. Before the end both are larger, by Spall's schedules.
	walkBlocks                          = 625
	walkReach, lessReach, leastReach    = 0.25, 0.2, 0.08
	walkRate, lessRate, leastRate       = 0.025, 0.35, 0.006
	mostReach                           = 0.3
	walkGamma, walkAlpha, walkStability = 0.101, 0.602, 0.1
	// fullPart is the blocks of pairs of a search above which the walk has less than
	// its share, by the power lessPart; leastShare and mostShare are what meetings
	// may make of it.
	fullPart, lessPart    = 1250, 0.35
	leastShare, mostShare = 0.15, 0.9
	// climbMore, climbPart and lessClimb make the share with more than fewNumbers numbers: so many times as much at first, at most climbPart, and less with
	// more blocks by the power lessClimb.
	climbMore, climbPart, lessClimb = 1.47, 0.95, 0.58
	// mostLess and noneLess are the numbers between which that power falls to nothing where
	// bumps are looked for: there a top that no model follows is found by
	// climbing alone, and its pairs teach a model that fits as well as others do. With more
	// numbers a parabola needs the games of its own choice.
	mostLess, noneLess = 4, 6
	// wideNumbers is the number of numbers above which pairs are wider, up to mostWider
	// times.
	wideNumbers = 8
	mostWider   = 1.3
	// unfit is how many times its part the walk has where no quadratic fits what is seen.
	unfit = 2.4
	// swing is by how much the share moves for each standard error of the meetings.
	swing = 0.2
	// meeting is the number of pairs of which one is a meeting, and meetingsMemory
	// the share of the search after which a meeting counts 1/e.
	meeting        = 8
	meetingsMemory = 0.35
	// lost is by how many standard errors an iterate is behind the peak when it goes
	// there.
	lost = 2.5
	// tooFar is how far, in Elo, both ends of a pair may be believed below the
	// iterate: where both are lost, neither tells the way up, and the pair is made
	// narrower, up to so many times by half.
	tooFar   = 150
	narrower = 5
	walkKey  = 0x77616c6b // of the walk's random numbers
)

// role is what a pair of proposals is for.
type role int

const (
	model     role = iota // chosen by the model
	perturbed             // on both sides of the iterate
	met                   // the iterate and the model's peak
	scouts                // a scout and the baseline
	besides               // on both sides of a second walk's iterate
	rivals                // the iterates of two walks
	soundings             // one side of a pair of the walk, and the baseline
)

// moment is that of now.
func (w *walk) moment(s *Surface) moment {
	return moment{w.share, scoutPart(s, s.progress()), soundPart(s, s.progress()), w.rival != nil}
}

// asked keeps the moment and returns that at which a batch was asked for which is told
// now: an earlier one where several batches are in flight.
func (w *walk) asked(s *Surface) moment {
	w.moments = append(w.moments, w.moment(s))
	first := min(w.begun, len(w.moments)-1)
	return w.moments[max(first, len(w.moments)-max(1, s.view.Plan.Flight))]
}

// askedOut is the moment at which a batch was asked for that is out, the i-th of those, oldest
// first.
func (w *walk) askedOut(s *Surface, i int) moment {
	if n := max(w.begun, len(w.moments)+i+1-s.view.Plan.Flight); n < len(w.moments) {
		return w.moments[n]
	}
	return w.moment(s)
}

// role is that of a pair.
func (s *Surface) role(pair int, at moment, first bool) role {
	rng := arena.NewStream(s.seed^walkKey, uint64(pair))
	u := rng.Float64()
	switch {
	case rng.Float64() < at.scouting:
		return scouts
	case !at.rival:
	case pair%meeting == meeting/2-1:
		return rivals
	case u < at.share && rng.Bool():
		return besides
	}
	switch {
	case pair%meeting == meeting-1 && !first:
		return met
	case u < at.share:
		if at.sounding > 0 && rng.Float64() < at.sounding {
			return soundings
		}
		return perturbed
	}
	return model
}

// scoutsOut returns the number of scouting pairs in the batches in flight: the scouts of a
// batch come after them.
func scoutsOut(s *Surface) int {
	n := 0
	for i, b := range s.view.Out {
		at := s.walk.askedOut(s, i)
		for _, draw := range b.Draws {
			if draw >= 0 && draw%2 == 0 && s.role(draw/2, at, b.Batch < s.view.Plan.Flight) == scouts {
				n++
			}
		}
	}
	return n
}

// walks tells whether part of the pairs climbs without a model: where games are
// scored, and there is a number to move.
func (s *Surface) walks() bool {
	return s.share > 0 && s.view.Seats > 0 && len(s.basis.numbers) > 0 && !alone(s)
}

// outcome is what a pair of points showed: wins less losses of the first, in games
// of two.
type outcome struct {
	draw, batch int
	x, y        []float64
	wins, games float64
}

// outcomes are the pairs of proposals that the view has beyond those taken: duels,
// or two trials of a batch that met the same blocks.
func (s *Surface) outcomes() []outcome {
	v, w := s.view, &s.walk
	var out []outcome
	if v.Plan.Duels {
		for ; w.seen < len(v.Duels); w.seen++ {
			d := &v.Duels[w.seen]
			if d.Draw >= 0 && !math.IsNaN(d.Score) {
				games := 2 * float64(d.Blocks)
				out = append(out, outcome{d.Draw, d.Batch, s.points[d.A], s.points[d.B], games * (2*d.Score - 1), games})
			}
		}
		return out
	}
	equal := 1 / float64(v.Seats)
	first := -1 // the observation of an even draw
	for ; w.seen < len(v.Observed); w.seen++ {
		o := &v.Observed[w.seen]
		t := &v.Told[o.Trial]
		switch {
		case t.Batch != o.Batch || math.IsNaN(o.Value): // proposed again: of which draw is not known
		case t.Draw%2 == 0:
			first = w.seen
		case first >= 0 && v.Observed[first].Batch == o.Batch && v.Told[v.Observed[first].Trial].Draw == t.Draw-1:
			a := &v.Observed[first]
			games := 2 * float64(min(a.Blocks, o.Blocks))
			wins := games * 2 * (a.Value - o.Value) * 0.25 / float64(equal*(1-equal))
			out = append(out, outcome{t.Draw, o.Batch, s.points[a.Trial], s.points[o.Trial], wins, games})
		}
	}
	return out
}

// walked brings the walk up to date with the view.
func (s *Surface) walked() {
	v, w := s.view, &s.walk
	if w.at == nil || w.plan.Games != v.Plan.Games || w.seen > max(len(v.Duels), len(v.Observed)) {
		*w = walk{at: s.basis.origin(), plan: v.Plan, share: s.part()}
	}
	got := s.outcomes()
	for from := 0; from < len(got); {
		to := from
		for to < len(got) && got[to].batch == got[from].batch {
			to++
		}
		s.walkBatch(got[from:to])
		from = to
	}
}

// part is the share of the pairs that is the walk's before anything is seen: the
// more games, the more a model can learn, and where there are choices, which the
// walk cannot make, it has half as many.
func (s *Surface) part() float64 {
	n := math.Max(1, float64(s.view.Plan.Games)*s.worth()/2)
	part := s.share * math.Pow(math.Max(1, n/fullPart), -lessPart)
	if s.climbs() {
		part = s.first() * math.Pow(math.Max(1, n/fullPart), -lessClimbed(s))
	}
	if len(s.basis.choices) > 0 {
		part /= 2
	}
	return part
}

// lessClimbed is the power by which the walk has less where it climbs.
func lessClimbed(s *Surface) float64 {
	n := len(s.basis.numbers)
	if n > mostBumpy {
		return lessClimb
	}
	return lessClimb * clamp((noneLess-float64(n))/(noneLess-mostLess), 0, 1)
}

// first is the share that the walk has at first where it climbs.
func (s *Surface) first() float64 { return math.Min(climbPart, climbMore*s.share) }

// gains are the distance of a pair's ends and the step's size at a share of the
// search.
func (s *Surface) gains(progress float64) (reach, rate float64) {
	n := math.Max(1, s.part()*float64(s.view.Plan.Games)*s.worth()/2)
	end := math.Max(leastReach, walkReach*math.Pow(n/walkBlocks, -lessReach))
	end = math.Min(end, mostReach)
	if s.climbs() {
		// A number's part of what a pair shows grows with the distance, its noise does not.
		end *= clamp(math.Sqrt(float64(len(s.basis.numbers))/wideNumbers), 1, mostWider)
	}
	rate = math.Max(leastRate, walkRate*math.Pow(n/walkBlocks, -lessRate))
	p := math.Min(math.Max(progress, 1e-3), 1)
	reach = end * math.Pow(p, -walkGamma)
	rate *= (end / reach) * (end / reach) * math.Pow((walkStability+1)/(walkStability+p), walkAlpha)
	return reach, rate
}

// walkBatch takes the pairs of a batch.
func (s *Surface) walkBatch(pairs []outcome) {
	v, b, w := s.view, s.basis, &s.walk
	all := math.Max(1, float64(v.Plan.Games)*s.worth())
	progress := s.progress()
	reach, rate := s.gains(progress)
	if w.rival != nil {
		rate *= 2 // two walks share the pairs of one
	}
	at := w.asked(s)
	if pairs[0].batch < 0 {
		w.begun++
	}
	played := 0.0
	var peak []float64
	for i := range pairs {
		p := &pairs[i]
		played += p.games
		if progress >= 1-2*shown && (b.atCentre(p.x) || b.atCentre(p.y)) {
			continue // the believed answer shows what it is worth
		}
		role := s.role(p.draw/2, at, p.batch < max(1, v.Plan.Flight))
		if w.rival == nil && (role == besides || role == rivals) {
			continue // it was decided while the batch was out
		}
		switch role {
		case perturbed:
			b.move(w.at, p, reach, rate)
		case besides:
			b.move(w.rival.at, p, reach, rate)
		case scouts:
			w.scouted(p.x, p.wins, p.games)
		case rivals:
			w.rival.wins += p.wins
			w.rival.games += p.games
		case met:
			w.wins += p.wins
			w.games += p.games
			peak = p.y
		}
	}
	w.played += played
	w.trail = append(w.trail, append([]float64(nil), w.at...))
	if w.rival != nil {
		w.rival.trail = append(w.rival.trail, append([]float64(nil), w.rival.at...))
	}
	keep := math.Exp(-played / (all * meetingsMemory))
	w.wins, w.games = w.wins*keep, w.games*keep
	if peak != nil && w.lead() < -lost {
		copy(w.at, peak)
		w.wins, w.games = w.wins/2, w.games/2
	}
	w.judgeRival(s.progress())
	judgeScouts(s, s.progress(), pairs[0].batch)
	part, most := s.part(), mostShare
	fall := 0.5
	if s.climbs() {
		fall, most = 0.5*(1-part/climbPart), climbPart
	}
	if rich := s.rich(); rich > 0 && fittedAt(s, pairs[0].batch).bumpy {
		fall *= 1 - rich // no quadratic fits: the part without a model stays
		part = math.Min(math.Max(most, part), part*(1+(unfit-1)*rich))
	}
	w.share = clamp(float64(part*(1-fall*progress))+swing*w.lead(), leastShare, most)
	w.share *= 1 - fittedAt(s, pairs[0].batch).discord
}

// move moves an iterate by what a pair on both its sides has shown. Pairs that had to
// be narrower move it as far as others do.
func (b *basis) move(at []float64, p *outcome, reach, rate float64) {
	widest := 0.0
	for _, k := range b.numbers {
		widest = math.Max(widest, math.Abs(p.x[k]-p.y[k])/2)
	}
	step := rate * p.wins * clamp(reach/math.Max(widest, 1e-9), 1, 1<<narrower)
	for _, k := range b.numbers {
		at[k] = clamp(at[k]+float64(step*(p.x[k]-p.y[k])/2), b.low[k], b.high[k])
	}
}

// stepped is the point of a draw that belongs to the walk, or to a meeting; nil
// where it is the model's.
func (s *Surface) stepped(draw int) []float64 {
	b, w := s.basis, &s.walk
	s.walked()
	pair, now := draw/2, w.moment(s)
	switch s.role(pair, now, len(w.trail) == 0) {
	case perturbed:
		return s.perturb(pair, w.at)[draw%2]
	case besides:
		return s.perturb(pair, w.rival.at)[draw%2]
	case soundings:
		if draw%2 == 1 {
			return b.origin()
		}
		return s.perturb(pair, w.at)[0]
	case scouts:
		if draw%2 == 1 {
			return b.origin()
		}
		k := scoutsOut(s)
		for p := pair - pair%max(1, s.view.Plan.Batch/2); p < pair; p++ {
			if s.role(p, now, len(w.trail) == 0) == scouts {
				k++
			}
		}
		return nextScout(s, k)
	case rivals:
		x := w.mean(b)
		if draw%2 == 0 {
			x = meanOf(b, w.rival.at, w.rival.trail)
		}
		for _, i := range b.choices {
			x[i] = s.top[i]
		}
		return b.settle(s.now.mean, x)
	case met:
		x := w.mean(b)
		for _, i := range b.choices {
			x[i] = s.top[i]
		}
		if draw%2 == 1 {
			x = s.top
		}
		return b.settle(s.now.mean, x)
	}
	return nil
}

// perturb is a pair on both sides of the iterate.
func (s *Surface) perturb(pair int, at []float64) [2][]float64 {
	b := s.basis
	reach, _ := s.gains(s.progress())
	rng := arena.NewStream(s.seed, uint64(pair))
	x, y := append([]float64(nil), at...), append([]float64(nil), at...)
	side := make([]float64, len(x))
	for _, i := range b.numbers {
		side[i] = 1
		if rng.Bool() {
			side[i] = -1
		}
	}
	sh := b.shape(s.now.mean)
	here, _ := sh.height(at)
	for range narrower {
		for _, i := range b.numbers {
			d := clamp(reach*side[i], (b.low[i]-b.high[i])/2, (b.high[i]-b.low[i])/2)
			x[i], y[i] = clamp(at[i]+d, b.low[i], b.high[i]), clamp(at[i]-d, b.low[i], b.high[i])
		}
		one, _ := sh.height(x)
		other, _ := sh.height(y)
		if math.Max(one, other) > here-tooFar {
			break
		}
		reach /= 2
	}
	for _, i := range b.choices {
		x[i] = s.choice(&rng, i, s.top[i])
		y[i] = x[i]
	}
	return [2][]float64{x, y}
}
