package matches

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// test tells its verdict by its exit code, from a command line and from a file alike, and
// begins no stage after one that did not pass.
func TestPatchCommand(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"loaded(bonus=6) plain --sprt 0,20 --sprt -10,10 --limit= --limit=", clitest.ExitDone, "stage 2"},
		{"plain loaded(bonus=6) --sprt 0,20", clitest.ExitNegative, "failed in stage 1"},
		{"plain loaded(bonus=0) --sprt gain --max-games 40", clitest.ExitInconclusive, "undecided in stage 1"},
		{"plain plain", clitest.ExitUsage, "BASE: expected another entrant than the new one"},
		{"plain", clitest.ExitUsage, "expected FILE"},
		{"plain loaded --sprt 5,0", clitest.ExitUsage, "sakusen: --sprt: expected [ELO0, ELO1], got elo1"},
		{"nobody loaded", clitest.ExitUsage, "sakusen: NEW: expected an entrant of dice"},
		{"plain loaded(malus=6)", clitest.ExitUsage, "sakusen: BASE: expected an entrant of dice"},
		{"plain loaded --limit nodes:1", clitest.ExitUsage, "sakusen: --limit: expected none, as dice has no rule limit"},
		{"plain loaded --alpha 2", clitest.ExitUsage, "sakusen: --alpha: expected a number in 1e-12..0.5, got 2"},
		{"plain loaded --model x", clitest.ExitUsage, "sakusen: --model: expected one of"},
		{"plain loaded --name A", clitest.ExitUsage, "sakusen: --name: expected a name"},
		{"plain loaded --rules sides=x", clitest.ExitUsage, "sakusen: --rules sides: expected"},
		{"plain loaded --game none", clitest.ExitUsage, "sakusen: --game: expected a game"},
		{"plain loaded --sprt win", clitest.ExitUsage, "--sprt: expected ELO0,ELO1 or one of gain, no-loss, simplification"},
		{"plain loaded --max-games 1", clitest.ExitUsage, "--max-games"},
		{"plain loaded --alpha 0", clitest.ExitUsage, "--alpha, --beta: expected a number in 1e-12..0.5, got 0"},
		{"plain loaded --priority 11", clitest.ExitUsage, "--priority: expected -10 to 10, got 11"},
		{"plain loaded --sprt=", clitest.ExitUsage, "--sprt: expected a text, got none"},
		{"plain loaded --rules x", clitest.ExitUsage, "--rules"},
	} {
		p := clitest.Launch(t, "", append([]string{"test", "--record=false", "--game", "dice"}, strings.Fields(c.args)...)...)
		if p.Code != c.code || !strings.Contains(p.Out+p.Err, c.want) {
			t.Errorf("test %s: exit code %d, want %d and %q:\n%s%s", c.args, p.Code, c.code, c.want, p.Out, p.Err)
		}
	}
	flags := clitest.Launch(t, "", "test", "loaded(bonus=6)", "plain", "--game", "dice", "--sprt", "no-loss", "--name", "six", "--record=false", "--json")
	file := clitest.WriteNew(t, "six.yaml", "version: 1\nname: six\ngame: dice\ntest: {new: 'loaded(bonus=6)', base: plain}\nstages: [{bounds: [-5, 0]}]\n")
	if p := clitest.Launch(t, "", "test", file, "--record=false", "--json"); p.Code != flags.Code || p.Out != flags.Out {
		t.Errorf("by flags:\n%s\nby file:\n%s%s", flags.Out, p.Out, p.Err)
	}
	inJSON := clitest.WriteNew(t, "json.yaml", `{"version": 1, "name": "six", "test": {"new": "random", "base": "random"}}`)
	if p := clitest.Launch(t, "", "test", inJSON, "--record=false"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "json.yaml:1:") || strings.Contains(p.Err, "expected YAML") {
		t.Errorf("JSON: exit code %d, %s", p.Code, p.Err)
	}
	if p := clitest.Launch(t, "", "test", file, "--record=false", "--sprt", "gain"); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "--sprt: expected it in") {
		t.Errorf("a flag beside a file: exit code %d, %s", p.Code, p.Err)
	}
}
