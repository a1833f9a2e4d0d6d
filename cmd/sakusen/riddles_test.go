package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// riddles are wordings that readers who had never seen the code did not understand,
// each with what is said in its place. None may come back in code, help, pages or
// documents.
var riddles = map[string]string{
	"so-manieth":                   "the last rank means that place or a worse one",
	"nothing more, got":            "takes no arguments, got 1",
	"has no other\"":               "has a fixed seed",
	"drains:":                      "shutting down",
	"than anybody reads, so":       "the number of mistakes after which the rest is skipped",
	"comes by a worker":            "runs work on a free worker",
	"have ten thousands":           "can have tens of thousands",
	"noted by nobody":              "blocks without a worker are not credited",
	"validation is failed":         "the validation failed",
	"being fooled by the noise":    "checks that a gain is real and not luck",
	"games, which claims no error": "no error rate is claimed",
	"the limit binds:":             "better candidates were excluded by the limit",
	"rules.unknown":                "rules: unknown option",
	"got unknown game":             "unknown game",
	"tables and indexes, expected": "an SQLite file of another program",
	"got found ":                   "a tab (YAML is indented with spaces)",
	"study rest until":             "interrupt a study for a while",
	"Tells one game":               "play or watch one game",
	"more squares trivially empty": "when the knowledge that a ship has sunk is used",
	"of room 1":                    "has room for one",
}

// TestRiddles looks for them in everything that people read.
func TestRiddles(t *testing.T) {
	const root = "../.."
	read := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "static") {
				return fs.SkipDir
			}
			return nil
		}
		switch name := d.Name(); {
		case strings.HasSuffix(name, "_test.go") || name == "CHANGELOG.md":
			return nil
		case strings.HasSuffix(name, ".go"), strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".html"), strings.HasSuffix(name, ".tmpl"), name == "openapi.json":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for riddle, plain := range riddles {
			if i := strings.Index(string(text), riddle); i >= 0 {
				t.Errorf("%s:%d: %q: in plain words: %s", path, 1+strings.Count(string(text[:i]), "\n"), riddle, plain)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 500 {
		t.Errorf("read %d files: the test looks in the wrong place", read)
	}
}
