package bench

import (
	"os"
	"path/filepath"
	"sakusen/bench/changepoint"
	"strconv"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/service"
)

// benchDB returns the flags for a database of the test's own.
func benchDB(t *testing.T) []string {
	t.Helper()
	return []string{"--db", filepath.Join(t.TempDir(), "b.db"), "bench"}
}

// benchText writes benchmark text into a file.
func benchText(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bench.txt")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// samples returns ten lines of a time around a centre, and an exact metric.
func samples(ns, allocs int) string {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: Example CPU\n")
	for i := range 10 {
		b.WriteString("BenchmarkA-2 100 " + strconv.Itoa(ns*100+i) + " ns/op " + strconv.Itoa(allocs) + " allocs/op\n")
	}
	return b.String()
}

func TestBenchRecord(t *testing.T) {
	db := benchDB(t)
	old := benchText(t, samples(100, 3))
	type report struct{ Runs []service.BenchRecorded }
	p := clitest.Launch(t, "", append(db, "record", old, "--json", "--commit", "abc", "--machine", "big")...)
	r := clitest.Decode[report](t, p.Out)
	if p.Code != clitest.ExitDone || len(r.Runs) != 1 || !r.Runs[0].New || r.Runs[0].Samples != 20 || r.Runs[0].Commit != "abc" || r.Runs[0].Machine != "big" || !strings.HasPrefix(r.Runs[0].Go, "go1.") {
		t.Fatalf("%+v %s", r, p.Err)
	}
	p = clitest.Launch(t, samples(100, 3), append(db, "record", "--json", "--commit", "abc", "--machine", "big")...)
	if r := clitest.Decode[report](t, p.Out); r.Runs[0].New || r.Runs[0].ID != 1 {
		t.Errorf("again: %+v", r)
	}
	p = clitest.Launch(t, "", append(db, "record", "--commit", "abd", "--", "cat", benchText(t, samples(120, 3)))...)
	if p.Code != clitest.ExitDone || !strings.HasPrefix(p.Out, "cat: recorded run:2, 2 series, 20 samples") {
		t.Errorf("from a command: %+v", p)
	}
	// A command that fails after it printed results: they are kept as what is no baseline.
	p = clitest.Launch(t, "", append(db, "record", "--commit", "abd", "--", "sh", "-c", "cat "+benchText(t, samples(120, 3))+"; exit 3")...)
	if p.Code != clitest.ExitUsage || !strings.Contains(p.Out, "recorded run:3, 2 series, 20 samples, incomplete (no baseline): ") || !strings.Contains(p.Out, "exit status 3") || !strings.Contains(p.Err, "sh: exit status 3") {
		t.Errorf("a command that fails: %+v", p)
	}
	p = clitest.Launch(t, "", append(db, "export", "run:2")...)
	if p.Out != samples(120, 3) {
		t.Errorf("exported %q", p.Out)
	}
	p = clitest.Launch(t, "", append(db, "export", "run:1")...)
	if p.Out != "machine-class: big\n"+samples(100, 3) {
		t.Errorf("exported %q", p.Out)
	}
	p = clitest.Launch(t, `[{"name":"startup","unit":"ms","value":12.5,"better":"lower"}]`, append(db, "record", "--format", "json", "--commit", "abe")...)
	if p.Code != clitest.ExitDone || p.Out != "standard input: recorded run:4, 1 series, 1 samples\n" {
		t.Errorf("numbers of another tool: %+v", p)
	}
	for _, c := range []struct{ line, want string }{
		{"record --format xml", `--format: expected benchfmt or json, got "xml"`},
		{"record none.txt", "open none.txt: no such file or directory"},
		{"record " + benchText(t, "PASS\n"), "no benchmark results"},
		{"export run:9", "run 9: not in the database"},
		{"export run:x", "run:x: expected the number of a run"},
		{"export commit:ffff", "commit ffff: not in the database"},
		{"export --format csv", `--format: expected benchfmt, got "csv"`},
		{"compare a.txt", "expected OLD and NEW, got 1 arguments"},
		{"compare - -", "OLD and NEW cannot both be standard input"},
		{"compare run:1 none.txt", "open none.txt: no such file or directory (expected a file, - or a recorded run, such as baseline:NAME"},
		{"compare run:1 run:2 --alpha 2", "--alpha: expected a number between 0 and 1, got 2"},
		{"compare run:1 run:2 --format pdf", `--format: expected text, markdown, csv or json, got "pdf"`},
	} {
		p := clitest.Launch(t, "", append(db, strings.Fields(c.line)...)...)
		if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %s", c.line, p.Code, p.Err, c.want)
		}
	}
}

