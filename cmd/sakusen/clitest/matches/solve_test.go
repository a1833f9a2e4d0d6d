package matches

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/daifugo"
	"sakusen/engines/plain"
	strategies "sakusen/strategies/daifugo"
)

// seconds are not the same twice.
var seconds = regexp.MustCompile(`("seconds":|seconds +)[0-9.e-]+`)

// The JSON is a contract, to the order of fields.
func TestSolveJSON(t *testing.T) {
	var all strings.Builder
	for _, line := range []string{
		"--players 3 --cards 4 --ranks 3 --method full",
		"--players 3 --cards 4 --ranks 3 --method full --limit 1000000",
		"--players 3 --cards 3 --ranks 3 --method prune",
		"--players 3 --cards 3 --ranks 3 --method prune+id",
		"--players 4 --cards 3 --ranks 2 --method prune+tt",
		"--players 3 --cards 3 --ranks 2 --method prune+id+tt",
		"--players 3 --cards 4 --ranks 2 --method prune+tt --key canonical --open --table-bits 12 --replace smaller",
		"--players 3 --cards 5 --ranks 3 --method full --exact-count",
		"--players 3 --cards 5 --ranks 3 --method prune+id --exact-count",
		"--players 5 --cards 3 --ranks 5 --method positions",
	} {
		p := clitest.Launch(t, "", strings.Fields("--json solve daifugo "+line)...)
		if p.Code != clitest.ExitDone || p.Err != "" {
			t.Errorf("%s: exit code %d, %s", line, p.Code, p.Err)
		}
		all.WriteString("$ solve daifugo " + line + "\n" + seconds.ReplaceAllString(p.Out, "${1}0"))
	}
	clitest.Golden(t, "solve.txt", all.String())
}

func TestSolveText(t *testing.T) {
	var all strings.Builder
	for _, line := range []string{
		"--players 3 --cards 3 --ranks 3 --method full",
		"--players 3 --cards 3 --ranks 3 --method full --limit 100",
		"--players 3 --cards 4 --ranks 2 --method positions",
	} {
		p := clitest.Launch(t, "", strings.Fields("solve daifugo "+line)...)
		if p.Code != clitest.ExitDone || p.Err != "" {
			t.Errorf("%s: exit code %d, %s", line, p.Code, p.Err)
		}
		all.WriteString("$ solve daifugo " + line + "\n" + seconds.ReplaceAllString(p.Out, "${1}0"))
	}
	clitest.Golden(t, "solve_text.txt", all.String())
}

