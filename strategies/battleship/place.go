// This file puts fleets on the board: the placement strategies of the
// paper as one group of parameters that every attack strategy carries.
//
//	return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) { return randomPlayer{p, sight}, nil })
//
// The fleetPlacer made of it is a part of the strategy's player and answers the
// referee's Place.
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 6: R, ED1, ED2, PKxXy and their separated forms. The
// paper does not say how a random placement is drawn, nor whether separated
// ships may touch at corners or lie in those of the board; all are options
// here. docs/research/battleship.md tells how they fit the paper's tables.

package battleship

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// placement is the parameters of a placement.
type placement struct {
	Kind          string // random, edge1, edge2 or packed
	Height, Width int    // of the rectangle of packed, squares
	Separated     bool   // no two ships side by side
	Draw          string // sequential or joint
	Corners       bool   // separated ships may not touch at corners either
	OffCorners    bool   // separated ships keep off the corner squares of the board
	Apart         string // packed: what the smallest ship keeps out of
}

// declare binds the group's parameters.
func (g *placement) declare(f *param.Fields, r *battleship.Rules) {
	f.Choice(&g.Kind, "kind", "random", []string{"random", "edge1", "edge2", "packed"},
		"where the ships go: anywhere, along the edge, on the two outer rings, or packed into a rectangle, except for the smallest")
	f.When("kind", "packed", func(f *param.Fields) {
		short, long := r.Board().Width(), r.Board().Height()
		if short > long {
			short, long = long, short
		}
		f.Int(&g.Height, "height", min(2, short), param.Range(1, float64(short)),
			"short side of the rectangle, squares")
		f.Int(&g.Width, "width", long, param.Range(1, float64(long)),
			"long side of the rectangle, squares; a rectangle that is too small for the ships grows")
		f.Choice(&g.Apart, "apart", "ships", []string{"ships", "rectangle"},
			"where the smallest ship may not go: on the packed ships, or anywhere in their rectangle", param.Fixed())
	})
	f.Bool(&g.Separated, "separated", false,
		"no two ships touch side by side; with kind packed: the smallest ship touches no other")
	f.When("separated", "true", func(f *param.Fields) {
		f.Bool(&g.OffCorners, "off_corners", r.Fitted(),
			"separated ships (with kind packed: the smallest) do not cover a corner of the board", param.Fixed())
	})
	f.Bool(&g.Corners, "corners", false, "separated ships do not touch at corners either", param.Fixed())
	f.Choice(&g.Draw, "draw", "sequential", []string{"sequential", "joint"},
		"how ships are placed at random: one after another, or all at once; what does not fit is drawn again", param.Fixed())
}

// placing declares the group as place, and returns what makes a player of its placer.
func placing(f *param.Fields, r *battleship.Rules, player func(*fleetPlacer) (battleship.Player, error)) arena.Maker[battleship.Player] {
	var g placement
	f.Group("place", func(f *param.Fields) { g.declare(f, r) })
	return func() (battleship.Player, error) {
		p, err := g.placer(r)
		if err != nil {
			return nil, err
		}
		return player(p)
	}
}

// A fleetPlacer places fleets. It is used by one goroutine.
type fleetPlacer struct {
	board     *battleship.Board
	fleet     *battleship.Fleet
	separated bool
	draw      func(p *fleetPlacer, chance *arena.Stream, fleet []battleship.Placement) bool
	ships     []placeChoices // by ship: where it may go when it is alone
	packing   packing
	fit       []spot // scratch
}

// placeChoices are the places of one ship.
type placeChoices []spot

// spot is one place: the squares it covers, and those that another ship may
// not cover when the ship lies there.
type spot struct {
	start    battleship.Square
	vertical bool
	line     battleship.Set
	taken    battleship.Set
}

// attempts bounds the fleets drawn in search of one that fits. The tightest
// placement of the paper, four ships in 2 x 8 squares, takes 2.6 on average.
const attempts = 100_000

// placer makes a placer, or says why no fleet can be placed this way.
func (g *placement) placer(r *battleship.Rules) (*fleetPlacer, error) {
	p := &fleetPlacer{board: r.Board(), fleet: r.Fleet(), separated: g.Separated}
	area := p.board.All()
	switch g.Kind {
	case "edge1":
		area = area.AndNot(inner(p.board, 1))
	case "edge2":
		area = area.AndNot(inner(p.board, 2))
	}
	if g.Separated && g.OffCorners {
		area = area.AndNot(corners(p.board))
	}
	for i := range p.fleet.Ships() {
		p.ships = append(p.ships, p.spots(i, area, g.Corners))
	}
	joint := g.Draw == "joint"
	switch {
	case g.Kind == "packed":
		if err := p.pack(g); err != nil {
			return nil, err
		}
	case joint:
		p.draw = (*fleetPlacer).jointly
	default:
		p.draw = (*fleetPlacer).inTurn
	}
	chance := arena.NewStream(0, 0)
	if !p.try(&chance, make([]battleship.Placement, p.fleet.Ships())) {
		return nil, fmt.Errorf("place: expected a placement that the fleet fits into, found none of kind %s (separated %v) in %d attempts", g.Kind, g.Separated, attempts)
	}
	return p, nil
}