func TestBenchCompare(t *testing.T) {
	db := benchDB(t)
	old, slow := benchText(t, samples(100, 3)), benchText(t, samples(120, 4))
	p := clitest.Launch(t, "", append(db, "compare", old, slow, "--json")...)
	r := clitest.Decode[bench.Report](t, p.Out)
	if p.Code != clitest.ExitDone || len(r.Series) != 2 {
		t.Fatalf("exit code %d, %+v", p.Code, r)
	}
	s := r.Series[0]
	if s.Name != "A-2" || s.Unit != "sec/op" || s.Verdict != bench.Worse || s.Old.N != 10 || *s.Delta < .19 || *s.P > 2e-5 || *s.Q > 2e-5 || s.Config["pkg"] != "example.com/m" {
		t.Errorf("%+v", s)
	}
	if r.Series[1].Verdict != bench.ExactChanged {
		t.Errorf("%+v", r.Series[1])
	}
	p = clitest.Launch(t, samples(120, 4), append(db, "compare", old, "-", "--format", "markdown", "--exact")...)
	if p.Code != clitest.ExitDone || strings.Contains(p.Out, "sec/op") || !strings.Contains(p.Out, "| A-2 | 3 | 4 | +33.33% (p=0.000 n=10) |") {
		t.Errorf("exit code %d: %s", p.Code, p.Out)
	}
	other := benchText(t, strings.ReplaceAll(samples(100, 3), "example.com/m", "example.com/n"))
	if p := clitest.Launch(t, "", append(db, "compare", old, other)...); p.Code != clitest.ExitNothing || !strings.Contains(p.Out, "nothing to compare") {
		t.Errorf("unpaired: exit code %d: %s", p.Code, p.Out)
	}
}

func TestBenchChangepoints(t *testing.T) {
	series := "1.02, 0.95, 0.99, 1.0, 1.12, 1.0, 1.01, 0.98, 1.01, 0.96\n0.5 0.51 0.48 0.48 0.55 0.5 0.49 0.51 0.5 0.49\n"
	p := clitest.Launch(t, series, "bench", "changepoints", "--window", "10", "--max-p", "0.0001", "--min-magnitude", "0")
	r := clitest.Decode[changepoint.Found](t, p.Out)
	if p.Code != clitest.ExitDone || len(r.Changepoints) != 1 || r.Changepoints[0] != 10 || r.Strongest.Index != 10 {
		t.Errorf("%s %s", p.Out, p.Err)
	}
	if p := clitest.Launch(t, "[5]", "bench", "changepoints"); p.Out != `{"changepoints":[],"points":[],"strongest":null}`+"\n" {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct{ in, flags, want string }{
		{"1 2\n3 x", "", `standard input:2: expected a finite number, got "x"`},
		{"1 NaN", "", `standard input:1: expected a finite number, got "NaN"`},
		{"1", "--window 1", "window: expected at least 2 values, got 1"},
		{"1", "--max-p 0", "max-p: expected a number above 0 and at most 1, got 0"},
		{"1", "--min-magnitude -1", "min-magnitude: expected a number from 0, got -1"},
	} {
		p := clitest.Launch(t, c.in, append([]string{"bench", "changepoints"}, strings.Fields(c.flags)...)...)
		if p.Code != clitest.ExitUsage || p.Err != "sakusen: "+c.want+"\n" {
			t.Errorf("%+v: %+v", c, p)
		}
	}
}
