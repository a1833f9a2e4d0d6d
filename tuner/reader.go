package tuner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// reader walks a YAML node tree and collects every mistake with its place. Keys
// are taken as they stand: nothing folds their case.
type reader struct {
	file  string
	errs  []error
	asked map[string]bool // keys looked for, without the indexes of lists; nil unless a test wants them
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// Error is a mistake in a file that people write.
type Error struct {
	File         string
	Line, Column int
	Field        string
	Want, Got    string
}

// Error reads "studies/x.yaml:7:12: tune.strategy: expected X, got Y".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: expected %s, got %s", e.File, e.Line, e.Column, e.Field, e.Want, e.Got)
}

func (r *reader) fail(n *yaml.Node, field, want, got string) {
	r.errs = append(r.errs, &Error{r.file, n.Line, n.Column, field, want, got})
}

// declared adds the mistakes of parameter values, which carry no place.
func (r *reader) declared(n *yaml.Node, field string, errs ...error) {
	for _, err := range errs {
		var p *param.Error
		if errors.As(err, &p) {
			name := field
			if p.Name != "" {
				name += "." + p.Name
			}
			r.fail(n, name, p.Want, p.Got)
			continue
		}
		r.fail(n, field, "a valid value", err.Error())
	}
}

// document parses the file's single YAML document. Aliases are refused: they
// let a short text stand for a huge one.
func (r *reader) document(text []byte) *yaml.Node {
	var root, second yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&root)
	if err == nil {
		if err = d.Decode(&second); err == nil {
			r.fail(&second, "file", "one document", "a second one")
			return nil
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		line := 1
		message := strings.TrimPrefix(err.Error(), "yaml: ")
		if rest, ok := strings.CutPrefix(message, "line "); ok {
			digits, after, _ := strings.Cut(rest, ":")
			if n, err := strconv.Atoi(digits); err == nil {
				line, message = n, strings.TrimSpace(after)
			}
		}
		r.fail(&yaml.Node{Line: line, Column: 1}, "file", "YAML", message)
		return nil
	}
	if len(root.Content) == 0 {
		r.fail(&yaml.Node{Line: 1, Column: 1}, "file", "a mapping", "nothing")
		return nil
	}
	if n := findAlias(&root); n != nil {
		r.fail(n, "file", "no aliases", "*"+n.Value)
		return nil
	}
	return root.Content[0]
}

func findAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n
	}
	for _, c := range n.Content {
		if a := findAlias(c); a != nil {
			return a
		}
	}
	return nil
}

// mapping is a YAML mapping being read: fields are taken one by one, and done
// reports those that nobody took.
type mapping struct {
	r     *reader
	node  *yaml.Node
	path  string
	at    map[string]int
	taken []string
}

// mapping reads n as a mapping; a nil mapping has no fields.
func (r *reader) mapping(n *yaml.Node, path string) *mapping {
	m := &mapping{r: r, node: n, path: path, at: map[string]int{}}
	if n == nil {
		return m
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n, cmpOr(path, "file"), "a mapping", describe(n))
		m.node = nil
		return m
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := m.at[key.Value]; twice {
			r.fail(key, m.field(key.Value), "one value", "the key a second time")
			continue
		}
		m.at[key.Value] = i
	}
	return m
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (m *mapping) field(key string) string {
	if m.path == "" {
		return key
	}
	return m.path + "." + key
}

// take is the value of a key, nil where it is absent.
func (m *mapping) take(key string) *yaml.Node {
	if m.r.asked != nil {
		m.r.asked[listIndex.ReplaceAllString(m.field(key), "[]")] = true
	}
	if !slices.Contains(m.taken, key) {
		m.taken = append(m.taken, key)
	}
	if i, ok := m.at[key]; ok {
		return m.node.Content[i+1]
	}
	return nil
}

// has tells whether a key is there.
func (m *mapping) has(key string) bool { _, ok := m.at[key]; return ok }

// require reports an absent key.
func (m *mapping) require(key, want string) bool {
	if m.has(key) {
		return true
	}
	if m.node != nil {
		m.r.fail(m.node, m.field(key), want, "nothing")
	}
	return false
}

