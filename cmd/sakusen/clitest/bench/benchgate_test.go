package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// Every exit code of the gate, by a real run.
func TestBenchGateExitCodes(t *testing.T) {
	db := benchDB(t)
	fast, slow, alloc := benchText(t, samples(100, 3)), benchText(t, samples(120, 3)), benchText(t, samples(100, 4))
	few := benchText(t, "goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: Example CPU\nBenchmarkA-2 1 9000 ns/op 3 allocs/op\n")
	other := benchText(t, strings.ReplaceAll(samples(100, 3), "example.com/m", "example.com/n"))
	times := benchText(t, "BenchmarkT 1 5 ns/op\n")
	failed := benchText(t, samples(100, 3)+"--- FAIL: BenchmarkB\nFAIL\nexit status 1\nFAIL\texample.com/m\t0.3s\n")
	type gate struct {
		Verdict  string
		Exit     int
		Failures []struct{ Name, Unit, Reason string }
	}
	for _, c := range []struct {
		flags    []string
		code     int
		verdict  string
		failures string
	}{
		{[]string{fast, fast}, clitest.ExitDone, "pass", ""},
		{[]string{fast, slow}, clitest.ExitNegative, "regression", "sec/op"},
		{[]string{fast, alloc}, clitest.ExitNegative, "regression", "allocs/op"},
		{[]string{alloc, fast}, clitest.ExitDone, "pass", ""},
		{[]string{fast, slow, "--exact"}, clitest.ExitDone, "pass", ""},
		{[]string{fast, slow, "--noise", slow}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{fast, few}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{fast, other}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{times, fast, "--exact"}, clitest.ExitNothing, "nothing", ""},
		{[]string{fast, failed}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{failed, fast}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{"--self-test"}, clitest.ExitNegative, "regression", "allocs/op sec/op signature-lo"},
		{[]string{fast, fast, "--with-match", "loaded(bonus=3),plain", "--game", "dice", "--seed", "5"}, clitest.ExitDone, "pass", ""},
		{[]string{fast, fast, "--with-match", "plain,loaded(bonus=3)", "--game", "dice"}, clitest.ExitNegative, "regression", ""},
		{[]string{fast, few, "--with-match", "plain,loaded(bonus=3)", "--game", "dice"}, clitest.ExitNegative, "regression", ""},
		{[]string{fast, fast, "--with-match", "plain,loaded(bonus=0)", "--game", "dice", "--max-blocks", "10"}, clitest.ExitInconclusive, "inconclusive", ""},
		{[]string{fast, fast, "--with-match", "MP70,MP70"}, clitest.ExitDone, "pass", ""},
	} {
		p := clitest.Launch(t, "", append(append(db, "gate", "--json"), c.flags...)...)
		g := clitest.Decode[gate](t, p.Out)
		var failed []string
		for _, f := range g.Failures {
			failed = append(failed, f.Unit)
		}
		if p.Code != c.code || g.Exit != c.code || g.Verdict != c.verdict || strings.Join(failed, " ") != c.failures {
			t.Errorf("%q: exit code %d, %+v, %s", c.flags, p.Code, g, p.Err)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"gate", "expected [OLD] NEW, got 0 arguments"},
		{"gate none.txt " + fast, "open none.txt: no such file or directory"},
		{"gate --self-test " + fast, "--self-test: expected no OLD and no NEW, got 1 arguments"},
		{"gate a b --alpha 0", "--alpha: expected a number between 0 and 1, got 0"},
		{"gate a b --threshold 0", "--threshold: expected a number above 0"},
		{"gate a b --game dice", "--game needs --with-match"},
		{"gate a b --with-match plain", `--with-match: expected CANDIDATE,BASELINE, got "plain"`},
		{"gate a b --with-match plain,lodaed", `--with-match: no game has both entrants of "plain,lodaed"`},
		{"gate a b --with-match plain,lodaed --game dice", `unknown strategy of dice: "lodaed" (did you mean loaded?)`},
		{"gate baseline:main " + fast, "there is no database yet"},
	} {
		p := clitest.Launch(t, "", append(db, strings.Fields(c.line)...)...)
		if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %s", c.line, p.Code, p.Err, c.want)
		}
	}
	// A gate that cannot fail is an error, not a verdict.
	if p := clitest.Launch(t, "", append(db, "gate", "--self-test", "--threshold", ".5")...); p.Code != clitest.ExitInternal || !strings.Contains(p.Err, "cannot be trusted") {
		t.Errorf("%+v", p)
	}
}

