package surface

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

const (
	// finalShare is the share of the games, the last ones, in which the believed answer of a
	// study in duels plays the baseline.
	finalShare = 0.05
	// walkReach is the distance of a pair's ends from the iterate at the end of a
	// search of walkBlocks blocks of pairs, a share of the range, and walkRate the
	// step's size there; more blocks make both smaller, by these powers, but not
	// below the least. Before the end both are larger, by Spall's schedules.
	walkBlocks                          = 625
	walkReach, lessReach, leastReach    = 0.25, 0.2, 0.08
	walkRate, lessRate, leastRate       = 0.025, 0.35, 0.006
	mostReach                           = 0.3
	walkGamma, walkAlpha, walkStability = 0.101, 0.602, 0.1
	// leastShare and mostShare bound the share of the pairs that is the climb's.
	leastShare, mostShare = 0.15, 0.9
	// wideNumbers is the number of numbers above which pairs are wider, up to mostWider
	// times.
	wideNumbers = 8
	mostWider   = 1.3
	// bumpyFactor is how many times its part the climb has where no quadratic fits what is seen.
	bumpyFactor = 2.4
	// sharePerError is by how much the share moves for each standard error of the meetings.
	sharePerError = 0.2
	// meetingEvery is the number of pairs of which one is a meeting, and meetingsMemory
	// the share of the search after which a meeting counts 1/e.
	meetingEvery   = 8
	meetingsMemory = 0.35
	// iterateBehind is by how many standard errors an iterate is behind the peak when it goes
	// there.
	iterateBehind = 2.5
	// mostBelow is how far, in Elo, both ends of a pair may be believed below the
	// iterate: where both are worthless, neither tells the way up, and the pair is made
	// narrower, by half up to mostHalvings times.
	mostBelow    = 150
	mostHalvings = 5
	walkKey      = 0x77616c6b // of the climb's random numbers
	// spreadOfGame is the standard deviation of a game's wins less losses.
	spreadOfGame = 0.72
	// averagedShare is the share of the batches, the last ones, whose iterates are
	// averaged.
	averagedShare = 0.2
	// rivalAhead is by how many standard errors one of two climbs is ahead of the other
	// when it goes on alone; at the share lastRival of the search it does in any case.
	rivalAhead = 2.0
	lastRival  = 0.7
	// sounding is the share of the climb's pairs that are soundings during the first soundUntil
	// of a search in which it has most of them.
	sounding, soundUntil = 0.25, 0.06
)

// climb is the half of a search that has no model: simultaneous perturbation (J.
// Spall, Multivariate stochastic approximation using a simultaneous perturbation
// gradient approximation, 1992), two points at equal distance on both sides of an
// iterate, which moves towards the winner. It is right wherever up is up, so that
// landscapes which no model fits are climbed too, and its pairs teach the model as
// all others do. Now and then its iterate meets the model's peak: who wins gets
// more of the pairs, and an iterate that has clearly lost goes on from the peak.
// All of it is a function of the log.
type climb struct {
	*model
	path
	record          // of the iterate against the model's peak, the older the less
	taken   int     // duels or observations taken
	pairs   float64 // games of pairs so far
	plan    tuner.Plan
	share   float64       // of the pairs that are the climb's
	moments []moment      // by batch, when it was taken
	begun   int           // batches of an earlier study
	then    map[int]known // by rows of a full fit, what it showed
	scouts  scouts
	rival   *rival // a second climb, or nil
}

// rival is a second climb, from the best of the scouts, and what its iterate has won
// of the first's.
type rival struct {
	path
	record
}

// moment is what roles depend on when a batch is asked for.
type moment struct {
	share, scouting, sounding float64
	rival                     bool
}

// role is what a pair of proposals is for.
type role int

const (
	byModel        role = iota // chosen by the model
	perturbed                  // on both sides of the iterate
	peakMet                    // the iterate and the model's peak
	scoutMet                   // a scout and the baseline
	rivalPerturbed             // on both sides of a second climb's iterate
	rivalMet                   // the iterates of two climbs
	sounded                    // one side of a pair of the climb, and the baseline
)

// progress returns the share of the search that the climb has seen.
func (c *climb) progress() float64 {
	return c.pairs / math.Max(1, float64(c.view.Plan.Games)*c.pairFactor())
}

// soundings returns the share of the climb's pairs that are soundings now: one
// side of a pair meets the baseline. Where all that lies a pair's distance away is equally bad,
// its two sides are alike, and duels between them do not tell that they are too far away.
func (c *climb) soundings(progress float64) float64 {
	if !c.mostlyClimbs() || !c.view.Plan.Duels || c.view.Baseline == nil || progress >= soundUntil {
		return 0
	}
	return sounding
}

// moment returns that of now.
func (c *climb) moment() moment {
	p := c.progress()
	return moment{c.share, c.scouts.part(p), c.soundings(p), c.rival != nil}
}

