// Package yamlfile reads the YAML files that people write by a table of their keys. Unknown
// keys, wrong types and values out of range are mistakes. All of them are found in one reading,
// and each is an *Error with its file, line and column. The tables are tuner/studyfile's and
// tuner/contest's.
//
//	d := yamlfile.Read("cup.yaml", text, keys)
//	d.Fill("", &cup) // the fields whose JSON names are the keys'
//	err := d.Err()   // cup.yaml:7:9: blocks: expected an integer in 1..1000000000, got many
//
// Reading order: keys.go (a row of the table, its type), document.go (the file, its paths and
// mistakes), fill.go (values into fields, rules, entrants). The parser is
// go.yaml.in/yaml/v3, whose nodes carry the places.
package yamlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Error is a mistake in a file that people write.
type Error struct {
	File         string
	Line, Column int
	Field        string
	Want, Got    string
}

// Error reads "studies/x.yaml:7:12: tune.strategy: expected X, got Y".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", e.File, e.Line, e.Column, e.Field, e.Wants())
}

// Wants reads "expected X, got Y".
func (e *Error) Wants() string {
	return fmt.Sprintf("expected %s, got %s", e.Want, cmp.Or(e.Got, `""`))
}

// Parts returns what the mistake is about, for those who do not read such files.
func (e *Error) Parts() (field, want, got string) { return e.Field, e.Want, e.Got }

// Document is a file being read: what stands in it, and the mistakes so far. Keys are taken
// as they stand: nothing folds their case.
type Document struct {
	tree
	mistakes
	keys []Key
}

// Read parses a file's single YAML document, which must be a mapping. Aliases are refused:
// they let a short text stand for a huge one.
func Read(file string, text []byte, keys []Key) *Document {
	d := &Document{mistakes: mistakes{file: file}, keys: keys}
	if n := d.parse(text); n != nil && n.Kind == yaml.MappingNode {
		d.root = n
	} else if n != nil {
		d.fail(n, "file", "a mapping", describe(n))
	}
	return d
}

// Again returns the same file, not read yet.
func (d *Document) Again() *Document {
	return &Document{tree: d.tree, mistakes: mistakes{file: d.file}, keys: d.keys}
}

// tree is what stands in a file, by paths such as tune.params[0].low.
type tree struct{ root *yaml.Node } // nil where the file is no mapping

// at returns the node at a path, nil where there is none. After # stands the number of a node
// in its mapping, where names are not to be split at dots.
func (t *tree) at(path string) *yaml.Node {
	n := t.root
	for n != nil && path != "" {
		step := strings.TrimPrefix(path, ".")
		if path = ""; len(step) > 1 {
			if i := strings.IndexAny(step[1:], ".[#") + 1; i > 0 {
				step, path = step[:i], step[i:]
			}
		}
		if step[0] != '[' && step[0] != '#' {
			n = Child(n, step)
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(step[1:], "]"))
		if err != nil || (n.Kind == yaml.SequenceNode) != (step[0] == '[') || i >= len(n.Content) {
			return nil
		}
		n = n.Content[i]
	}
	return n
}

// Child returns the value of a key of a mapping, nil where there is none.
func Child(m *yaml.Node, key string) *yaml.Node {
	for i := 0; m != nil && m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// nearest returns the node at a path or, where there is none, that of the nearest part of the
// path that is there: where a mistake is reported. It is nil where the file is no mapping.
func (t *tree) nearest(path string) *yaml.Node {
	for {
		if n := t.at(path); n != nil || path == "" {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
}

// Has reports whether the file has something at a path.
func (t *tree) Has(path string) bool { return t.at(path) != nil }

// Len returns the number of items of the list at a path, 0 where there is no list.
func (t *tree) Len(path string) int {
	if n := t.at(path); n != nil && n.Kind == yaml.SequenceNode {
		return len(n.Content)
	}
	return 0
}

// Scalar returns the text at a path; ok is false for lists, mappings and nothing.
func (t *tree) Scalar(path string) (text string, ok bool) {
	if n := t.at(path); n != nil && n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		return n.Value, true
	}
	return "", false
}

// Values returns the names with values in the list or mapping at a path, without those items
// that are none.
func (t *tree) Values(path string) (values param.Values) {
	t.pairs(path, func(name, text, _ string) { values = append(values, param.Value{Name: name, Text: text}) })
	return values
}

// Place returns the path of the last value of a name in the list or mapping at a path, and the
// path itself where there is none.
func (t *tree) Place(path, name string) (place string) {
	place = path
	t.pairs(path, func(one, _, at string) {
		if one == name {
			place = at
		}
	})
	return place
}

// pairs calls a function with each name, value and its path in the list or mapping at a path.
func (t *tree) pairs(path string, see func(name, text, at string)) {
	n := t.at(path)
	for i := 0; n != nil && i < len(n.Content); i++ {
		nameAt, at := fmt.Sprintf("%s[%d].name", path, i), fmt.Sprintf("%s[%d].value", path, i)
		if n.Kind == yaml.MappingNode {
			nameAt, at = fmt.Sprintf("%s#%d", path, i), fmt.Sprintf("%s#%d", path, i+1)
			i++
		}
		name, named := t.Scalar(nameAt)
		if text, ok := t.Scalar(at); ok && named {
			see(name, text, at)
		}
	}
}

// Got puts what stands at a path into words, shortened.
func (t *tree) Got(path string) string {
	if n := t.at(path); n != nil {
		return describe(n)
	}
	return "nothing"
}

// describe puts what stands at a node into words, shortened.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	case len(n.Value) > 60:
		return n.Value[:60] + "..."
	}
	return n.Value
}

