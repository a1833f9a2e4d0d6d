package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxCount is the largest total of a histogram, in blocks: above it float64
// no longer tells one block from the next.
const maxCount = int64(1) << 53

// Blocks is one entrant's histogram of block scores.
type Blocks struct {
	// Seats is the number of seats of the game; among equals each scores 1/Seats.
	Seats int
	// Games is the number of games in a block: Seats when the seats rotate, 1
	// when games were counted singly.
	Games int
	// Counts[i] is the number of blocks whose score is i/(len(Counts)-1).
	Counts []int64
	// Distinct is the number of different blocks among them, 0 if all are: players without
	// chance who begin from a few starts repeat their games, and a repetition is no further
	// evidence. Means are over all blocks; errors and tests use the number of different
	// ones. See docs/research/statistics.md.
	Distinct int64
	// Placed, unless nil, is what all pairs of lengths say of the blocks of a race, none of
	// which repeats another. Means, errors and tests are by it, and not by Counts.
	Placed *Placed
}

// effective returns the number of blocks that are evidence.
func (b Blocks) effective() int64 {
	if b.Distinct > 0 {
		return b.Distinct
	}
	return b.N()
}

// deviate returns the deviate of a two-sided 95 % interval: the normal one, or, where
// blocks repeat, Student's for the different ones, of which there may be few.
func (b Blocks) deviate() float64 {
	return Deviate95 * Care(b.Distinct)
}

// Care returns how much wider than the normal interval Student's is for so many
// different blocks, at 95 %; 1 for fewer than two, whose spread says nothing.
func Care(distinct int64) float64 {
	if distinct < 2 {
		return 1
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(distinct - 1)}.Quantile(0.975) / Deviate95
}

// dispersed returns the moments with the variance that a block has if only different blocks
// count as evidence; with few of them it is larger by Student's distribution.
func (b Blocks) dispersed() Moments {
	m := b.Moments()
	if d := float64(b.Distinct); d > 1 {
		care := b.deviate() / Deviate95
		m.Variance *= float64(m.N) / (d - 1) * care * care
	}
	return m
}

// varied returns what dispersed returns, for blocks that are not silent: where all were won
// or all lost, by the regularised counts.
func (b Blocks) varied() Moments {
	m := b.dispersed()
	if m.Variance == 0 {
		cells, _ := b.regular()
		mean, sd := spread(cells, nil)
		m.Mean, m.Variance = mean, sd*sd
	}
	return m
}

// noise returns the standard deviation of a block with one more block of the largest
// variance there is, 1/4: after a few blocks the variance seen may be next to nothing.
func (m Moments) noise() float64 {
	n := float64(m.N)
	return math.Sqrt((n*m.Variance + 0.25) / (n + 1))
}

// Pentanomial returns pairs of games between two seats: [LL, LD, DD+WL, WD, WW].
func Pentanomial(pairs [5]int64) Blocks { return Blocks{Seats: 2, Games: 2, Counts: pairs[:]} }

// Trinomial returns single games between two seats. Use it only for games that were
// not paired: it knows nothing of what the two games of a pair share.
func Trinomial(wins, draws, losses int64) Blocks {
	return Blocks{Seats: 2, Games: 1, Counts: []int64{losses, draws, wins}}
}

// Rotated returns blocks of the game's k seats, each block k games. counts[i] is the
// number of blocks with score i/(len(counts)-1); the slice is kept.
func Rotated(seats int, counts []int64) Blocks {
	return Blocks{Seats: seats, Games: seats, Counts: counts}
}

// Validate returns an error about a wrong histogram.
func (b Blocks) Validate() error {
	switch {
	case b.Seats < 2:
		return fmt.Errorf("seats: expected at least 2, got %d", b.Seats)
	case b.Games < 1:
		return fmt.Errorf("games: expected at least 1 in a block, got %d", b.Games)
	case len(b.Counts) < 2:
		return fmt.Errorf("counts: expected at least 2 cells, got %d", len(b.Counts))
	}
	total := int64(0)
	for i, c := range b.Counts {
		if c < 0 {
			return fmt.Errorf("counts: expected no negative count, got %d in cell %d", c, i)
		}
		if c > maxCount-total {
			return fmt.Errorf("counts: expected at most 2^53 blocks in all, got more by cell %d", i)
		}
		total += c
	}
	if b.Distinct < 0 || b.Distinct > total {
		return fmt.Errorf("distinct: expected a number in [0, %d], got %d", total, b.Distinct)
	}
	if p := b.Placed; p != nil && (b.Distinct > 0 || b.Seats != 2 || !(p.Variance > 0) || !(p.Score >= 0 && p.Score <= 1)) {
		return fmt.Errorf("placed: expected a score in [0, 1] and a variance of a race between two without repetitions, got %+v", *p)
	}
	return nil
}

