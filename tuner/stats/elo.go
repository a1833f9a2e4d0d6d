package stats

import "math"

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

// Elo of one candidate with the given mean block score among seats-1 equals of
// rating 0: 400 log10 theta, theta = s(k-1)/(1-s). Two seats give the usual
// 400 log10(s/(1-s)). The score is held in [1e-3, 1-1e-3] first.
func Elo(score float64, seats int) float64 {
	s := min(max(score, minScore), 1-minScore)
	return 400 * math.Log10(s/(1-s)*float64(seats-1))
}

// EloError is the standard error of the Elo of a score with a standard error, by
// the slope of Elo there: 400/ln 10/(s(1-s)) for any number of seats.
func EloError(score, standardError float64) float64 {
	s := min(max(score, minScore), 1-minScore)
	return standardError * 400 / math.Ln10 / (s * (1 - s))
}

// Score is the inverse of Elo: theta/(theta+k-1).
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

// normalizedElo is (s - 1/k)/sigma * 800/ln 10 with sigma the standard
// deviation of one game, estimated from blocks of g games as sqrt(g variance).
// Undefined when the variance is 0.
func normalizedElo(b Blocks) Number {
	m := b.Moments()
	if m.Variance == 0 {
		return Number{}
	}
	return Known((m.Mean - b.null()) / math.Sqrt(float64(b.Games)*m.Variance) * eloUnit)
}

// perBlock turns normalised Elo into the distance of the mean block score from
// 1/k in standard deviations of a block.
func perBlock(nelo float64, games int) float64 {
	return nelo / eloUnit * math.Sqrt(float64(games))
}
