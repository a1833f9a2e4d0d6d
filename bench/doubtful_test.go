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

// read reads benchmark text.
func read(t *testing.T, name, text string) *Run {
	t.Helper()
	r, err := Read(strings.NewReader(text), name, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