// N returns the number of blocks.
func (b Blocks) N() int64 {
	n := int64(0)
	for _, c := range b.Counts {
		n += c
	}
	return n
}

// null returns the score of an entrant among equals.
func (b Blocks) null() float64 { return 1 / float64(b.Seats) }

// score returns the block score of cell i.
func (b Blocks) score(i int) float64 { return float64(i) / float64(len(b.Counts)-1) }

// Moments describe the distribution of block scores.
type Moments struct {
	N        int64   // blocks
	Mean     float64 // block score, [0, 1]; 0 of no blocks
	Variance float64 // of one block about the mean, divided by N
}

// Moments returns the moments of the counts as they are, without regularisation, or of all pairs.
func (b Blocks) Moments() Moments {
	m := Moments{N: b.N()}
	if m.N == 0 {
		return m
	}
	if b.Placed != nil {
		m.Mean, m.Variance = b.Placed.Score, b.Placed.Variance
		return m
	}
	n := float64(m.N)
	for i, c := range b.Counts {
		m.Mean += float64(c) / n * b.score(i)
	}
	if i, ok := b.single(); ok {
		m.Mean = b.score(i) // set exactly, so that the variance is exactly 0
		return m
	}
	for i, c := range b.Counts {
		d := b.score(i) - m.Mean
		m.Variance += float64(c) / n * d * d
	}
	return m
}

// single returns the only cell that has blocks, if there is exactly one.
func (b Blocks) single() (cell int, ok bool) {
	for i, c := range b.Counts {
		if c == 0 {
			continue
		}
		if ok {
			return 0, false
		}
		cell, ok = i, true
	}
	return cell, ok
}

// Silent returns the reason why the blocks carry no information about strength, or
// "". There are no blocks; or every block has the same score short of all won
// or all lost, which is what a deterministic pairing looks like. Blocks that
// were all won (or all lost) do say something.
func (b Blocks) Silent() string {
	cell, ok := b.single()
	switch {
	case b.N() == 0:
		return "no blocks"
	case b.Placed != nil:
		return ""
	case ok && cell > 0 && cell < len(b.Counts)-1:
		return fmt.Sprintf("every block scored %.4g", b.score(cell))
	}
	return ""
}

const (
	// minScore keeps Elo finite: scores are held in [minScore, 1-minScore],
	// which is 1199.83 Elo either way, as fishtest and OpenBench do.
	minScore = 1e-3
	// eloUnit is 800/ln 10, the slope of Elo at a score of 1/2: normalised Elo
	// is this times the score's distance from 1/2 in standard deviations of one
	// game.
	eloUnit = 800 / math.Ln10
	// Deviate95 is the normal deviate of a two-sided 95 % interval: the interval of
	// a mean reaches so many standard errors to either side.
	Deviate95 = 1.959963984540054
)

// IndependentSD returns the standard deviation of the score of a block whose games are independent and
// never drawn, between equals.
func IndependentSD(seats int) float64 {
	k := float64(seats)
	return math.Sqrt((1 / k) * (1 - 1/k) / k)
}

// Elo returns the Elo of one candidate with the given mean block score among seats-1 equals
// of rating 0: 400 log10 theta, theta = s(k-1)/(1-s). Two seats give the usual 400
// log10(s/(1-s)). The score is held in [1e-3, 1-1e-3] first.
func Elo(score float64, seats int) float64 {
	s := min(max(score, minScore), 1-minScore)
	return 400 * math.Log10(s/(1-s)*float64(seats-1))
}

// Beyond returns what is said behind a difference in Elo that stands at an end of the scale of
// some number of seats, as after games that were all won, and nothing elsewhere.
func Beyond(elo float64) string {
	for seats := 2; seats <= 16; seats++ {
		for end, word := range [...]string{" or less", " or more"} {
			if math.Abs(elo-Elo(float64(end), seats)) < 1e-6 {
				return word
			}
		}
	}
	return ""
}

// EloError returns the standard error of the Elo of a score with a standard error, by
// the slope of Elo there: 400/ln 10/(s(1-s)) for any number of seats.
func EloError(score, standardError float64) float64 {
	s := min(max(score, minScore), 1-minScore)
	return standardError * 400 / math.Ln10 / (s * (1 - s))
}

// EloAround returns a score with its standard error as Elo, and the Elo at the ends of its 95 %
// interval.
func EloAround(score, standardError float64, seats int) (elo float64, ci [2]float64) {
	return Elo(score, seats), [2]float64{Elo(score-Deviate95*standardError, seats), Elo(score+Deviate95*standardError, seats)}
}

