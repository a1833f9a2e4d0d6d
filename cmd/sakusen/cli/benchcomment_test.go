package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// What the gate prints as JSON is what a comment is made of.
func TestBenchComment(t *testing.T) {
	fast, slow := benchText(t, samples(100, 3)), benchText(t, samples(120, 3))
	report := launch(t, "", "bench", "gate", fast, slow, "--json").out
	p := launch(t, report, "bench", "comment", "-", "--key", "linux")
	if p.code != exitDone || !strings.HasPrefix(p.out, "<!-- sakusen-bench: linux -->\n### Benchmarks: regression\n") || !strings.Contains(p.out, "| `m.A-2` | `sec/op` |") {
		t.Errorf("%+v", p)
	}
	passed := benchText(t, launch(t, "", "bench", "gate", fast, fast, "--json").out)
	if p := launch(t, "", "bench", "comment", passed); p.code != exitDone || p.out != "" {
		t.Errorf("where nothing matters: %+v", p)
	}
	if p := launch(t, "", "bench", "comment", passed, "--when", "always"); !strings.Contains(p.out, "### Benchmarks: pass") {
		t.Errorf("%+v", p)
	}
	dir, _ := repository(t)
	if p := launch(t, report, "bench", "comment", "-", "--annotate", "-C", dir); p.code != exitDone || !strings.HasPrefix(p.out, "::error title=m.A-2 sec/op::") {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"none.json", "no such file"},
		{fast, "expected the JSON of a gate"},
		{passed + " --when never", `--when: expected regression, inconclusive or always, got "never"`},
		{passed + " --post --pull 3", "--post: expected $GITHUB_TOKEN, --repo and one of --pull and --head"},
		{passed + " --pull 3", "--pull needs --post"},
		{filepath.Dir(passed), "is a directory"},
	} {
		if p := launch(t, "", append([]string{"bench", "comment"}, strings.Fields(c.line)...)...); p.code != exitUsage || !strings.Contains(p.err, c.want) {
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}
