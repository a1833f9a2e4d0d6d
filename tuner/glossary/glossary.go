// Package glossary is what the words of the pages and documents mean: one text for
// both. docs/glossary.md is written from it.
//
//	text, ok := glossary.Meaning("block")
package glossary

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var words string

// Word is a word with what it means.
type Word struct{ Name, Meaning string }

// All are the words, in alphabetical order.
func All() []Word {
	var out []Word
	for line := range strings.Lines(words) {
		if name, meaning, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			out = append(out, Word{name, meaning})
		}
	}
	return out
}

// Meaning is what a word means.
func Meaning(name string) (string, bool) {
	for _, w := range All() {
		if w.Name == name {
			return w.Meaning, true
		}
	}
	return "", false
}
