package yamlfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Mapping is a YAML mapping being read: keys are read one by one, and Done
// reports those that nobody took.
type Mapping struct {
	Doc  *Document
	Node *yaml.Node // nil where the file has something else in its place
	Path string     // of the mapping, empty for the root

	at    map[string]int
	taken []string
}

// Mapping reads n as a mapping; without a node it has no keys.
func (d *Document) Mapping(n *yaml.Node, path string) *Mapping {
	m := &Mapping{Doc: d, Node: n, Path: path, at: map[string]int{}}
	if n == nil {
		return m
	}
	if n.Kind != yaml.MappingNode {
		d.Fail(n, cmp.Or(path, "file"), "a mapping", Describe(n))
		m.Node = nil
		return m
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := m.at[key.Value]; twice {
			d.Fail(key, m.Field(key.Value), "one value", "the key a second time")
			continue
		}
		m.at[key.Value] = i
	}
	return m
}

// Field is the path of a key, as mistakes name it.
func (m *Mapping) Field(key string) string {
	if m.Path == "" {
		return key
	}
	return m.Path + "." + key
}

// Take is the value of a key, nil where it is absent.
func (m *Mapping) Take(key string) *yaml.Node {
	if m.Doc.Keys != nil {
		m.Doc.Keys[listIndex.ReplaceAllString(m.Field(key), "[]")] = true
	}
	if !slices.Contains(m.taken, key) {
		m.taken = append(m.taken, key)
	}
	if i, ok := m.at[key]; ok {
		return m.Node.Content[i+1]
	}
	return nil
}

// Has tells whether a key is there.
func (m *Mapping) Has(key string) bool { _, ok := m.at[key]; return ok }

// Require reports an absent key.
func (m *Mapping) Require(key, want string) bool {
	if m.Has(key) {
		return true
	}
	if m.Node != nil {
		m.Doc.Fail(m.Node, m.Field(key), want, "nothing")
	}
	return false
}

// Done reports unknown keys.
func (m *Mapping) Done() {
	if m.Node == nil {
		return
	}
	for i := 0; i < len(m.Node.Content); i += 2 {
		key := m.Node.Content[i]
		if slices.Contains(m.taken, key.Value) {
			continue
		}
		want := "one of the keys " + strings.Join(m.taken, ", ")
		if near, ok := param.Nearest(key.Value, m.taken); ok {
			want = "a known key (did you mean " + near + "?)"
		}
		m.Doc.Fail(key, m.Field(key.Value), want, key.Value)
	}
}

// Text reads a scalar as it stands.
func (m *Mapping) Text(key, def string) string {
	n := m.Take(key)
	if n == nil {
		return def
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		m.Doc.Fail(n, m.Field(key), "a text", Describe(n))
		return def
	}
	return n.Value
}

// OneOf reads one of a few words.
func (m *Mapping) OneOf(key, def string, words ...string) string {
	n := m.Take(key)
	if n == nil {
		return def
	}
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
		m.Doc.Fail(n, m.Field(key), "one of "+strings.Join(words, ", "), Describe(n))
		return def
	}
	return n.Value
}

// Float reads a finite number in [low, high].
func (m *Mapping) Float(key string, def, low, high float64) float64 {
	n := m.Take(key)
	if n == nil {
		return def
	}
	x, ok := m.Doc.Number(n, m.Field(key), low, high)
	if !ok {
		return def
	}
	return x
}

func (d *Document) Number(n *yaml.Node, field string, low, high float64) (float64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || !(x >= low && x <= high) {
		d.Fail(n, field, "a number "+span(low, high), Describe(n))
		return 0, false
	}
	return x, true
}

// Integer reads an integer in [low, high]; 1e5 is one.
func (m *Mapping) Integer(key string, def, low, high int64) int64 {
	n := m.Take(key)
	if n == nil {
		return def
	}
	x, ok := m.Doc.Whole(n, m.Field(key), low, high)
	if !ok {
		return def
	}
	return x
}

func (d *Document) Whole(n *yaml.Node, field string, low, high int64) (int64, bool) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if i, ierr := strconv.ParseInt(n.Value, 10, 64); ierr == nil {
		x, err = float64(i), nil
	}
	if n.Kind != yaml.ScalarNode || err != nil || x != math.Trunc(x) || !(x >= float64(low) && x <= float64(high)) {
		want := "an integer " + span(float64(low), float64(high))
		if low == high {
			want = strconv.FormatInt(low, 10)
		}
		d.Fail(n, field, want, Describe(n))
		return 0, false
	}
	return int64(x), true
}

// Seed reads an integer of 64 bits without sign, as a number or a text.
func (m *Mapping) Seed(key string, def uint64) uint64 {
	n := m.Take(key)
	if n == nil {
		return def
	}
	x, err := param.ParseSeed(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		m.Doc.Fail(n, m.Field(key), "an integer in 0..18446744073709551615", Describe(n))
		return def
	}
	return uint64(x)
}

// Nodes is the items of a sequence; nil where the key is absent.
func (m *Mapping) Nodes(key string) []*yaml.Node {
	n := m.Take(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		m.Doc.Fail(n, m.Field(key), "a list", Describe(n))
		return nil
	}
	return n.Content
}

// Values reads [{name: a, value: 1}, ...] and returns where each stands.
func (m *Mapping) Values(key string) (param.Values, []*yaml.Node) {
	var out param.Values
	var places []*yaml.Node
	if n := m.Take(key); n != nil && n.Kind == yaml.MappingNode {
		m.Doc.Fail(n, m.Field(key), "a list, such as "+asList(n), Describe(n))
		return nil, nil
	}
	for i, n := range m.Nodes(key) {
		e := m.Doc.Mapping(n, fmt.Sprintf("%s[%d]", m.Field(key), i))
		if !e.Require("name", "the name of a parameter") || !e.Require("value", "its value") {
			e.Take("name")
			e.Take("value")
			e.Done()
			continue
		}
		out = append(out, param.Value{Name: e.Text("name", ""), Text: e.Text("value", "")})
		places = append(places, n.Content[e.at["value"]+1])
		e.Done()
	}
	return out, places
}

// asList is how the first entry of a mapping is written as a value of a list.
func asList(n *yaml.Node) string {
	name, value := "NAME", "VALUE"
	if len(n.Content) >= 2 && n.Content[0].Kind == yaml.ScalarNode && n.Content[1].Kind == yaml.ScalarNode {
		name, value = n.Content[0].Value, n.Content[1].Value
	}
	return fmt.Sprintf("[{name: %.40s, value: %.40s}]", name, value)
}

// Bool reads true or false; an absent key is false.
func (m *Mapping) Bool(key string) bool { return m.OneOf(key, "false", "false", "true") == "true" }

// Fail reports a mistake at the value of a key, or at the mapping where the key
// is absent.
func (m *Mapping) Fail(key, want, got string) {
	at := First(m.Take(key), m.Node)
	if at == nil {
		return // the document's own mistake is already known
	}
	m.Doc.Fail(at, m.Field(key), want, got)
}

// List reads the items of a sequence.
func (m *Mapping) List(key string) []Item {
	var items []Item
	for i, n := range m.Nodes(key) {
		items = append(items, Item{doc: m.Doc, node: n, field: fmt.Sprintf("%s[%d]", m.Field(key), i)})
	}
	return items
}

// First is the first of two nodes that is there: where a mistake is reported.
func First(a, b *yaml.Node) *yaml.Node {
	if a != nil {
		return a
	}
	return b
}
