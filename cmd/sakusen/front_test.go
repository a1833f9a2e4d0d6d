package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The front is thin: flags, words and exit codes. What the program can do belongs
// in tuner/service, what it says of results in tuner/view. The lines leave room
// for a file of some 100 a group of commands.
const (
	mostFrontFiles = 60
	mostFrontLines = 6000
)

// TestFront counts the Go files and their lines below cmd, tests left out, also what
// they share in clitest. With -v it prints both.
func TestFront(t *testing.T) {
	files, lines := 0, 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.Name() == "clitest" {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		files, lines = files+1, lines+bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d lines", files, lines)
	if files < 10 {
		t.Fatalf("only %d files were found", files)
	}
	if files > mostFrontFiles || lines > mostFrontLines {
		t.Errorf("below cmd there are %d files with %d lines, expected at most %d and %d", files, lines, mostFrontFiles, mostFrontLines)
	}
}
