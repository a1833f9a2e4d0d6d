package bench

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// Texts as CI writes them, old.txt and new.txt, with what the gate has to say and, of its
// reasons, one that must be among them.
func TestCases(t *testing.T) {
	dirs, err := os.ReadDir("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, d := range dirs {
		if d.IsDir() {
			left = append(left, d.Name())
		}
	}
	for _, c := range []struct {
		name   string
		exact  bool
		want   Outcome
		reason string
	}{
		{"build-failed-elsewhere", false, Undecided, "example.com/m/q: new.txt: package example.com/m/q failed to build"},
		{"failed-package", false, Undecided, "example.com/m/p: new.txt: package example.com/m/p failed (BenchmarkB-8)"},
		{"half-the-samples", false, Undecided, "example.com/m/p: new.txt: package example.com/m/p failed (BenchmarkA-8)"},
		{"json-after-download-line", false, Regression, "worse: up by 49"},
		{"json-log-before-plain", false, Regression, "worse: up by 49"},
		{"one-sample-jitter", true, Undecided, "changed from 201 to 202, which so few samples do not prove: measure with -count 6 -benchtime 100x"},
		{"prints-cpu-load", false, Regression, "worse: up by 48.96 %"},
		{"rates-without-unit", false, Regression, "worse: down by 49"},
		{"utf16", false, Regression, "worse: up by 49.82 %"},
		{"zero-megabytes", false, Regression, "worse: down by 100.00 %"},
		{"zero-nanoseconds", false, Regression, "worse: up from 0 to 2.25e-10"},
	} {
		left = slices.DeleteFunc(left, func(name string) bool { return name == c.name })
		cmp := Compare(readFile(t, "testdata/cases/"+c.name+"/old.txt"), readFile(t, "testdata/cases/"+c.name+"/new.txt"), Options{ExactOnly: c.exact})
		g := Judge(cmp, Policy{})
		var reasons []string
		for _, f := range slices.Concat(g.Failures, g.Doubts) {
			reasons = append(reasons, f.Row.Series.Title()+": "+f.Reason)
		}
		if g.Outcome != c.want || !strings.Contains(strings.Join(reasons, "\n"), c.reason) {
			t.Errorf("%s: got %s, want %s because of %s: %q", c.name, g.Outcome, c.want, c.reason, reasons)
		}
	}
	if len(left) > 0 {
		t.Errorf("expected a verdict for %v", left)
	}
}

const okHeader = "goos: linux\ngoarch: amd64\npkg: p\ncpu: CPU\n"

