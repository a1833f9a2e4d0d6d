package bench

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"sakusen/bench/ledger"
	"sakusen/engines/suite"
	"strings"
	"sync"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// Every exit code of the gate, by a process of the program with the games it is
// shipped with.
func TestBenchGateProcess(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"fast.txt": samples(100, 3), "slow.txt": samples(120, 3), "alloc.txt": samples(100, 4), "few.txt": samples(100, 3)[:160],
		"times.txt": "BenchmarkT 1 5 ns/op\n", "other.txt": strings.ReplaceAll(samples(100, 3), "example.com/m", "example.com/n"),
	} {
		clitest.WriteFile(t, dir, name, text)
	}
	seen := map[int]bool{}
	for _, c := range []struct {
		line string
		code int
		want string // in what is printed
	}{
		{"fast.txt fast.txt", clitest.ExitDone, "gate: pass"},
		{"fast.txt slow.txt", clitest.ExitNegative, "gate: regression"},
		{"fast.txt alloc.txt", clitest.ExitNegative, "exact metric changed from 3 to 4, for the worse"},
		{"--self-test", clitest.ExitNegative, "3 failed"},
		{"fast.txt none.txt", clitest.ExitUsage, "no such file"},
		{"fast.txt few.txt", clitest.ExitInconclusive, "gate: undecided"},
		{"fast.txt other.txt", clitest.ExitInconclusive, "gate: undecided"},
		{"--exact times.txt fast.txt", clitest.ExitNothing, "gate: nothing"},
		{"fast.txt fast.txt --summary none/summary.md", clitest.ExitUsage, "summary: open none/summary.md"},
		{"--self-test --threshold .5", clitest.ExitInternal, "cannot be trusted"},
		{"fast.txt fast.txt --with-match CB,R", clitest.ExitDone, "speed and strength: pass"},
		{"fast.txt fast.txt --with-match R,CB", clitest.ExitNegative, "speed and strength: regression"},
		{"fast.txt slow.txt --with-match CB,R", clitest.ExitNegative, "SPRT(-5, 0): H1"},
		{"fast.txt fast.txt --with-match CB,CB/ED1 --max-blocks 5", clitest.ExitInconclusive, "speed and strength: undecided"},
		{"fast.txt few.txt --with-match CB,R", clitest.ExitInconclusive, "SPRT(-5, 0): H1"},
		{"fast.txt other.txt --with-match R,CB", clitest.ExitNegative, "SPRT(-5, 0): H0"},
		{"fast.txt fast.txt --with-match CB,CR", clitest.ExitUsage, "no game has both entrants"},
		{"fast.txt fast.txt --with-match CB,CR --game battleship", clitest.ExitUsage, `"CR"`},
		{"fast.txt fast.txt --with-match CB,R --sprt 5", clitest.ExitUsage, "--sprt: "},
		{"fast.txt fast.txt --with-match CB", clitest.ExitUsage, "expected CANDIDATE,BASELINE"},
	} {
		out, errs := clitest.Exits(t, dir, c.code, append([]string{"bench", "gate"}, strings.Fields(c.line)...)...)
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %s%s, want %s", c.line, out, errs, c.want)
		}
		seen[c.code] = true
	}
	for code := range 6 {
		if !seen[code] {
			t.Errorf("exit code %d was never reached", code)
		}
	}
}

// Interrupted while it builds or measures, bench run exits 130 and leaves no
// worktree and no file behind.
func TestBenchRunInterrupted(t *testing.T) {
	dir, _ := repository(t)
	clitest.WriteFile(t, dir, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	clitest.WriteFile(t, dir, "toy_test.go", "package toy\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\ttime.Sleep(time.Hour)\n\t}\n}\n")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "toy")
	for _, at := range []string{"building head", "building base", "warming up"} {
		if suite.Few() && at != "building base" {
			continue
		}
		temp := t.TempDir()
		cmd := exec.Command(os.Args[0], "bench", "run", "-C", dir, "--base", "HEAD", "--head", "HEAD", "--all")
		cmd.Env = append(os.Environ(), clitest.AsProgram+"=1", "TMPDIR="+temp)
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), at) {
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != clitest.ExitInterrupted {
			t.Errorf("%s: exit code %d, %v", at, cmd.ProcessState.ExitCode(), err)
		}
		if trees := gitIn(t, dir, "worktree", "list"); strings.Contains(trees, "\n") {
			t.Errorf("%s: worktrees left: %s", at, trees)
		}
		if left, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", at, left, err)
		}
	}
}

// Processes that record at the same time wait for each other, and the same text
// of a commit is kept once.
func TestBenchRecordProcesses(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "a.txt", samples(100, 3))
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if out, errs, err := clitest.Program(t, dir, nil, "bench", "record", "a.txt", "--commit", strings.Repeat("a", 1+i%2)); err != nil {
				t.Errorf("%v: %s%s", err, out, errs)
			}
		})
	}
	wg.Wait()
	out, _ := clitest.Exits(t, dir, clitest.ExitDone, "bench", "history", "--all-branches", "--json")
	r := clitest.Decode[struct{ Series []ledger.History }](t, out)
	if len(r.Series) != 2 || len(r.Series[0].Runs) != 2 {
		t.Errorf("%s", out)
	}
	clitest.Exits(t, dir, clitest.ExitDone, "db", "check")
}
