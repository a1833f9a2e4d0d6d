package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	quoted   = regexp.MustCompile("`[^`\n]*`")
	linked   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headline = regexp.MustCompile(`(?m)^#+ (.*)$`)
	titled   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchors are the names that a browser of repositories gives to a page's headings.
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
