package bench

import (
	"fmt"
	"strings"
	"testing"
)

// resultsOn returns the results of BenchmarkA on a machine, one for each time.
func resultsOn(cpu, procs string, times ...float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: linux\ngoarch: amd64\npkg: example.com/p\ncpu: %s\n", cpu)
	for _, t := range times {
		fmt.Fprintf(&b, "BenchmarkA%s \t 1000\t %g ns/op\t 8 B/op\t 1 allocs/op\n", procs, t)
	}
	return b.String() + "PASS\nok  \texample.com/p\t1.2s\n"
}

// Fresh results beside those of an earlier measurement, under another identity, are no pass; neither
// is a benchmark that returns at once, nor a text whose last words deny a success.
func TestDoubtfulTexts(t *testing.T) {
	times := []float64{100.1, 101.2, 99.8, 100.7, 100.4, 99.9, 100.2, 101.1, 100.9, 100.3}
	slower, none, other := make([]float64, len(times)), make([]float64, len(times)), make([]float64, len(times))
	for i, v := range times {
		slower[i], none[i], other[i] = 10*v, 2e-7, v+.013*float64(i)
	}
	old := resultsOn("Intel", "-8", times...)
	for name, c := range map[string]struct {
		new string
		out Outcome
	}{
		"as before":                {resultsOn("Intel", "-8", other...), Pass},
		"fresh on another machine": {old + resultsOn("AMD", "-8", slower...), Undecided},
		"fresh with another -cpu":  {old + strings.Replace(resultsOn("Intel", "-16", slower...), "pkg: example.com/p\n", "pkg: example.com/p\n", 1), Undecided},
		"returns at once":          {resultsOn("Intel", "-8", none...), Undecided},
		"success=false":            {resultsOn("Intel", "-8", other...) + "success=false\n", Undecided},
		"ok: false":                {resultsOn("Intel", "-8", other...) + "ok: false\n", Undecided},
		"Passed and absent":        {resultsOn("Intel", "-8", other...) + "Passed: 3, Absent: 5\n", Undecided},
		"three of nine":            {resultsOn("Intel", "-8", other...) + "saved 3 of 9 results\n", Undecided},
		"packages left":            {resultsOn("Intel", "-8", other...) + "packages_left: 3\n", Undecided},
		"seven absent":             {resultsOn("Intel", "-8", other...) + "archived 2 files, 7 absent\n", Undecided},
		"remaining packages":       {resultsOn("Intel", "-8", other...) + "remaining packages: 12\n", Undecided},
		"none left":                {resultsOn("Intel", "-8", other...) + "packages_left: 0\n", Pass},
		"nine of nine":             {resultsOn("Intel", "-8", other...) + "saved 9 of 9 results\n", Pass},
		"a core":                   {resultsOn("Intel", "-8", other...) + "core saved to /tmp/core.1\n", Undecided},
		"a killed job":             {resultsOn("Intel", "-8", other...) + "job: 143\n", Undecided},
		"anybody's warning":        {resultsOn("Intel", "-8", other...) + "ci: warning: node was drained\n", Undecided},
		"a linker's warning":       {resultsOn("Intel", "-8", other...) + "/usr/bin/ld: warning: x.o: missing .note.GNU-stack\n", Pass},
		"ok then":                  {resultsOn("Intel", "-8", other...) + "ok then, the machine went away\n", Undecided},
	} {
		g := Judge(Compare(read(t, "old", old), read(t, "new", c.new), Options{}), Policy{})
		if g.Outcome != c.out {
			t.Errorf("%s: %s, want %s: %v", name, g.Outcome, c.out, g.Doubts)
		}
	}
}

// Where no time is compared as all may be missing, the gate says so, once.
func TestNoTimeIsTold(t *testing.T) {
	c := Compare(read(t, "old", resultsOn("Intel", "-8", 100, 101)), read(t, "new", resultsOn("AMD", "-8", 900, 901)), Options{})
	for range 2 {
		Judge(c, Policy{AllowMissing: true})
	}
	if all := strings.Join(c.Warnings, "\n"); strings.Count(all, "no time of the old side is on the new one") != 1 {
		t.Errorf("%s", all)
	}
}

// A noise floor of a run that failed, or that lacks what is compared, is in doubt.
func TestDoubtfulNoise(t *testing.T) {
	old := resultsOn("Intel", "-8", 100.1, 101.2, 99.8, 100.7, 100.4, 99.9, 100.2, 101.1, 100.9, 100.3)
	for noise, want := range map[string]Outcome{
		old: Pass, old + "--- FAIL: TestX\nFAIL\n": Undecided, resultsOn("AMD", "-8", 1, 2, 3): Undecided,
	} {
		c := Compare(read(t, "old", old), read(t, "new", old), Options{})
		g := Judge(c, Policy{})
		if g.DoubtNoise(c, read(t, "noise", noise)); g.Outcome != want {
			t.Errorf("%s: %v", g.Outcome, g.Doubts)
		}
	}
}

