package tuner

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Document is a YAML file that people write, read as study files are: unknown
// keys, wrong types and values out of range are mistakes, all of them are
// found, and each is an *Error with its line and column. Other formats than the
// study file (the tournament file) are read with it.
//
//	d := tuner.ReadDocument("cup.yaml", text)
//	blocks := d.Root.Integer("blocks", 1000, 1, 1e9)
//	d.Root.Done()
//	err := d.Err()
type Document struct {
	Root Fields
	r    *reader
}

// ReadDocument parses the file's single YAML document, which must be a mapping.
func ReadDocument(file string, text []byte) *Document {
	r := &reader{file: file}
	return &Document{Root: Fields{r.mapping(r.document(text), "")}, r: r}
}

// Err is all mistakes so far in the order of the file, or nil.
func (d *Document) Err() error {
	slices.SortStableFunc(d.r.errs, func(a, b error) int {
		x, y := a.(*Error), b.(*Error) // a reader adds no others
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	return errors.Join(d.r.errs...)
}

// Fields is a mapping of a document. Every key is read by one method, and Done
// reports those that nobody read.
type Fields struct{ m *mapping }

// Has tells whether a key is there.
func (f Fields) Has(key string) bool { return f.m.has(key) }

// Require reports an absent key, saying what was expected of it.
func (f Fields) Require(key, want string) bool { return f.m.require(key, want) }

// Flawed tells that more mistakes were found than anybody reads, so that the
// rest of a list is not worth reading.
func (f Fields) Flawed() bool { return f.m != nil && len(f.m.r.errs) > mostMistakes }

// mostMistakes bounds the mistakes for which lists are read on.
const mostMistakes = 300

// Done reports unknown keys.
func (f Fields) Done() { f.m.done() }

// Text reads a scalar as it stands in the file.
func (f Fields) Text(key, def string) string { return f.m.text(key, def) }

// OneOf reads one of a few words.
func (f Fields) OneOf(key, def string, words ...string) string { return f.m.oneOf(key, def, words...) }

// Bool reads true or false.
func (f Fields) Bool(key string) bool { return f.m.oneOf(key, "false", "false", "true") == "true" }

// Integer reads an integer in [low, high].
func (f Fields) Integer(key string, def, low, high int64) int64 {
	return f.m.integer(key, def, low, high)
}

// Float reads a finite number in [low, high].
func (f Fields) Float(key string, def, low, high float64) float64 {
	return f.m.float(key, def, low, high)
}

// Seed reads an integer of 64 bits without sign, as a number or a text.
func (f Fields) Seed(key string, def uint64) uint64 { return f.m.seed(key, def) }

// Name reads the required name of a file's subject, usable in URLs, file names
// and shells.
func (f Fields) Name() string { return f.m.r.name(f.m) }

// Fail reports a mistake at the value of a key, or at the mapping where the key
// is absent.
func (f Fields) Fail(key, want, got string) {
	at := cmpNode(f.m.take(key), f.m.node)
	if at == nil {
		return // the document's own mistake is already known
	}
	f.m.r.fail(at, f.m.field(key), want, got)
}

// List reads the items of a sequence.
func (f Fields) List(key string) []Item {
	var items []Item
	for i, n := range f.m.list(key) {
		items = append(items, Item{r: f.m.r, node: n, field: fmt.Sprintf("%s[%d]", f.m.field(key), i)})
	}
	return items
}

// Rules reads the keys game and rules, and opens the game under them; nil where
// there is a mistake.
func (f Fields) Rules(games arena.Catalogue) *arena.Ruleset {
	return f.m.openGame(games)
}

// Item is an item of a list.
type Item struct {
	r     *reader
	node  *yaml.Node
	field string
}

// Fail reports a mistake at the item.
func (i Item) Fail(want, got string) { i.r.fail(i.node, i.field, want, got) }

// Scalar is the item as it stands in the file; ok is false for lists, mappings
// and nothing, which are not reported.
func (i Item) Scalar() (text string, ok bool) {
	if i.node.Kind != yaml.ScalarNode || i.node.Tag == "!!null" {
		return "", false
	}
	return i.node.Value, true
}

// Fields reads the item as a mapping.
func (i Item) Fields() Fields { return Fields{i.r.mapping(i.node, i.field)} }

// List reads the item as a sequence; nil where it is none.
func (i Item) List() []Item {
	if i.node.Kind != yaml.SequenceNode {
		i.Fail("a list", describe(i.node))
		return nil
	}
	items := []Item{}
	for k, n := range i.node.Content {
		items = append(items, Item{r: i.r, node: n, field: fmt.Sprintf("%s[%d]", i.field, k)})
	}
	return items
}

// Entrant reads the item as an entrant: its text, {strategy, params}, or either
// under a name of its own, {name, entrant} or {name, strategy, params}.
func (i Item) Entrant(rs *arena.Ruleset) (arena.Entrant, bool) {
	if i.node.Kind != yaml.MappingNode {
		return i.r.entrant(rs, i.node, i.field)
	}
	m := i.r.mapping(i.node, i.field)
	name := m.text("name", "")
	if !m.has("entrant") {
		// The rest is {strategy, params}, read by the one who reads it elsewhere.
		rest := *i.node
		rest.Content = nil
		for k := 0; k < len(i.node.Content); k += 2 {
			if i.node.Content[k].Value != "name" {
				rest.Content = append(rest.Content, i.node.Content[k:k+2]...)
			}
		}
		e, ok := i.r.entrant(rs, &rest, i.field)
		if name != "" {
			e.Name = name
		}
		return e, ok
	}
	text := m.take("entrant")
	m.done()
	e, ok := i.r.entrant(rs, text, i.field+".entrant")
	if name != "" {
		e.Name = name
	}
	return e, ok
}

// Nearest adds the most similar of the known words to a text that is none of
// them: `"x" (did you mean y?)`.
func Nearest(word string, known []string) string {
	if near, ok := param.Nearest(word, known); ok {
		return fmt.Sprintf("%q (did you mean %s?)", word, near)
	}
	return fmt.Sprintf("%q", word)
}
