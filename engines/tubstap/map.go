package tubstap

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// At returns the terrain of a cell.
func (m *Map) At(x, y int) Terrain { return m.Terrain[y*m.SizeX+x] }

// Playable reports whether the cell lies within the border.
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

//go:embed maps/*.tbsmap
var embedded embed.FS

// MapNames lists the maps that come with the package, sorted.
func MapNames() []string {
	entries, err := embedded.ReadDir("maps")
	if err != nil {
		panic(fmt.Sprintf("tubstap: embedded maps: %v", err))
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".tbsmap")
	}
	return names
}

// EmbeddedMap returns one of MapNames, with or without its suffix .tbsmap.
// paper12b stands in for the unpublished map of the paper's figure 3.
func EmbeddedMap(name string) (*Map, error) {
	short := strings.TrimSuffix(name, ".tbsmap")
	data, err := embedded.ReadFile("maps/" + short + ".tbsmap")
	if err != nil {
		return nil, fmt.Errorf("map %q: no such embedded map (there are %s)", name, strings.Join(MapNames(), ", "))
	}
	m, _, err := ParseMap(data)
	if err != nil {
		return nil, fmt.Errorf("map %q: %w", name, err)
	}
	m.Name = short
	return m, nil
}

// generateForm is how a generated map is named in one text. The canonical text
// has no blanks; size is one number for a square or WIDTHxHEIGHT, playable
// cells without the border; the rest of the design is Declare's defaults.
const generateForm = "generate(seed, size, units)"

func isGenerate(name string) bool { return strings.HasPrefix(name, "generate(") }

func isMapText(name string) bool { return strings.Contains(name, "SIZEX[") }

// flatMap returns a map's text on one line, without author and comment.
func flatMap(data []byte) (string, error) {
	m, _, err := ParseMap(data)
	if err != nil {
		return "", fmt.Errorf("the text of a map (%w)", err)
	}
	m.Author, m.Comment = "", ""
	return strings.ReplaceAll(string(m.AppendText(nil)), "\n", ""), nil
}

// parseGenerate reads generate(seed, size, units). The error reads after
// "expected".
func parseGenerate(name string) (Design, error) {
	d := DefaultDesign()
	inside, ok := strings.CutSuffix(strings.TrimPrefix(name, "generate("), ")")
	parts := strings.Split(inside, ",")
	if !ok || len(parts) != 3 {
		return d, errors.New(generateForm)
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	width, height, oblong := strings.Cut(parts[1], "x")
	if !oblong {
		height = width
	}
	for _, f := range []struct {
		at        *int
		text      string
		low, high int
		what      string
	}{
		{&d.Seed, parts[0], 0, maxSeed, "a seed"},
		{&d.Width, width, minSide, maxSide, "a size (one number, or WIDTHxHEIGHT)"},
		{&d.Height, height, minSide, maxSide, "a size (one number, or WIDTHxHEIGHT)"},
		{&d.Units, parts[2], 1, maxArmy, "units"},
	} {
		n, err := strconv.Atoi(f.text)
		if err != nil || n < f.low || n > f.high {
			return d, fmt.Errorf("%s with %s of %d to %d", generateForm, f.what, f.low, f.high)
		}
		*f.at = n
	}
	if _, err := d.Map(); err != nil {
		return d, fmt.Errorf("%s of a map that there is (%w)", generateForm, err)
	}
	return d, nil
}

// generate returns the canonical text of the design's seed, size and units.
func (d *Design) generate() string {
	size := strconv.Itoa(d.Width)
	if d.Height != d.Width {
		size += "x" + strconv.Itoa(d.Height)
	}
	return fmt.Sprintf("generate(%d,%s,%d)", d.Seed, size, d.Units)
}