// The summary goes where GitHub's runner looks for it, after what is there.
func TestBenchGateSummary(t *testing.T) {
	fast, slow := benchText(t, samples(100, 3)), benchText(t, samples(120, 3))
	file := benchText(t, "before\n")
	p := clitest.Launch(t, "", append(benchDB(t), "gate", fast, slow, "--summary", file)...)
	text, err := os.ReadFile(file)
	if err != nil || p.Code != clitest.ExitNegative {
		t.Fatal(err, p)
	}
	for _, want := range []string{"before\n## Benchmarks: regression\n", "- **FAIL** example.com/m.A-2 sec/op: ", "| A-2 | "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// However many benchmarks there are, and however often a step adds to it, GitHub shows the
// summary: it stays below 1 MiB, and what got worse most stands in it.
func TestBenchGateSummaryIsBounded(t *testing.T) {
	var sides [2]string
	for side := range sides {
		var b strings.Builder
		b.WriteString("pkg: example.com/m\n")
		for i := range 2000 {
			for k := range 10 {
				allocs := 2
				if side == 1 && i == 1500 {
					allocs = 4
				}
				fmt.Fprintf(&b, "Benchmark%s%04d-8 100 %d ns/op 64 B/op %d allocs/op\n", strings.Repeat("N", 300), i, 1000+k, allocs)
			}
		}
		sides[side] = benchText(t, b.String())
	}
	file := benchText(t, strings.Repeat("before\n", 50_000))
	size := int64(0)
	for i := range 4 {
		p := clitest.Launch(t, "", append(benchDB(t), "gate", sides[0], sides[1], "--summary", file)...)
		text, err := os.ReadFile(file)
		if err != nil || p.Code != clitest.ExitNegative || len(text) >= 1<<20 {
			t.Fatalf("%v, %d bytes, %+v", err, len(text), p.Code)
		}
		if full := strings.Contains(p.Err, "holds as much as GitHub shows (1 MiB): nothing was added"); full != (int64(len(text)) == size) {
			t.Errorf("time %d: %d bytes of %d, %s", i, len(text), size, p.Err)
		}
		if i == 0 && !regexp.MustCompile(`before\n## Benchmarks: regression\n\n- \*\*FAIL\*\* example.com/m.N+1500-8 allocs/op: `).Match(text) {
			t.Errorf("%.2000s", text[350_000:])
		}
		size = int64(len(text))
	}
}

// repository returns a git repository with a main branch of three commits and a
// branch that left it at the second; it returns the hashes.
func repository(t *testing.T) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) string { return gitIn(t, dir, args...) }
	commit := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "f")
		git("commit", "-qm", name)
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	git("init", "-q", "-b", "main")
	commit("one")
	commit("two")
	git("checkout", "-q", "-b", "change")
	commit("change")
	git("checkout", "-q", "main")
	commit("three")
	git("checkout", "-q", "change")
	return dir, commits
}

