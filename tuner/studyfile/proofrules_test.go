package studyfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	strategies "sakusen/strategies/chess"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Rules of the proof are read on top of the study's, their mistakes told at their places, and a
// file that they name becomes its content as one of the study's rules does.
func TestRulesOfTheProof(t *testing.T) {
	tuned := strategies.Random()
	games := arena.Catalogue{arena.Enter(chess.Game(), tuned)}
	for _, c := range []struct{ rules, want string }{
		{"[{name: limitt, value: nodes:5}]", "a.yaml:5:44: validation.rules.limitt"},
		{"[{name: limit, value: nodes:x}]", "validation.rules.limit: expected"},
		{"{limit: nodes:5}", "validation.rules: expected a list"},
	} {
		text := fmt.Sprintf("version: 1\nname: a\ngame: chess\ntune: {strategy: random}\nvalidation: {rules: %s}\nbaseline: random\n", c.rules)
		_, err := studyfile.Read("a.yaml", []byte(text), games, sampler.Kinds{})
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", c.rules, err, c.want)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"search.epd", "proof.epd"} {
		fen := map[string]string{"search.epd": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "proof.epd": "4k3/8/8/8/8/8/4P3/4K3 w - -"}[name]
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fen+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := "game: chess\nvalidation:\n  rules: [{name: limit, value: depth:3}, {name: book, value: ./proof.epd}]\nrules:\n  - {name: book, value: ./search.epd}\n"
	got := string(studyfile.SettleFiles([]byte(text), games, games.Reading(arena.Files{Read: studyfile.FilesIn(dir)})))
	if strings.Contains(got, ".epd") || !strings.Contains(got, "4k3/8/8/8/8/8/4P3/4K3 w - -") || !strings.Contains(got, "RNBQKBNR w KQkq -") || strings.Index(got, "4k3") > strings.Index(got, "RNBQKBNR") {
		t.Errorf("settled:\n%s", got)
	}
}