func TestSolveBadUsage(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"solve", "expected one GAME, got 0 arguments"},
		{"solve chess", `solve: expected daifugo, got "chess"`},
		{"solve daifugo", "solve daifugo: --players, --cards, --ranks, --method missing; for example --players 4 --cards 6 --ranks 4 --method prune (methods: full, prune, prune+id, prune+tt, prune+id+tt, positions)"},
		{"solve daifugo --method full --players 3 --cards 3", "solve daifugo: --ranks missing; for example --players 4 --cards 6 --ranks 4 --method prune (methods: full, prune, prune+id, prune+tt, prune+id+tt, positions)"},
		{"solve daifugo --method full --players 3 --cards 3 --ranks 4", "daifugo: ranks: expected 2 to 3 (the number of players), got 4"},
		{"solve daifugo --method full --players 3 --cards 0 --ranks 3", "daifugo: cards: expected 1 to 15 kinds, got 0"},
		{"solve daifugo --method full --players 1 --cards 3 --ranks 2", "daifugo: players: expected 2 to 12, got 1"},
		{"solve daifugo --method full --players many --cards 3 --ranks 2", "--players: expected an integer, got"},
		{"solve daifugo --method alpha --players 3 --cards 3 --ranks 2", "method: expected one of [full prune prune+id prune+tt prune+id+tt positions], got"},
		{"solve daifugo --method full --players 3 --cards 3 --ranks 2 --limit -1", "--limit: expected"},
		{"solve daifugo --method positions --players 3 --cards 12 --ranks 3", "memory: 3 players, 12 kinds, 3 ranks by positions need about"},
		{"solve daifugo --method positions --players 3 --cards 6 --ranks 3 --memory 0.0001", "memory: 3 players, 6 kinds, 3 ranks by positions need about"},
		{"solve daifugo --method full --exact-count --players 5 --cards 6 --ranks 5", "memory: 5 players, 6 kinds, 5 ranks by full need about"},
		{"solve daifugo --method prune+tt --exact-count --players 3 --cards 3 --ranks 3", "exact count: expected method full, prune or prune+id"},
		{"solve daifugo --method prune+tt --limit 0 --players 3 --cards 3 --ranks 3", "limit: expected a limit in nodes"},
		{"solve daifugo --method prune+id --step 0 --players 3 --cards 3 --ranks 3", "--step: expected 1 or more plies, got 0"},
		{"solve daifugo --method full --memory 0 --players 3 --cards 3 --ranks 3", "--memory: expected GiB above 0, got 0"},
		{"solve daifugo --method full --memory NaN --players 3 --cards 3 --ranks 3", "--memory: expected GiB above 0, got NaN"},
		{"solve daifugo --method full --ask - --players 3 --cards 3 --ranks 3", "--checkpoint and --ask need --method positions"},
		{"solve daifugo --method positions --ask none.jsonl --players 3 --cards 3 --ranks 3", "open none.jsonl: no such file"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.HasPrefix(p.Err, "sakusen: "+c.want) {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}

// A run that was stopped goes on from its saved layer, and removes it.
func TestSolveCheckpoint(t *testing.T) {
	r := daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3}
	s, err := strategies.New(r, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for s.Cards() < 7 {
		s.Next(strategies.Serial)
	}
	file := filepath.Join(t.TempDir(), "layer")
	if err := plain.WriteFile(file, s.Save); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields("--json solve daifugo --players 3 --cards 4 --ranks 3 --method positions --checkpoint-every 0s --checkpoint " + file)
	p := clitest.Launch(t, "", args...)
	want := `{"players":3,"cards":4,"ranks":3,"method":"positions","nodes":null,"depth":null,"over":false,"solution":[[1,2,3],[1,2,3],[1,2,3]],"positions":"8040","seconds":0}` + "\n"
	if got := seconds.ReplaceAllString(p.Out, "${1}0"); p.Code != clitest.ExitDone || got != want {
		t.Errorf("exit code %d, %s%swant %s", p.Code, p.Err, got, want)
	}
	if want := "going on from " + file + ": 7 of 11 cards\n"; p.Err != want {
		t.Errorf("on standard error %q, want %q", p.Err, want)
	}
	if left, _ := filepath.Glob(file + "*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}

	if err := plain.WriteFile(file, s.Save); err != nil {
		t.Fatal(err)
	}
	args[4] = "4" // players
	if p := clitest.Launch(t, "", args...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, file+": saved layer: expected a layer of {Seats:4 Cards:4 Ranks:3}") {
		t.Errorf("another game's layer: exit code %d, %s", p.Code, p.Err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a refused file is gone: %v", err)
	}
}

func TestSolveInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct{ line, want string }{
		{"--method full --limit 50000000 --players 5 --cards 4 --ranks 5", "sakusen: interrupted\n"},
		{"--method positions --players 3 --cards 4 --ranks 3", "sakusen: interrupted; with --checkpoint FILE a run can be resumed\n"},
	} {
		p := clitest.LaunchWith(t, ctx, strings.NewReader(""), strings.Fields("solve daifugo "+c.line)...)
		if p.Code != clitest.ExitInterrupted || p.Out != "" || p.Err != c.want {
			t.Errorf("%s: exit code %d, printed %q, on standard error %q, want %q", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}

func TestSolveAsk(t *testing.T) {
	args := strings.Fields("--json solve daifugo --players 3 --cards 3 --ranks 3 --method positions --ask -")
	p := clitest.Launch(t, `{"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}

{"hands":[[],[1,2],[3]],"table":2,"last":0,"turn":1,"out":[0],"ranks":3}
`, args...)
	if p.Code != clitest.ExitDone || !strings.Contains(p.Out, `"asked":[{"ranks":[[1],[2],[3]]},{"ranks":[[1],[3],[2]]}]`) {
		t.Errorf("exit code %d, %s%s", p.Code, p.Err, p.Out)
	}
	for _, c := range []struct{ in, want string }{
		{"{}\n", "sakusen: -:1: hands: expected"},
		{"\n" + `{"hands":[[1],[1]],"ranks":2}`, "sakusen: -:2: hands, ranks: expected 3 players and 3 ranks"},
		{`{"hands":[[1],[1],[4]],"ranks":3}`, "sakusen: -:1: daifugo: hands[2]: card: expected a kind from 1 to 3, got 4"},
	} {
		if p := clitest.Launch(t, c.in, args...); p.Code != clitest.ExitUsage || !strings.HasPrefix(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %s", c.in, p.Code, p.Err)
		}
	}
}