// gitIn runs git in a folder.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// A change is compared with the commit at which it left the branch, or else the
// nearest ancestor on the same machine class.
func TestBenchGateForkPoint(t *testing.T) {
	db := benchDB(t)
	dir, commits := repository(t)
	record := func(commit string, ns int, machine string) {
		t.Helper()
		p := clitest.Launch(t, samples(ns, 3), append(db, "record", "-C", dir, "--commit", commit, "--branch", "main", "--machine", machine)...)
		if p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	head := benchText(t, "machine-class: big\n"+samples(120, 3))
	gate := func() clitest.Printed { return clitest.Launch(t, "", append(db, "gate", head, "-C", dir)...) }
	record(commits[3], 50, "big") // ahead of the fork point: never looked at
	record(commits[1], 50, "small")
	if p := gate(); p.Code != clitest.ExitNothing || !strings.Contains(p.Err, `none of the last 2 commits of main was recorded on machine class "big"`) {
		t.Errorf("other machine: %+v", p)
	}
	record(commits[0], 120, "big")
	if p := gate(); p.Code != clitest.ExitDone || !strings.Contains(p.Err, "comparing with run:3") {
		t.Errorf("ancestor: %+v", p)
	}
	record(commits[1], 100, "big")
	if p := gate(); p.Code != clitest.ExitNegative || !strings.Contains(p.Err, "comparing with run:4 "+commits[1][:10]) {
		t.Errorf("fork point: %+v", p)
	}
	// A run that failed is told, recorded and no baseline.
	failed := samples(10, 3) + "--- FAIL: BenchmarkB\nFAIL\n"
	if p := clitest.Launch(t, failed, append(db, "record", "-C", dir, "--commit", commits[1], "--branch", "main", "--machine", "big")...); p.Code != clitest.ExitDone || !strings.Contains(p.Out, "incomplete (no baseline): package example.com/m failed (BenchmarkB)") {
		t.Errorf("failed: %+v", p)
	}
	if p := gate(); p.Code != clitest.ExitNegative || !strings.Contains(p.Err, "comparing with run:4 "+commits[1][:10]) {
		t.Errorf("after a run that failed: %+v", p)
	}
	// What is accepted counts from there.
	p := clitest.Launch(t, "machine-class: big\n"+samples(120, 3), append(db, "record", "--commit", commits[2], "-C", dir)...)
	if p.Code != clitest.ExitDone {
		t.Fatal(p)
	}
	if p := clitest.Launch(t, "", append(db, "accept", "sec/op", "--reason", "exact counts")...); p.Code != clitest.ExitDone {
		t.Errorf("%+v", p)
	}
	if p := gate(); p.Code != clitest.ExitDone || !strings.Contains(p.Err, "1 series count from where a change was accepted") {
		t.Errorf("accepted: %+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "gate", head, "-C", t.TempDir())...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "expected a commit in a git repository") {
		t.Errorf("no repository: %+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "gate", head, "-C", dir, "--branch", "nope")...); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "branch nope: expected a branch here or at origin") {
		t.Errorf("no branch: %+v", p)
	}
}

func TestBenchSign(t *testing.T) {
	p := clitest.Launch(t, "", "bench", "sign", "dice")
	if p.Code != clitest.ExitDone || len(strings.Split(strings.TrimSpace(p.Out), "\n")) != 2 {
		t.Fatal(p)
	}
	one := strings.Fields(p.Out)[2]
	if len(one) != 16 {
		t.Errorf("signature %q", one)
	}
	text := clitest.Launch(t, "", "bench", "sign", "dice", "--format", "benchfmt").Out
	file := benchText(t, text)
	if p := clitest.Launch(t, text, "bench", "gate", "--exact", file, "-"); p.Code != clitest.ExitDone {
		t.Errorf("against itself: %+v", p)
	}
	// One bit of one signature is a failure.
	hi, err := strconv.ParseUint(one[:8], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(text, " "+strconv.FormatUint(hi, 10)+" ", " "+strconv.FormatUint(hi^1, 10)+" ", 1)
	if p := clitest.Launch(t, changed, "bench", "gate", "--exact", file, "-"); p.Code != clitest.ExitNegative || !strings.Contains(p.Out, "Signature/dice/plain signature-hi") {
		t.Errorf("changed: %+v", p)
	}
	// The documentation quotes what is printed today.
	docs, err := os.ReadFile("../../../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	if p := clitest.Launch(t, "", "bench", "sign", "battleship", "neighbour", "checkerboard"); p.Code != clitest.ExitDone || !strings.Contains(string(docs), p.Out) {
		t.Errorf("docs/benchmarks.md: expected the lines\n%s", p.Out)
	}
	if p := clitest.Launch(t, "", "bench", "sign", "dcie"); p.Code != clitest.ExitUsage {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", "bench", "sign", "dice", "fair"); p.Code != clitest.ExitUsage {
		t.Errorf("%+v", p)
	}
}
