package tubstap

import (
	"fmt"
	"strconv"
)

// Limits of a map, border included, and of its units.
const (
	MaxSize  = 64
	MaxUnits = 256
)

// Map is a battlefield: terrain, the units at the start, and when the game
// is judged. A map in use is not changed.
type Map struct {
	Name      string // where it came from; not part of the file
	SizeX     int    // columns, border included
	SizeY     int    // rows, border included
	TurnLimit int    // half-turns
	Threshold int    // a lead in HP up to this is a draw at the limit
	Slots     [2]int // UNITNUMRED, UNITNUMBLUE: together the capacity for units
	Author    string // bytes as in the file
	Comment   string // bytes as in the file
	Terrain   []Terrain
	Units     []Unit // by id
}

func (m *Map) cell(x, y int) cell { return cell(y*m.SizeX + x) }

// At is the terrain of a cell.
func (m *Map) At(x, y int) Terrain { return m.Terrain[y*m.SizeX+x] }

// Playable says whether the cell lies within the border.
func (m *Map) Playable(x, y int) bool {
	return x >= 1 && x <= m.SizeX-2 && y >= 1 && y <= m.SizeY-2
}

// Check reports what makes the map unplayable.
func (m *Map) Check() error {
	if m.SizeX < 3 || m.SizeX > MaxSize {
		return fmt.Errorf("SIZEX %d: want 3 to %d, the border included", m.SizeX, MaxSize)
	}
	if m.SizeY < 3 || m.SizeY > MaxSize {
		return fmt.Errorf("SIZEY %d: want 3 to %d, the border included", m.SizeY, MaxSize)
	}
	if m.TurnLimit < 1 {
		return fmt.Errorf("TURNLIMIT %d: want at least 1 half-turn", m.TurnLimit)
	}
	if m.Threshold < 0 {
		return fmt.Errorf("HPTHRESHOLD %d: want 0 or more", m.Threshold)
	}
	if len(m.Terrain) != m.SizeX*m.SizeY {
		return fmt.Errorf("%d cells: want SIZEX x SIZEY = %d", len(m.Terrain), m.SizeX*m.SizeY)
	}
	for c, t := range m.Terrain {
		x, y := c%m.SizeX, c/m.SizeX
		if t >= Terrains {
			return fmt.Errorf("cell (%d,%d): terrain %d, want 0 to %d", x, y, t, Terrains-1)
		}
		if t != Wall && !m.Playable(x, y) {
			return fmt.Errorf("cell (%d,%d): the border must be terrain 0, not %d", x, y, t)
		}
	}
	return m.checkUnits()
}

func (m *Map) checkUnits() error {
	if len(m.Units) > MaxUnits {
		return fmt.Errorf("%d units: want at most %d", len(m.Units), MaxUnits)
	}
	taken := map[[2]int8]int{}
	for id, u := range m.Units {
		switch {
		case u.Kind >= Kinds:
			return fmt.Errorf("unit %d: kind %d, want 0 to %d", id, u.Kind, Kinds-1)
		case u.Team != Red && u.Team != Blue:
			return fmt.Errorf("unit %d: team %d, want 0 (red) or 1 (blue)", id, u.Team)
		case u.HP < 1:
			return fmt.Errorf("unit %d: HP %d, want at least 1", id, u.HP)
		case !m.Playable(int(u.X), int(u.Y)):
			return fmt.Errorf("unit %d: (%d,%d) is outside the playable cells", id, u.X, u.Y)
		}
		if other, ok := taken[[2]int8{u.X, u.Y}]; ok {
			return fmt.Errorf("unit %d: (%d,%d) already holds unit %d", id, u.X, u.Y, other)
		}
		taken[[2]int8{u.X, u.Y}] = id
	}
	return nil
}

// AppendText adds the map in the form of a .tbsmap file, LF after each line.
func (m *Map) AppendText(b []byte) []byte {
	number := func(tag string, n int) {
		b = append(b, tag...)
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(n), 10)
		b = append(b, "];"...)
	}
	number("SIZEX", m.SizeX)
	number("SIZEY", m.SizeY)
	b = append(b, '\n')
	number("TURNLIMIT", m.TurnLimit)
	number("HPTHRESHOLD", m.Threshold)
	b = append(b, '\n')
	number("UNITNUMRED", m.Slots[Red])
	number("UNITNUMBLUE", m.Slots[Blue])
	b = append(b, '\n')
	b = append(b, "AUTHOR["+m.Author+"];\nMAPCOM["+m.Comment+"];\n"...)
	for _, u := range m.Units {
		finished := 0
		if u.Finished {
			finished = 1
		}
		b = fmt.Appendf(b, "UNIT[%d,%d,%v,%d,%d,%d];\n", u.X, u.Y, u.Kind, u.Team, u.HP, finished)
	}
	for y := range m.SizeY {
		b = append(b, "MAP["...)
		for x := range m.SizeX {
			if x > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(m.At(x, y)), 10)
		}
		b = append(b, "];\n"...)
	}
	return b
}
