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

// Document is all of it in Markdown.
func Document() string {
	var b strings.Builder
	b.WriteString("# Words\n\nWhat the words of the pages and documents mean. The pages show these sentences beside a word that is underlined with dots. Written by `go test ./tuner/glossary -update`.\n\n| word | meaning |\n|---|---|\n")
	for _, w := range All() {
		b.WriteString("| " + w.Name + " | " + w.Meaning + " |\n")
	}
	return b.String()
}
