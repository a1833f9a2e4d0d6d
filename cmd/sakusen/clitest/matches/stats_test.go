package matches

import (
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// The calculators answer line by line, and a bad line is an answer too.
func TestStats(t *testing.T) {
	in := strings.Join([]string{
		`{"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35],"alpha":0.05,"beta":0.05}`,
		`{"op":"sprt","model":"logistic","elo0":0,"elo1":5,"penta":[0,0,0,0,0],"alpha":0.05,"beta":0.05}`,
		`{"op":"elo","penta":[0,0,10,0,0]}`,
		`{"op":"elo","wdl":[81,100,82]}`,
		`{"op":"wilson","successes":81,"trials":263,"level":0.95}`,
		`{"op":"wilson","successes":3,"trials":2}`,
		`{"op":"wilson","trails":3}`,
		``,
		`[]`,
	}, "\n") + "\n"
	p := clitest.Launch(t, in, "stats")
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "stats.txt", long.ReplaceAllStringFunc(p.Out, short))
}
