package battleship

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
)

// packing is what packed placements are drawn from.
type packing struct {
	layouts  [2][]layout // of the rectangle lying and standing
	smallest int         // ship that goes apart
	joint    bool
	apart    bool // the smallest ship keeps out of the whole rectangle
}

// layout is one position of the rectangle.
type layout struct {
	ships     []placeChoices // by ship, inside the rectangle; the smallest has none
	rectangle battleship.Set
	keepOut   battleship.Set // the rectangle and, separated, what touches it
}

// pack lists the positions of the rectangle, after growing it until the ships
// fit.
func (p *fleetPlacer) pack(g *placement) error {
	k := &p.packing
	for i := range p.fleet.Ships() {
		if p.fleet.Length(i) < p.fleet.Length(k.smallest) {
			k.smallest = i
		}
	}
	k.joint, k.apart = g.Draw == "joint", g.Apart == "rectangle"
	p.draw = (*fleetPlacer).packed
	longest, widest := max(p.board.Width(), p.board.Height()), min(p.board.Width(), p.board.Height())
	for height, width := g.Height, g.Width; height <= widest; {
		if p.holds(height, width) {
			p.layouts(height, width, g.Corners)
			return nil
		}
		if width < longest {
			width++
		} else {
			height++
		}
	}
	return fmt.Errorf("place: expected a board that the fleet fits into with its smallest ship apart, got %d x %d squares", p.board.Width(), p.board.Height())
}

// holds reports whether the ships but the smallest fit into a rectangle.
func (p *fleetPlacer) holds(height, width int) bool {
	if width > p.board.Width() || height > p.board.Height() {
		height, width = width, height
	}
	if width > p.board.Width() || height > p.board.Height() {
		return false
	}
	return p.holdsFrom(0, p.rectangle(0, 0, width, height))
}

func (p *fleetPlacer) holdsFrom(ship int, area battleship.Set) bool {
	if ship == p.packing.smallest {
		ship++
	}
	if ship >= p.fleet.Ships() {
		return true
	}
	left := 0
	for i := ship; i < p.fleet.Ships(); i++ {
		if i != p.packing.smallest {
			left += p.fleet.Length(i)
		}
	}
	if left > area.Len() {
		return false
	}
	for _, vertical := range [2]bool{false, true} {
		for start := range p.board.Fits(area, p.fleet.Length(ship), vertical).All() {
			if p.holdsFrom(ship+1, area.AndNot(p.board.Line(start, p.fleet.Length(ship), vertical))) {
				return true
			}
		}
	}
	return false
}

func (p *fleetPlacer) rectangle(column, row, width, height int) battleship.Set {
	var set battleship.Set
	for r := row; r < row+height; r++ {
		for c := column; c < column+width; c++ {
			set.Add(p.board.At(c, r))
		}
	}
	return set
}

// layouts lists where the rectangle may be.
func (p *fleetPlacer) layouts(height, width int, corners bool) {
	k := &p.packing
	for turn := range 2 {
		w, h := width, height
		if turn == 1 {
			w, h = height, width
		}
		for row := 0; row+h <= p.board.Height(); row++ {
			for column := 0; column+w <= p.board.Width(); column++ {
				at := layout{rectangle: p.rectangle(column, row, w, h)}
				at.keepOut = at.rectangle
				if p.separated {
					at.keepOut = halo(p.board, at.rectangle, corners)
				}
				for i := range p.fleet.Ships() {
					at.ships = append(at.ships, nil)
					if i != k.smallest {
						at.ships[i] = p.spots(i, at.rectangle, corners)
					}
				}
				k.layouts[turn] = append(k.layouts[turn], at)
			}
		}
	}
	for turn := range k.layouts { // where the rectangle fits one way only
		if len(k.layouts[turn]) == 0 {
			k.layouts[turn] = k.layouts[1-turn]
		}
	}
}

// packed draws the rectangle, the ships inside it and then the smallest ship,
// and reports whether all found room.
func (p *fleetPlacer) packed(chance *arena.Stream, fleet []battleship.Placement) bool {
	k := &p.packing
	turn := 0
	if chance.Bool() {
		turn = 1
	}
	list := k.layouts[turn]
	at := &list[chance.IntN(len(list))]
	var covered, taken battleship.Set
	for i, spots := range at.ships {
		if i == k.smallest {
			continue
		}
		s := p.next(spots, covered, chance)
		if s == nil {
			return false
		}
		fleet[i] = battleship.Placement{Ship: i, Start: s.start, Vertical: s.vertical}
		covered, taken = covered.Or(s.line), taken.Or(s.taken)
	}
	if k.apart {
		taken = at.keepOut
	}
	s := p.next(p.ships[k.smallest], taken, chance)
	if s == nil {
		return false
	}
	fleet[k.smallest] = battleship.Placement{Ship: k.smallest, Start: s.start, Vertical: s.vertical}
	return true
}

// next draws a spot clear of the taken squares: where the draw is joint, a
// single try.
func (p *fleetPlacer) next(list placeChoices, taken battleship.Set, chance *arena.Stream) *spot {
	if !p.packing.joint {
		return p.free(list, taken, chance)
	}
	if len(list) == 0 {
		return nil
	}
	s := &list[chance.IntN(len(list))]
	if s.line.Meets(taken) {
		return nil
	}
	return s
}
