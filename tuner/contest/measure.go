package contest

import (
	"maps"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Measure returns a printed column's value as measured. A label that nothing played
// stands for measures nothing: all undefined.
func (r *TournamentResult) Measure(m Metric, label string) stats.MeanInterval {
	return r.measure(m, label, (*PlayedPairing).metric)
}

// SingleSided returns a score as Measure gives it, estimated from the sides of the
// games taken singly; undefined for other metrics and where the file does not
// ask for it. See Sides.
func (r *TournamentResult) SingleSided(m Metric, label string) stats.MeanInterval {
	if m.Of != score || r.File.SingleSided == "" {
		return stats.MeanInterval{}
	}
	return r.measure(m, label, func(p *PlayedPairing, _ *arena.Ruleset, m Metric, rotation int) stats.MeanInterval {
		return p.sides.wins(rotation, m.Seat)
	})
}

// value is a metric of one seat in one rotation of a pairing.
type value func(p *PlayedPairing, rs *arena.Ruleset, m Metric, rotation int) stats.MeanInterval

func (r *TournamentResult) measure(m Metric, label string, of value) stats.MeanInterval {
	f := r.File
	if !m.Average {
		pairing, rotation, ok := f.order(label)
		if !ok {
			return stats.MeanInterval{}
		}
		p := r.Played[pairing]
		return scaled(p.repeats.widened(of(p, f.Ruleset, m, rotation)), m.Scale)
	}
	sittings := f.sittings(label, m.Seat)
	mean, variance := 0.0, 0.0
	for _, s := range sittings {
		p := r.Played[s.pairing]
		v := p.repeats.widened(of(p, f.Ruleset, m, s.rotation))
		if !v.Mean.Defined {
			return stats.MeanInterval{}
		}
		mean += v.Mean.Value
		variance += v.SE.Or(math.NaN()) * v.SE.Or(math.NaN())
	}
	n := float64(len(sittings))
	average := stats.MeanInterval{Mean: stats.Known(mean / n)}
	if se := stats.Known(math.Sqrt(variance) / n); se.Defined {
		average = stats.Normal(mean/n, se.Value) // pairings are independent
	}
	return scaled(average, m.Scale)
}

// metric returns a metric of one seat in one rotation: one game a block.
func (p *PlayedPairing) metric(rs *arena.Ruleset, m Metric, rotation int) stats.MeanInterval {
	if m.Of == score {
		return p.scores.at(rotation, m.Seat).mean(arena.Scale(rs.Seats))
	}
	metric, err := rs.Metric(m.Of)
	if err != nil {
		return stats.MeanInterval{} // the file was checked
	}
	t := &p.Tally.Entrants[p.member(m.Seat, rotation)].Seats[m.Seat]
	of := rs.Component(metric.Of)
	s := stats.Sums{N: t.Games, X: float64(t.Sums[of]), XX: t.Cross[of][of].Float()}
	if metric.Per == "" {
		return scaled(s.Mean(), metric.Factor())
	}
	per := rs.Component(metric.Per)
	s.Y, s.YY = float64(t.Sums[per]), t.Cross[per][per].Float()
	s.XY = t.Cross[max(of, per)][min(of, per)].Float()
	return s.Ratio(metric.Factor())
}

// scores adds up the score of each seat in each rotation, in units of
// 1/arena.Scale(seats), and its square.
type scores struct {
	seats int
	cells []scoreSum // [rotation][seat]
}

type scoreSum struct{ n, sum, squares int64 }

func newScores(seats int) scores { return scores{seats, make([]scoreSum, seats*seats)} }

func (s scores) at(rotation, seat int) *scoreSum { return &s.cells[rotation*s.seats+seat] }

func (s scores) add(r *arena.Run) {
	for b := range r.Blocks {
		for rotation := range r.Rotations {
			for seat := range r.Seats {
				x := r.Game(b, rotation, seat)[0]
				c := s.at(rotation, seat)
				c.n++
				c.sum += x
				c.squares += x * x
			}
		}
	}
}

// mean returns the mean score of a game, [0, 1]. One seat of one rotation is one game
// a block, so its games are independent. Where all games had the same score the
// variance says nothing; then interval and error are Wilson's.
func (c *scoreSum) mean(scale int64) stats.MeanInterval {
	m := scaled(stats.Sums{N: c.n, X: float64(c.sum), XX: float64(c.squares)}.Mean(), 1/float64(scale))
	if c.n < 2 {
		return m
	}
	if m.SE.Value == 0 {
		w, err := stats.Wilson(math.Round(m.Mean.Value*float64(c.n)), float64(c.n), 0.95)
		if err == nil {
			m.SE, m.CI95 = stats.Known((w.Hi.Value-w.Lo.Value)/2/stats.Deviate95), w
		}
	}
	m.CI95.Lo.Value, m.CI95.Hi.Value = max(m.CI95.Lo.Value, 0), min(m.CI95.Hi.Value, 1)
	return m
}

// scaled multiplies a mean by a factor.
func scaled(m stats.MeanInterval, factor float64) stats.MeanInterval {
	by := func(n stats.Number, factor float64) stats.Number {
		if !n.Defined {
			return n
		}
		return stats.Known(n.Value * factor)
	}
	out := stats.MeanInterval{
		Mean: by(m.Mean, factor), SE: by(m.SE, math.Abs(factor)),
		CI95: stats.Interval{Lo: by(m.CI95.Lo, factor), Hi: by(m.CI95.Hi, factor)},
	}
	if factor < 0 {
		out.CI95.Lo, out.CI95.Hi = out.CI95.Hi, out.CI95.Lo
	}
	return out
}

// sides estimates who wins from the sides taken singly, for a race. That is a game of two seats
// in which each side takes a number of turns that does not depend on the other, and seat 0 wins
// if it takes no more than seat 1. Then the chance of a win is P(X <= Y) of two independent
// numbers, and every X met with every Y says more than each with the one it happened to meet.
//
// The variance is that of Hoeffding's projection (1948): that of G(X) + F(Y), with F and G the
// shares X <= y and Y >= x. X and Y are taken together if they come from the same seat of a
// block and so share its chance.
type sides struct {
	component int
	mirror    bool
	// joint counts the pairs of numbers that both entrants have in the same seat of a
	// block. A mirror has one game a block; its numbers stand alone, as {x, 0}.
	joint  map[[2]int64]int64
	counts [2]map[int64]int64 // by entrant
	n      int64              // of each entrant
}

func newSides(component int, mirror bool) *sides {
	s := &sides{component: component, mirror: mirror, joint: map[[2]int64]int64{}}
	for i := range s.counts {
		s.counts[i] = map[int64]int64{}
	}
	return s
}

// add counts a run; nil counts nothing.
func (s *sides) add(r *arena.Run) {
	if s == nil {
		return
	}
	at := 2 + s.component
	for b := range r.Blocks {
		for seat := range 2 {
			x := r.Game(b, 0, seat)[at]
			s.n++
			if s.mirror {
				s.counts[0][x]++
				s.joint[[2]int64{x, 0}]++
				continue
			}
			// Entrant 0 has seat 0 in rotation 0 and seat 1 in rotation 1.
			y := r.Game(b, 1, seat)[at]
			if seat == 1 {
				x, y = y, x
			}
			s.counts[0][x]++
			s.counts[1][y]++
			s.joint[[2]int64{x, y}]++
		}
	}
}

// wins returns the share of games that a seat wins in a rotation.
func (s *sides) wins(rotation, seat int) stats.MeanInterval {
	first, second := s.counts[rotation], s.counts[1-rotation]
	if s.mirror {
		first, second = s.counts[0], s.counts[0]
	}
	if s.n < 2 {
		return stats.MeanInterval{}
	}
	n := float64(s.n)
	own, others := cumulative(first, n), cumulative(second, n)
	p := 0.0
	for _, x := range sorted(first) {
		p += float64(first[x]) / n * others.atLeast(x)
	}
	mean, square := 0.0, 0.0
	for _, xy := range s.numbers() {
		count := s.joint[xy]
		x, y := xy[rotation], xy[1-rotation]
		if s.mirror {
			x, y = xy[0], xy[0]
		}
		v := others.atLeast(x) + own.atMost(y)
		mean += float64(count) / n * v
		square += float64(count) / n * v * v
	}
	if s.mirror {
		p = (p*n - 1) / (n - 1) // a side does not meet itself
	}
	se := math.Sqrt(max(square-mean*mean, 0) / (n - 1))
	if seat == 1 {
		p = 1 - p
	}
	return stats.Normal(p, se)
}

// numbers returns the keys of joint in order, so that sums are the same to the last
// bit whenever they are made.
func (s *sides) numbers() [][2]int64 {
	return slices.SortedFunc(maps.Keys(s.joint), func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
}

// distribution is how often numbers occurred: the numbers ascending, and of each the share of
// those up to it.
type distribution struct {
	numbers []int64
	shares  []float64
}

func sorted(counts map[int64]int64) []int64 { return slices.Sorted(maps.Keys(counts)) }

// cumulative returns the distribution of n numbers.
func cumulative(counts map[int64]int64, n float64) distribution {
	d := distribution{numbers: sorted(counts)}
	sum := int64(0)
	for _, x := range d.numbers {
		sum += counts[x]
		d.shares = append(d.shares, float64(sum)/n)
	}
	return d
}

// atMost returns the share of numbers <= x.
func (d distribution) atMost(x int64) float64 {
	i, found := slices.BinarySearch(d.numbers, x)
	if found {
		i++
	}
	if i == 0 {
		return 0
	}
	return d.shares[i-1]
}

// atLeast returns the share of numbers >= x.
func (d distribution) atLeast(x int64) float64 {
	if len(d.numbers) == 0 || x > d.numbers[len(d.numbers)-1] {
		return 0
	}
	return 1 - d.atMost(x-1)
}

// repeats counts the different blocks of a pairing: players without chance who begin from
// few starts repeat their games, and a repetition is no further evidence. It is nil in
// games where equal games are coincidences.
type repeats struct {
	seen   arena.Seen
	blocks int64
}

func newRepeats(rs *arena.Ruleset) *repeats {
	if rs.Game.FreshChance {
		return nil
	}
	return &repeats{}
}

func (r *repeats) add(run *arena.Run) {
	if r == nil {
		return
	}
	r.seen.Add(run)
	r.blocks += int64(run.Blocks)
}

// distinct returns the number of different blocks, 0 where all are.
func (r *repeats) distinct() int64 {
	if r == nil || r.seen.Blocks() >= r.blocks {
		return 0
	}
	return r.seen.Blocks()
}

// growth returns the factor by which repetitions make a standard error larger: as in
// stats.Blocks, only different blocks count, and few of them by Student's
// distribution. It is infinite where all blocks are the same.
func (r *repeats) growth() float64 {
	d := r.distinct()
	switch d {
	case 0:
		return 1
	case 1:
		return math.Inf(1)
	}
	return math.Sqrt(float64(r.blocks)/float64(d-1)) * stats.Care(d)
}

// widened returns a mean with the error that follows from its different blocks; without an
// error if there is a single block.
func (r *repeats) widened(m stats.MeanInterval) stats.MeanInterval {
	growth := r.growth()
	switch {
	case growth == 1 || !m.SE.Defined:
		return m
	case math.IsInf(growth, 1):
		return stats.MeanInterval{Mean: m.Mean}
	}
	out := stats.MeanInterval{Mean: m.Mean, SE: stats.Known(m.SE.Value * growth)}
	away := func(end stats.Number) stats.Number {
		if !end.Defined {
			return end
		}
		return stats.Known(m.Mean.Value + growth*(end.Value-m.Mean.Value))
	}
	out.CI95 = stats.Interval{Lo: away(m.CI95.Lo), Hi: away(m.CI95.Hi)}
	return out
}