// What a text says of itself besides its results: whether its packages came to their end,
// and what was lost.
func TestIncomplete(t *testing.T) {
	const result = "BenchmarkA-8 \t 100\t 12 ns/op\n"
	const event = `{"Action":"output","Package":"p","Output":"BenchmarkA-8 \t 100\t 12 ns/op\n"}` + "\n"
	const start, pass = `{"Action":"start","Package":"p"}` + "\n", `{"Action":"pass","Package":"p"}` + "\n"
	const whole = okHeader + result + "PASS\nok  \tp\t1s\n"
	for _, c := range []struct{ name, text, want string }{
		{"whole", whole, ""},
		{"results alone", result, ""},
		{"a header without an end", okHeader + result, ""},
		{"cached", okHeader + result + "PASS\nok  \tp\t(cached)\n", ""},
		{"two packages", whole + whole, ""},
		{"no benchmarks in one", okHeader + result + "PASS\nok  \tp\t1s\n?   \tq\t[no test files]\nPASS\nok  \tr\t1s\n", ""},
		{"downloads, logs, skips", "go: downloading example.com/d v1.0.0\n" + okHeader + "--- SKIP: BenchmarkB\n    a_test.go:7: 100 12 ns/op\nBenchmarkA\n--- BENCH: BenchmarkA-8\n" + result + "PASS\nok  \tp\t1s\n", ""},
		{"a name that go does not print", strings.Replace(okHeader, "pkg", "Benchmark data: 1\nBenchmarking\npkg", 1) + result + "Benchmark data: 3 files\nBenchmarking is fun\nPASS\nok  \tp\t1s\n", ""},
		{"a panic that was recovered", okHeader + "panic: no\n" + result + "PASS\nok  \tp\t1s\n", ""},
		{"FAIL alone", okHeader + result + "FAIL\n", "package p failed"},
		{"FAIL of a binary", okHeader + result + "--- FAIL: BenchmarkB\n    x_test.go:3: no\nFAIL\n", "package p failed (BenchmarkB)"},
		{"FAIL of a part", okHeader + result + "--- FAIL: BenchmarkB\n    --- FAIL: BenchmarkB/x\nFAIL\nexit status 1\nFAIL\tp\t1s\nFAIL\n", "package p failed (BenchmarkB, BenchmarkB/x)"},
		{"FAIL with blanks", okHeader + result + "FAIL    q    0.3s\n", "package q failed"},
		{"setup", whole + "FAIL\t./x [setup failed]\nFAIL\n", "package ./x failed to build"},
		{"build", "# q\nq.go:1: no\nFAIL\tq [build failed]\n" + whole + "FAIL\n", "package q failed to build"},
		{"a panic", okHeader + result + "panic: no\n\ngoroutine 1 [running]:\n", "package p failed (panic: no)"},
		{"a panic under go test", okHeader + result + "panic: no\n\ngoroutine 1 [running]:\nexit status 2\nFAIL\tp\t1s\n", "package p failed"},
		{"time-out", okHeader + result + "panic: test timed out after 1s\nFAIL\tp\t1.1s\n", "package p failed"},
		{"killed", okHeader + result + "signal: killed\nFAIL\tp\t1.1s\n", "package p failed"},
		{"out of memory", okHeader + result + "fatal error: runtime: out of memory\n", "package p failed (fatal error: runtime: out of memory)"},
		{"exit after PASS", okHeader + result + "PASS\nexit status 1\n", "package p failed (exit status 1)"},
		{"the second one has no end", whole + strings.ReplaceAll(okHeader, "pkg: p", "pkg: q") + result, "package q did not end"},
		{"the first one has no end", strings.ReplaceAll(okHeader, "pkg: p", "pkg: q") + result + whole, "package q did not end"},
		{"an end behind other text", okHeader + result + "[p] PASS\n[p] ok  \tp\t1s\n", "package p did not end"},
		{"a header alone", whole + okHeader, "package p did not end"},
		{"half a header", whole + "goos: linux\ngoarch", "package p did not end"},
		{"half a line", okHeader + result + "BenchmarkB-8 \t 100\t 1", "missing units"},
		{"a log in the line", okHeader + result + "BenchmarkA-8 \t2024/01/01 hello\n     100\t 12 ns/op\nPASS\n", "lost a result that does not begin its line"},
		{"a log in the line that ends it", okHeader + result + "BenchmarkA-8 \t\n     100\t 12 ns/op\nPASS\n", "lost a result that does not begin its line"},
		{"a log before the name", okHeader + result + "50 %" + result + "PASS\n", "lost a result that does not begin its line"},
		{"a log of several lines", okHeader + result + "--- BENCH: BenchmarkA-8\n    a_test.go:3: stats:\n        10 20.5 ns/op\n" + result + "PASS\n", ""},
		{"a result behind a log", okHeader + result + "    a_test.go:3: stats:\n       1\t 20.5 ns/op\nPASS\n", "lost a result that does not begin its line"},
		{"progress before the name", okHeader + result + "50 %\r100 %\r" + result + "PASS\n", ""},
		{"zero bytes", okHeader + result + "Bench\x00markA-8 100 12 ns/op\nPASS\n", "lost zero bytes"},
		{"no number", okHeader + result + "BenchmarkA-8 1 NaN ns/op\nBenchmarkA-8 1 NaN ns/op\nPASS\n", "a value that is no finite number"},
		{"a time below zero", okHeader + result + "BenchmarkA-8 1 -12 ns/op\nPASS\n", "or below zero"},
		{"a line without end", okHeader + result + "BenchmarkA-8 1 1 ns/op " + strings.Repeat("x", 1<<17) + "\n" + strings.Repeat("y", 1<<17) + "\nPASS\n", "lost a result longer than any"},
		{"-cpu and a name with a number", okHeader + "BenchmarkB 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\nBenchmarkA/n 1 1 ns/op\nBenchmarkA/n-2 1 1 ns/op\nBenchmarkA/n-2 1 1 ns/op\nBenchmarkA/n-2-2 1 1 ns/op\nPASS\n", "stands for two benchmarks"},
		{"-cpu", okHeader + "BenchmarkB 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\nBenchmarkB-4 1 1 ns/op\nPASS\n", ""},
		{"events", start + event + pass, ""},
		{"events of a binary", `{"Action":"start"}` + "\n" + strings.ReplaceAll(event, `"Package":"p",`, "") + `{"Action":"pass"}` + "\n", ""},
		{"chosen events", event, ""},
		{"events between logs", "go: downloading x v1\n{\"level\":\"info\"}\n" + start + "# warning\n" + event + "{\"Action\":\"login\",\"user\":1}\n" + pass, ""},
		{"events behind text", "hello" + start + "hello" + event + pass, ""},
		{"events that are joined", strings.ReplaceAll(start+event+pass, "\n", ""), ""},
		{"a failure by events alone", start + event + `{"Action":"fail","Package":"p"}` + "\n", "package p failed"},
		{"a build by events", start + event + pass + `{"ImportPath":"q [q.test]","Action":"build-fail"}` + "\n", "package q failed"},
		{"events without an end", start + event, "lost the end of package p"},
		{"half an event", start + event + `{"Action":"output","Package":"p","Outp`, "lost the event"},
		{"a brace", start + event + pass + "{", "lost the event"},
		{"a log inside an event", start + event[:40] + "hello\n" + event[40:] + event + pass, "lost the event"},
		{"a failure between events", start + event + pass + "FAIL\tq [build failed]\n", "package q failed to build"},
		{"text before events", whole + start + event + pass, ""},
		{"events with a field that is new", start + strings.Replace(event, `}`, `,"OutputType":"frame"}`, 1) + pass, ""},
		{"events with sorted fields", start + `{"Output":"BenchmarkA-8 100 12 ns/op\n","Package":"p","Action":"output"}` + "\n" + pass, ""},
		{"a failure with a field that is new", start + event + `{"Action":"output","Package":"p","Output":"--- FAIL: BenchmarkB\n","OutputType":"error"}` + "\n" + pass, "package p failed (BenchmarkB)"},
		{"an end with a field that is new", start + event + `{"Action":"fail","Package":"p","Why":1}` + "\n", "package p failed"},
		{"gotestsum", okHeader + result + "PASS\n✓  p (1.2s)\n\nDONE 3 tests in 1.3s\n", ""},
		{"gotestsum, a package", okHeader + result + "PASS\n✖  q (10ms)\n\nDONE 3 tests, 1 failure in 1.3s\n", "package q failed"},
		{"gotestsum, a test", okHeader + result + "PASS\n\n=== Failed\n=== FAIL: q TestX (0.00s)\n    x_test.go:4: no\n\nDONE 2 runs, 3 tests, 1 failure in 1.3s\n", "package q failed"},
		{"gotestsum, the last line", okHeader + result + "PASS\n\nDONE 0 tests, 1 error in 0.1s\n", "a package failed (DONE 0 tests, 1 error in 0.1s)"},
		{"make", whole + "make[1]: *** [Makefile:3: bench] Error 1\n", "package p failed (make[1]: *** [Makefile:3: bench] Error 1)"},
		{"a step of GitHub", whole + "##[error]Process completed with exit code 1.\n", "package p failed (##[error]Process completed"},
		{"a job of GitLab", whole + "ERROR: Job failed: exit code 1\n", "package p failed (ERROR: Job failed"},
		{"the shell's word", okHeader + result + "Segmentation fault (core dumped)\n", "package p failed (Segmentation fault (core dumped))"},
		{"JUnit", "<testcase name=\"q\">\n  <error message=\"exited with error code 1\"></error>\n<system-out>\n" + whole + "</system-out>\n", "a package failed"},
		{"JUnit without any", "<testsuite failures=\"0\" errors=\"0\">\n<system-out>\n" + whole + "</system-out>\n", ""},
		{"TAP", whole + "not ok 1 - bench\n", "package p failed"},
		{"words of a program", okHeader + "Killed 3 rabbits\nError: no\nmake: Nothing to be done\n" + result + "PASS\n", ""},
		{"hyperfine", okHeader + "Benchmark 1: sleep 0.1\n" + result + "PASS\n", ""},
		{"a long log before the name", okHeader + result + strings.Repeat("y", 1<<17) + result + "PASS\n", "lost a result longer than any"},
	} {
		for _, form := range []string{c.text, "\ufeff" + c.text, strings.ReplaceAll(c.text, "\n", "\r\n"), strings.ReplaceAll(c.text, "Benchmark", "\x1b[32m\x1b[0mBenchmark")} {
			r, err := Read(strings.NewReader(form), "in", ReadOptions{})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			for range 2 { // what was recorded says the same
				got := strings.Join(r.Incomplete(), "\n")
				if c.want == "" && got != "" || !strings.Contains(got, c.want) {
					t.Errorf("%s: got %q, want %q", c.name, got, c.want)
				}
				if c.want != "" && len(r.Incomplete()) > 2 {
					t.Errorf("%s: told too often: %q", c.name, got)
				}
				first := r
				if r, err = Read(strings.NewReader(r.Raw), "in", ReadOptions{}); err != nil || r.Digest() != first.Digest() || r.Samples() != first.Samples() {
					t.Fatalf("%s: read back: %v", c.name, err)
				}
			}
		}
	}
}

