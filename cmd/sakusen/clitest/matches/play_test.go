package matches

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
)

// small is a game that a person can lose quickly.
const small = "play battleship %s --seed 3 -q --rules width=5 --rules height=4 --rules carrier.ships=0 --rules battleship.ships=0 --rules submarine.ships=0"

func smallLine(entrants string, more ...string) []string {
	return append(strings.Fields(strings.Replace(small, "%s", entrants, 1)), more...)
}

// all returns every square of the small board, row by row.
func all() string {
	var text strings.Builder
	for row := range 4 {
		for column := range 5 {
			text.WriteString(string(rune('a'+column)) + string(rune('1'+row)) + "\n")
		}
	}
	return text.String()
}

// A person plays a whole game, and the record of it tells it again.
func TestPlayBattleship(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.txt")
	p := clitest.Launch(t, "b2\nz9 down\na4 right\nc1 down\nc3\nd1 down\nhelp\nheat\n\na9\nmap\n"+all(), smallLine("EX", "--heat", "--save", file)...)
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "play_battleship.txt", p.Out)
	again := clitest.Launch(t, "", "play", "--replay", file, "--heat", "-q")
	if again.Code != clitest.ExitDone {
		t.Fatalf("exit code %d, %s", again.Code, again.Err)
	}
	// What was typed is shown in a replay, and an empty line is not kept.
	if got, want := strings.Count(again.Out, "shoots at"), strings.Count(p.Out, "shoots at"); got != want || !strings.Contains(again.Out, "> a4 right\n") {
		t.Errorf("the replay tells %d shots of the enemy, the game had %d:\n%s", got, want, again.Out)
	}
	if a, b := p.Out[strings.LastIndex(p.Out, "\n\n"):], again.Out[strings.LastIndex(again.Out, "\n\n"):]; a != b {
		t.Errorf("the game ends\n%sthe replay\n%s", a, b)
	}
}

// The person may sit second; the entrant shoots first then.
func TestPlaySecond(t *testing.T) {
	p := clitest.Launch(t, "random\nmap\n"+all(), smallLine("R me")...)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, "R shoots at") || strings.Index(p.Out, "R shoots at") > strings.Index(p.Out, "you shoot at") {
		t.Errorf("exit code %d, %s%s", p.Code, p.Err, p.Out)
	}
	if !strings.Contains(p.Out, "wins with") && !strings.Contains(p.Out, "You win") {
		t.Errorf("nobody wins:\n%s", p.Out)
	}
}

// With entrants in all seats one game is told, that of the match command.
func TestPlayTold(t *testing.T) {
	p := clitest.Launch(t, "", smallLine("EX R")...)
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "play_told.txt", p.Out)
	file := filepath.Join(t.TempDir(), "game.txt")
	clitest.Launch(t, "", smallLine("EX R", "--save", file)...)
	if again := clitest.Launch(t, "", "play", "--replay", file, "-q"); again.Out != p.Out {
		t.Errorf("the replay tells\n%s", again.Out)
	}
	if p := clitest.Launch(t, "", "play", "dice", "plain", "loaded", "--seed", "1", "-q"); p.Code != clitest.ExitDone || p.Out == "" {
		t.Errorf("dice: exit code %d, %s%s", p.Code, p.Err, p.Out)
	}
}

// A game can be left at every prompt, at the end of the input too.
func TestPlayLeft(t *testing.T) {
	t.Chdir(t.TempDir()) // where the last is kept
	for _, in := range []string{"", "quit\n", "random\nquit\n", "random\na1\n"} {
		p := clitest.Launch(t, in, smallLine("EX")...)
		if p.Code != clitest.ExitDone || !strings.HasSuffix(p.Out, "The game is left here.\n") {
			t.Errorf("%q: exit code %d, %s%s", in, p.Code, p.Err, p.Out)
		}
	}
}

// Interrupted at a prompt, the program does not wait for its input.
func TestPlayInterrupted(t *testing.T) {
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	p := clitest.LaunchWith(t, ctx, in, smallLine("EX")...)
	if p.Code != clitest.ExitInterrupted || p.Err != "sakusen: interrupted\n" || !strings.HasSuffix(p.Out, "> \n") {
		t.Errorf("exit code %d, %q, printed %q", p.Code, p.Err, p.Out)
	}
}

func TestPlayBadUsage(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.txt")
	if err := os.WriteFile(bad, []byte("sakusen game 1\ngame battleship\nseed x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"play", "expected a game and its entrants, got 0 arguments"},
		{"play battleship", "expected a game and its entrants, got 1 arguments"},
		{"play shogi me me", `unknown game "shogi"`},
		{"play battleship me me", "play battleship: expected one person, got 2"},
		{"play battleship EX EX EX", "battleship takes 2 entrants, got 3"},
		{"play battleship me EXX", `unknown strategy of battleship: "EXX"`},
		{"play dice me plain", `play dice: a person cannot take a seat in this game: name an entrant for every seat, to watch (of the games of this program battleship, daifugo, lifeboats, tubstap seat a person)`},
		{"play battleship EX --json", "play: expected a person, got --json"},
		{"play battleship EX --replay " + bad, "--replay: expected a file alone"},
		{"play --replay " + bad, bad + `:3: seed: expected an integer from 0, got "x"`},
		{"play --replay " + dir + "/none", "open " + dir + "/none: no such file"},
		{"play battleship EX --save " + dir, "--save: expected a file, " + dir + " is a folder"},
		{"play battleship EX --save " + dir + "/none/game.txt", "--save: expected a file in a folder that exists, got " + dir + "/none/game.txt"},
		{"play battleship EX --rules width=99", "rules of battleship: width: expected an integer in 1..16, got 99"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.HasPrefix(p.Err, "sakusen: "+c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}
