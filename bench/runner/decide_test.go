package runner_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// decideToy prints levels in a unit of its own and no time. They vary by 1 % from process
// to process, in the same six steps for every binary, so that nothing depends on how
// long anything takes. B is slower by a share on the new side, unless the file MARK is
// there.
const decideToy = `package toy

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
)

// turn counts how often this binary has measured a benchmark before.
func turn(b *testing.B) int64 {
	h := fnv.New64()
	h.Write([]byte(os.Args[0] + b.Name()))
	f, err := os.OpenFile(fmt.Sprintf("MARK-%x", h.Sum64()), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.Write([]byte{1}); err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

func level(b *testing.B, base float64) {
	for b.Loop() {
	}
	fmt.Println("Unit plies/op better=lower")
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(base*(1+float64(turn(b)%6)/500), "plies/op")
}

func BenchmarkA(b *testing.B) { level(b, 100) }

func BenchmarkB(b *testing.B) {
	if _, err := os.Stat("MARK"); err == nil {
		level(b, 100)
		return
	}
	level(b, SLOW)
}

func BenchmarkC(b *testing.B) { level(b, 50) }
`

// repository returns a module with one commit, and its change for the worse beside it.
func repository(t *testing.T) (dir, mark string) {
	t.Helper()
	dir = t.TempDir()
	mark = filepath.Join(t.TempDir(), "mark")
	put := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := func(slow string) string {
		return strings.NewReplacer("MARK", mark, "SLOW", slow).Replace(decideToy)
	}
	put("go.mod", "module example.com/toy\n\ngo 1.26\n")
	put("toy_test.go", source("100"))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	put("toy_test.go", source("120"))
	return dir, mark
}

// An alarm is one if fresh builds show it too; what is clear gets no more rounds.
func TestDecide(t *testing.T) {
	suite.All(t)
	dir, mark := repository(t)
	t.Setenv("GOFLAGS", strings.Replace(os.Getenv("GOFLAGS"), "-ldflags=-w", "", 1)) // which would keep the layout
	for _, c := range []struct {
		name    string
		vanish  bool // the slowdown is not there on fresh builds
		outcome bench.Outcome
		says    string
	}{
		{"a slowdown", false, bench.Regression, "; also on new builds (up by "},
		{"an accident", true, bench.Undecided, "; but not on new builds ("},
	} {
		fresh := false
		d, err := runner.Decide(context.Background(), runner.DecideOptions{
			Measure: runner.Options{
				Dir: dir, Base: "main", BenchTime: "20000x", Rounds: 20,
				Say: func(format string, _ ...any) {
					if strings.Contains(format, "on new builds") {
						fresh = true
						if c.vanish {
							if err := os.WriteFile(mark, nil, 0o644); err != nil {
								t.Error(err)
							}
						}
					}
				},
			},
			Read: func(side, text string) (*bench.Run, error) {
				return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		list := d.Gate.Failures
		if c.vanish {
			list = d.Gate.Doubts
		}
		if d.Gate.Outcome != c.outcome || !fresh || len(list) != 1 || !strings.Contains(list[0].Reason, c.says) || !strings.HasPrefix(list[0].Row.Series.Name, "B") {
			t.Errorf("%s: %s, failures %+v, doubts %+v", c.name, d.Gate.Outcome, d.Gate.Failures, d.Gate.Doubts)
		}
		n := map[string]int{}
		for _, r := range d.Comparison.Rows {
			if r.Series.Unit == "plies/op" {
				n[r.Series.Name[:1]] = r.New.N
			}
		}
		if n["A"] != 6 || n["C"] != 6 || n["B"] <= 6 || n["B"] >= 20 || d.Samples != n["A"]+n["B"]+n["C"] || d.Full != 60 {
			t.Errorf("%s: samples %v, %d of %d", c.name, n, d.Samples, d.Full)
		}
	}
}

// Interrupted while an alarm is confirmed, the same measurement goes on there: it
// builds nothing again and measures no round twice.
func TestRunResumes(t *testing.T) {
	suite.All(t)
	dir, _ := repository(t)
	var said []string
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	o := runner.DecideOptions{
		Measure: runner.Options{Dir: dir, Base: "main", BenchTime: "20000x", Rounds: 20, Say: func(format string, args ...any) {
			said = append(said, fmt.Sprintf(format, args...))
			if strings.HasPrefix(said[len(said)-1], "round 3 of 10") {
				stop()
			}
		}},
		Read: func(side, text string) (*bench.Run, error) {
			return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
		},
	}
	d, err := runner.Decide(ctx, o)
	if err == nil || d.Result == nil || !d.Result.Resumable || !slices.Contains(said, "round 2 of 10") {
		t.Fatalf("interrupted: %+v, %v, %q", d, err, said)
	}
	said = nil
	if d, err = runner.Decide(context.Background(), o); err != nil || d.Gate.Outcome != bench.Regression || !strings.Contains(d.Gate.Failures[0].Reason, "; also on new builds (up by ") {
		t.Fatalf("resumed: %+v, %v", d, err)
	}
	for _, line := range said {
		if strings.HasPrefix(line, "building example.com") || strings.HasPrefix(line, "round 2 of ") && !strings.HasSuffix(line, "measured before the interrupt") || strings.HasPrefix(line, "warming up") {
			t.Errorf("again: %q", line)
		}
	}
	if !slices.Contains(said, "round 2 of 10 was measured before the interrupt") || !slices.Contains(said, "round 3 of 10") {
		t.Errorf("%q", said)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".git", "sakusen-bench", "*")); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}
