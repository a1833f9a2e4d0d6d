package param

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Seed is where chance begins: 64 bits, written as a decimal number everywhere.
// In JSON it is a text, because many readers of JSON keep 53 bits of a number;
// it is read from either. A pointer to it is the value of a flag.
type Seed uint64

// ParseSeed reads a decimal number from 0 to 2^64-1.
func ParseSeed(text string) (Seed, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("expected an integer of at most 64 bits (18446744073709551615), got %.40q", text)
	case err != nil:
		return 0, fmt.Errorf("expected an integer from 0, got %.40q", text)
	}
	return Seed(n), nil
}

// String returns the decimal number.
func (s Seed) String() string { return strconv.FormatUint(uint64(s), 10) }

// MarshalText implements encoding.TextMarshaler.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Seed) UnmarshalText(text []byte) error { return s.Set(string(text)) }

// UnmarshalJSON reads a text or a number.
func (s *Seed) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	if err := s.Set(text); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

// Set reads a flag's value.
func (s *Seed) Set(text string) (err error) {
	read, err := ParseSeed(text)
	if err == nil {
		*s = read
	}
	return err
}

// Type returns what the help of a command calls a flag's value.
func (s *Seed) Type() string { return "uint" }

// Value is one parameter's value as text.
type Value struct {
	Name string `json:"name"`
	Text string `json:"value"`
}

// Values are parameter values. As returned by Assign they are canonical: the
// active parameters, all of them, in the order of declaration.
type Values []Value

// Get returns the text of a parameter, and whether it is among the values.
func (v Values) Get(name string) (string, bool) {
	for _, x := range v {
		if x.Name == name {
			return x.Text, true
		}
	}
	return "", false
}

// With returns v with one value replaced or appended; v is unchanged.
func (v Values) With(name, text string) Values {
	out := slices.Clone(v)
	for i := range out {
		if out[i].Name == name {
			out[i].Text = text
			return out
		}
	}
	return append(out, Value{name, text})
}

// String returns "a=1,b=x", the form inside an entrant's parentheses; [ParseValues] reads it.
func (v Values) String() string {
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(x.Name, !strings.Contains(x.Name, "=")) + "=" + quoted(x.Text, true))
	}
	return b.String()
}

// nesting is how a place in an entrant's text lies.
type nesting struct {
	depth  int  // of parentheses
	quoted bool // in quotation marks
}

// step passes a character and reports whether it is a comma that separates.
func (n *nesting) step(c byte) bool {
	switch {
	case c == '"':
		n.quoted = !n.quoted
	case n.quoted:
	case c == '(':
		n.depth++
	case c == ')': // one that was not opened does not count
		n.depth = max(0, n.depth-1)
	case c == ',':
		return n.depth == 0
	}
	return false
}

