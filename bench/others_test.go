package bench

import (
	"fmt"
	"strings"
	"testing"
)

// samplesOf returns what go test prints of a package: ten samples of a benchmark.
func samplesOf(pkg, name string, ns float64, rest string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: linux\ngoarch: amd64\npkg: %s\ncpu: CPU\n", pkg)
	for i := range 10 {
		fmt.Fprintf(&b, "%s \t%8d\t%10.2f ns/op%s\n", name, 1000+i, ns+float64(i*7%10)/10, rest)
	}
	return b.String() + "PASS\nok  \t" + pkg + "\t1.234s\n"
}

// TestOthersLogs holds that logs of other people's build servers and tools are read, or refused,
// and never a silent pass: the old side is good, and of the new one something failed or got slow.
func TestOthersLogs(t *testing.T) {
	const pkg = "example.com/m/p"
	old := samplesOf(pkg, "BenchmarkA-8", 100, "\t 16 B/op\t 1 allocs/op")
	same := samplesOf(pkg, "BenchmarkA-8", 100.05, "\t 16 B/op\t 1 allocs/op")
	slow := samplesOf(pkg, "BenchmarkA-8", 150, "\t 16 B/op\t 1 allocs/op")
	lines := func(text, format string) string {
		var b strings.Builder
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			b.WriteString(strings.NewReplacer("LINE", line, "SS", fmt.Sprintf("%02d", i)).Replace(format) + "\n")
		}
		return b.String()
	}
	json := func(text string, without func(i int, action string) bool) string {
		var b strings.Builder
		n := 0
		event := func(action, output string) {
			if n++; without == nil || !without(n, action) {
				fmt.Fprintf(&b, `{"Time":"2026-01-01T00:00:00Z","Action":%q,"Package":%q,"Output":%q}`+"\n", action, pkg, output)
			}
		}
		event("start", "")
		for line := range strings.Lines(text) {
			if name, rest, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(line, "Benchmark") {
				event("output", name+"\t")
				line = rest
			}
			event("output", line)
		}
		event("pass", "")
		return b.String()
	}
	head, _, _ := strings.Cut(same, "PASS\n")
	after := func(text string) string { return same + text }
	const failure, reads = "not pass", "regression and pass" // of a text, and of one that wraps slow and same
	for _, c := range []struct{ name, text, want string }{
		// Words of those who ran go test, behind a run that looks whole.
		{"GitHub", after("Error: Process completed with exit code 1.\n"), failure},
		{"GitHub, cancelled", after("##[error]The operation was canceled.\n"), failure},
		{"GitHub, a workflow command", after("::error::go test failed\n"), failure},
		{"GitHub, a runner that is lost", after("Error: The runner has received a shutdown signal. This can happen when the runner service is stopped.\n"), failure},
		{"GitLab", after("Cleaning up project directory and file based variables\nERROR: Job failed: exit code 1\n"), failure},
		{"GitLab, time", after("ERROR: Job failed: execution took longer than 1h0m0s seconds\n"), failure},
		{"GitLab, the log's limit", after("Job's log exceeded limit of 4194304 bytes.\nJob execution will continue but no more output will be collected.\n"), failure},
		{"Jenkins", after("script returned exit code 2\nFinished: FAILURE\n"), failure},
		{"Jenkins, a step", after("Build step 'Execute shell' marked build as failure\n"), failure},
		{"Jenkins, aborted", after("Finished: ABORTED\n"), failure},
		{"Travis", after("The command \"go test -bench . ./...\" exited with 1.\n"), failure},
		{"Travis, the log's limit", after("The log length has exceeded the limit of 4 MB (this usually means that the test suite is raising the same exception over and over).\n"), failure},
		{"CircleCI", after("Exited with code exit status 2\n"), failure},
		{"Azure", after("##[error]Bash exited with code '1'.\n"), failure},
		{"Buildkite", after("🚨 Error: The command exited with status 1\n"), failure},
		{"kubectl", after("command terminated with exit code 137\n"), failure},
		{"make", after("make: *** [Makefile:7: bench] Error 2\n"), failure},
		{"ninja", after("FAILED: bench \nninja: build stopped: subcommand failed.\n"), failure},
		{"just", after("error: Recipe `bench` failed on line 3 with exit code 1\n"), failure},
		{"task", after("task: Failed to run task \"bench\": exit status 1\n"), failure},
		{"mage", after("Error: running \"go test -bench .\" failed with exit code 1\n"), failure},
		{"npm", after("npm error code ELIFECYCLE\n"), failure},
		{"yarn", after("error Command failed with exit code 1.\n"), failure},
		{"Gradle", after("> Task :bench FAILED\n\nFAILURE: Build failed with an exception.\n\nBUILD FAILED in 3s\n"), failure},
		{"Bazel", after("FAIL: //q:bench_test (see /x/test.log)\n"), failure},
		{"Bazel, the summary", after("//p:bench_test                     PASSED in 1.2s\n//q:bench_test                     FAILED in 3.4s\n"), failure},
		{"Bazel, time", after("//q:bench_test                     TIMEOUT in 300.1s\n"), failure},
		{"Bazel, the build", after("ERROR: Build did NOT complete successfully\n"), failure},
		{"GNU time", after("Command exited with non-zero status 1\n"), failure},
		{"timeout", after("timeout: sending signal TERM to command 'go'\n"), failure},
		{"zsh", after("zsh: killed     go test -bench .\n"), failure},
		{"bash", after("./bench.sh: line 3: 12345 Killed                  go test -bench .\n"), failure},
		{"macOS", after("Killed: 9\n"), failure},
		{"a shell that finds nothing", after("sh: 3: benchtool: not found\nexit status 127\n"), failure},
		{"docker", after("ERROR: failed to solve: process \"/bin/sh -c go test\" did not complete successfully: exit code: 1\n"), failure},
		{"the race detector", after("exit status 66\n"), failure},
		{"address sanitizer", after("==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n"), failure},
		{"a stack", head + "runtime: goroutine stack exceeds 1000000000-byte limit\n", failure},
		{"a fault", head + "unexpected fault address 0x0\nfatal error: fault\n", failure},
		{"C", head + "SIGSEGV: segmentation violation\nPC=0x0 m=0 sigcode=1\n", failure},
		{"a step that goes on", strings.Replace(same, "PASS\n", "make: *** [Makefile:7: q] Error 2\nPASS\n", 1), failure},
		// Failures of go test.
		{"a benchmark that panics in its line", head + "BenchmarkB-8   \tpanic: no\n\ngoroutine 7 [running]:\n", failure},
		{"a benchmark that panics under go test", head + "BenchmarkB-8   \tpanic: no\n\ngoroutine 7 [running]:\nexit status 2\nFAIL\t" + pkg + "\t0.1s\nFAIL\n", failure},
		{"TestMain that exits", head + "PASS\nexit status 1\nFAIL\t" + pkg + "\t1s\n", failure},
		{"a fuzz target", head + "--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/seed#0 (0.00s)\nFAIL\n", failure},
		{"cgo that is missing", after("# example.com/m/q\ncgo: C compiler \"gcc\" not found: exec: \"gcc\": executable file not found in $PATH\nFAIL\texample.com/m/q [build failed]\nFAIL\n"), failure},
		{"vendor", after("go: inconsistent vendoring in /src:\n\texample.com/d@v1.0.0: is explicitly required in go.mod, but not marked as explicit in vendor/modules.txt\n"), failure},
		{"build constraints", after("package example.com/m/q: build constraints exclude all Go files in /src/q\nFAIL\texample.com/m/q [setup failed]\nFAIL\n"), failure},
		{"vet", after("# example.com/m/q\n# [example.com/m/q]\n./q.go:3:2: fmt.Printf format %d has arg x of wrong type string\nFAIL\texample.com/m/q [build failed]\n"), failure},
		{"no test files any more", "?   \t" + pkg + "\t[no test files]\n" + samplesOf("example.com/m/q", "BenchmarkB-8", 5, ""), failure},
		{"a skipped benchmark", strings.Replace(samplesOf(pkg, "BenchmarkB-8", 5, ""), "PASS", "--- SKIP: BenchmarkA\n    a_test.go:3: no data\nPASS", 1), failure},
		{"a log that says PASS and ends", head[:len(head)/2] + "\nPASS\n", failure},
		{"five of ten", strings.Join(strings.SplitAfter(head, "\n")[:9], "") + "BenchmarkA-8--- FAIL: BenchmarkA-8\n    a_test.go:3: no\nFAIL\nFAIL\t" + pkg + "\t1s\n", failure},
		{"another machine", strings.ReplaceAll(same, "cpu: CPU", "cpu: other"), failure},
		{"one processor", strings.ReplaceAll(same, "-8", ""), failure},
		// Numbers that are none.
		{"NaN", strings.ReplaceAll(same, "16 B/op", "NaN B/op"), failure},
		{"Inf", strings.ReplaceAll(same, "16 B/op", "+Inf B/op"), failure},
		{"no iterations", strings.Replace(same, "\t    1003\t", "\t       0\t", 1), failure},
		{"a unit in some lines only", strings.Replace(same, "\t 1 allocs/op", "", 1), failure},
		{"an earlier measurement before it", strings.TrimSuffix(strings.ReplaceAll(same, " 100.", " 99."), "") + same, failure},
		{"iterations below zero", strings.Replace(same, "\t    1003\t", "\t   -1003\t", 1), failure},
		{"commas", strings.ReplaceAll(same, "100.", "100,"), failure},
		{"thousands", strings.ReplaceAll(same, "\t    10", "\t  1,0"), failure},
		{"a unit that is lost", strings.ReplaceAll(same, " ns/op", ""), failure},
		{"wrapped at the end of a unit", strings.ReplaceAll(same, "\t 1 allocs/op", "\n 1 allocs/op"), failure},
		{"wrapped before a unit, without blanks", strings.ReplaceAll(same, "\t 16 B/op", "\n16 B/op"), failure},
		{"wrapped before the last unit, without blanks", strings.ReplaceAll(same, "\t 1 allocs/op", "\n1 allocs/op"), failure},
		{"wrapped in one line", strings.Replace(same, "\t 1 allocs/op", "\n 1 allocs/op", 1), failure},
		{"blanks of a browser", strings.ReplaceAll(same, " \t", "\u00a0\u00a0"), "pass or not"},
		// Forms in which a text is wrapped.
		{"GitHub's times", "2026-01-01T00:00:SS.1234567Z LINE", reads},
		{"GitHub's groups", "2026-01-01T00:00:00.1Z ##[group]Run go test\n2026-01-01T00:00:SS.1234567Z LINE", reads},
		{"GitLab's sections", "section_start:1700000000:bench\r\x1b[0K\x1b[0;mLINE", reads},
		{"Jenkins' times", "[2026-01-01T00:00:SS.123Z] LINE", reads},
		{"TeamCity", "[00:00:SS] [Step 1/3] LINE", reads},
		{"TeamCity with a letter of its own", "[00:00:SS]i:\t [Step 1/3] LINE", reads},
		{"Kubernetes", "2026-01-01T00:00:SS.123456789Z stdout F LINE", reads},
		{"docker compose", "bench_1  | LINE", "refused"},
		{"Gradle's prefix", ":bench> LINE", "refused"},
		{"a quotation", "> LINE", "refused"},
		{"a difference", "+LINE", "refused"},
		{"HTML", "<span>LINE</span>", "refused"},
		{"a mail", "    LINE", "refused"},
		{"syslog", "Jan 01 00:00:SS host bench[12]: LINE", "refused"},
		// go test -json.
		{"events", json(slow, nil), "regression"},
		{"events, the same", json(same, nil), "pass"},
		{"events without the last one", json(same, func(i int, action string) bool { return action == "pass" }), failure},
		{"events without half a line", json(same, func(i int, _ string) bool { return i == 8 }), failure},
		{"events without the other half", json(same, func(i int, _ string) bool { return i == 7 }), failure},
		{"events without many", json(same, func(i int, _ string) bool { return i > 8 }), failure},
		{"events that jq writes", strings.ReplaceAll(json(slow, nil), `,"`, ",\n  \""), "not pass"},
		{"events in a list", "[" + strings.ReplaceAll(strings.TrimSpace(json(slow, nil)), "\n", ",\n") + "]", "regression"},
		{"events with a prefix", lines(json(slow, nil), "bench | LINE"), "regression"},
		{"a build that fails between events", json(same, nil) + `{"ImportPath":"example.com/m/q [example.com/m/q.test]","Action":"build-output","Output":"q.go:1: no\n"}` + "\n" + `{"ImportPath":"example.com/m/q [example.com/m/q.test]","Action":"build-fail"}` + "\n", failure},
		{"a package whose build failed", json(same, nil) + `{"Action":"fail","Package":"example.com/m/q","Elapsed":0,"FailedBuild":"example.com/m/q"}` + "\n", failure},
	} {
		for _, p := range []struct {
			plain string
			want  string
		}{{slow, "regression"}, {same, "pass"}} {
			text, want := c.text, c.want
			if strings.Contains(text, "LINE") {
				if text = lines(p.plain, text); want == reads {
					want = p.want
				}
			} else if p.want == "pass" {
				continue
			}
			got, why := "refused", ""
			if run, err := Read(strings.NewReader(text), "new", ReadOptions{}); err == nil {
				base, err := Read(strings.NewReader(old), "old", ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				cmp := Compare(base, run, Options{})
				g := Judge(cmp, Policy{})
				got, why = string(g.Outcome), fmt.Sprint(g.Doubts, run.Raw[:min(300, len(run.Raw))])
			}
			if ok := want == got || want == failure && got != "pass" || want == "pass or not"; !ok {
				t.Errorf("%s: got %s, want %s: %.400s", c.name, got, want, why)
			}
		}
	}
}

// One measurement that is taken for two is told.
func TestTwice(t *testing.T) {
	const pkg = "example.com/m/p"
	read := func(text string) *Run {
		r, err := Read(strings.NewReader(text), "text", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, other := samplesOf(pkg, "BenchmarkA-8", 100, ""), samplesOf(pkg, "BenchmarkA-8", 101, "")
	for _, c := range []struct{ old, new, want string }{
		{one, other, ""},
		{one, one, "every time is the same on both sides, to the digit"},
		{one, other + other, "every result stands there twice"},
		{samplesOf(pkg, "BenchmarkA-8", 100, "") + one, other + one, "every result stands there twice"},
		{"BenchmarkA 1 3 ns/op 3 allocs/op\n", "BenchmarkA 1 3 ns/op 3 allocs/op\n", ""},
	} {
		warnings := strings.Join(Compare(read(c.old), read(c.new), Options{}).Warnings, "\n")
		if c.want == "" && strings.Contains(warnings, "twice") || !strings.Contains(warnings, c.want) {
			t.Errorf("got %q, want %q", warnings, c.want)
		}
	}
}
