// Package pairing finds how often one entrant beats another from one-sided
// games, without playing the two against each other. No attack depends on its
// own board, so the shots that each side needs are independent, and the first
// player wins if and only if it needs no more of them than the second. Every
// game of the one side is thus compared with every game of the other: n games a
// side say as much as n matches at the least, and in a table of m attacks and
// places the m(m-1) pairings cost m series.
//
//	var a, b pairing.Distribution
//	a.AddRun(run, 0, shots) // of seat 0, whose component "shots to win" is shots
//	b.AddRun(run, 1, shots)
//	win := pairing.First(&a, &b) // the first player's share of wins
//
// The distribution of a side is that of its attack against the other side's
// placement.
//
// Source: the remark is ours; the estimator and its variance are the two-sample
// statistic of H. Mann and D. Whitney, "On a test of whether one of two random
// variables is stochastically larger than the other", 1947.
package pairing

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
)

// A Distribution is the shots to win of one-sided games, which have from 1 to
// 256 of them. The zero Distribution is empty.
type Distribution struct {
	games int64
	shots [battleship.MaxSquares + 1]int64 // games that took so many shots
}

// Add adds a game.
func (d *Distribution) Add(shots int) {
	d.games++
	d.shots[shots]++
}

// AddRun adds one seat of all games of a run; component is the index of
// "shots_to_win" in the rules' components.
func (d *Distribution) AddRun(run *arena.Run, seat, component int) {
	for block := range run.Blocks {
		for rotation := range run.Rotations {
			d.Add(int(run.Game(block, rotation, seat)[2+component]))
		}
	}
}

// Games is the number of games.
func (d *Distribution) Games() int64 { return d.games }

// Mean is the mean and its standard error, shots.
func (d *Distribution) Mean() Estimate {
	return d.mean(func(shots int) float64 { return float64(shots) })
}

// An Estimate is a mean with its standard error.
type Estimate struct{ Value, SE float64 }

// First is the first player's share of wins, in [0,1], when it needs the shots
// of the one distribution and the second player those of the other; both must
// hold games, and independent ones.
func First(first, second *Distribution) Estimate {
	// later[s] is the share of the second's games that take s shots or more,
	// sooner[s] the share of the first's that take s shots or fewer.
	var later, sooner [battleship.MaxSquares + 2]float64
	for s := battleship.MaxSquares; s >= 0; s-- {
		later[s] = later[s+1] + float64(second.shots[s])/float64(second.games)
	}
	sum := 0.0
	for s := range sooner[:battleship.MaxSquares+1] {
		sum += float64(first.shots[s]) / float64(first.games)
		sooner[s] = sum
	}
	a := first.mean(func(shots int) float64 { return later[shots] })
	b := second.mean(func(shots int) float64 { return sooner[shots] })
	return Estimate{a.Value, math.Hypot(a.SE, b.SE)}
}

// mean is the mean of a function of the shots.
func (d *Distribution) mean(of func(shots int) float64) Estimate {
	n, sum, squares := float64(d.games), 0.0, 0.0
	for s, games := range d.shots {
		if games > 0 {
			x := of(s)
			sum += float64(games) * x
			squares += float64(games) * x * x
		}
	}
	m := sum / n
	return Estimate{m, math.Sqrt(max(0, squares/n-m*m) / n)}
}
