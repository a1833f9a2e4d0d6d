package battleship

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"sakusen/engines/battleship"
)

// problem is a board with all placements of a fleet.
type problem struct {
	board  *battleship.Board
	fleet  *battleship.Fleet
	fleets []placed
	turns  []turn
	known  map[key]int64
	limit  int
	full   bool
}

// placed is a placement of the fleet.
type placed struct {
	ships []battleship.Set
	all   battleship.Set
}

// key names an information state, the same one for all that are turned or mirrored.
type key struct{ a, b uint64 }

// turn is a symmetry of the board: the random numbers of each placement and of each hit
// square after it.
type turn struct{ fleets, squares []key }

// part is the placements left after one answer.
type part struct {
	answer uint8
	left   []int32
	hits   battleship.Set
}

func newProblem(board *battleship.Board, fleet *battleship.Fleet) (*problem, error) {
	p := &problem{board: board, fleet: fleet, known: map[key]int64{}}
	places := make([][]battleship.Set, fleet.Ships())
	for i := range places {
		places[i] = placesOf(board, fleet, i)
	}
	if !p.add(places, placed{}) {
		return nil, fmt.Errorf("more than %d placements", mostPlacements)
	}
	if len(p.fleets) == 0 {
		return nil, fmt.Errorf("the fleet does not fit")
	}
	p.turn()
	return p, nil
}

// add appends all placements of the ships that are to come beside those in place.
func (p *problem) add(places [][]battleship.Set, so placed) bool {
	i := len(so.ships)
	if i == len(places) {
		p.fleets = append(p.fleets, so)
		return len(p.fleets) <= mostPlacements
	}
	for _, s := range places[i] {
		if s.Meets(so.all) {
			continue
		}
		next := placed{append(so.ships[:i:i], s), so.all.Or(s)}
		if !p.add(places, next) {
			return false
		}
	}
	return true
}

// turn fills the symmetries: four of a rectangle, eight of a square. Ships that are
// announced alike may be exchanged, which makes no state the same that is not.
func (p *problem) turn() {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() key { return key{r.Uint64(), r.Uint64()} }
	squares := make([]key, p.board.Squares())
	for i := range squares {
		squares[i] = number()
	}
	index := map[string]key{}
	for _, f := range p.fleets {
		index[fmt.Sprint(f.ships)] = number()
	}
	w, h := p.board.Width(), p.board.Height()
	for n := range 8 {
		if n >= 4 && w != h {
			break
		}
		to := func(s battleship.Square) battleship.Square {
			x, y := p.board.Column(s), p.board.Row(s)
			if n&1 != 0 {
				x = w - 1 - x
			}
			if n&2 != 0 {
				y = h - 1 - y
			}
			if n&4 != 0 {
				x, y = y, x
			}
			return p.board.At(x, y)
		}
		var t turn
		for s := range p.board.Squares() {
			t.squares = append(t.squares, squares[to(battleship.Square(s))])
		}
		for _, f := range p.fleets {
			ships := make([]battleship.Set, len(f.ships))
			for i, ship := range f.ships {
				for s := range ship.All() {
					ships[i].Add(to(s))
				}
			}
			t.fleets = append(t.fleets, index[fmt.Sprint(ships)])
		}
		p.turns = append(p.turns, t)
	}
}

// key names the state: the least sum over all symmetries.
func (p *problem) key(left []int32, hits battleship.Set) key {
	var least key
	for i, t := range p.turns {
		var sum key
		for _, f := range left {
			sum.a, sum.b = sum.a+t.fleets[f].a, sum.b+t.fleets[f].b
		}
		for s := range hits.All() {
			sum.a, sum.b = sum.a+t.squares[s].a, sum.b+t.squares[s].b
		}
		if i == 0 || sum.a < least.a || sum.a == least.a && sum.b < least.b {
			least = sum
		}
	}
	return least
}

// split parts the placements left by the answer to a shot: a miss, a hit, or the class
// that it sinks.
func (p *problem) split(left []int32, hits battleship.Set, x battleship.Square) []part {
	after := hits
	after.Add(x)
	var parts []part
	for _, f := range left {
		answer := p.answer(&p.fleets[f], after, x)
		i := 0
		for i < len(parts) && parts[i].answer != answer {
			i++
		}
		if i == len(parts) {
			at := after
			if answer == missed {
				at = hits
			}
			parts = append(parts, part{answer: answer, hits: at})
		}
		parts[i].left = append(parts[i].left, f)
	}
	return parts
}

// The answers that sink nothing; one that sinks a ship is its class.
const (
	missed uint8 = 254
	hit    uint8 = 255
)

func (p *problem) answer(f *placed, hits battleship.Set, x battleship.Square) uint8 {
	for i, ship := range f.ships {
		if !ship.Has(x) {
			continue
		}
		if ship.Within(hits) {
			return uint8(p.fleet.Alike(i))
		}
		return hit
	}
	return missed
}

// toHit returns the squares not hit yet, over all placements left.
func (p *problem) toHit(left []int32, hits battleship.Set) int64 {
	sum := int64(0)
	for _, f := range left {
		sum += int64(p.fleets[f].all.AndNot(hits).Len())
	}
	return sum
}

// solution is the best attack's shots, in all over all placements of the fleet.
type solution struct {
	Placements int
	Total      int64 // shots, over all placements
	Greedy     int64 // those of the attack on the likeliest square, the first in board order
}

// shots returns what the best attack expects.
func (s *solution) shots() *big.Rat { return big.NewRat(s.Total, int64(s.Placements)) }

// greedyShots returns what the attack on the likeliest square (EX) expects.
func (s *solution) greedyShots() *big.Rat { return big.NewRat(s.Greedy, int64(s.Placements)) }

// mostPlacements is how many placements solveBoard takes.
const mostPlacements = 4096

// errLarge tells that there are more information states than were allowed.
var errLarge = fmt.Errorf("more information states than the limit")

// solveBoard finds the best attack by dynamic programming over information states: the
// placements that agree with all answers, and the squares hit. limit bounds the states
// that are kept, about 50 bytes each.
//
// States that are turned or mirrored into each other are one. A square that every placement left
// has, and in all of them by one ship whose class no other has, is shot at once. It must be shot
// at some time, and after it is shot the answers without it are still known. What a square may
// cost is bounded from below by lower, so that most squares are left out. States are told apart by
// 128-bit sums of random numbers.
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
	if p.full {
		return nil, errLarge
	}
	return s, nil
}

// best returns the least shots over all placements left, from here to the end.
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

// cost returns what a shot at x and the best play after it need in all, or at least enough
// where that is not below enough.
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

// greedy returns the shots over all placements left of the attack on the likeliest square.
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

// squares returns the squares not shot that some placement left has, likeliest first, then
// in board order.
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

// alone reports whether no other ship has the ship's class.
func (p *problem) alone(ship int) bool {
	for i := range p.fleet.Ships() {
		if i != ship && p.fleet.Alike(i) == p.fleet.Alike(ship) {
			return false
		}
	}
	return true
}
