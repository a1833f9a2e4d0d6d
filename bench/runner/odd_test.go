package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/engines/suite"
)

// importing returns a test file with more imports.
func importing(code string, names ...string) string {
	return strings.Replace(code, "import \"testing\"", "import (\n\t\""+strings.Join(append(names, "testing"), "\"\n\t\"")+"\"\n)\n\nvar sink []byte", 1)
}

// What ends without a word, or is hidden, is no pass: a process that ends by os.Exit(0), a
// TestMain that ends before the benchmarks, benchmarks that print into their lines, constraints
// of the build.
func TestOddBenchmarks(t *testing.T) {
	suite.All(t)
	t.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -json -v")) // flags of go test, which go list refuses
	fine := benchOf("toy", "A", loop("")) + benchOf("toy", "B", loop(""))[len("package toy\n\nimport \"testing\"\n\n"):]
	exits := strings.Replace(importing(fine, "os"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tos.Exit(0)", 1)
	sub := importing(benchOf("toy", "A", "\tfor _, name := range []string{\"x\", \"y\"} {\n\t\tb.Run(name, func(b *testing.B) {\n\t\t\tif name == \"y\" {\n\t\t\t\tos.Exit(0)\n\t\t\t}\n\t\t})\n\t}"), "os")
	ends := "package toy\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n\tm.Run()\n}\n"
	hides := strings.Replace(ends, "os.Exit(0)\n\tm.Run()", "m.Run()\n\tos.Exit(0)", 1)
	words := strings.Replace(importing(fine, "fmt"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tfmt.Print(\"without an end\")", 1)
	long := strings.Replace(words, "Print(\"without an end\")", "Printf(\"%70000d\\n%70000d\", 1, 1)", 1)
	lost := strings.Replace(importing(fine, "fmt"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tdefer fmt.Print(\"\\nBenchmarkB-2 \")", 1)
	like := strings.Replace(importing(fine, "fmt"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tdefer fmt.Println(\"BenchmarkB-2 100 5 ns/op\")", 1)
	dead := strings.Replace(importing(fine, "log"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tlog.SetFlags(0)\n\tlog.Fatal(\"no data\")", 1)
	left := strings.Replace(importing(fine, "runtime"), "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\truntime.Goexit()", 1)
	outside := strings.Replace(benchOf("toy", "A", loop("")), "package toy", "package toy_test", 1)
	constrained := "//go:build big\n\n" + fine
	for _, c := range []struct {
		name     string
		old, new []string
		outcome  bench.Outcome // "" for an error
		says     string
	}{
		{"os.Exit(0) on the new side", []string{"a_test.go", fine}, []string{"a_test.go", exits}, bench.Regression, "B: fails on the new side alone: panic: unexpected call to os.Exit(0) during test"},
		{"os.Exit(3) on the new side", []string{"a_test.go", fine}, []string{"a_test.go", strings.Replace(exits, "Exit(0)", "Exit(3)", 1)}, bench.Regression, "B: fails on the new side alone: exit status 3"},
		{"os.Exit(0) on both", []string{"a_test.go", exits}, []string{"a_test.go", exits + "\n"}, bench.Undecided, "B: fails on both sides, and is not compared: panic: unexpected call to os.Exit(0)"},
		{"os.Exit(0) below", []string{"a_test.go", sub}, []string{"a_test.go", sub + "\n"}, bench.Undecided, "fails on both sides, and is not compared: panic: unexpected call to os.Exit(0)"},
		{"TestMain ends on the new side", []string{"a_test.go", fine}, []string{"m_test.go", ends}, bench.Regression, "does its TestMain end before it calls m.Run?"},
		{"TestMain ends on the old side", []string{"a_test.go", fine, "m_test.go", ends}, []string{"m_test.go", "package toy\n"}, bench.Pass, "which the change repairs"},
		{"log.Fatal on the new side", []string{"a_test.go", fine}, []string{"a_test.go", dead}, bench.Regression, "B: fails on the new side alone: no data"},
		{"runtime.Goexit on the new side", []string{"a_test.go", fine}, []string{"a_test.go", left}, bench.Regression, "B: fails on the new side alone: BenchmarkB prints a result of no iterations, as one that panics does"},
		{"a failure that TestMain hides", []string{"a_test.go", fine, "m_test.go", hides}, []string{"a_test.go", strings.Replace(fine, "BenchmarkB(b *testing.B) {", "BenchmarkB(b *testing.B) {\n\tb.Fatal(\"no data\")", 1)}, bench.Regression, "B: fails on the new side alone: "},
		{"two benchmarks of a name", []string{"a.go", "package toy\n", "a_test.go", fine, "b_test.go", outside}, []string{"b_test.go", outside + "\n"}, bench.Undecided, "A: fails on both sides, and is not compared: BenchmarkA stands for two benchmarks, one in package toy_test: give one another name"},
		{"words before the result", []string{"a_test.go", words}, []string{"a_test.go", words + "\n"}, bench.Pass, ""},
		{"long lines", []string{"a_test.go", long}, []string{"a_test.go", long + "\n"}, bench.Pass, ""},
		{"half a result", []string{"a_test.go", lost}, []string{"a_test.go", lost + "\n"}, bench.Undecided, "B: is not measured: it prints no result that can be read"},
		{"a line like a result", []string{"a_test.go", like}, []string{"a_test.go", like + "\n"}, bench.Undecided, "B: fails on both sides, and is not compared: BenchmarkB prints lines that look like its results"},
		{"constraints", []string{"a_test.go", constrained}, []string{"a_test.go", constrained + "\n"}, "", "the build leaves out the benchmarks of a_test.go: GOFLAGS=-tags=NAME takes those behind a constraint"},
		{"in a text", []string{"a_test.go", fine, "p/p_test.go", "package p\n\nconst text = `\nfunc BenchmarkX(`\n"}, []string{"a_test.go", fine + "\n", "p/p_test.go", "package p\n\nconst text = `\nfunc BenchmarkY(`\n"}, bench.Pass, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "ä b")
			toyIn(t, dir, c.old...)
			put(t, dir, c.new...)
			var said strings.Builder
			d, err := Decide(context.Background(), DecideOptions{
				Measure: Options{Dir: dir, Base: "HEAD", All: true, BenchTime: "10x", Rounds: 3, Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}, ExactOnly: true, Fixed: true,
				Read: func(side, text string) (*bench.Run, error) {
					return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
				},
			})
			if c.outcome == "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || errors.Is(err, ErrNothing) != (c.name == "constraints") {
					t.Errorf("%s: %v", c.name, err)
				}
				return
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				return
			}
			all := ""
			for _, f := range slices.Concat(d.Gate.Failures, d.Gate.Doubts, d.Gate.Notes) {
				all += f.String() + "\n"
			}
			if strings.Contains(said.String(), "an interrupt would lose") {
				t.Errorf("%s: %s", c.name, &said)
			}
			if d.Gate.Outcome != c.outcome || !strings.Contains(all, c.says) {
				t.Errorf("%s: %s\n%s", c.name, d.Gate.Outcome, all)
			}
		})
	}
}

// A program that a benchmark has started and not ended is why it never comes to an end.
func TestOutputHeldOpen(t *testing.T) {
	suite.All(t)
	if _, err := output(context.Background(), "", "sh", "-c", "sleep 20 & echo x"); err == nil || !strings.Contains(err.Error(), "holds its output open") {
		t.Error(err)
	}
}

// Where a benchmark does not end on one side, that side is told, and how long its runs took on the
// other one.
func TestEndless(t *testing.T) {
	sides := []*side{{name: "base"}, {name: "head"}, {name: noiseSide}}
	for _, c := range []struct {
		running int
		ran     []time.Duration
		want    string
	}{
		{1, []time.Duration{time.Second, 0, 0}, "on the new side  (on the old side they took 1s)"},
		{0, []time.Duration{0, time.Second, 0}, "on the old side  (on the new side they took 1s)"},
		{2, []time.Duration{time.Second, 0, 0}, "on the old side "},
		{1, []time.Duration{0, 0, 0}, "on the new side "},
	} {
		j := &job{sides: sides, running: c.running, ran: c.ran}
		if got := unended(j) + endedElsewhere(j); got != c.want {
			t.Errorf("%+v: %q, expected %q", c, got, c.want)
		}
	}
	if j := (&job{sides: []*side{{}}, ran: []time.Duration{0}}); unended(j)+endedElsewhere(j) != "" {
		t.Error("one side")
	}
}

// A pattern of packages that matches none is a mistake.
func TestNoPackage(t *testing.T) {
	dir := t.TempDir()
	toyIn(t, dir, "a_test.go", benchOf("toy", "A", loop("")))
	for _, pattern := range []string{"example.com/other/...", "zzz..."} {
		if _, err := Measure(context.Background(), Options{Dir: dir, Packages: []string{"./...", pattern}, Base: "HEAD"}); err == nil || errors.Is(err, ErrNothing) || !strings.Contains(err.Error(), "expected a pattern that matches a package, got \""+pattern) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}