// asked keeps the moment and returns that at which a batch was asked for which is told
// now: an earlier one where several batches are in flight.
func (c *climb) asked() moment {
	c.moments = append(c.moments, c.moment())
	first := min(c.begun, len(c.moments)-1)
	return c.moments[max(first, len(c.moments)-max(1, c.view.Plan.Flight))]
}

// askedOut returns the moment at which the i-th batch in flight, oldest first, was asked for.
func (c *climb) askedOut(i int) moment {
	if n := max(c.begun, len(c.moments)+i+1-c.view.Plan.Flight); n < len(c.moments) {
		return c.moments[n]
	}
	return c.moment()
}

// role returns that of a pair.
func (c *climb) role(pair int, at moment, first bool) role {
	rng := arena.NewStream(c.seed^walkKey, uint64(pair))
	u := rng.Float64()
	switch {
	case rng.Float64() < at.scouting:
		return scoutMet
	case !at.rival:
	case pair%meetingEvery == meetingEvery/2-1:
		return rivalMet
	case u < at.share && rng.Bool():
		return rivalPerturbed
	}
	switch {
	case pair%meetingEvery == meetingEvery-1 && !first:
		return peakMet
	case u < at.share:
		if at.sounding > 0 && rng.Float64() < at.sounding {
			return sounded
		}
		return perturbed
	}
	return byModel
}

// scoutsOut returns the number of scouting pairs in the batches in flight: the scouts of a
// batch come after them.
func (c *climb) scoutsOut() int {
	n := 0
	for i, b := range c.view.Out {
		at := c.askedOut(i)
		for _, draw := range b.Draws {
			if draw >= 0 && draw%2 == 0 && c.role(draw/2, at, b.Batch < c.view.Plan.Flight) == scoutMet {
				n++
			}
		}
	}
	return n
}

// follow brings the climb up to date with the view.
func (c *climb) follow() {
	v := c.view
	if c.at == nil || c.plan.Games != v.Plan.Games || c.taken > max(len(v.Duels), len(v.Observed)) {
		*c = climb{model: c.model, path: path{at: c.basis.origin()}, plan: v.Plan, share: c.climbShare(), scouts: scouts{model: c.model}}
	}
	got := c.outcomes()
	for n := 0; len(got) > 0; got = got[n:] {
		for n = 1; n < len(got) && got[n].batch == got[0].batch; n++ {
		}
		c.take(got[:n])
	}
}

// gains returns the distance of a pair's ends and the step's size at a share of the
// search.
func (c *climb) gains(progress float64) (reach, rate float64) {
	n := math.Max(1, c.climbShare()*float64(c.view.Plan.Games)*c.pairFactor()/2)
	end := math.Max(leastReach, walkReach*math.Pow(n/walkBlocks, -lessReach))
	end = math.Min(end, mostReach)
	if c.mostlyClimbs() {
		// A number's part of what a pair shows grows with the distance, its noise does not.
		end *= clamp(math.Sqrt(float64(len(c.basis.numbers))/wideNumbers), 1, mostWider)
	}
	rate = math.Max(leastRate, walkRate*math.Pow(n/walkBlocks, -lessRate))
	p := math.Min(math.Max(progress, 1e-3), 1)
	reach = end * math.Pow(p, -walkGamma)
	rate *= (end / reach) * (end / reach) * math.Pow((walkStability+1)/(walkStability+p), walkAlpha)
	return reach, rate
}

// take takes the pairs of a batch.
func (c *climb) take(pairs []outcome) {
	v, b := c.view, c.basis
	all := math.Max(1, float64(v.Plan.Games)*c.pairFactor())
	progress := c.progress()
	reach, rate := c.gains(progress)
	if c.rival != nil {
		rate *= 2 // two climbs share the pairs of one
	}
	at := c.asked()
	if pairs[0].batch < 0 {
		c.begun++
	}
	played := 0.0
	var peak []float64
	for i := range pairs {
		p := &pairs[i]
		played += p.games
		if progress >= 1-2*finalShare && (b.atCentre(p.x) || b.atCentre(p.y)) {
			continue // the believed answer shows what it is worth
		}
		role := c.role(p.draw/2, at, p.batch < max(1, v.Plan.Flight))
		if c.rival == nil && (role == rivalPerturbed || role == rivalMet) {
			continue // it was decided while the batch was out
		}
		switch role {
		case perturbed:
			c.move(&b.box, p, reach, rate)
		case rivalPerturbed:
			c.rival.move(&b.box, p, reach, rate)
		case scoutMet:
			c.scouts.told(p)
		case rivalMet:
			c.rival.tell(p.record)
		case peakMet:
			c.tell(p.record)
			peak = p.y
		}
	}
	c.pairs += played
	c.keep()
	if c.rival != nil {
		c.rival.keep()
	}
	keep := math.Exp(-played / (all * meetingsMemory))
	c.wins, c.games = c.wins*keep, c.games*keep
	if peak != nil && c.lead() < -iterateBehind {
		copy(c.at, peak)
		c.wins, c.games = c.wins/2, c.games/2
	}
	c.judgeRival()
	fit := c.fittedAt(pairs[0].batch)
	if at := c.scouts.judge(c.progress(), fit, c.at); at != nil {
		c.rival = &rival{path: path{at: at}}
	}
	part, most := c.climbShare(), mostShare
	fall := 0.5
	if c.mostlyClimbs() {
		fall, most = 0.5*(1-part/climbPart), climbPart
	}
	if many := c.abundance(); many > 0 && fit.bumpy {
		fall *= 1 - many // no quadratic fits: the part without a model stays
		part = math.Min(math.Max(most, part), part*(1+(bumpyFactor-1)*many))
	}
	c.share = clamp(float64(part*(1-fall*progress))+sharePerError*c.lead(), leastShare, most)
	c.share *= 1 - fit.discord
}

