package battleship

import (
	"fmt"
)

// An Answer is what the shooter is told after a shot: Miss, Hit, or Sunk of a
// ship.
type Answer uint8

// Miss says that no ship is there, Hit that a ship is there which is still
// afloat after the shot.
const (
	Miss Answer = iota
	Hit
	sunk
)

// Sunk returns the answer that the shot sank the given ship of the fleet. Of
// several ships alike any may be named: only the class is announced.
func Sunk(ship int) Answer { return sunk + Answer(ship) }

// Ship returns the ship that was announced as sunk, or false.
func (a Answer) Ship() (ship int, ok bool) { return int(a) - int(sunk), a >= sunk }

// MaxShips is the greatest number of ships in a fleet.
const MaxShips = 12

// A Ship is one straight ship: its class as announced when it sinks, and its
// length in squares. Ships of a nameless fleet have no class but their length.
type Ship struct {
	Class  string
	Length int
}

// A Fleet is the ships of one side in a fixed order; a ship is spoken of by
// its index. A Fleet never changes once made. Ships with the same class and
// length are alike: the announcement does not say which of them sank.
type Fleet struct {
	ships   [MaxShips]Ship
	count   int
	alike   [MaxShips]uint8 // index of the first ship alike
	lengths [MaxShips]uint8
	squares int
}

// NewFleet returns a fleet of 1 to 12 ships, each 1 to 16 squares long.
func NewFleet(ships ...Ship) (*Fleet, error) {
	if len(ships) < 1 || len(ships) > MaxShips {
		return nil, fmt.Errorf("fleet of %d ships: want 1 to %d", len(ships), MaxShips)
	}
	f := &Fleet{count: len(ships)}
	for i, ship := range ships {
		if ship.Length < 1 || ship.Length > MaxSide {
			return nil, fmt.Errorf("ship %d of the fleet (%s) has length %d: want 1 to %d", i+1, ship.Class, ship.Length, MaxSide)
		}
		f.ships[i] = ship
		f.lengths[i] = uint8(ship.Length)
		f.squares += ship.Length
		f.alike[i] = uint8(i)
		for j := range i {
			if ships[j].Class != ship.Class {
				continue
			}
			if ships[j].Length != ship.Length {
				return nil, fmt.Errorf("ships %d and %d of the fleet are both %q with lengths %d and %d", j+1, i+1, ship.Class, ships[j].Length, ship.Length)
			}
			f.alike[i] = uint8(j)
			break
		}
	}
	return f, nil
}

// NewNameless returns a fleet whose classes are its lengths.
func NewNameless(lengths ...int) (*Fleet, error) {
	ships := make([]Ship, len(lengths))
	for i, length := range lengths {
		ships[i] = Ship{Class: fmt.Sprint(length), Length: length}
	}
	return NewFleet(ships...)
}

// Classic returns the fleet of the paper: carrier 5, battleship 4, cruiser 3,
// submarine 3, destroyer 2, the two of length 3 told apart when they sink.
func Classic() *Fleet {
	f, err := NewFleet(Ship{"carrier", 5}, Ship{"battleship", 4}, Ship{"cruiser", 3}, Ship{"submarine", 3}, Ship{"destroyer", 2})
	if err != nil {
		panic(err) // the five ships above are legal
	}
	return f
}

// Ships returns the number of ships.
func (f *Fleet) Ships() int { return f.count }

// Ship returns ship i, 0 <= i < Ships.
func (f *Fleet) Ship(i int) Ship { return f.ships[i] }

// Length returns the length of ship i in squares.
func (f *Fleet) Length(i int) int { return int(f.lengths[i]) }

// Squares returns the number of squares all ships cover.
func (f *Fleet) Squares() int { return f.squares }

// Alike returns the first ship that is announced like ship i when it sinks; i
// itself unless the fleet has several ships of one class.
func (f *Fleet) Alike(i int) int { return int(f.alike[i]) }

// Find returns the first ship of the class, or false.
func (f *Fleet) Find(class string) (ship int, ok bool) {
	for i := range f.count {
		if f.ships[i].Class == class {
			return i, true
		}
	}
	return 0, false
}

// A Placement is one ship's place: from Start going right or, Vertical, down.
type Placement struct {
	Ship     int
	Start    Square
	Vertical bool
}

// Covers returns the squares of placement p of a ship of f on b; the empty set
// if it does not fit.
func (b *Board) Covers(f *Fleet, p Placement) Set {
	return b.Line(p.Start, f.Length(p.Ship), p.Vertical)
}
