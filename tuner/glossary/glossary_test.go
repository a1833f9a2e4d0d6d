package glossary

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/glossary.md")

// The document is what the words are, which stand in order, once each.
func TestDocument(t *testing.T) {
	const path = "../../docs/glossary.md"
	if *update {
		if err := os.WriteFile(path, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != Document() {
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
