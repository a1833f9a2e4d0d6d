package tubstap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// warning is something odd in a file that the rules still cover.
type warning struct {
	Line int // 1-based
	Text string
}

// String returns the warning with its line.
func (w warning) String() string { return fmt.Sprintf("line %d: %s", w.Line, w.Text) }

// ParseMap reads a .tbsmap file. Unknown tags, such as those of a replay,
// are passed over. Errors name the line and the field.
func ParseMap(data []byte) (*Map, []warning, error) {
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
	warnings []warning
}

func mapOf(tags []tag) (*Map, []warning, error) {
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
	r.warnings = append(r.warnings, warning{Line: t.line, Text: fmt.Sprintf(format, args...)})
}

// ReadMap reads the map in a file; the errors name it.
func ReadMap(path string, read reader) (*Map, error) {
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

// reader is the content of a file.
type reader func(path string) ([]byte, error)

// A tag is one NAME[text] of a map or replay file and the line it begins on.
type tag struct {
	name string
	text string
	line int // 1-based
}

// scanTags reads a file as the original program does: lines are joined without a separator,
// pieces end at ';', and a tag is a name, '[', and everything to the first ']'. In a file
// that is not UTF-8, two-byte characters of Shift_JIS are kept whole, since their second
// byte may be '[' or ']'. The texts of the tags are UTF-8.
func scanTags(data []byte) ([]tag, error) {
	s := tagScanner{data: data, line: 1, wide: !utf8.Valid(data)}
	var tags []tag
	for {
		t, ok, err := s.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return tags, nil
		}
		tags = append(tags, t)
	}
}

type tagScanner struct {
	data []byte
	at   int
	line int
	wide bool
}

// step returns the bytes of the next character, none at the end, and passes
// over line ends.
func (s *tagScanner) step() []byte {
	for s.at < len(s.data) {
		c := s.data[s.at]
		if c == '\n' {
			s.line++
		}
		if c == '\n' || c == '\r' {
			s.at++
			continue
		}
		n := 1
		if s.wide && s.at+1 < len(s.data) && (c >= 0x81 && c <= 0x9f || c >= 0xe0 && c <= 0xfc) && s.data[s.at+1] >= 0x40 {
			n = 2
		}
		s.at += n
		return s.data[s.at-n : s.at]
	}
	return nil
}

// next finds the next tag.
func (s *tagScanner) next() (tag, bool, error) {
	var name []byte
	for {
		c := s.step()
		switch {
		case c == nil:
			return tag{}, false, nil
		case c[0] == '[' && len(c) == 1:
			t := tag{name: string(name), line: s.line}
			text, ok := s.text()
			if !ok {
				return tag{}, false, fmt.Errorf("line %d: %s[: no closing ']' before the end of the file", t.line, t.name)
			}
			t.text = Text(text)
			return t, true, nil
		case len(c) == 1 && (c[0] >= 'A' && c[0] <= 'Z'):
			name = append(name, c[0])
		default:
			name = name[:0]
		}
	}
}

// text reads to the first ']'.
func (s *tagScanner) text() (string, bool) {
	var b strings.Builder
	for {
		c := s.step()
		if c == nil {
			return "", false
		}
		if len(c) == 1 && c[0] == ']' {
			return b.String(), true
		}
		b.Write(c)
	}
}

// numbers splits the text at commas and reads each as a number in lo..hi.
func (t tag) numbers(lo, hi int, names ...string) ([]int, error) {
	parts := strings.Split(t.text, ",")
	if len(parts) != len(names) {
		return nil, t.errorf("%d fields, want %d: %s", len(parts), len(names), strings.Join(names, ","))
	}
	out := make([]int, len(parts))
	for i, p := range parts {
		n, err := t.number(names[i], p, lo, hi)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// number reads one number of the tag, blanks around it allowed.
func (t tag) number(field, text string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(strings.Trim(text, " \t"))
	if err != nil {
		return 0, t.errorf("%s %q: want a whole number", field, text)
	}
	if n < lo || n > hi {
		return 0, t.errorf("%s %d: want %d to %d", field, n, lo, hi)
	}
	return n, nil
}

func (t tag) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %s", t.line, t.name, fmt.Sprintf(format, args...))
}

// Text returns a text of a map, a record or a peer in UTF-8, in which the protocol and the
// records are. Old maps are Shift_JIS, which is read where a text is no UTF-8; bytes that
// are neither become the replacement character.
func Text(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	if read, err := japanese.ShiftJIS.NewDecoder().String(text); err == nil && !strings.ContainsRune(read, utf8.RuneError) {
		return read
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
