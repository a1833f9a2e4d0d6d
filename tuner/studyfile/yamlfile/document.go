// Package yamlfile reads the YAML files that people write: unknown keys, wrong
// types and values out of range are mistakes, all of them are found in one
// reading, and each is an *Error with its file, line and column. The formats
// themselves are told elsewhere: tuner/studyfile, tuner/contest/tournament.
//
//	d := yamlfile.Read("cup.yaml", text)
//	blocks := d.Root.Integer("blocks", 1000, 1, 1e9)
//	d.Root.Done()
//	err := d.Err() // cup.yaml:7:9: blocks: expected an integer in 1..1000000000, got many
//
// The parser is go.yaml.in/yaml/v3, whose nodes carry the places.
package yamlfile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Document is a file being read. It collects every mistake with its place. Keys
// are taken as they stand: nothing folds their case.
type Document struct {
	// Root is the file's single mapping; without fields where the file is none.
	Root *Mapping
	// Keys, unless nil, gets every key that is looked for, as a.b[].c without the
	// indexes of lists: tests hold the documentation to it.
	Keys map[string]bool

	file string
	errs []error
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// Read parses a file's single YAML document, which must be a mapping. Aliases are
// refused: they let a short text stand for a huge one.
func Read(file string, text []byte) *Document {
	d := &Document{file: file}
	d.Root = d.Mapping(d.parse(text), "")
	return d
}

// Again is the same file, not read yet.
func (d *Document) Again() *Document {
	again := &Document{file: d.file}
	again.Root = again.Mapping(d.Root.Node, "")
	return again
}

// mostMistakes is the number of mistakes after which the rest of a list is skipped.
const mostMistakes = 300

// TooManyMistakes tells whether so many mistakes were found that the rest of a list
// is skipped.
func (d *Document) TooManyMistakes() bool { return len(d.errs) > mostMistakes }

// Mistakes is the number of mistakes so far.
func (d *Document) Mistakes() int { return len(d.errs) }

// Err is all mistakes so far in the order of the file, joined, or nil.
func (d *Document) Err() error {
	slices.SortStableFunc(d.errs, func(a, b error) int {
		x, y := a.(*Error), b.(*Error) // there are no others
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	return errors.Join(d.errs...)
}

// Fail reports a mistake at a node.
func (d *Document) Fail(n *yaml.Node, field, want, got string) {
	d.errs = append(d.errs, &Error{d.file, n.Line, n.Column, field, want, got})
}

// Declared adds the mistakes of parameter values, which carry no place.
func (d *Document) Declared(n *yaml.Node, field string, errs ...error) {
	for _, err := range errs {
		var p *param.Error
		if errors.As(err, &p) {
			name := field
			if p.Name != "" {
				name += "." + p.Name
			}
			want := p.Want
			if p.Unknown {
				want = "the name of a known " + p.Noun() + " (" + want + ")"
			}
			d.Fail(n, name, want, p.Got)
			continue
		}
		d.Fail(n, field, "a valid value", err.Error())
	}
}

func (d *Document) parse(text []byte) *yaml.Node {
	var root, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&root)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			d.Fail(&second, "file", "one document", "a second one")
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
		if strings.Contains(message, "tab character") || strings.Contains(message, "cannot start any token") {
			if n := tabbed(text); n > 0 {
				line, message = n, "a tab (YAML is indented with spaces)"
			}
		}
		d.Fail(&yaml.Node{Line: line, Column: 1}, "file", "YAML", message)
		return nil
	}
	if len(root.Content) == 0 {
		d.Fail(&yaml.Node{Line: 1, Column: 1}, "file", "a mapping", "nothing")
		return nil
	}
	if n := findAlias(&root); n != nil {
		d.Fail(n, "file", "no aliases", "*"+n.Value)
		return nil
	}
	return root.Content[0]
}

// tabbed is the first line that is indented with a tab, 0 if there is none.
func tabbed(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]; bytes.ContainsRune(indent, '\t') {
			return n
		}
	}
	return 0
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
