package pages

import (
	_ "embed"
	"html/template"
	"slices"
	"strings"
)

// words is the glossary, a word and its meaning a line, in alphabetical order;
// docs/glossary.md is written from it.
//
//go:embed words.txt
var words string

// meaning returns what a word means.
func meaning(name string) (string, bool) {
	for line := range strings.Lines(words) {
		if text, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// known returns those of some words, in the order given and once each, that the glossary
// has, with their definitions.
func known(names []string) template.HTML {
	var out template.HTML
	for i, name := range names {
		if _, ok := meaning(name); ok && !slices.Contains(names[:i], name) {
			out += term(name) + " "
		}
	}
	return out
}

// term returns a word with its definition, from the glossary, shown as it is or otherwise.
func term(name string, shown ...string) template.HTML {
	word := template.HTMLEscapeString(append(shown, name)[0])
	text, ok := meaning(name)
	if !ok {
		return template.HTML(word)
	}
	return template.HTML(`<span class="term" tabindex="0" role="note">` + word + `<span class="tip">` + template.HTMLEscapeString(text) + `</span></span>`)
}
