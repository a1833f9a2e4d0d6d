package clitest

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// WritePrivate writes a file that only its owner may read, as files of tokens must be.
func WritePrivate(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// SmallStudy ends in a fraction of a second with a pass.
const SmallStudy = `version: 1
name: small
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height, low: 2, high: 3}]
baseline: R
sampler: {seed: 3, batch: 4}
race: {rungs: [4, 8]}
budget: {trials: 8, games: 900}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 100], max_blocks: 60}
`

// WriteFile puts a file into a directory.
func WriteFile(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// WriteNew puts a file into a new folder and returns its path.
func WriteNew(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Fields returns the sorted names of a JSON object's fields.
func Fields(object any) string {
	m, _ := object.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(m)), " ")
}

// First returns the first element of a list inside an object.
func First(object any, list string) any {
	m, _ := object.(map[string]any)
	elements, _ := m[list].([]any)
	if len(elements) == 0 {
		return nil
	}
	return elements[0]
}

// Update says that golden files are to be written anew.
var Update = flag.Bool("update", false, "rewrite the golden files of this package's tests")

// Golden compares a text with a file of testdata.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *Update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (rewrite it with -update and read the diff): got\n%s", path, got)
	}
}

// Decode reads a JSON document and refuses what is none.
func Decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one document: %s", text)
	}
	return v
}