// done reports unknown keys.
func (m *mapping) done() {
	if m.node == nil {
		return
	}
	for i := 0; i < len(m.node.Content); i += 2 {
		key := m.node.Content[i]
		if slices.Contains(m.taken, key.Value) {
			continue
		}
		want := "one of the keys " + strings.Join(m.taken, ", ")
		if near, ok := param.Nearest(key.Value, m.taken); ok {
			want = "a known key (did you mean " + near + "?)"
		}
		m.r.fail(key, m.field(key.Value), want, key.Value)
	}
}

// text reads a scalar as it stands.
func (m *mapping) text(key, def string) string {
	n := m.take(key)
	if n == nil {
		return def
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		m.r.fail(n, m.field(key), "a text", describe(n))
		return def
	}
	return n.Value
}

// oneOf reads one of a few words.
func (m *mapping) oneOf(key, def string, words ...string) string {
	n := m.take(key)
	if n == nil {
		return def
	}
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
		m.r.fail(n, m.field(key), "one of "+strings.Join(words, ", "), describe(n))
		return def
	}
	return n.Value
}

// float reads a finite number in [low, high].
func (m *mapping) float(key string, def, low, high float64) float64 {
	n := m.take(key)
	if n == nil {
		return def
	}
	x, ok := m.r.number(n, m.field(key), low, high)
	if !ok {
		return def
	}
	return x
}

func (r *reader) number(n *yaml.Node, field string, low, high float64) (float64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || !(x >= low && x <= high) {
		r.fail(n, field, "a number "+span(low, high), describe(n))
		return 0, false
	}
	return x, true
}

// integer reads an integer in [low, high]; 1e5 is one.
func (m *mapping) integer(key string, def, low, high int64) int64 {
	n := m.take(key)
	if n == nil {
		return def
	}
	x, ok := m.r.whole(n, m.field(key), low, high)
	if !ok {
		return def
	}
	return x
}

func (r *reader) whole(n *yaml.Node, field string, low, high int64) (int64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if i, ierr := strconv.ParseInt(n.Value, 10, 64); ierr == nil {
		x, err = float64(i), nil
	}
	if n.Kind != yaml.ScalarNode || err != nil || x != math.Trunc(x) || !(x >= float64(low) && x <= float64(high)) {
		want := "an integer " + span(float64(low), float64(high))
		if low == high {
			want = strconv.FormatInt(low, 10)
		}
		r.fail(n, field, want, describe(n))
		return 0, false
	}
	return int64(x), true
}

// seed reads an integer of 64 bits without sign, as a number or a text.
func (m *mapping) seed(key string, def uint64) uint64 {
	n := m.take(key)
	if n == nil {
		return def
	}
	x, err := strconv.ParseUint(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || err != nil {
		m.r.fail(n, m.field(key), "an integer in 0..18446744073709551615", describe(n))
		return def
	}
	return x
}

func span(low, high float64) string {
	g := func(x float64) string {
		if x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', 12, 64)
	}
	switch {
	case low == -math.MaxFloat64 && high == math.MaxFloat64:
		return "that is finite"
	case low == math.SmallestNonzeroFloat64:
		return "above 0, up to " + g(high)
	case math.IsInf(high, 1) || high >= 1<<53:
		return "from " + g(low)
	case math.IsInf(low, -1):
		return "up to " + g(high)
	}
	return "in " + g(low) + ".." + g(high)
}

// list is the items of a sequence; nil where the key is absent.
func (m *mapping) list(key string) []*yaml.Node {
	n := m.take(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		m.r.fail(n, m.field(key), "a list", describe(n))
		return nil
	}
	return n.Content
}

// values reads [{name: a, value: 1}, ...] and returns where each stands.
func (m *mapping) values(key string) (param.Values, []*yaml.Node) {
	var out param.Values
	var places []*yaml.Node
	for i, n := range m.list(key) {
		e := m.r.mapping(n, fmt.Sprintf("%s[%d]", m.field(key), i))
		if !e.require("name", "the name of a parameter") || !e.require("value", "its value") {
			e.take("name")
			e.take("value")
			e.done()
			continue
		}
		out = append(out, param.Value{Name: e.text("name", ""), Text: e.text("value", "")})
		places = append(places, n.Content[e.at["value"]+1])
		e.done()
	}
	return out, places
}

// describe says what stands at a node, shortened.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	if len(n.Value) > 60 {
		return n.Value[:60] + "..."
	}
	return n.Value
}
