package yamlfile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
)

// Item is an item of a list.
type Item struct {
	doc   *Document
	node  *yaml.Node
	field string
}

// Fail reports a mistake at the item.
func (i Item) Fail(want, got string) { i.doc.Fail(i.node, i.field, want, got) }

// Scalar is the item as it stands in the file; ok is false for lists, mappings
// and nothing, which are not reported.
func (i Item) Scalar() (text string, ok bool) {
	if i.node.Kind != yaml.ScalarNode || i.node.Tag == "!!null" {
		return "", false
	}
	return i.node.Value, true
}

// Mapping reads the item as a mapping.
func (i Item) Mapping() *Mapping { return i.doc.Mapping(i.node, i.field) }

// List reads the item as a sequence; nil where it is none.
func (i Item) List() []Item {
	if i.node.Kind != yaml.SequenceNode {
		i.Fail("a list", Describe(i.node))
		return nil
	}
	items := []Item{}
	for k, n := range i.node.Content {
		items = append(items, Item{doc: i.doc, node: n, field: fmt.Sprintf("%s[%d]", i.field, k)})
	}
	return items
}

// Entrant reads the item as an entrant: its text, {strategy, params}, or either
// under a name of its own, {name, entrant} or {name, strategy, params}.
func (i Item) Entrant(rs *arena.Ruleset) (arena.Entrant, bool) {
	if i.node.Kind != yaml.MappingNode {
		return i.doc.Entrant(rs, i.node, i.field)
	}
	m := i.doc.Mapping(i.node, i.field)
	name := m.Text("name", "")
	if !m.Has("entrant") {
		// The rest is {strategy, params}, which the caller reads.
		rest := *i.node
		rest.Content = nil
		for k := 0; k < len(i.node.Content); k += 2 {
			if i.node.Content[k].Value != "name" {
				rest.Content = append(rest.Content, i.node.Content[k:k+2]...)
			}
		}
		e, ok := i.doc.Entrant(rs, &rest, i.field)
		if name != "" {
			e.Name = name
		}
		return e, ok
	}
	text := m.Take("entrant")
	m.Done()
	e, ok := i.doc.Entrant(rs, text, i.field+".entrant")
	if name != "" {
		e.Name = name
	}
	return e, ok
}
