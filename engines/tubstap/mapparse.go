package tubstap

import (
	"errors"
	"fmt"
	"strings"
)

// Warning is something odd in a file that the rules still cover.
type Warning struct {
	Line int // 1-based
	Text string
}

// String is the warning with its line.
func (w Warning) String() string { return fmt.Sprintf("line %d: %s", w.Line, w.Text) }

// ParseMap reads a .tbsmap file. Unknown tags, such as those of a replay,
// are passed over. Errors name the line and the field.
func ParseMap(data []byte) (*Map, []Warning, error) {
	tags, err := scanTags(data)
	if err != nil {
		return nil, nil, err
	}
	return mapOf(tags)
}

// mapReader collects the tags of a map.
type mapReader struct {
	m        Map
	seen     map[string]bool
	units    []tag
	rows     []tag
	warnings []Warning
}

func mapOf(tags []tag) (*Map, []Warning, error) {
	r := mapReader{seen: map[string]bool{}}
	for _, t := range tags {
		if err := r.take(t); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range []string{"SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD", "UNITNUMRED", "UNITNUMBLUE"} {
		if !r.seen[name] {
			return nil, nil, fmt.Errorf("%s is missing", name)
		}
	}
	if err := r.readRows(); err != nil {
		return nil, nil, err
	}
	if err := r.readUnits(); err != nil {
		return nil, nil, err
	}
	if err := r.m.Check(); err != nil {
		return nil, nil, err
	}
	return &r.m, r.warnings, nil
}

// take handles one tag; rows and units wait until the sizes are known.
func (r *mapReader) take(t tag) error {
	var at *int
	lo, hi := 0, 1_000_000
	switch t.name {
	case "SIZEX":
		at, lo, hi = &r.m.SizeX, 3, MaxSize
	case "SIZEY":
		at, lo, hi = &r.m.SizeY, 3, MaxSize
	case "TURNLIMIT":
		at, lo = &r.m.TurnLimit, 1
	case "HPTHRESHOLD":
		at = &r.m.Threshold
	case "UNITNUMRED":
		at, hi = &r.m.Slots[Red], MaxUnits
	case "UNITNUMBLUE":
		at, hi = &r.m.Slots[Blue], MaxUnits
	case "AUTHOR":
		r.m.Author = t.text
	case "MAPCOM":
		r.m.Comment = t.text
	case "UNIT":
		r.units = append(r.units, t)
	case "MAP":
		r.rows = append(r.rows, t)
	}
	if at == nil {
		return nil
	}
	if r.seen[t.name] {
		return t.errorf("given twice")
	}
	r.seen[t.name] = true
	n, err := t.number("value", t.text, lo, hi)
	*at = n
	return err
}

func (r *mapReader) readRows() error {
	m := &r.m
	if len(r.rows) != m.SizeY {
		line := 0
		if len(r.rows) > 0 {
			line = r.rows[len(r.rows)-1].line
		}
		return fmt.Errorf("line %d: %d MAP rows, want SIZEY = %d", line, len(r.rows), m.SizeY)
	}
	for y, t := range r.rows {
		codes := strings.Split(t.text, ",")
		if len(codes) != m.SizeX {
			return t.errorf("row %d has %d cells, want SIZEX = %d", y, len(codes), m.SizeX)
		}
		for x, code := range codes {
			n, err := t.number(fmt.Sprintf("row %d, column %d: terrain", y, x), code, 0, Terrains-1)
			if err != nil {
				return err
			}
			if n != int(Wall) && !m.Playable(x, y) {
				return t.errorf("row %d, column %d: the border must be terrain 0, not %d", y, x, n)
			}
			m.Terrain = append(m.Terrain, Terrain(n))
		}
	}
	return nil
}

func (r *mapReader) readUnits() error {
	if limit := r.m.Slots[Red] + r.m.Slots[Blue]; len(r.units) > limit {
		return r.units[limit].errorf("unit %d: UNITNUMRED + UNITNUMBLUE leave room for %d", limit, limit)
	}
	taken := map[[2]int8]int{}
	for id, t := range r.units {
		u, err := r.unit(t)
		if err != nil {
			return err
		}
		if other, ok := taken[[2]int8{u.X, u.Y}]; ok {
			return t.errorf("(%d,%d) already holds unit %d", u.X, u.Y, other)
		}
		taken[[2]int8{u.X, u.Y}] = id
		r.m.Units = append(r.m.Units, u)
	}
	return nil
}

var errUnitFields = errors.New("want x,y,name,team,HP,finished")

func (r *mapReader) unit(t tag) (Unit, error) {
	parts := strings.Split(t.text, ",")
	if len(parts) != 6 {
		return Unit{}, t.errorf("%d fields, %v", len(parts), errUnitFields)
	}
	kind, ok := kindOf(strings.Trim(parts[2], " \t"))
	if !ok {
		return Unit{}, t.errorf("name %q: want one of %s", parts[2], strings.Join(kindNames[:], ", "))
	}
	var n [6]int
	for i, f := range []struct {
		name   string
		lo, hi int
	}{{"x", 1, r.m.SizeX - 2}, {"y", 1, r.m.SizeY - 2}, {}, {"team", 0, 1}, {"HP", 1, 100}, {"finished", -1 << 31, 1<<31 - 1}} {
		if f.name == "" {
			continue
		}
		var err error
		if n[i], err = t.number(f.name, parts[i], f.lo, f.hi); err != nil {
			return Unit{}, err
		}
	}
	u := Unit{Kind: kind, X: int8(n[0]), Y: int8(n[1]), Team: Team(n[3]), HP: int8(n[4]), Finished: n[5] != 0}
	if u.HP > FullHP {
		r.warn(t, "UNIT: HP %d is above %d", u.HP, FullHP)
	}
	if on := r.m.At(n[0], n[1]); kind.Cost(on) >= impassable {
		r.warn(t, "UNIT: %v stands on %v, which it cannot enter", kind, on)
	}
	return u, nil
}

func (r *mapReader) warn(t tag, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{Line: t.line, Text: fmt.Sprintf(format, args...)})
}

// ReadMap reads the map in a file; the errors name it.
func ReadMap(path string, read Reader) (*Map, error) {
	text, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	m, _, err := ParseMap(text)
	if err != nil {
		return nil, fmt.Errorf("map: %s: %w", path, err)
	}
	return m, nil
}

// Reader is the content of a file.
type Reader func(path string) ([]byte, error)
