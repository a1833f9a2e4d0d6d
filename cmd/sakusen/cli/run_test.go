package cli_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/strategies"
)

// Bad usage is refused with exit code 2 and a text that says what was expected.
func TestBadUsage(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"macth", `unknown command "macth" (did you mean match?)`},
		{"frobnicate", `unknown command "frobnicate" (see sakusen --help)`},
		{"help macth", `unknown command "macth" (did you mean match?)`},
		{"completion fihs", `unknown command "fihs" (did you mean fish?)`},
		{"completion bash now", `unknown command "now" for "sakusen completion bash"`},
		{"--frob", "unknown flag: --frob (see sakusen --help)"},
		{"--workers many version", `--workers: expected an integer, got "many" (see sakusen version --help)`},
		{"--workers -1 version", `config: flag: workers: expected an integer from 0, got "-1"`},
		{"--config none.yaml version", "config: open none.yaml: no such file or directory"},
		{"match", "expected GAME ENTRANT..., got 0 arguments"},
		{"match battleship", "expected GAME ENTRANT..., got 1 arguments"},
		{"match battlesihp R R", `unknown game "battlesihp" (did you mean battleship?)`},
		{"match battleship R", "battleship takes 2 entrants, got 1"},
		{"match battleship R R R", "battleship takes 2 entrants, got 3"},
		{"match dice plain", "rules of dice: players: expected an integer in 2..5, got 1"},
		{"match dice plain plain --rules players=3", "dice takes 3 entrants, got 2"},
		{"match dice plain loded", `unknown strategy of dice: "loded" (did you mean loaded?)`},
		{"match dice plain skilful", `unknown strategy of dice: "skilful" (expected one of plain, loaded)`},
		{"match battleship R MP5", "entrant MP5: start_squares: expected an integer in 10..100, got 5"},
		{"match battleship R mp(start_squares=101)", "entrant mp(start_squares=101): start_squares: expected an integer in 10..100, got 101"},
		{"match dice plain loaded(bonus=7,kind=bent)", "entrant loaded(bonus=7,kind=bent): bonus: expected an integer in 0..6, got 7\nkind: expected one of fair, stuck, high, got bent"},
		{"match dice plain loaded(kind=stuck,bonus=2)", "entrant loaded(kind=stuck,bonus=2): bonus: expected no value unless kind=fair (it is stuck), got 2"},
		{"match dice plain loaded --blocks 0", "--blocks: expected at least 1, got 0"},
		{"match dice plain loaded --blocks ten", `--blocks: expected an integer, got "ten" (see sakusen match --help)`},
		{"match dice plain loaded --seed -1", `--seed: expected an integer from 0, got "-1" (see sakusen match --help)`},
		{"match dice plain loaded --blocks", "flag needs an argument: --blocks (see sakusen match --help)"},
		{"match dice plain loaded --nope", "unknown flag: --nope (see sakusen match --help)"},
		{"match dice plain loaded --rules players", `--rules: expected name=value, got "players"`},
		{"match dice plain loaded --rules player=2", "rules of dice: unknown option player (did you mean players?)"},
		{"match battleship R CB --rules width=99 --rules heigth=3", "rules of battleship: width: expected an integer in 1..16, got 99\nunknown option heigth (did you mean height?)"},
		{"match dice plain loaded --sprt 5", `--sprt: expected ELO0,ELO1, got "5"`},
		{"match dice plain loaded --sprt 5,0", "--sprt: elo1: expected a number above elo0 = 5, got 0"},
		{"match dice plain loaded --sprt 0,5 --blocks 9", "--blocks cannot be given together with --sprt"},
		{"match dice plain loaded --sprt 0,5 --alpha 2", "--sprt: alpha: expected a number in [1e-12, 0.5], got 2"},
		{"match dice plain loaded --sprt 0,5 --max-blocks 0", "--sprt: max_blocks: expected a number in [1, 2^53], got 0"},
		{"match dice plain loaded --sprt 0,5 --model bayesian", `--model: expected logistic or normalized, got "bayesian"`},
		{"match dice plain loaded --beta .1", "--beta needs --sprt"},
		{"match dice plain loaded --all-pairs", "--all-pairs needs --sprt"},
		{"match dice plain loaded --sprt 0,5 --all-pairs", "--sprt: all pairs: expected a game of two who play alone and the faster wins, as Battleship, got dice"},
		{"match dice plain loaded loaded(bonus=2) --sprt 0,5", "--sprt: with more than two seats, expected the first entrant against others that are all the same"},
		{"match battleship MP70/ED1SP R --rules width=5 --rules height=5 --blocks 1", "entrant MP70/ED1SP: place: expected a placement that the fleet fits into, found none of kind edge1 (separated true) in 100000 attempts"},
		{"match lonely plain --sprt 0,5", "--sprt: expected a game with a winner, lonely has only metrics"},
		{"analyse", "expected a GAME (battleship, daifugo, lifeboats, tubstap), got 0 arguments"},
		{"analyse batleship", `unknown command "batleship" (did you mean battleship?)`},
		{"games now", `unknown game "now" (expected one of battleship, `},
		{"strategies shogi", `unknown game "shogi" (expected one of battleship, `},
		{"strategies --rules players=2", "--rules needs a GAME"},
		{"config all", "takes no arguments, got 1"},
		{"version now", "takes no arguments, got 1"},
	} {
		p := clitest.Launch(t, "", strings.Fields(c.line)...)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.HasPrefix(p.Err, "sakusen: "+c.want) || !strings.HasSuffix(c.want, ", ") && p.Err != "sakusen: "+c.want+"\n" {
			t.Errorf("%s: exit code %d, printed %q, on standard error\n%swant\nsakusen: %s", c.line, p.Code, p.Out, p.Err, c.want)
		}
	}
}

// Help and completion are no mistakes.
func TestHelp(t *testing.T) {
	for _, line := range []string{"", "--help", "help", "help match", "match --help", "completion", "completion bash", "completion zsh", "completion fish", "completion powershell"} {
		p := clitest.Launch(t, "", strings.Fields(line)...)
		if p.Code != clitest.ExitDone || p.Out == "" || p.Err != "" {
			t.Errorf("%q: exit code %d, %d bytes printed, on standard error %q", line, p.Code, len(p.Out), p.Err)
		}
	}
}

// A flag --help before the name of a command or behind that of a program is for the command.
func TestHelpAnywhere(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"--help study", "sakusen study"}, {"-h study list", "sakusen study list"}, {"study --help list", "sakusen study list"},
		{"engine conformance no/such/program --help", "sakusen engine conformance PROGRAM"}, {"engine conformance no/such/program -h", "sakusen engine conformance PROGRAM"},
	} {
		if p := clitest.Launch(t, "", strings.Fields(c.line)...); p.Code != clitest.ExitDone || !strings.Contains(p.Out, "Usage:\n  "+c.want) || p.Err != "" {
			t.Errorf("%q: exit code %d, %s%s", c.line, p.Code, p.Out, p.Err)
		}
	}
}

// What cannot be written is an I/O error, not bad usage.
func TestBrokenPipe(t *testing.T) {
	p := cli.Process{In: strings.NewReader("{}\n"), Out: brokenPipe{}, Err: io.Discard, Env: clitest.NoVariables, Games: clitest.TestGames(strategies.All())}
	for _, line := range []string{"games --json", "match dice plain loaded", "analyse battleship"} {
		if code := p.Run(context.Background(), strings.Fields(line)); code != clitest.ExitInternal {
			t.Errorf("%s: exit code %d", line, code)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
