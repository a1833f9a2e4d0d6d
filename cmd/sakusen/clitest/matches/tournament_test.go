package matches

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/store/sqlitedb"
)

// What tournament prints for people and for scripts.
func TestTournamentGolden(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"cup", clitest.DiceCup},
		{"gauntlet", strings.Replace(clitest.DiceCup, "selfplay: true", "format: gauntlet", 1)},
		{"three", strings.Replace(clitest.DiceCup, "selfplay: true", "rules: [{name: players, value: 3}]", 1)},
	} {
		path := clitest.WriteNew(t, "cup.yaml", c.text)
		var all strings.Builder
		for _, form := range []string{"", " --json"} {
			p := clitest.Launch(t, "", append([]string{"tournament", path, "--record=false"}, strings.Fields(form)...)...)
			if p.Code != clitest.ExitDone {
				t.Errorf("%s: exit code %d, %s", c.name, p.Code, p.Err)
			}
			fmt.Fprintf(&all, "$ sakusen tournament cup.yaml%s\n%s", form, long.ReplaceAllStringFunc(p.Out, short))
			for line := range strings.Lines(p.Err) {
				all.WriteString("standard error: " + line)
			}
			all.WriteString("\n")
		}
		clitest.Golden(t, "tournament_"+c.name+".txt", all.String())
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
	path := clitest.WriteNew(t, "cup.yaml", clitest.DiceCup)
	r := clitest.Decode[tournamentDocument](t, clitest.Launch(t, "", "tournament", path, "--record=false", "--json", "--blocks", "20").Out)
	if len(r.Pairings) != 6 || r.Games != 3*20+3*40 {
		t.Fatalf("%d pairings, %d games", len(r.Pairings), r.Games)
	}
	texts := map[string]string{"plain": "plain", "two": "loaded(bonus=2)", "six": "loaded(bonus=6)"}
	for _, p := range r.Pairings {
		m := clitest.Launch(t, "", "match", "dice", texts[p.Entrants[0]], texts[p.Entrants[1]], "--blocks", "20", "--seed", p.Seed, "--json")
		if got := clitest.Decode[matchDocument](t, m.Out).Digest; got != p.Digest {
			t.Errorf("%v: digest %s, match says %s", p.Entrants, p.Digest, got)
		}
	}
}

// Recorded games are played once, and change nothing that is printed; nor does
// a database that another writes.
func TestTournamentRecord(t *testing.T) {
	db := filepath.Join(t.TempDir(), "test.db")
	path := clitest.WriteNew(t, "cup.yaml", clitest.DiceCup)
	for _, blocks := range []string{"20", "40"} {
		line := []string{"--db", db, "tournament", path, "--json", "--blocks", blocks}
		plain := clitest.Launch(t, "", append(line, "--record=false")...)
		for range 2 {
			if kept := clitest.Launch(t, "", line...); kept != plain {
				t.Errorf("%s blocks recorded print\n%s%swithout\n%s", blocks, kept.Out, kept.Err, plain.Out)
			}
		}
	}
	held, err := sqlitedb.Open(t.Context(), db, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := clitest.Launch(t, "", "--db", db, "tournament", path, "--blocks", "5")
	if p.Code != clitest.ExitDone || !strings.Contains(p.Err, "the games are not kept") {
		t.Errorf("while another writes: exit code %d, %s", p.Code, p.Err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTournamentInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := clitest.WriteNew(t, "cup.yaml", clitest.DiceCup)
	p := clitest.LaunchWith(t, ctx, strings.NewReader(""), "tournament", path, "--record=false")
	if p.Code != clitest.ExitInterrupted || p.Out != "" || p.Err != "sakusen: the tournament is interrupted: nothing is kept, the same command begins again\n" {
		t.Errorf("exit code %d, printed %q and %q", p.Code, p.Out, p.Err)
	}
}

func TestTournamentRefused(t *testing.T) {
	path := clitest.WriteNew(t, "cup.yaml", strings.Replace(clitest.DiceCup, "blocks: 60", "block: 60", 1))
	for _, c := range []struct{ line, want string }{
		{"tournament", "expected one FILE, got 0 arguments"},
		{"tournament none.yaml", "tournament file: open none.yaml: no such file or directory"},
		{"tournament battleship-tabel3", `tournament file: expected a path (with a slash, or ending in .yaml), got "battleship-tabel3"` + "\n" + `no experiment named "battleship-tabel3" (did you mean battleship-table3?)`},
		{"tournament battleship-table3 --blocks 0", "--blocks: expected at least 1, got 0"},
		{"tournament " + path, path + ":9:1: block: expected a known key (did you mean blocks?), got block"},
		{"experiment run " + path, path + ":9:1: block: expected a known key (did you mean blocks?), got block"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || p.Err != "sakusen: "+c.want+"\n" {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}
