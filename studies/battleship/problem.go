package battleship

import (
	"fmt"
	"math/rand/v2"

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

// toHit is the squares not hit yet, over all placements left.
func (p *problem) toHit(left []int32, hits battleship.Set) int64 {
	sum := int64(0)
	for _, f := range left {
		sum += int64(p.fleets[f].all.AndNot(hits).Len())
	}
	return sum
}
