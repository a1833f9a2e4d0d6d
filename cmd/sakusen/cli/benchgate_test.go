package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every exit code of the gate, by a real run.
func TestBenchGateExitCodes(t *testing.T) {
	db := benchDB(t)
	fast, slow, alloc := benchText(t, samples(100, 3)), benchText(t, samples(120, 3)), benchText(t, samples(100, 4))
	few := benchText(t, "goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: Example CPU\nBenchmarkA-2 1 9000 ns/op 3 allocs/op\n")
	other := benchText(t, strings.ReplaceAll(samples(100, 3), "example.com/m", "example.com/n"))
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
		{[]string{fast, fast}, exitDone, "pass", ""},
		{[]string{fast, slow}, exitNegative, "regression", "sec/op"},
		{[]string{fast, alloc}, exitNegative, "regression", "allocs/op"},
		{[]string{alloc, fast}, exitDone, "pass", ""},
		{[]string{fast, slow, "--exact"}, exitDone, "pass", ""},
		{[]string{fast, slow, "--noise", slow}, exitDone, "pass", ""},
		{[]string{fast, few}, exitInconclusive, "inconclusive", ""},
		{[]string{fast, other}, exitNothing, "nothing", ""},
		{[]string{"--self-test"}, exitNegative, "regression", "sec/op allocs/op signature-lo"},
		{[]string{fast, fast, "--with-match", "loaded(bonus=3),plain", "--game", "dice", "--seed", "5"}, exitDone, "pass", ""},
		{[]string{fast, fast, "--with-match", "plain,loaded(bonus=3)", "--game", "dice"}, exitNegative, "regression", ""},
		{[]string{fast, few, "--with-match", "plain,loaded(bonus=3)", "--game", "dice"}, exitNegative, "regression", ""},
		{[]string{fast, fast, "--with-match", "plain,loaded(bonus=0)", "--game", "dice", "--max-blocks", "10"}, exitInconclusive, "inconclusive", ""},
		{[]string{fast, fast, "--with-match", "MP70,MP70"}, exitDone, "pass", ""},
	} {
		p := launch(t, "", append(append(db, "gate", "--json"), c.flags...)...)
		g := decode[gate](t, p.out)
		var failed []string
		for _, f := range g.Failures {
			failed = append(failed, f.Unit)
		}
		if p.code != c.code || g.Exit != c.code || g.Verdict != c.verdict || strings.Join(failed, " ") != c.failures {
			t.Errorf("%q: exit code %d, %+v, %s", c.flags, p.code, g, p.err)
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
		p := launch(t, "", append(db, strings.Fields(c.line)...)...)
		if p.code != exitUsage || !strings.Contains(p.err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %s", c.line, p.code, p.err, c.want)
		}
	}
	// A gate that cannot fail is an error, not a verdict.
	if p := launch(t, "", append(db, "gate", "--self-test", "--threshold", ".5")...); p.code != exitInternal || !strings.Contains(p.err, "cannot be trusted") {
		t.Errorf("%+v", p)
	}
}

// The summary goes where GitHub's runner looks for it, after what is there.
func TestBenchGateSummary(t *testing.T) {
	fast, slow := benchText(t, samples(100, 3)), benchText(t, samples(120, 3))
	file := benchText(t, "before\n")
	p := launch(t, "", append(benchDB(t), "gate", fast, slow, "--summary", file)...)
	text, err := os.ReadFile(file)
	if err != nil || p.code != exitNegative {
		t.Fatal(err, p)
	}
	for _, want := range []string{"before\n## Benchmarks: regression\n", "- **FAIL** example.com/m.A-2 sec/op: ", "| A-2 | "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// repository is a git repository with a main branch of three commits and a
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
		p := launch(t, samples(ns, 3), append(db, "record", "-C", dir, "--commit", commit, "--branch", "main", "--machine", machine)...)
		if p.code != exitDone {
			t.Fatal(p)
		}
	}
	head := benchText(t, "machine-class: big\n"+samples(120, 3))
	gate := func() printed { return launch(t, "", append(db, "gate", head, "-C", dir)...) }
	record(commits[3], 50, "big") // ahead of the fork point: never looked at
	record(commits[1], 50, "small")
	if p := gate(); p.code != exitNothing || !strings.Contains(p.err, `none of the last 2 commits of main was recorded on machine class "big"`) {
		t.Errorf("other machine: %+v", p)
	}
	record(commits[0], 120, "big")
	if p := gate(); p.code != exitDone || !strings.Contains(p.err, "comparing with run:3") {
		t.Errorf("ancestor: %+v", p)
	}
	record(commits[1], 100, "big")
	if p := gate(); p.code != exitNegative || !strings.Contains(p.err, "comparing with run:4 "+commits[1][:10]) {
		t.Errorf("fork point: %+v", p)
	}
	// What is accepted counts from there.
	p := launch(t, "machine-class: big\n"+samples(120, 3), append(db, "record", "--commit", commits[2], "-C", dir)...)
	if p.code != exitDone {
		t.Fatal(p)
	}
	if p := launch(t, "", append(db, "accept", "sec/op", "--reason", "exact counts")...); p.code != exitDone {
		t.Errorf("%+v", p)
	}
	if p := gate(); p.code != exitDone || !strings.Contains(p.err, "1 series count from where a change was accepted") {
		t.Errorf("accepted: %+v", p)
	}
	if p := launch(t, "", append(db, "gate", head, "-C", t.TempDir())...); p.code != exitUsage || !strings.Contains(p.err, "expected a commit in a git repository") {
		t.Errorf("no repository: %+v", p)
	}
	if p := launch(t, "", append(db, "gate", head, "-C", dir, "--branch", "nope")...); p.code != exitUsage || !strings.Contains(p.err, "branch nope: expected a branch here or at origin") {
		t.Errorf("no branch: %+v", p)
	}
}

func TestBenchSign(t *testing.T) {
	p := launch(t, "", "bench", "sign", "dice")
	if p.code != exitDone || len(strings.Split(strings.TrimSpace(p.out), "\n")) != 2 {
		t.Fatal(p)
	}
	one := strings.Fields(p.out)[2]
	if len(one) != 16 {
		t.Errorf("signature %q", one)
	}
	text := launch(t, "", "bench", "sign", "dice", "--format", "benchfmt").out
	file := benchText(t, text)
	if p := launch(t, text, "bench", "gate", "--exact", file, "-"); p.code != exitDone {
		t.Errorf("against itself: %+v", p)
	}
	// One bit of one signature is a failure.
	hi, err := strconv.ParseUint(one[:8], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(text, " "+strconv.FormatUint(hi, 10)+" ", " "+strconv.FormatUint(hi^1, 10)+" ", 1)
	if p := launch(t, changed, "bench", "gate", "--exact", file, "-"); p.code != exitNegative || !strings.Contains(p.out, "Signature/dice/plain signature-hi") {
		t.Errorf("changed: %+v", p)
	}
	// The documentation quotes what is printed today.
	docs, err := os.ReadFile("../../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	if p := launch(t, "", "bench", "sign", "battleship", "neighbour", "checkerboard"); p.code != exitDone || !strings.Contains(string(docs), p.out) {
		t.Errorf("docs/benchmarks.md: expected the lines\n%s", p.out)
	}
	if p := launch(t, "", "bench", "sign", "dcie"); p.code != exitUsage {
		t.Errorf("%+v", p)
	}
	if p := launch(t, "", "bench", "sign", "dice", "fair"); p.code != exitUsage {
		t.Errorf("%+v", p)
	}
}