// inner returns the squares more than n squares away from every border.
func inner(b *battleship.Board, n int) battleship.Set {
	var set battleship.Set
	for row := n; row < b.Height()-n; row++ {
		for column := n; column < b.Width()-n; column++ {
			set.Add(b.At(column, row))
		}
	}
	return set
}

// corners returns the four corner squares of a board.
func corners(b *battleship.Board) battleship.Set {
	right, bottom := b.Width()-1, b.Height()-1
	return battleship.SetOf(b.At(0, 0)).Or(battleship.SetOf(b.At(right, 0))).
		Or(battleship.SetOf(b.At(0, bottom))).Or(battleship.SetOf(b.At(right, bottom)))
}

// spots lists the places of a ship inside an area.
func (p *fleetPlacer) spots(ship int, area battleship.Set, corners bool) placeChoices {
	var list placeChoices
	length := p.fleet.Length(ship)
	for _, vertical := range [2]bool{false, true} {
		if vertical && length == 1 {
			break
		}
		for start := range p.board.Fits(area, length, vertical).All() {
			line := p.board.Line(start, length, vertical)
			s := spot{start: start, vertical: vertical, line: line, taken: line}
			if p.separated {
				s.taken = halo(p.board, line, corners)
			}
			list = append(list, s)
		}
	}
	return list
}

// halo returns a ship's squares and those that touch it.
func halo(b *battleship.Board, line battleship.Set, corners bool) battleship.Set {
	set := b.Spread(line)
	if !corners {
		return set
	}
	for s := range line.All() {
		for row := max(b.Row(s)-1, 0); row <= min(b.Row(s)+1, b.Height()-1); row++ {
			for column := max(b.Column(s)-1, 0); column <= min(b.Column(s)+1, b.Width()-1); column++ {
				set.Add(b.At(column, row))
			}
		}
	}
	return set
}

// Place implements the placing half of battleship.Player.
func (p *fleetPlacer) Place(chance *arena.Stream, fleet []battleship.Placement) { p.try(chance, fleet) }

// try draws until a fleet fits. It gives up only where no fleet fits, or
// hardly any: such placements are refused when the placer is made.
func (p *fleetPlacer) try(chance *arena.Stream, fleet []battleship.Placement) bool {
	for range attempts {
		if p.draw(p, chance, fleet) {
			return true
		}
	}
	return false
}

// inTurn places ship by ship, each drawn again until it fits; where a ship
// fits nowhere any more, it reports false.
func (p *fleetPlacer) inTurn(chance *arena.Stream, fleet []battleship.Placement) bool {
	var taken battleship.Set
	for i, list := range p.ships {
		s := p.free(list, taken, chance)
		if s == nil {
			return false
		}
		fleet[i] = battleship.Placement{Ship: i, Start: s.start, Vertical: s.vertical}
		taken = taken.Or(s.taken)
	}
	return true
}

// free draws uniformly among the spots clear of the taken squares, nil if
// there are none. A few tries usually do; then the rest are listed.
func (p *fleetPlacer) free(list placeChoices, taken battleship.Set, chance *arena.Stream) *spot {
	if len(list) == 0 {
		return nil
	}
	for range 16 {
		if s := &list[chance.IntN(len(list))]; !s.line.Meets(taken) {
			return s
		}
	}
	p.fit = p.fit[:0]
	for _, s := range list {
		if !s.line.Meets(taken) {
			p.fit = append(p.fit, s)
		}
	}
	if len(p.fit) == 0 {
		return nil
	}
	return &p.fit[chance.IntN(len(p.fit))]
}

// jointly draws all ships and reports whether they fit.
func (p *fleetPlacer) jointly(chance *arena.Stream, fleet []battleship.Placement) bool {
	var taken battleship.Set
	for i, list := range p.ships {
		if len(list) == 0 {
			return false
		}
		s := &list[chance.IntN(len(list))]
		if s.line.Meets(taken) {
			return false
		}
		fleet[i] = battleship.Placement{Ship: i, Start: s.start, Vertical: s.vertical}
		taken = taken.Or(s.taken)
	}
	return true
}