// judgeRival lets one of two climbs go on alone once it is known which.
func (c *climb) judgeRival() {
	r, late := c.rival, c.progress() >= lastRival
	if r == nil {
		return
	}
	lead := r.lead()
	switch {
	case lead > rivalAhead || late && lead > 0:
		c.path, c.record = r.path, record{}
	case lead >= -rivalAhead && !late:
		return
	}
	c.rival = nil
}

// point returns the point of a draw that belongs to the climb, to the scouts or to a meeting;
// nil where it is the model's.
func (c *climb) point(draw int) []float64 {
	b := c.basis
	c.follow()
	pair, now := draw/2, c.moment()
	switch c.role(pair, now, len(c.trail) == 0) {
	case perturbed:
		return c.perturb(pair, c.at)[draw%2]
	case rivalPerturbed:
		return c.perturb(pair, c.rival.at)[draw%2]
	case sounded:
		if draw%2 == 1 {
			return b.origin()
		}
		return c.perturb(pair, c.at)[0]
	case scoutMet:
		if draw%2 == 1 {
			return b.origin()
		}
		k := c.scoutsOut()
		for p := pair - pair%max(1, c.view.Plan.Batch/2); p < pair; p++ {
			if c.role(p, now, len(c.trail) == 0) == scoutMet {
				k++
			}
		}
		return c.scouts.next(k)
	case rivalMet:
		if draw%2 == 0 {
			return c.settled(c.rival.mean(&b.box))
		}
		return c.settled(c.mean(&b.box))
	case peakMet:
		if draw%2 == 1 {
			return b.settle(b.heights(c.now.mean), c.top)
		}
		return c.settled(c.mean(&b.box))
	}
	return nil
}

// settled returns the point that can be played near a mean of iterates, with the choices of the
// model's peak.
func (c *climb) settled(x []float64) []float64 {
	for _, i := range c.basis.choices {
		x[i] = c.top[i]
	}
	return c.basis.settle(c.basis.heights(c.now.mean), x)
}

// perturb returns a pair on both sides of the iterate.
func (c *climb) perturb(pair int, at []float64) [2][]float64 {
	b := c.basis
	reach, _ := c.gains(c.progress())
	rng := arena.NewStream(c.seed, uint64(pair))
	x, y := append([]float64(nil), at...), append([]float64(nil), at...)
	side := make([]float64, len(x))
	for _, i := range b.numbers {
		side[i] = 1
		if rng.Bool() {
			side[i] = -1
		}
	}
	sh := b.shape(c.now.mean)
	here, _ := sh.height(at)
	for range mostHalvings {
		for _, i := range b.numbers {
			d := clamp(reach*side[i], (b.low[i]-b.high[i])/2, (b.high[i]-b.low[i])/2)
			x[i], y[i] = clamp(at[i]+d, b.low[i], b.high[i]), clamp(at[i]-d, b.low[i], b.high[i])
		}
		one, _ := sh.height(x)
		other, _ := sh.height(y)
		if math.Max(one, other) > here-mostBelow {
			break
		}
		reach /= 2
	}
	for _, i := range b.choices {
		x[i] = c.drawChoice(&rng, i, c.top[i])
		y[i] = x[i]
	}
	return [2][]float64{x, y}
}

// fittedAt returns what the full fit showed when a batch had been told, the last so far. Where
// more has been told since, as after a resumption, the fit of then is made again.
func (c *climb) fittedAt(batch int) known {
	rows := len(c.rows)
	for rows > 0 && c.rows[rows-1].batch != batch {
		rows--
	}
	n := c.fullAt(rows)
	if n == c.whole.rows {
		return c.whole.known
	}
	k, ok := c.then[n]
	if !ok {
		k = c.bare(n).fitWhole(n).known
		if c.then == nil {
			c.then = map[int]known{}
		}
		c.then[n] = k
	}
	return k
}
