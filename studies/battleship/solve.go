package battleship

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"sakusen/engines/battleship"
)

// solution is the best attack's shots, in all over all placements of the fleet.
type solution struct {
	Placements int
	Total      int64 // shots, over all placements
	Greedy     int64 // those of the attack on the likeliest square, the first in board order
	States     int   // information states that were worked out
}

// shots is what the best attack expects.
func (s *solution) shots() *big.Rat { return big.NewRat(s.Total, int64(s.Placements)) }

// greedyShots is what the attack on the likeliest square (EX) expects.
func (s *solution) greedyShots() *big.Rat { return big.NewRat(s.Greedy, int64(s.Placements)) }

// mostPlacements is how many placements solveBoard takes.
const mostPlacements = 4096

// errLarge tells that there are more information states than were allowed.
var errLarge = fmt.Errorf("more information states than the limit")

// solveBoard finds the best attack by dynamic programming over information states: the
// placements that agree with all answers, and the squares hit. limit bounds the states
// that are kept, about 50 bytes each.
//
// States that are turned or mirrored into each other are one. A square that every
// placement left has, and in all of them by one ship whose class no other has, is shot at
// once: it has to be shot sometime, and whoever has shot it can tell what the answers
// would have been without it. What a square may cost is bounded from below by lower, so that most squares are
// left out. States are told apart by 128-bit sums of random numbers.
func solveBoard(board *battleship.Board, fleet *battleship.Fleet, limit int) (*solution, error) {
	p, err := newProblem(board, fleet)
	if err != nil {
		return nil, err
	}
	p.limit = limit
	s := &solution{Placements: len(p.fleets)}
	all := make([]int32, len(p.fleets))
	for i := range all {
		all[i] = int32(i)
	}
	s.Greedy = p.greedy(all, battleship.Set{})
	s.Total = p.best(all, battleship.Set{})
	s.States = len(p.known)
	if p.full {
		return nil, errLarge
	}
	return s, nil
}

// best is the least shots over all placements left, from here to the end.
func (p *problem) best(left []int32, hits battleship.Set) int64 {
	if p.full {
		return 0
	}
	likely := p.squares(left, hits)
	if len(left) == 1 || len(likely) == 0 {
		return p.toHit(left, hits)
	}
	if at, ok := p.free(left, likely); ok {
		return p.cost(left, hits, at, 1<<62)
	}
	key := p.key(left, hits)
	if v, ok := p.known[key]; ok {
		return v
	}
	least, floor := int64(1<<62), p.lower(left, hits, likely)
	for _, x := range likely {
		least = min(least, p.cost(left, hits, x.at, least))
		if least == floor {
			break
		}
	}
	if len(p.known) >= p.limit {
		p.full = true
		return 0
	}
	p.known[key] = least
	return least
}

// cost is what a shot at x and the best play after it need in all, or at least enough where
// that is not below enough.
func (p *problem) cost(left []int32, hits battleship.Set, x battleship.Square, enough int64) int64 {
	parts := p.split(left, hits, x)
	sum := int64(len(left))
	floors := make([]int64, len(parts))
	for i, part := range parts {
		floors[i] = p.lower(part.left, part.hits, p.squares(part.left, part.hits))
		sum += floors[i]
	}
	for i, part := range parts {
		if sum >= enough {
			return enough
		}
		sum += p.best(part.left, part.hits) - floors[i]
	}
	return sum
}

// lower bounds best from below: all squares not hit yet have to be, and k misses in a row
// leave at least those placements that the k likeliest squares do not cover. (Where a
// square is certain, nothing need be missed before more is known.)
func (p *problem) lower(left []int32, hits battleship.Set, likely []square) int64 {
	sum, rest := p.toHit(left, hits), int64(len(left))
	for _, x := range likely {
		if x.count == len(left) {
			break
		}
		if rest -= int64(x.count); rest <= 0 {
			break
		}
		sum += rest
	}
	return sum
}

// greedy is the shots over all placements left of the attack on the likeliest square.
func (p *problem) greedy(left []int32, hits battleship.Set) int64 {
	likely := p.squares(left, hits)
	if len(left) == 1 || len(likely) == 0 {
		return p.toHit(left, hits)
	}
	sum := int64(len(left))
	for _, part := range p.split(left, hits, likely[0].at) {
		sum += p.greedy(part.left, part.hits)
	}
	return sum
}

// square is a square not shot and how many of the placements left have it.
type square struct {
	at    battleship.Square
	count int
}

// squares are the squares not shot that some placement left has, likeliest first, then in
// board order.
func (p *problem) squares(left []int32, hits battleship.Set) []square {
	n := make([]int, p.board.Squares())
	for _, f := range left {
		for s := range p.fleets[f].all.AndNot(hits).All() {
			n[s]++
		}
	}
	var likely []square
	for s, c := range n {
		if c > 0 {
			likely = append(likely, square{battleship.Square(s), c})
		}
	}
	slices.SortStableFunc(likely, func(a, b square) int { return cmp.Compare(b.count, a.count) })
	return likely
}

// free finds a square that may be shot at once: all placements left have it by one ship,
// the only one of its class.
func (p *problem) free(left []int32, likely []square) (battleship.Square, bool) {
	for _, x := range likely {
		if x.count < len(left) {
			break
		}
		for i, ship := range p.fleets[left[0]].ships {
			if ship.Has(x.at) && p.alone(i) && !slices.ContainsFunc(left, func(f int32) bool { return !p.fleets[f].ships[i].Has(x.at) }) {
				return x.at, true
			}
		}
	}
	return 0, false
}

// alone tells whether no other ship has the ship's class.
func (p *problem) alone(ship int) bool {
	for i := range p.fleet.Ships() {
		if i != ship && p.fleet.Alike(i) == p.fleet.Alike(ship) {
			return false
		}
	}
	return true
}
