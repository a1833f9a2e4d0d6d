package bench

import (
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// What the gate prints as JSON is what a comment is made of.
func TestBenchComment(t *testing.T) {
	fast, slow := benchText(t, samples(100, 3)), benchText(t, samples(120, 3))
	report := clitest.Launch(t, "", "bench", "gate", fast, slow, "--json").Out
	p := clitest.Launch(t, report, "bench", "comment", "-", "--key", "linux")
	if p.Code != clitest.ExitDone || !strings.HasPrefix(p.Out, "<!-- sakusen-bench: linux -->\n### Benchmarks: regression\n") || !strings.Contains(p.Out, "| `m.A-2` | `sec/op` |") {
		t.Errorf("%+v", p)
	}
	passed := benchText(t, clitest.Launch(t, "", "bench", "gate", fast, fast, "--json").Out)
	if p := clitest.Launch(t, "", "bench", "comment", passed); p.Code != clitest.ExitDone || p.Out != "" {
		t.Errorf("where nothing matters: %+v", p)
	}
	if p := clitest.Launch(t, "", "bench", "comment", passed, "--when", "always"); !strings.Contains(p.Out, "### Benchmarks: pass") {
		t.Errorf("%+v", p)
	}
	dir, _ := repository(t)
	if p := clitest.Launch(t, report, "bench", "comment", "-", "--annotate", "-C", dir); p.Code != clitest.ExitDone || !strings.HasPrefix(p.Out, "::error title=m.A-2 sec/op::") {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"none.json", "no such file"},
		{fast, "expected the JSON of a gate"},
		{passed + " --when never", `--when: expected regression, undecided or always, got "never"`},
		{passed + " --post --pull 3", "--post: expected $GITHUB_TOKEN, --repo and one of --pull and --head"},
		{passed + " --pull 3", "--pull needs --post"},
		{filepath.Dir(passed), "is a directory"},
	} {
		if p := clitest.Launch(t, "", append([]string{"bench", "comment"}, strings.Fields(c.line)...)...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}
