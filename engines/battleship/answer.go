package battleship

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
