package battleship

import (
	"cmp"
	"math/big"
	"slices"

	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
)

// lowerBound is a lower bound on the expected shots of any attack.
//
// Proof. Let the first hit on a ship show its class and its whole place. An attack that is
// told more can do all that it could before, so what is bounded for such attacks holds for
// all. Every square of the fleet has to be hit, so the expected shots are the squares of
// the fleet and the expected misses, and these are at least the sum over m = 0, 1, ... of
// 1 - P(m), where P(m) is the greatest chance that every ship is hit before miss m + 1.
//
// Take a part S of the fleet and show the other ships at the beginning, which again only
// helps. For given places of these, a deterministic attack is a tree: each shot misses, or
// hits a ship of S and shows its place. A path with at most m misses that ends when all
// ships of S are hit belongs to one placement of S at most. Let L(S, m) be the most paths
// that there can be. Without a hit the attack shoots at different squares x0, x1, ..., and
// the hit at xj on ship i shows one of at most c_i(xj) places, the number of those through
// xj on the empty board, and leaves the ships S less i and m - j misses:
//
//	L(S, m) <= sum over i in S, j = 0..m of c_i(xj) L(S less i, m - j)
//	        <= sum over i in S, j = 0..m of t_i(j) L(S less i, m - j),   L(none, m) = 1,
//
// where t_i(0) >= t_i(1) >= ... are the values of c_i over all squares: L falls in j, so
// no order of the squares gives more (rearrangement inequality). Nor are there more paths
// than placements of S. With Z(A) the number of placements of the ships A, the other
// ships have Z(fleet less S) places, and at most L(S, m) of the placements of S that go
// with each are found in time:
//
//	P(m) <= min over S of Z(fleet less S) L(S, m) / Z(fleet).
//
// An attack that draws lots is a mixture of deterministic ones. All counts are exact, and
// so is the sum, a rational number.
type lowerBound struct {
	Placements *big.Int // of the whole fleet
	Misses     *big.Rat // expected, at least
	Shots      *big.Rat // expected, at least
}

// newBound bounds the attacks on a fleet. It counts the placements of every part of the
// fleet: those of the paper's five ships take less than a second.
func newBound(board *battleship.Board, fleet *battleship.Fleet) (*lowerBound, error) {
	n, squares := fleet.Ships(), board.Squares()
	through := make([][]*big.Int, n)
	for i := range n {
		through[i] = throughSquares(board, fleet, i)
	}
	whole := 1<<n - 1
	placements := make([]*big.Int, whole+1)
	for part := range placements {
		z, err := placementsOf(board, fleet, part)
		if err != nil {
			return nil, err
		}
		placements[part] = z
	}
	paths := make([][]*big.Int, whole+1) // by part and misses
	for part := range paths {
		for m := range squares {
			paths[part] = append(paths[part], pathsOf(part, m, through, paths, placements[part]))
		}
	}
	misses := new(big.Rat)
	for m := range squares {
		least := placements[whole]
		for part := 1; part <= whole; part++ {
			found := new(big.Int).Mul(placements[whole&^part], paths[part][m])
			if found.Cmp(least) < 0 {
				least = found
			}
		}
		late := new(big.Int).Sub(placements[whole], least)
		misses.Add(misses, new(big.Rat).SetFrac(late, placements[whole]))
	}
	shots := new(big.Rat).Add(misses, new(big.Rat).SetInt64(int64(fleet.Squares())))
	return &lowerBound{Placements: placements[whole], Misses: misses, Shots: shots}, nil
}

// throughSquares are the numbers of a ship's places through each square, most first.
func throughSquares(board *battleship.Board, fleet *battleship.Fleet, ship int) []*big.Int {
	n := make([]int64, board.Squares())
	for _, place := range placesOf(board, fleet, ship) {
		for s := range place.All() {
			n[s]++
		}
	}
	slices.SortFunc(n, func(a, b int64) int { return cmp.Compare(b, a) })
	all := make([]*big.Int, len(n))
	for i := range n {
		all[i] = big.NewInt(n[i])
	}
	return all
}

// placesOf are the places of a ship alone on the board; those of one square lie once.
func placesOf(board *battleship.Board, fleet *battleship.Fleet, ship int) []battleship.Set {
	var all []battleship.Set
	for _, vertical := range []bool{false, true} {
		if vertical && fleet.Length(ship) == 1 {
			break
		}
		for start := range board.Starts(fleet.Length(ship), vertical).All() {
			all = append(all, board.Line(start, fleet.Length(ship), vertical))
		}
	}
	return all
}

// placementsOf counts the placements of the ships in part, a bit for each.
func placementsOf(board *battleship.Board, fleet *battleship.Fleet, part int) (*big.Int, error) {
	var ships []battleship.Ship
	for i := range fleet.Ships() {
		if part>>i&1 != 0 {
			ships = append(ships, fleet.Ship(i))
		}
	}
	if len(ships) == 0 {
		return big.NewInt(1), nil
	}
	some, err := battleship.NewFleet(ships...)
	if err != nil {
		return nil, err
	}
	n := count.New(board).Placements(battleship.NewKnowledge(board, some), battleship.Set{})
	z, _ := new(big.Int).SetString(n.String(), 10)
	return z, nil
}

// pathsOf is L(part, m) of the proof; those of smaller parts are in paths.
func pathsOf(part, m int, through [][]*big.Int, paths [][]*big.Int, most *big.Int) *big.Int {
	if part == 0 {
		return big.NewInt(1)
	}
	sum, term := new(big.Int), new(big.Int)
	for i := range through {
		if part>>i&1 == 0 {
			continue
		}
		for j := range m + 1 {
			sum.Add(sum, term.Mul(through[i][j], paths[part&^(1<<i)][m-j]))
		}
	}
	if sum.Cmp(most) > 0 {
		return most
	}
	return sum
}
