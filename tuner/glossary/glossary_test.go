package glossary

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/glossary.md")

// document returns all words in Markdown.
func document() string {
	var b strings.Builder
	b.WriteString("# Words\n\nWhat the words of the pages and documents mean. The pages show these sentences beside a word that is underlined with dots. Written by `go test ./tuner/glossary -update`.\n\n| word | meaning |\n|---|---|\n")
	for _, w := range All() {
		b.WriteString("| " + w.Name + " | " + w.Meaning + " |\n")
	}
	return b.String()
}

// The document is what the words are, which stand in order, once each.
func TestDocument(t *testing.T) {
	const path = "../../docs/glossary.md"
	if *update {
		if err := os.WriteFile(path, []byte(document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != document() {
		t.Errorf("docs/glossary.md is not what the words are (go test ./tuner/glossary -update): %v", err)
	}
	all := All()
	if len(all) < 20 || strings.Count(words, "\n") != len(all) {
		t.Errorf("%d words in %d lines", len(all), strings.Count(words, "\n"))
	}
	if !slices.IsSortedFunc(all, func(a, b Word) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) }) {
		t.Error("the words are not in order")
	}
	if _, ok := Meaning("block"); !ok {
		t.Error("there is no block")
	}
}
