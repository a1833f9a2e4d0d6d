package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestDocNames holds every doc comment of an exported declaration to its first
// word: the declared name, after an article if need be. A comment that begins with
// another name was left behind when the declaration was renamed, or says what the
// author thinks of the thing rather than what it does.
func TestDocNames(t *testing.T) {
	n := 0
	for _, s := range moduleFiles(t) {
		if s.test {
			continue
		}
		for doc, name := range documented(s.file) {
			n++
			if !beginsWith(doc.Text(), name) {
				t.Errorf("%s: the comment of %s begins with %q, expected %q",
					s.fset.Position(doc.Pos()), name, firstWords(doc.Text()), name)
			}
		}
	}
	if n < 1000 {
		t.Errorf("found %d comments: the test looks in the wrong place", n)
	}
}

// documented returns the comments of a file's exported declarations with their names.
func documented(f *ast.File) map[*ast.CommentGroup]string {
	found := map[*ast.CommentGroup]string{}
	add := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c != nil && name.IsExported() {
				found[c] = name.Name
				return
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name, d.Doc)
		case *ast.GenDecl:
			shared := d.Doc // of one declaration alone; of several it describes the group
			if d.Lparen.IsValid() {
				shared = nil
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, spec.Doc, shared)
				case *ast.ValueSpec:
					if len(spec.Names) == 1 && d.Tok != token.IMPORT {
						add(spec.Names[0], spec.Doc, shared)
					}
				}
			}
		}
	}
	return found
}

// beginsWith reports whether a comment's first word is the name.
func beginsWith(text, name string) bool {
	words := strings.Fields(text)
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The", "Deprecated:"}, words[0]) {
		words = words[1:]
	}
	return len(words) > 0 && strings.TrimRight(strings.TrimSuffix(words[0], "'s"), ",.:;") == name
}

// firstWords returns the beginning of a comment.
func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(4, len(words))], " ")
}

// TestBeginsWith shows what counts.
func TestBeginsWith(t *testing.T) {
	for text, want := range map[string]bool{
		"Play plays.": true, "A Play is played.": true, "Play, unless": true, "Play's rules": true,
		"Plays it.": false, "": false, "The": false, "It is Play.": false,
	} {
		if got := beginsWith(text, "Play"); got != want {
			t.Errorf("%q: expected %t, got %t", text, want, got)
		}
	}
}
