package pages

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/glossary"
)

// newcomers are the words of the pages that somebody new does not have, and those that
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
			if _, ok := glossary.Meaning(m[1]); !ok {
				t.Errorf("%s explains %q, which the glossary does not have", file, m[1])
			}
		}
	}
	for _, w := range glossary.All() { // metrics are explained beside the tables that have them
		if metric := regexp.MustCompile(`^(hit|win)r[fs]$`).MatchString(w.Name); !explained[w.Name] && !metric {
			t.Errorf("the glossary has %q, which no page explains", w.Name)
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
	meaning, _ := glossary.Meaning("rung")
	if !strings.Contains(html, `tabindex="0"`) || !strings.Contains(html, meaning) {
		t.Error(html)
	}
	css, err := fs.ReadFile(static, "static/style.css")
	if err != nil || !strings.Contains(string(css), ".term:hover .tip, .term:focus .tip") {
		t.Error("its meaning is not shown on hover and focus", err)
	}
	if slices.ContainsFunc(glossary.All(), func(w glossary.Word) bool { return strings.ContainsAny(w.Meaning, "<>") }) {
		t.Error("a meaning holds markup")
	}
}