// mistakes are those that were found in a file, each an *Error.
type mistakes struct {
	file string
	errs []error
}

// mostMistakes is the number of mistakes that are told; then the rest of a list is skipped.
const mostMistakes = 100

// mostItems bounds the items of a list and the keys of a mapping.
const mostItems = 4096

// TooManyMistakes reports whether so many mistakes were found that the rest of a list is
// skipped.
func (m *mistakes) TooManyMistakes() bool { return len(m.errs) >= mostMistakes }

// Mistakes returns the number of mistakes so far.
func (m *mistakes) Mistakes() int { return len(m.errs) }

// Wrong reports whether a mistake is in the field at a path or below it.
func (m *mistakes) Wrong(path string) bool {
	return slices.ContainsFunc(m.errs, func(err error) bool { return strings.HasPrefix(err.(*Error).Field, path) })
}

// Err returns all mistakes in the order of the file, joined, or nil: those so far, and the keys
// of the root that the table does not have, which hide no other mistake.
func (d *Document) Err() error {
	m := &d.mistakes
	d.known("")
	slices.SortStableFunc(m.errs, func(a, b error) int {
		x, y := a.(*Error), b.(*Error) // there are no others
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	return errors.Join(m.errs...)
}

// Fail reports a mistake at a path or, where the file has nothing there, at the nearest part
// of it that is there.
func (d *Document) Fail(path, want, got string) { d.FailAt(path, path, want, got) }

// Refuse reports that what stands at a path is not what is wanted.
func (d *Document) Refuse(path, want string) { d.FailAt(path, path, want, d.Got(path)) }

// FailAt reports a mistake of a field at the place of another path.
func (d *Document) FailAt(at, field, want, got string) {
	if n := d.nearest(at); n != nil { // else the document's own mistake is already known
		d.fail(n, field, want, got)
	}
}

func (m *mistakes) fail(n *yaml.Node, field, want, got string) {
	if m.TooManyMistakes() {
		return
	}
	m.errs = append(m.errs, &Error{m.file, n.Line, n.Column, field, want, got})
}

// Require reports whether a key is there, and the mistake where it is not.
func (d *Document) Require(path, want string) bool {
	if d.Has(path) {
		return true
	}
	above, name := path[:max(0, strings.LastIndexByte(path, '.'))], path[strings.LastIndexByte(path, '.')+1:]
	n := d.at(above)
	if n == nil || n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if _, meant := param.Nearest(key, []string{name}); meant && d.row(join(above, key)).Path == "" {
			return false // it is mistyped, which is one mistake
		}
	}
	d.fail(n, path, want, "nothing")
	return false
}

// Declared adds the mistakes of parameter values that stand at a path: each at the place of its
// value, else at the path.
func (d *Document) Declared(path string, errs ...error) {
	for _, err := range errs {
		p, ok := errors.AsType[*param.Error](err)
		if !ok {
			d.Fail(path, "a valid value", err.Error())
			continue
		}
		at, name, want := path, path, p.Want
		if p.Name != "" {
			at, name = d.Place(path, p.Name), path+"."+p.Name
		}
		if p.Unknown {
			want = "the name of a known " + p.Noun() + " (" + want + ")"
		}
		d.FailAt(at, name, want, p.Got)
	}
}

// Nearest adds the most similar of the known words to a text that is none of
// them: `"x" (did you mean y?)`.
func Nearest(word string, known []string) string {
	if near, ok := param.Nearest(word, known); ok {
		return fmt.Sprintf("%q (did you mean %s?)", word, near)
	}
	return fmt.Sprintf("%q", word)
}

var (
	yamlLine = regexp.MustCompile(`^line (\d+): *`)
	tabbed   = regexp.MustCompile(`(?m)^ *\t`) // a line that is indented with a tab
)

func (m *mistakes) parse(text []byte) *yaml.Node {
	var root, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&root)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			m.fail(&second, "file", "one document", "a second one")
			return nil
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		line, message := 1, strings.TrimPrefix(err.Error(), "yaml: ")
		if at := yamlLine.FindStringSubmatch(message); at != nil {
			line, _ = strconv.Atoi(at[1])
			message = message[len(at[0]):]
		}
		if strings.Contains(message, "tab character") || strings.Contains(message, "cannot start any token") {
			if at := tabbed.FindIndex(text); at != nil {
				line, message = 1+bytes.Count(text[:at[0]], []byte("\n")), "a tab (YAML is indented with spaces)"
			}
		}
		m.fail(&yaml.Node{Line: line, Column: 1}, "file", "YAML", message)
		return nil
	}
	if len(root.Content) == 0 {
		m.fail(&yaml.Node{Line: 1, Column: 1}, "file", "a mapping", "nothing")
		return nil
	}
	if n := findAlias(&root); n != nil {
		m.fail(n, "file", "no aliases", "*"+n.Value)
		return nil
	}
	if n, items := crowded(&root); n != nil {
		m.fail(n, "file", fmt.Sprintf("lists and mappings of at most %d items", mostItems), strconv.Itoa(items))
		return nil
	}
	return root.Content[0]
}

// Crowded reports whether a list or mapping has more items than files may have. To decode such
// a mapping takes a time that grows with their square.
func Crowded(n *yaml.Node) bool {
	found, _ := crowded(n)
	return found != nil
}

// crowded returns the first list or mapping that has too many items, and how many; nil where
// there is none.
func crowded(n *yaml.Node) (*yaml.Node, int) {
	items := len(n.Content)
	if n.Kind == yaml.MappingNode {
		items /= 2
	}
	if items > mostItems {
		return n, items
	}
	for _, c := range n.Content {
		if found, items := crowded(c); found != nil {
			return found, items
		}
	}
	return nil, 0
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
