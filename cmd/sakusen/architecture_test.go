package main

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	quotedWord = regexp.MustCompile("`([^` ]+)`")
	// aName stands for any name in a path: GAME, STRATEGY, NAME.
	aName = regexp.MustCompile(`\b[A-Z]{4,}\b`)
	// aFile is what names a file, with or without its folder.
	aFile = regexp.MustCompile(`^[A-Za-z0-9_./*-]+\.(go|html|json|yaml|md)$`)
)

// TestArchitectureIsTrue looks up every path and every test that ARCHITECTURE.md
// names. A name without a folder stands beside the path before it on its line, or
// in it where that is a folder; the folders at the beginning of a line of the map stand
// beside it.
func TestArchitectureIsTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	top := map[string]bool{}
	for _, e := range entries {
		top[e.Name()] = true
	}
	tests := map[string]bool{}
	for _, s := range moduleFiles(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test {
				tests[f.Name.Name] = true
			}
		}
	}
	there := func(name string) bool {
		found, err := filepath.Glob(filepath.Join(root, aName.ReplaceAllString(name, "*")))
		return err == nil && len(found) > 0
	}
	paths, folders := 0, false
	for n, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			folders = line == mapHeading
		}
		before := "." // the path before
		for _, m := range quotedWord.FindAllStringSubmatchIndex(line, -1) {
			word := line[m[2]:m[3]]
			folder, _, deep := strings.Cut(word, "/")
			first := folders && !strings.Contains(line[:m[0]], ": ")
			switch {
			case strings.HasPrefix(word, "Test"):
				if name, _, _ := strings.Cut(word, "/"); !tests[name] {
					t.Errorf("ARCHITECTURE.md:%d: there is no test %s", n+1, name)
				}
			case top[folder] && (deep || folder != "bench"), aFile.MatchString(word) && there(word):
				paths++
				if before = word; !there(word) {
					t.Errorf("ARCHITECTURE.md:%d: there is no %s", n+1, word)
				}
			case aFile.MatchString(word) && !deep, first && !deep:
				paths++
				if beside := path.Join(path.Dir(before), word); !there(beside) && (first || !there(path.Join(before, word))) {
					t.Errorf("ARCHITECTURE.md:%d: there is no %s", n+1, beside)
				}
			}
		}
	}
	if paths < 100 {
		t.Errorf("only %d paths were found", paths)
	}
}

// mapHeading stands above the list of folders.
const mapHeading = "## The map"

// TestFoldersInOrder holds the map to the order that it claims: what a folder imports stands
// above it or on the same line.
func TestFoldersInOrder(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, row, before := map[string]int{}, 0, "" // by folder
	_, list, _ := strings.Cut(string(text), mapHeading)
	list, _, _ = strings.Cut(list, "\n## ")
	for _, line := range strings.Split(list, "\n") {
		line, isItem := strings.CutPrefix(line, "- ")
		if !isItem {
			continue
		}
		row++
		first, _, _ := strings.Cut(line, ": ")
		for _, m := range quotedWord.FindAllStringSubmatch(first, -1) {
			if before = m[1]; !strings.Contains(m[1], "/") && len(rows) > 0 && strings.Index(first, m[0]) > 0 {
				before = path.Join(path.Dir(strings.Split(first, "`")[1]), m[1])
			}
			found, _ := filepath.Glob(filepath.Join(root, aName.ReplaceAllString(before, "*")))
			for _, f := range found {
				if f, _ = filepath.Rel(root, f); rows[f] == 0 || !aName.MatchString(before) {
					rows[filepath.ToSlash(f)] = row
				}
			}
		}
	}
	of := func(folder string) int {
		for ; folder != "." && rows[folder] == 0; folder = path.Dir(folder) {
		}
		return rows[folder]
	}
	told := map[string]bool{}
	for _, s := range moduleFiles(t) {
		for _, i := range s.imports {
			to, inside := strings.CutPrefix(i, "sakusen/")
			if pair := s.folder + " " + to; inside && !s.test && of(to) > of(s.folder) && !told[pair] {
				told[pair] = true
				t.Errorf("ARCHITECTURE.md: %s (line %d of the map) uses %s (line %d), which stands below it", s.folder, of(s.folder), to, of(to))
			}
		}
	}
	if len(rows) < 40 {
		t.Errorf("only %d folders were found", len(rows))
	}
}
