package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	quoted   = regexp.MustCompile("`[^`\n]*`")
	linked   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headline = regexp.MustCompile(`(?m)^#+ (.*)$`)
	piece    = regexp.MustCompile(`\n\s*\n|\n(?:\s*(?:[-*]|\d+\.) |\|)`) // between paragraphs, items and rows
	titled   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchors returns the names that a browser of repositories gives to a page's headings.
func anchors(text string) map[string]bool {
	out, seen := map[string]bool{}, map[string]int{}
	for _, m := range headline.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return r
			}
			return -1
		}, strings.ToLower(titled.ReplaceAllString(m[1], "$1")))
		if n := seen[name]; n > 0 {
			out[fmt.Sprintf("%s-%d", name, n)] = true
		}
		seen[name]++
		out[name] = true
	}
	return out
}

// documents returns the paths of all documents.
func documents(t *testing.T) (pages []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*/*.md", "examples/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	return pages
}

// Every link of a document leads to a file and a heading that exist, and README
// leads to every document.
func TestLinks(t *testing.T) {
	pages := documents(t)
	links, from := 0, map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		prose := quoted.ReplaceAllString(fenced.ReplaceAllString(string(text), ""), "")
		for _, m := range linked.FindAllStringSubmatch(prose, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, ":") {
				continue // another place
			}
			links++
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if page == filepath.Join(root, "README.md") {
				from[target] = true
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: %v", page, m[1], err)
				continue
			}
			if anchor == "" || filepath.Ext(target) != ".md" {
				continue
			}
			other, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if !anchors(string(other))[anchor] {
				t.Errorf("%s: %s: no such heading", page, m[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links were read", links)
	}
	for _, page := range pages {
		if filepath.Dir(page) == filepath.Join(root, "docs") && !from[page] {
			t.Errorf("README does not lead to %s", page)
		}
	}
}

// Documents stay short enough to be read: README, SECURITY and all pages of docs have at most
// 35 000 words together, as wc -w counts them; paragraphs and items have at most 500
// characters, rows of tables at most 200. Pages for users begin with whom they are for.
// CHANGELOG, examples and research have no bound in all.
func TestDocumentsAreShort(t *testing.T) {
	users := 0
	for _, c := range []struct {
		pages        string
		words, lines int
	}{
		{"README.md", 1200, 110},
		{"ARCHITECTURE.md", 1800, 180},
		{"SECURITY.md", 1400, 100},
		{"docs/*.md", 33000, 3500},
		{"CHANGELOG.md", 1e9, 1e9},
		{"docs/*/*.md", 1e9, 1e9},
		{"examples/*/*.md", 1e9, 1e9},
	} {
		pages, err := filepath.Glob(filepath.Join(root, c.pages))
		if err != nil || len(pages) == 0 {
			t.Fatal(c.pages, err)
		}
		words, lines := 0, 0
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if c.pages == "docs/*.md" && !strings.Contains(string(text), "\n\nFor ") {
				t.Errorf("%s does not begin with whom it is for", page)
			}
			words, lines = words+len(strings.Fields(string(text))), lines+strings.Count(string(text), "\n")
			prose := fenced.ReplaceAllString(string(text), "\n")
			for at := 0; at < len(prose); {
				end := len(prose)
				if next := piece.FindStringIndex(prose[at:]); next != nil {
					end = at + next[0]
				}
				most := 500
				if strings.HasPrefix(prose[at:end], "|") {
					most = 200
				}
				if n := utf8.RuneCountInString(strings.TrimSpace(prose[at:end])); n > most {
					t.Errorf("%s: %d characters, expected at most %d: %.60s...", page, n, most, prose[at:end])
				}
				at = end + 1
			}
		}
		if c.words < 1e9 && c.pages != "ARCHITECTURE.md" {
			users += words
		}
		if words > c.words || lines > c.lines {
			t.Errorf("%s: %d words and %d lines, expected at most %d and %d", c.pages, words, lines, c.words, c.lines)
		}
	}
	if users > 35000 {
		t.Errorf("pages for users have %d words, expected at most 35000", users)
	}
}
