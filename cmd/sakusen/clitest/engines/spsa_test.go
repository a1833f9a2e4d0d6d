package engines

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The example's SPSA plays an iteration by sakusen match, moves the weights and measures
// where it arrived.
func TestSPSAExample(t *testing.T) {
	suite.All(t)
	dir := botsDir(t)
	if _, err := exec.LookPath("/usr/games/glaurung"); err != nil {
		t.Skip("Debian's package of glaurung is not installed")
	}
	c := exec.Command("python3", "spsa.py", os.Args[0], "0.001", "glau=/usr/games/glaurung", "limit=depth:1", "2")
	c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	out, err := c.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 || !strings.HasPrefix(lines[0], "16 ") || !strings.Contains(lines[0], `"Mobility (Middle Game)"=`) || !strings.Contains(lines[1], `"wins": `) {
		t.Errorf("%v: %s", err, out)
	}
}
