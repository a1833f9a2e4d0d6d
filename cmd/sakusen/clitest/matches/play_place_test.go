package matches

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// Help is had while ships are placed too, and who has left no room for the
// rest begins anew.
func TestPlayPlaceAgain(t *testing.T) {
	line := strings.Replace(strings.Join(smallLine("EX"), " "), "height=4", "height=1", 1)
	p := clitest.Launch(t, "help\nb1 right\nd1 right\nrandom\nagain\na1 right\nd1 right\nquit\n", strings.Fields(line)...)
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Fatalf("exit code %d, %s", p.Code, p.Err)
	}
	for _, want := range []string{
		"> Type the first square of the ship and right or down",
		"> a ship of 2 squares does not fit there\n",
		"> no room is left for the destroyer and the ships after it (again begins anew)\n",
		" 1  .  .  .  .  .     1  A  A  A  B  B\n",
	} {
		if !strings.Contains(p.Out, want) {
			t.Errorf("%q is not in\n%s", want, p.Out)
		}
	}
}
