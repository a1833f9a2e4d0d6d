package clitest

import (
	"os"
	"path/filepath"
	"testing"
)

// WritePrivate is WriteFile for a file that its owner alone may read, as tokens are.
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