// Split splits a text at its commas outside of parentheses and quotation marks.
func Split(text string) []string {
	var n nesting
	var parts []string
	from := 0
	for i := range len(text) {
		if n.step(text[i]) {
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

// quoted returns a text as it is where [ParseValues] reads it so, else in quotation marks, with
// those in it doubled.
func quoted(text string, plain bool) string {
	var n nesting
	for i := range len(text) {
		plain = !n.step(text[i]) && plain
	}
	if plain && n == (nesting{}) && strings.TrimSpace(text) == text && !strings.HasPrefix(text, `"`) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// unquoted returns the text that quotation marks hold at the beginning of another one, and what
// stands behind them; ok is false where there are none.
func unquoted(text string) (inside, rest string, ok bool) {
	for i := 1; i < len(text) && text[0] == '"'; i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			i++
		default:
			return strings.ReplaceAll(text[1:i], `""`, `"`), text[i+1:], true
		}
	}
	return "", text, false
}

// ParseValues reads "a=1,b=x". A name or a value may stand in quotation marks.
func ParseValues(text string) (Values, error) {
	var values Values
	for _, part := range Split(text) {
		name, value, ok := "", "", false
		if inside, rest, marks := unquoted(strings.TrimSpace(part)); marks {
			if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "="); ok {
				name, value = inside, strings.TrimSpace(rest)
			}
		}
		if !ok {
			if name, value, ok = strings.Cut(part, "="); !ok {
				return nil, fmt.Errorf("expected param=value, got %q", part)
			}
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		}
		if inside, rest, marks := unquoted(value); marks && rest == "" {
			value = inside
		}
		values = append(values, Value{name, value})
	}
	return values, nil
}

// longText is from how many bytes on a value is told by its size.
const longText = 200

// Short returns "a=1, b=x" for people: a long value, such as a book of openings, is its
// number of lines and the beginning of its sha256.
func (v Values) Short() string {
	all := make([]string, len(v))
	for i, x := range v {
		all[i] = x.Name + "=" + x.Text
		if len(x.Text) >= longText {
			all[i] = fmt.Sprintf("%s (%d lines, sha256 %.6x...)", x.Name, len(strings.FieldsFunc(x.Text, func(r rune) bool { return r == '\n' || r == '|' })), sha256.Sum256([]byte(x.Text)))
		}
	}
	return strings.Join(all, ", ")
}

// Map returns the values by name.
func (v Values) Map() map[string]string {
	m := make(map[string]string, len(v))
	for _, x := range v {
		m[x.Name] = x.Text
	}
	return m
}

// Packed are values in a third of the memory, for lists of many.
type Packed struct {
	names []string // shared among values of the same names
	texts string   // of all values, each behind its length
}

// Pack returns the values packed, with the names of like where they have the same.
func (v Values) Pack(like Packed) Packed {
	var texts []byte
	same := len(like.names) == len(v)
	for i, x := range v {
		texts = append(binary.AppendUvarint(texts, uint64(len(x.Text))), x.Text...)
		same = same && like.names[i] == x.Name
	}
	if !same {
		like.names = make([]string, len(v))
		for i, x := range v {
			like.names[i] = x.Name
		}
	}
	return Packed{like.names, string(texts)}
}

// Values returns the values that were packed.
func (p Packed) Values() Values {
	if p.names == nil {
		return nil
	}
	out, rest := make(Values, len(p.names)), p.texts
	for i, name := range p.names {
		n, size := binary.Uvarint([]byte(rest[:min(len(rest), binary.MaxVarintLen64)]))
		out[i] = Value{name, rest[size : size+int(n)]}
		rest = rest[size+int(n):]
	}
	return out
}

// Hash returns the lower-case hexadecimal of the digest.
func (v Values) Hash() string {
	sum := v.Digest()
	return hex.EncodeToString(sum[:])
}

// Digest returns the sha256 of the lines name=text sorted by name, so that it survives a
// reordering of declarations. A text of several lines is written as one.
func (v Values) Digest() [sha256.Size]byte {
	lines := make([]string, len(v))
	for i, x := range v {
		text := x.Text
		if strings.Contains(text, "\n") {
			text = "\n" + strconv.Quote(text) // which no text of one line is
		}
		lines[i] = x.Name + "=" + text + "\n"
	}
	slices.Sort(lines)
	return sha256.Sum256([]byte(strings.Join(lines, "")))
}

// Active reports whether a parameter is active under the given values, which
// must hold the canonical texts of the parameters it depends on.
func (p *Param) Active(text func(name string) (string, bool)) bool {
	for _, c := range p.When {
		if t, ok := text(c.Name); !ok || !c.Holds(t) {
			return false
		}
	}
	return true
}

// Assign parses the given values, writes them and the defaults of all others
// to the bound variables, and returns the canonical values. Every mistake is
// reported, in the order given: unknown names, values outside their domain,
// parameters that are inactive under the other values, names given twice. What is
// declared Later and has its default is left out. With
// a mistake the returned values are nil.
func (f *Fields) Assign(given Values) (Values, []error) {
	var errs []error
	texts := make(map[string]string, len(given))
	for _, g := range given {
		p, ok := f.Lookup(g.Name)
		if !ok {
			errs = append(errs, f.unknown(g.Name))
			continue
		}
		if _, twice := texts[g.Name]; twice {
			errs = append(errs, &Error{Name: g.Name, Got: g.Text, Want: "one value, not several"})
			continue
		}
		t, err := p.Canonical(g.Text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		texts[g.Name] = t
	}
	if len(errs) > 0 {
		return nil, errs
	}
	out := make(Values, 0, len(f.set.params))
	active := make(map[string]string, len(f.set.params))
	lookup := func(name string) (string, bool) { t, ok := active[name]; return t, ok }
	for i := range f.set.params {
		p := &f.set.params[i]
		t, isGiven := texts[p.Name]
		if !p.Active(lookup) {
			if isGiven {
				errs = append(errs, inactive(p, t, active))
			}
			f.set.assign[i](p.Default)
			continue
		}
		if !isGiven {
			t = p.Default
		}
		if least, ok := active[p.AtLeast]; ok && value(t) < value(least) {
			errs = append(errs, &Error{Name: p.Name, Got: t, Want: "at least " + p.AtLeast + "=" + least})
		}
		active[p.Name] = t
		f.set.assign[i](t)
		if !p.absent(t) {
			out = append(out, Value{p.Name, t})
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return out, nil
}

// absent reports whether canonical values leave the parameter out where it has the text.
func (p *Param) absent(text string) bool {
	return p.later && text == p.Default
}

func inactive(p *Param, got string, active map[string]string) error {
	conds := make([]string, len(p.When))
	for i, c := range p.When {
		conds[i] = c.String()
		if t, ok := active[c.Name]; ok && !c.Holds(t) {
			conds[i] += " (it is " + t + ")"
		}
	}
	return &Error{Name: p.Name, Got: got, Want: "no value unless " + strings.Join(conds, " and ")}
}

func (f *Fields) unknown(name string) error {
	names := make([]string, len(f.set.params))
	for i := range f.set.params {
		names[i] = f.set.params[i].Name
	}
	want := "there are none"
	if len(names) > 0 {
		want = "expected one of " + strings.Join(names, ", ")
	}
	if near, ok := Nearest(name, names); ok {
		want = fmt.Sprintf("did you mean %s?", near)
	}
	if why := f.WhyAbsent(name); why != "" {
		want = why
	}
	return &Error{Name: name, Got: name, Want: want, Unknown: true}
}

// OfOptions calls what mistakes are about options: of rules, of a sampler.
func OfOptions(errs []error) []error {
	for _, err := range errs {
		if e, ok := errors.AsType[*Error](err); ok {
			e.What = "option"
		}
	}
	return errs
}
