package tubstap

import (
	"fmt"
	"strings"
)

// terrainMarks are the letters of the terrains on a drawn board.
const terrainMarks = "#.~*^=%"

// terminal colours of the sides and of units that have acted.
const (
	redInk   = "\x1b[31m"
	blueInk  = "\x1b[34m"
	dimInk   = "\x1b[2m"
	resetInk = "\x1b[0m"
)

// Draw is the board as text, one line a row, for a terminal. A unit is its
// letter (upper case Red, lower case Blue), its HP (X for 10), and ' once it
// has acted. Terrain: # wall, . plain, ~ sea, * forest, ^ mountain, = road,
// % fortress.
func (s *State) Draw(colour bool) string {
	var b strings.Builder
	b.WriteString("    ")
	for x := 1; x <= s.m.SizeX-2; x++ {
		fmt.Fprintf(&b, "%-4d", x)
	}
	b.WriteByte('\n')
	for y := 1; y <= s.m.SizeY-2; y++ {
		fmt.Fprintf(&b, "%-4d", y)
		for x := 1; x <= s.m.SizeX-2; x++ {
			b.WriteByte(terrainMarks[s.m.At(x, y)])
			b.WriteString(s.drawUnit(s.unitAt(x, y), colour))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "turn %d of %d, %v to move, HP red %d, blue %d\n", s.counter, s.m.TurnLimit, s.mover, s.hp[Red], s.hp[Blue])
	return b.String()
}

// drawUnit takes three columns.
func (s *State) drawUnit(id int, colour bool) string {
	if id == NoUnit {
		return "   "
	}
	u := s.units[id]
	mark, ink := u.Kind.Mark(), redInk
	if u.Team == Blue {
		mark, ink = strings.ToLower(mark), blueInk
	}
	hp := fmt.Sprint(u.HP)
	if u.HP >= FullHP {
		hp = "X"
	}
	acted := " "
	if u.Finished {
		acted, ink = "'", ink+dimInk
	}
	if !colour {
		return mark + hp + acted
	}
	return ink + mark + hp + acted + resetInk
}