// Logs as build servers give them have a time before each line.
func TestStamps(t *testing.T) {
	text := okHeader + "BenchmarkA-8 \t 100\t 12 ns/op\n--- FAIL: BenchmarkB\nFAIL\n"
	for _, before := range []string{"2024-05-01T10:00:00.0000001Z ", "2024-05-01T10:00:00+02:00 ", "bench\tRun go test\t2024-05-01T10:00:00.0000001Z ", "2024-05-01T10:00:00.000001Z 00O ", "\x1b_bk;t=1714557600000\x07", "2024-05-01T10:00:00Z\t", "[2024-05-01 10:00:00] ", "2024/05/01 10:00:00 ", "May  1 10:00:00 "} {
		r, err := Read(strings.NewReader(before+strings.Join(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"), before)+"\n"), "in", ReadOptions{})
		if err != nil || r.Raw != text || len(r.Failures) != 1 {
			t.Errorf("%q: %v, %+v", before, err, r)
		}
	}
	r, err := Read(strings.NewReader("2024-05-01T10:00:00Z log\n"+text), "in", ReadOptions{})
	if err != nil || !strings.HasPrefix(r.Raw, "2024") || len(r.Order) != 1 {
		t.Errorf("one line with a time: %v, %+v", err, r)
	}
}

// A change that says which way a unit is better, against its form, or that it is not exact, is in doubt.
func TestTurnedAround(t *testing.T) {
	text := func(unit string, ns int) string {
		return unit + okHeader + strings.Repeat(fmt.Sprintf("BenchmarkA-8 100 %d ns/op %d hits 7 allocs/op\n", ns, ns), 8) + "PASS\n"
	}
	for _, c := range []struct {
		old, new string
		want     Outcome
	}{
		{"", "Unit ns/op better=higher\n", Undecided},
		{"Unit ns/op better=higher\n", "Unit ns/op better=higher\n", Pass},
		{"", "Unit ns/op better=lower\n", Regression},
		{"Unit ns/op better=higher\n", "Unit allocs/op assume=nothing\n", Undecided},
	} {
		old, err := Read(strings.NewReader(text(c.old, 100)), "old", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		new, err := Read(strings.NewReader(text(c.new+"Unit hits better=higher\n", 150)), "new", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if g := Judge(Compare(old, new, Options{}), Policy{}); g.Outcome != c.want {
			t.Errorf("%q, %q: got %s, want %s: %v", c.old, c.new, g.Outcome, c.want, g.Doubts)
		}
	}
}

// What a program prints names no package and no machine; what package testing prints does.
func TestHeaders(t *testing.T) {
	const result = "BenchmarkA-8 \t 100\t 12 ns/op\n"
	for _, c := range []struct{ name, text, want string }{
		{"a header", okHeader + result, "p CPU"},
		{"printed after it", okHeader + "cpu: 31%\npkg: x\n" + result + "PASS\n", "p CPU"},
		{"printed after a result", okHeader + "BenchmarkB 1 1 ns/op\ncpu: 31%\npkg: x\n" + result + "PASS\n", "p CPU"},
		{"printed before it", "cpu: 31%\npkg: x\n" + okHeader + result + "PASS\n", "p CPU"},
		{"mixed with words", "goos: linux\nBenchmark data: 3 files\nBenchmarking\ngoarch: amd64\npkg: q\ncpu: other\n" + result + "PASS\n", "q other"},
		{"the next package", okHeader + "BenchmarkB 1 1 ns/op\nPASS\nok  \tp\t1s\ngoos: linux\npkg: q\ncpu: other\n" + result + "PASS\n", "q other"},
		{"the next package, without goos", okHeader + "BenchmarkB 1 1 ns/op\nPASS\npkg: q\n" + result + "PASS\n", "q CPU"},
		{"a package without benchmarks", okHeader + "PASS\nok  \tp\t1s\npkg: q\n" + result + "PASS\n", "q CPU"},
		{"put together", "pkg: p\nBenchmarkB 1 1 ns/op\npkg: q\n" + result, "q "},
		{"a class of its own", okHeader + "BenchmarkB 1 1 ns/op\nmachine-class: big\n" + result + "PASS\n", "p big"},
	} {
		r, err := Read(strings.NewReader(c.text), "in", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Order[len(r.Order)-1]; s.Name != "A-8" || s.Pkg+" "+s.Machine != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, s, c.want)
		}
	}
}

func zipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// A text is the same in every encoding that shells write.
func TestEncodings(t *testing.T) {
	text := okHeader + "BenchmarkA-8 \t 100\t 12 ns/op\nPASS\n"
	for name, form := range map[string]string{
		"little endian": wide(text, false), "big endian": wide(text, true), "without a mark": wide(text, false)[2:], "big endian without a mark": wide(text, true)[2:],
		"cut": wide(text, false) + "x", "UTF-8": "\ufeff" + text, "carriage returns": strings.ReplaceAll(text, "\n", "\r\r\n"),
		"colours": strings.ReplaceAll(text, "linux", "\x1b[1;32mlinux\x1b]0;title\x07\x1b[0m"),
		"gzip":    zipped(text), "gzip of UTF-16": zipped(wide(text, false)),
	} {
		r, err := Read(strings.NewReader(form), "in", ReadOptions{})
		if err != nil || r.Raw != text {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
	if _, err := Read(strings.NewReader(zipped(text)[:30]), "in", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "in: unexpected EOF") {
		t.Errorf("half of a file of gzip: %v", err)
	}
}
