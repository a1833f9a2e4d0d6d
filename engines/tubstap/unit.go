package tubstap

// cell is an index into the grid of a map, y*SizeX + x, border included.
type cell int16

// Unit is one unit; with HP 0 it is off the board.
type Unit struct {
	Kind     Kind
	Team     Team
	X, Y     int8
	HP       int8
	Finished bool // has acted in its side's turn
}

// Alive says whether the unit is on the board.
func (u *Unit) Alive() bool { return u.HP > 0 }
