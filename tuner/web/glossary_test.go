package web

import (
	"flag"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/glossary.md")

// entries returns the words with their meanings.
func entries() (out [][]string) {
	for line := range strings.Lines(words) {
		out = append(out, strings.SplitN(strings.TrimSpace(line), ": ", 2))
	}
	return out
}

// The document is what the words are, which stand in order, once each.
func TestGlossaryDocument(t *testing.T) {
	const path = "../../docs/glossary.md"
	all := entries()
	want := "# Words\n\nFor those who meet a word that they do not know: what the words of pages and documents mean. The pages show these sentences beside a word that is underlined with dots. Written by `go test ./tuner/web -update`.\n\n| word | meaning |\n|---|---|\n"
	for _, w := range all {
		if len(w) != 2 {
			t.Fatalf("%q is no word with its meaning", w)
		}
		want += "| " + w[0] + " | " + w[1] + " |\n"
	}
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != want {
		t.Errorf("docs/glossary.md is not what the words are (go test ./tuner/web -update): %v", err)
	}
	if len(all) < 20 || len(all) > 45 || !slices.IsSortedFunc(all, func(a, b []string) int { return strings.Compare(strings.ToLower(a[0]), strings.ToLower(b[0])) }) {
		t.Errorf("%d words, or not in order", len(all))
	}
}

// newcomers are the words of the pages that a new user does not have, and those that
// stand side by side and are easily mixed up.
var newcomers = []string{
	"block", "rotation", "rung", "incumbent", "batch", "LLR", "H0 and H1", "alpha", "attempt", "shrinkage", "signature", "digest", "filler",
	"as fits", "not in the better share", "behind the incumbent", "outside a limit", "middle 80 %", "MPx", "pause", "stop", "duel", "pool", "race",
	"validation", "evidence", "Elo", "95 %", "trial", "candidate", "front", "generation", "hall of fame", "level", "limit", "model", "objective", "sampler",
	"score", "search", "seed", "standard error", "worth tuning", "claimed", "validated", "undecided", "final", "baseline", "answer",
}

// used finds the words that templates explain.
var used = regexp.MustCompile(`\{\{term "([^"]*)"`)

// Every word that a newcomer lacks is explained on a page, and what pages explain is in
// the glossary that the documents share.
func TestWordsAreExplained(t *testing.T) {
	explained := map[string]bool{}
	files, err := fs.Glob(templates, "html/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(templates, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(text), -1) {
			explained[m[1]] = true
			if _, ok := meaning(m[1]); !ok {
				t.Errorf("%s explains %q, which the glossary does not have", file, m[1])
			}
		}
	}
	for _, w := range entries() { // metrics are explained beside the tables that have them
		for name := range strings.SplitSeq(w[0], ", ") {
			if metric := regexp.MustCompile(`^(hit|win)r[fs]$`).MatchString(name); !explained[name] && !metric {
				t.Errorf("the glossary has %q, which no page explains", name)
			}
		}
	}
	for _, word := range newcomers {
		if !explained[word] {
			t.Errorf("no page explains %q", word)
		}
	}
}

// Metrics of experiments are explained where the glossary has them, once each.
func TestKnownWords(t *testing.T) {
	html := string(known([]string{"winrf", "unheard of", "hitrs", "winrf"}))
	if strings.Count(html, ">winrf<") != 1 || !strings.Contains(html, ">hitrs<") || strings.Contains(html, "unheard") {
		t.Error(html)
	}
}

// A word is told by a pointer that rests on it, by the keyboard and to a screen reader.
func TestTerm(t *testing.T) {
	html := string(term("rung"))
	rung, _ := meaning("rung")
	if !strings.Contains(html, `tabindex="0"`) || !strings.Contains(html, rung) {
		t.Error(html)
	}
	css, err := fs.ReadFile(static, "static/style.css")
	if err != nil || !strings.Contains(string(css), ".term:hover .tip, .term:focus .tip") {
		t.Error("its meaning is not shown on hover and focus", err)
	}
	if strings.ContainsAny(words, "<>") {
		t.Error("a meaning holds markup")
	}
}