// Score returns the inverse of Elo: theta/(theta+k-1).
func Score(elo float64, seats int) float64 {
	others := float64(seats - 1)
	// It is written with the decaying exponential for either sign, so that no digits are
	// lost at both ends.
	if elo > 0 {
		return 1 / (1 + others*math.Pow(10, -elo/400))
	}
	theta := math.Pow(10, elo/400)
	return theta / (theta + others)
}

// normalizedElo returns (s - 1/k)/sigma * 800/ln 10 with sigma the standard deviation of one game,
// estimated from blocks of g games as sqrt(g variance). Undefined when the variance is 0.
func normalizedElo(b Blocks) Number {
	m := b.Moments()
	if m.Variance == 0 {
		return Number{}
	}
	return Known((m.Mean - b.null()) / math.Sqrt(float64(b.Games)*m.Variance) * eloUnit)
}

// perBlock turns normalised Elo into the distance of the mean block score from
// 1/k in standard deviations of a block.
func perBlock(nelo float64, games int) float64 { return nelo / eloUnit * math.Sqrt(float64(games)) }

// Estimate is what a fixed number of blocks says about strength. After a test
// that may stop early use [Test.Unbiased] beside it.
type Estimate struct {
	Score Number   // mean block score, [0, 1]
	CI95  Interval // of the score
	Elo   Number
	EloCI Interval // Elo at the ends of CI95
	// EloErr is half of the distance between the Elo at the ends of the normal
	// 95 % interval of the score.
	EloErr  Number
	NElo    Number // normalised Elo
	NEloErr Number // its 95 % half-width, taking the variance as known
	// LOS is the likelihood of superiority, Phi((score - 1/k)/standard error).
	LOS Number
	// Ratio is the blocks above 1/k over the blocks below: the pairs ratio of
	// two seats. Undefined for single games, and when none are below.
	Ratio Number
	// Reason says why the undefined numbers are, when any but Ratio is.
	Reason string
}

// Estimate returns the estimate from the blocks. Intervals are normal with the block as
// unit; where at least three quarters of the blocks have one score, the interval is that of
// rare events; where every block was won, or every block lost, the variance says nothing and
// the score's interval is Wilson's for that many blocks.
func (b Blocks) Estimate() Estimate {
	m, n := b.Moments(), float64(b.effective())
	e := Estimate{Ratio: b.ratio()}
	if m.N == 0 {
		e.Reason = "no information: " + b.Silent()
		return e
	}
	e.Score, e.Elo = Known(m.Mean), Known(Elo(m.Mean, b.Seats))
	if m.Variance == 0 {
		e.Reason = "no information: " + b.Silent()
		if b.Silent() == "" {
			e.Reason = "every block was won or every block was lost"
			e.CI95, _ = Wilson(math.Round(m.Mean*n), n, 0.95)
			e.EloCI = e.CI95.elo(b.Seats)
		}
		return e
	}
	if b.Distinct > 1 {
		n-- // few blocks: the unbiased variance
	}
	se, z := math.Sqrt(m.Variance/n), b.deviate()
	lo, hi := m.Mean-z*se, m.Mean+z*se
	e.CI95 = Interval{Known(max(lo, 0)), Known(min(hi, 1))}
	if rare, ok := b.rare(); ok {
		e.CI95 = rare
	}
	e.EloCI = e.CI95.elo(b.Seats)
	e.EloErr = Known((Elo(hi, b.Seats) - Elo(lo, b.Seats)) / 2)
	e.NElo, e.NEloErr = normalizedElo(b), Known(z*eloUnit/math.Sqrt(n*float64(b.Games)))
	e.LOS = Known(los(m.Mean-b.null(), se))
	return e
}

// los returns the probability that a normal variable with the given mean and
// standard deviation (above 0) is above 0.
func los(mean, sd float64) float64 { return distuv.UnitNormal.CDF(mean / sd) }

// ratio returns the blocks above the null score over those below.
func (b Blocks) ratio() Number {
	if b.Games < 2 {
		return Number{}
	}
	above, below := int64(0), int64(0)
	for i, c := range b.Counts {
		// Integers: i/(len-1) against 1/Seats.
		switch d := i*b.Seats - (len(b.Counts) - 1); {
		case d > 0:
			above += c
		case d < 0:
			below += c
		}
	}
	return Known(float64(above) / float64(below))
}

// elo maps an interval of scores.
func (i Interval) elo(seats int) Interval {
	if !i.Lo.Defined || !i.Hi.Defined {
		return Interval{}
	}
	return Interval{Known(Elo(i.Lo.Value, seats)), Known(Elo(i.Hi.Value, seats))}
}