// What healthy programs of any package log, and headers of any order, are no doubt.
func TestHealthyLogs(t *testing.T) {
	a, b := twoOf(1, 1, "A-8", "B-8"), twoOf(2, 1, "A-8", "B-8")
	again := func(text, log string) string {
		second := strings.NewReplacer("pkg: p\n", "pkg: q\n", "ok  \tp\t", "ok  \tq\t").Replace(text)
		return text + log + second
	}
	for name, change := range map[string]func(text string) string{
		"tests of the next package": func(s string) string {
			return again(s, "--- PASS: ExampleFail (0.00s)\n    z_test.go:12: got expected error: connection refused\n2026/01/02 03:04:05 ERROR dial failed\n")
		},
		"a compiler between packages": func(s string) string {
			return again(s, "x.c:12:5: warning: unused\n   12 |     if (error) abort();\n")
		},
		"the end of a test binary": func(s string) string {
			return strings.Replace(s, "PASS\nok  \tp\t1.234s\n", "context canceled\n3 errors ignored\nPASS\n", 1)
		},
		"services that are shut down": func(s string) string { return s + "2026/01/02 03:04:05 INFO shutting down workers\n" },
		"logs that are cut": func(s string) string {
			return strings.Replace(s, "PASS\n", "--- BENCH: BenchmarkA-8\n    x_test.go:9: N=1\n\t... [output truncated]\nPASS\n", 1)
		},
		"the package before goos": func(s string) string { return "pkg: p\ngoarch: amd64\ngoos: linux\n" + s[len(okHeader):] },
		"another process, one allocation more": func(s string) string {
			return s + strings.ReplaceAll(s, "3 allocs/op", "4 allocs/op")
		},
	} {
		if g := Judge(Compare(read(t, "old", change(a)), read(t, "new", change(b)), Options{}), Policy{}); g.Outcome != Pass {
			t.Errorf("%s: %s: %v", name, g.Outcome, g.Doubts)
		}
	}
}

// What the runner wrote whole has no ends of packages, and needs none beside the text of go test.
func TestEndOfRun(t *testing.T) {
	text := twoOf(1, 1, "A-8", "B-8")
	bare := strings.Replace(text, "PASS\nok  \tp\t1.234s\n", "", 1)
	for old, want := range map[string]Outcome{bare + EndOfRun + "\n": Pass, bare: Undecided, bare + EndOfRun + "\n" + bare: Undecided} {
		if g := Judge(Compare(read(t, "old", old), read(t, "new", twoOf(2, 1, "A-8", "B-8")), Options{}), Policy{}); g.Outcome != want {
			t.Errorf("%s, want %s: %v", g.Outcome, want, g.Doubts)
		}
	}

	// Each round has a header of its own: that it has more of them is no sign of an earlier measurement.
	rounds, head := "", ""
	for line := range strings.Lines(bare) {
		if strings.HasPrefix(line, "Benchmark") {
			rounds += head + line
		} else {
			head += line
		}
	}
	few, seen := "", map[string]int{}
	for line := range strings.Lines(twoOf(2, 1, "A-8", "B-8")) {
		name, _, _ := strings.Cut(line, " ")
		if seen[name]++; !strings.HasPrefix(line, "Benchmark") || seen[name] <= 6 {
			few += line
		}
	}
	for old, want := range map[string]Outcome{rounds + EndOfRun + "\n": Pass, rounds: Undecided, rounds + EndOfRun + "\n" + rounds + EndOfRun + "\n": Undecided} {
		if g := Judge(Compare(read(t, "old", old), read(t, "new", few), Options{}), Policy{}); g.Outcome != want {
			t.Errorf("rounds: %s, want %s: %v", g.Outcome, want, g.Doubts)
		}
	}
}

// Of a run without exact metrics nothing exact can be judged, and that is said.
func TestNothingExact(t *testing.T) {
	text := okHeader + "BenchmarkA-8 \t100\t101.5 ns/op\nPASS\nok  \tp\t1.2s\n"
	c := Compare(read(t, "old", text), read(t, "new", text), Options{ExactOnly: true})
	if g := Judge(c, Policy{}); g.Outcome != NothingToDo || !strings.Contains(strings.Join(c.Warnings, "\n"), "-benchmem") {
		t.Errorf("%s: %v", g.Outcome, c.Warnings)
	}
}

// read reads benchmark text.
func read(t *testing.T, name, text string) *Run {
	t.Helper()
	r, err := Read(strings.NewReader(text), name, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
