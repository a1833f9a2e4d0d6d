package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const diceCup = `version: 1
name: dice-cup
game: dice
entrants:
  - plain
  - {name: two, entrant: "loaded(bonus=2)"}
  - {name: six, entrant: "loaded(bonus=6)"}
selfplay: true
blocks: 60
seed: 3
`

// write puts a file into a new folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// What tournament prints for people and for scripts.
func TestTournamentGolden(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"cup", diceCup},
		{"gauntlet", strings.Replace(diceCup, "selfplay: true", "format: gauntlet", 1)},
		{"three", strings.Replace(diceCup, "selfplay: true", "rules: [{name: players, value: 3}]", 1)},
	} {
		path := write(t, "cup.yaml", c.text)
		var all strings.Builder
		for _, form := range []string{"", " --json"} {
			p := launch(t, "", append([]string{"tournament", path, "--record=false"}, strings.Fields(form)...)...)
			if p.code != exitDone {
				t.Errorf("%s: exit code %d, %s", c.name, p.code, p.err)
			}
			fmt.Fprintf(&all, "$ sakusen tournament cup.yaml%s\n%s", form, long.ReplaceAllStringFunc(p.out, short))
			for line := range strings.Lines(p.err) {
				all.WriteString("standard error: " + line)
			}
			all.WriteString("\n")
		}
		golden(t, "tournament_"+c.name+".txt", all.String())
	}
}

// tournamentDocument reads the JSON of a tournament.
type tournamentDocument struct {
	Games    int64
	Pairings []struct {
		Entrants     []string
		Seed, Digest string
		Orders       []struct{ Label string }
	}
}

// match plays the same games with a pairing's seed, and prints the same digest.
func TestTournamentIsMatches(t *testing.T) {
	path := write(t, "cup.yaml", diceCup)
	r := decode[tournamentDocument](t, launch(t, "", "tournament", path, "--record=false", "--json", "--blocks", "20").out)
	if len(r.Pairings) != 6 || r.Games != 3*20+3*40 {
		t.Fatalf("%d pairings, %d games", len(r.Pairings), r.Games)
	}
	texts := map[string]string{"plain": "plain", "two": "loaded(bonus=2)", "six": "loaded(bonus=6)"}
	for _, p := range r.Pairings {
		m := launch(t, "", "match", "dice", texts[p.Entrants[0]], texts[p.Entrants[1]], "--blocks", "20", "--seed", p.Seed, "--json")
		if got := decode[matchDocument](t, m.out).Digest; got != p.Digest {
			t.Errorf("%v: digest %s, match says %s", p.Entrants, p.Digest, got)
		}
	}
}

// Recorded games are played once, and change nothing that is printed; nor does
// a database that another writes.
func TestTournamentRecord(t *testing.T) {
	db := filepath.Join(t.TempDir(), "test.db")
	path := write(t, "cup.yaml", diceCup)
	for _, blocks := range []string{"20", "40"} {
		line := []string{"--db", db, "tournament", path, "--json", "--blocks", blocks}
		plain := launch(t, "", append(line, "--record=false")...)
		for range 2 {
			if kept := launch(t, "", line...); kept != plain {
				t.Errorf("%s blocks recorded print\n%s%swithout\n%s", blocks, kept.out, kept.err, plain.out)
			}
		}
	}
	a := &app{env: func(string) (string, bool) { return "", false }, out: io.Discard, err: io.Discard, in: strings.NewReader("")}
	if code := a.run(context.Background(), []string{"--db", db, "version", "--json"}); code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	held, err := openToWrite(a, context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, "", "--db", db, "tournament", path, "--blocks", "5")
	if p.code != exitDone || !strings.Contains(p.err, "the games are not kept") {
		t.Errorf("while another writes: exit code %d, %s", p.code, p.err)
	}
	if err := held.close(); err != nil {
		t.Fatal(err)
	}
}

func TestTournamentInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := write(t, "cup.yaml", diceCup)
	p := launchWith(t, ctx, strings.NewReader(""), "tournament", path, "--record=false")
	if p.code != exitInterrupted || p.out != "" || p.err != "sakusen: the tournament is interrupted: nothing is kept, the same command begins again\n" {
		t.Errorf("exit code %d, printed %q and %q", p.code, p.out, p.err)
	}
}

func TestTournamentRefused(t *testing.T) {
	path := write(t, "cup.yaml", strings.Replace(diceCup, "blocks: 60", "block: 60", 1))
	for _, c := range []struct{ line, want string }{
		{"tournament", "expected one FILE, got 0 arguments"},
		{"tournament none.yaml", "tournament file: open none.yaml: no such file or directory"},
		{"tournament battleship-tabel3", `tournament file: expected a path (with a slash, or ending in .yaml), got "battleship-tabel3"` + "\n" + `no experiment named "battleship-tabel3" (did you mean battleship-table3?)`},
		{"tournament battleship-table3 --blocks 0", "--blocks: expected at least 1, got 0"},
		{"tournament " + path, path + ":9:1: block: expected a known key (did you mean blocks?), got block"},
		{"experiment run " + path, path + ":9:1: block: expected a known key (did you mean blocks?), got block"},
	} {
		p := launch(t, "", strings.Fields(c.line)...)
		if p.code != exitUsage || p.out != "" || p.err != "sakusen: "+c.want+"\n" {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.code, p.out, p.err, c.want)
		}
	}
}
