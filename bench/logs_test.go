package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// twoOf returns the output of a package with two benchmarks, of which the first is slower.
func twoOf(seed uint64, slower float64, names ...string) string {
	random := rand.New(rand.NewPCG(seed, 41))
	text := okHeader
	for i, name := range names {
		for range 10 {
			ns := 100 * (1 + .01*random.Float64())
			if i == 0 {
				ns *= slower
			}
			text += fmt.Sprintf("Benchmark%s \t   10000\t%10.1f ns/op\t      64 B/op\t       3 allocs/op\n", name, ns)
		}
	}
	return text + "PASS\nok  \tp\t1.234s\n"
}

// asEvents returns the text of a package as go test -json has it.
func asEvents(text string) string {
	var b strings.Builder
	_, rest, _ := strings.Cut(text, "pkg: ")
	pkg, _, _ := strings.Cut(rest, "\n")
	event := func(action, output string) {
		line, _ := json.Marshal(map[string]string{"Action": action, "Package": pkg, "Output": output})
		b.WriteString(string(line) + "\n")
	}
	event("start", "")
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, "\t")
		if event("output", strings.TrimSuffix(name+"\t", "\n\t")+strings.Repeat("\n", strings.Count(name, "\n"))); found {
			event("output", rest)
		}
	}
	event("pass", "")
	return b.String()
}

// twice returns a text with each line twice.
func twice(text string) string {
	return regexp.MustCompile(`(?m)^(.*\n)`).ReplaceAllString(text, "$1$1")
}

// wide returns a text in UTF-16, of which the upper bytes stand first or behind.
func wide(text string, high bool) string {
	var b []byte
	for _, c := range utf16.Encode([]rune("\ufeff" + text)) {
		if low := []byte{byte(c), byte(c >> 8)}; high {
			b = append(b, low[1], low[0])
		} else {
			b = append(b, low...)
		}
	}
	return string(b)
}

func before(text, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix) + "\n"
}

// A text in the form that a build server, a shell or an editor gives it is read, or it is none
// that passes: what is 50 % slower never does.
func TestFormsOfLogs(t *testing.T) {
	old, slow := twoOf(1, 1, "A-8", "B-8"), twoOf(2, 1.5, "A-8", "B-8")
	pages := func(names ...string) [2]string { return [2]string{twoOf(1, 1, names...), twoOf(2, 1.5, names...)} }
	for _, c := range []struct {
		name string
		new  string
		want Outcome // "" for any but a pass
	}{
		{"GitHub's log with groups", before("##[group]Run go test\n\x1b[36;1mgo test\x1b[0m\nenv:\n##[endgroup]\n"+slow, "2026-11-26T10:00:00.1234567Z "), Regression},
		{"gh run view --log", before(slow, "bench\tUNKNOWN STEP\t2026-11-26T10:00:00.1234567Z "), Regression},
		{"GitLab's sections", "section_start:1560896352:x\r\x1b[0KHeader\n" + slow + "section_end:1560896353:x\r\x1b[0K\n", Regression},
		{"GitLab's lines that go on", before(slow, "2026-11-26T10:00:00.000001Z 01O+"), Regression},
		{"Buildkite", "~~~ Running commands\n" + before(slow, "\x1b_bk;t=1714557600000\x07") + "^^^ +++\n", Regression},
		{"Gradle", "> Task :bench\n" + slow + "\nBUILD SUCCESSFUL in 3s\n", Regression},
		{"Maven", before(slow, "[INFO] "), ""},
		{"Docker Compose", before(slow, "bench-1  | "), ""},
		{"Docker's build", before(slow, "#12 1.5 "), ""},
		{"Kubernetes", before(slow, "[pod/bench/bench] "), ""},
		{"Bazel", "==================== Test output for //p:p_test:\n" + slow + strings.Repeat("=", 80) + "\n//p:p_test      PASSED in 1.2s\n", Regression},
		{"TeamCity", before(slow, "[10:00:00] [Step 1/2] "), Regression},
		{"TeamCity, downloaded", before(slow, "[10:00:00] :\t [Step 1/2] "), Regression},
		{"Jenkins with times", before(slow, "10:00:00  ") + "10:00:01  [Pipeline] End of Pipeline\n", Regression},
		{"the journal", before(slow, "Nov 26 10:00:00 host bench[123]: "), ""},
		{"events", asEvents(slow), Regression},
		{"events with times", before(asEvents(slow), "2026-11-26T10:00:00Z "), Regression},
		{"events behind a prefix", before(asEvents(slow), "bench-1  | "), Regression},
		{"events of outputs alone", regexp.MustCompile(`(?m)^.*"(start|pass)".*\n`).ReplaceAllString(asEvents(slow), ""), Regression},
		{"events in an array", "[" + strings.ReplaceAll(strings.TrimSpace(asEvents(slow)), "\n", ",") + "]", ""},
		{"indented events", strings.NewReplacer("{", "{\n  ", ",\"", ",\n  \"", "}", "\n}").Replace(asEvents(slow)), ""},
		{"carriage returns", strings.ReplaceAll(slow, "\n", "\r\n"), Regression},
		{"tabs that became blanks", strings.ReplaceAll(slow, "\t", "    "), Regression},
		{"tabs that were written out", strings.ReplaceAll(slow, "\t", `\t`), ""},
		{"ends that were written out", strings.ReplaceAll(slow, "\n", `\n`), ""},
		{"one long line", strings.Join(strings.Fields(slow), " "), ""},
		{"HTML", "<pre>" + slow + "</pre>", ""},
		{"HTML by lines", strings.ReplaceAll(before(slow, "<div>"), "\n", "</div>\n"), ""},
		{"a quotation", before(slow, "> "), ""},
		{"a patch", before(slow, "+"), ""},
		{"numbers of lines", before(slow, "  12: "), ""},
		{"colours", strings.ReplaceAll(slow, "ns/op", "\x1b[1mns/op\x1b[0m"), Regression},
		{"blanks that do not break", strings.ReplaceAll(slow, " ns", "\u00a0ns"), ""},
		{"blanks of no width", strings.ReplaceAll(slow, "Bench", "\u200bBench"), Regression},
		{"other ends of lines", strings.ReplaceAll(slow, "\n", "\u2028"), ""},
		{"vertical tabs", strings.ReplaceAll(slow, "\t", "\v"), ""},
		{"commas for points", strings.ReplaceAll(strings.ReplaceAll(slow, ".", ","), "1,234s", "1.234s"), ""},
		{"wide digits", strings.ReplaceAll(slow, "1", "１"), ""},
		{"lines that ran together", strings.Replace(twoOf(2, 1, "A-8", "B-8"), "allocs/op\nBenchmark", "allocs/op Benchmark", 1), ""},
		{"a middle that is cut out", old[:len(old)/2] + "\n... output truncated ...\n" + old[len(old)-200:], ""},
		{"some lines of one benchmark", strings.Join(slices.Delete(strings.SplitAfter(twoOf(2, 1, "A-8", "B-8"), "\n"), 4, 9), ""), ""},
		{"colours of tput", strings.ReplaceAll(slow, "Benchmark", "\x1b(B\x1b[mBenchmark"), Regression},
		{"a cursor that is kept", strings.ReplaceAll(slow, "Benchmark", "\x1b7\x1b8Benchmark"), Regression},
		{"colours of one byte", strings.ReplaceAll(slow, "Benchmark", "\u009b31mBenchmark"), Regression},
		{"marks of direction", strings.ReplaceAll(slow, "Benchmark", "\u200eBenchmark"), Regression},
		{"joiners of words", strings.ReplaceAll(slow, "Benchmark", "\u2060Benchmark"), Regression},
		{"progress that goes back", strings.ReplaceAll(slow, "Benchmark", "50 %\b\b\b\bBenchmark"), Regression},
		{"frames of test2json", strings.ReplaceAll(slow, "PASS", "\x16=== NAME\nPASS"), Regression},
		{"every line twice", twice(slow), Regression},
		{"every line thrice", regexp.MustCompile(`(?m)^(.*\n)`).ReplaceAllString(slow, "$1$1$1"), Regression},
		{"hyphens that do not break", strings.ReplaceAll(slow, "-8", "\u20118"), ""},
		{"UTF-32", strings.Join(strings.Split("\xff\xfe\x00"+slow, ""), "\x00\x00\x00"), ""},
		{"sorted lines", strings.Join(slices.Sorted(strings.Lines(slow)), ""), ""},
		{"a line that was cut off", strings.Replace(slow, "A-8", "A-8"+strings.Repeat("x", 1<<16), 1), ""},
		{"what was measured before, thrice", old + twoOf(11, 1, "A-8", "B-8") + twoOf(12, 1, "A-8", "B-8") + slow, ""},
		{"two benchmarks of a name", strings.ReplaceAll(twoOf(5, 1, "A-8", "B-8"), "3 allocs", "5 allocs") + twoOf(6, 1, "A-8", "B-8"), ""},
		{"other numbers of processors", twoOf(2, 1, "A-16", "B-16"), ""},
		{"one processor", twoOf(2, 1.5, "A", "B"), ""},
	} {
		got := outcome(t, [2]string{old, c.new})
		if c.want != "" && got != c.want || got == Pass || got == NothingToDo {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	if got := outcome(t, [2]string{old + twoOf(3, 1, "A-8", "B-8"), twoOf(3, 1, "A-8", "B-8")}); got != Undecided {
		t.Errorf("a baseline with the results of the change: %s", got)
	}
	for _, names := range [][]string{{"A/n-8", "B/n-16"}, {"Größe/ключ-8", "日本語-8"}, {"1-8", "2x-8"}, {"_a-8", "_b-8"}, {"-8", "B-8"}, {`A/C:\x\y-8`, "B-8"}, {"A/x#01-8", "B-8"}, {"A/a=1,b=(2)|-8", "B-8"}} {
		if got := outcome(t, pages(names...)); got != Regression {
			t.Errorf("%q: %s", names, got)
		}
	}
	for _, c := range []struct {
		unit   string
		factor float64
		want   Outcome // "" for any but a pass
	}{
		{"MiB/s", .5, Regression}, {"Mbit/s", .5, Regression}, {"ns/key", 1.5, Regression}, {"p99-µs", 1.5, Regression}, {"heap-MB", 1.5, Regression},
		{"µs/op", 1.5, ""}, {"μs/op", 1.5, ""}, {"ms/op", 1.5, ""}, {"rps", .5, ""}, {"QPS", .5, ""}, {"%", 1.5, ""}, {"🐢", 1.5, ""}, {"errors/op", 1.5, ""},
		{"allocs/s", .5, Undecided}, {"gc/s", .5, Undecided}, {"stalls/s", .5, Undecided}, {"free-bytes", 1.5, Undecided}, {"saved-sec", 1.5, Undecided}, {"blocks/s", .5, Regression}, {"flags/s", .5, Regression},
	} {
		with := func(text string, factor float64) string {
			i := 0
			return regexp.MustCompile(`ns/op`).ReplaceAllStringFunc(text, func(s string) string {
				i++
				return fmt.Sprintf("%s\t%.2f %s", s, factor*(100+float64(i%7)/10), c.unit)
			})
		}
		got := outcome(t, [2]string{with(old, 1), with(twoOf(2, 1, "A-8", "B-8"), c.factor)})
		if c.want != "" && got != c.want || got == Pass || got == NothingToDo {
			t.Errorf("%s: %s", c.unit, got)
		}
	}
}

// Words of a failure behind the results make a run doubtful, whichever program has written them;
// words that only sound like a failure do not.
func TestWordsBehind(t *testing.T) {
	old, good := twoOf(1, 1, "A-8", "B-8"), twoOf(2, 1, "A-8", "B-8")
	for _, words := range []string{
		"bench-1 exited with code 137", "[ERROR] Failed to execute goal x: Process exited with an error: 1", "//p:p_test   FLAKY, failed in 1 out of 2 in 1.2s", "Executed 1 out of 1 test: 1 fails locally.",
		"go : exit status 1\nAt line:1 char:1", "task timed out", "+ go test\nexit code 137", "host kernel: Out of memory: Killed process 123 (p.test)", "xargs: go: exited with status 255; aborting",
		"parallel: This job failed:", "error: builder for '/nix/store/x.drv' failed with exit code 1", `ERROR: process "/bin/sh -c go test" did not complete successfully: exit code: 1`,
		"bench................Failed\n- hook id: bench\n- exit code: 1", "nox > Session bench failed.", " ELIFECYCLE  Command failed with exit code 1.", "✕ p:tests failed in 1.2s.", "1 test run; 0 passed, 1 errored",
		`fatal: [host]: FAILED! => {"rc": 1}`, "Connection to host closed by remote host.", "client_loop: send disconnect: Broken pipe", "tee: out.txt: No space left on device", "pattern ./...: does not contain main module",
		"bash: line 1: go: command not found", "Exit code: 1", "##[error]Bash exited with code '1'.", "✖  q (1ms) (panic)", "OOMKilled", "The job exceeded the maximum log length, and has been terminated.", "no Go files in /x",
		"Script done on 2026-11-26 10:00:00+00:00 [COMMAND_EXIT_CODE=\"1\"]", "EXIT_CODE=1", `{"exitCode": 1}`, "ret=2", "make bench returned 1", "+ exit 2", "$?=1", "Alarm clock", "Hangup", "Quit (core dumped)",
		"^C\nInterrupted", "process received SIGKILL", "instance was preempted", "unable to start q.test", "Traceback (most recent call last):", `Exception in thread "main" java.lang.IllegalStateException`,
		"vet: q.go:3:2: undeclared name: x", "go: errors parsing go.mod:", "WARNING: DATA RACE", "FAIL! -- 2 Passed | 1 Failed", "🔴 bench", "Bail out! no", "Fehler: Befehl fehlgeschlagen", "Échec de la commande : échec", "构建失败",
		"\x1b[31mFAIL\tq\x1b(B\x1b[m", "[31mFAIL[0m", "^[[31m--- FAIL: BenchmarkC^[[0m", "\u009b31m--- FAIL: BenchmarkC\u009b0m", "\aFAIL\tq\t1s", "\x16--- FAIL: BenchmarkC", "\x1b--- FAIL: BenchmarkC", "FAIL q.TestX (0.00s)", "FAIL q",
		"FAIL\tq\t1s" + strings.Repeat("x", 1<<16), `{"Action":"fail","Package":"p","Test":"BenchmarkC"}`,
		"AssertionError: 3 != 4", "|| bench || failed ||", "*** bench --FAILED-- ***", "process exited with error 0xC0000005", "exit code: -1073741819", "exit code 0xC0000005", "no results: failed", "Reason: DeadlineExceeded", "status=job_failed", "BENCH_FAILED=1",
		"The self-hosted runner: x lost communication with the server.", "Job was stopped by the user", "Agent went offline during the build", "1/1 Test #1: bench ...***Timeout  10.01 sec", "Sending interrupt signal to process", "unexpected EOF", "stack overflow", "job hung",
		"process ended early", "not all benchmarks ran", "too many open files", "connection reset by peer", "time limit reached", "abort trap: 6", "[1]+  Stopped                 go test", "[1]+  Done(1)   go test", "LASTEXITCODE=1", "errorlevel 1", "Uncaught exception", "bench: KO",
		"##teamcity[buildProblem description='x']", "falló la prueba", "błąd: nie ma", "실패", "已终止", "Убито", "❗ bench", "gate: regression (2 series compared, 1 failed, 0 in doubt)",
		"Found 1 data race(s)", "make[1]: *** [bench] Error 1", "Killed", "SIGTERM: terminated", "❌ bench",
	} {
		for form, text := range map[string]string{"plain": good, "events": asEvents(good), "without its end": strings.TrimSuffix(good, "PASS\nok  \tp\t1.234s\n")} {
			if got := outcome(t, [2]string{old, text + words + "\n"}); got == Pass {
				t.Errorf("%s: pass behind %q", form, words)
			}
		}
	}
	for _, words := range []string{
		"0 failed, 3 passed\nno failures", "errors: 0\nerror rate 0.0%\nFinished uploading, 0 errors", "fail-fast: false\nif-no-files-found: error", "?   \terrors\t[no test files]\nok  \tx/fail\t0.1s\n\tx/error\t\tcoverage: 0.0% of statements",
		"exit code 0\nexit status: 0\nJob succeeded", "BUILD SUCCESSFUL in 3s", "DONE 3 tests in 1.3s", "Post job cleanup.\nCleaning up orphan processes\nTerminate orphan process: pid (123) (go)", "see docs/errors.md", "##[group]Run actions/upload-artifact@v4\n##[endgroup]",
		"host : ok=3 changed=1 unreachable=0 failed=0 skipped=0 rescued=0 ignored=0", "+ go test -run - -bench . -timeout 30m ./q", "go test -bench . -failfast -timeout=10m ./errors", "make[1]: Leaving directory '/src/errors'", "GOFLAGS=-timeout=3m",
		"go: downloading x/fatal v1\ngo: downloading go1.24.1 (linux/amd64)\ngo: x@v1.0.0 requires go >= 1.24.0; switching to go1.24.1\ngo: warning: no packages", "\tCommand being timed: \"go test -timeout 3m\"\n\tExit status: 0\n\tMajor page faults: 12",
		"[COMMAND_EXIT_CODE=\"0\"]\nEXIT_CODE=0\nrc=0\nreturned 0\nexit 0\n{\"exitCode\": 0}", "##[group]Run if failure\n  if: failure()\n  timeout-minutes: 10\n  continue-on-error: true\n##[endgroup]",
		"Uploading artifacts as \"archive\" to coordinator... 201 Created  id=1 responseStatus=201 Created token=x", "HTTP/1.1 201 Created\nStatus code: 201", " Container db  Stopping\n Container db  Stopped", "Total reclaimed space: 0B", "+ trap - EXIT\n+ set +e", "Artifact name is valid!", "lost: 0, dropped: 0",
		"exit code: 0 (0x0)", "[1]+  Done                    go test", "Signals delivered: 0", "Archived x/errors.txt", "git config --unset-all core.sshCommand || :", "gate: pass (2 series compared, 0 failed, 0 in doubt)",
		"Post job cleanup.\n[command]/usr/bin/git version\ngit version 2.43.0\nTemporarily overriding HOME='/x' before making global git config changes\nCleaning up orphan processes", "-test.shuffle 12",
		"Cache not found for input keys: go-1", "SUCCESS! -- 3 Passed | 0 Failed | 0 Pending", "ld: warning: could not create compact unwind for _f", "q.c:1:2: warning: return of a failed call", "go test -bench . ./q || (echo failed; exit 1)", "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0", "# q.test\n/usr/bin/ld: warning: x.o: missing .note.GNU-stack section",
	} {
		for form, text := range map[string]string{"plain": good, "events": asEvents(good)} {
			if got := outcome(t, [2]string{old, text + words + "\n"}); got != Pass {
				t.Errorf("%s: %s behind %q", form, got, words)
			}
		}
	}
	for name, text := range map[string]string{
		"UTF-16": wide(good, false) + "--- FAIL: BenchmarkC\nFAIL\nFAIL\tq\t0.3s\n", "UTF-16, odd": wide(good, false) + "--- FAIL: BenchmarkC\nFAIL\nFAIL\tqq\t0.3s\n", "UTF-16 without a mark": wide(good, false)[2:] + "--- FAIL: BenchmarkC\nFAIL\n",
		"UTF-16, upper bytes first": wide(good, true) + "--- FAIL: BenchmarkC\nFAIL\n", "UTF-16 behind": good + wide("--- FAIL: BenchmarkC\r\nFAIL\r\n", false),
		"JUnit": "<testsuites tests=\"3\" failures=\"1\">\n<system-out>\n" + good + "</system-out>\n", "events": strings.Replace(asEvents(good), "\n", "\ngo: q@v1: invalid version: unknown revision\n", 3),
		"events, of which the first are UTF-16": "job " + wide(asEvents(strings.ReplaceAll(twoOf(5, 1, "C-8"), "pkg: p", "pkg: q")), false) + asEvents(good),
		"a test's event":                        strings.Replace(asEvents(good), `{"Action":"pass"`, `{"Action":"fail","Package":"p","Test":"BenchmarkC"}`+"\n"+`{"Action":"pass"`, 1),
	} {
		if got := outcome(t, [2]string{old, text}); got == Pass {
			t.Errorf("pass of %s", name)
		}
	}
	if got := outcome(t, [2]string{old, wide(strings.Replace(good, "PASS", "构建完成你好世界这是一个测试日志沙渠汤河汐\nPASS", 1), false)}); got != Pass {
		t.Errorf("%s of Chinese in UTF-16", got)
	}
	// Inside a package it is the program that speaks, but for what only others print.
	inside := func(words string) string { return strings.Replace(good, "BenchmarkB", words+"\nBenchmarkB", 1) }
	for _, words := range []string{
		"panic: no\n\ngoroutine 7 [running]:\nmain.f()", "panic: nil\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 7 [running]:", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:",
		"./x.sh: Zeile 3: 12345 Getötet                go test", " ELIFECYCLE  Command failed with exit code 1.", "go: go.mod requires go >= 1.99 (running go 1.26; GOTOOLCHAIN=local)", "q.go:3:8: no required module provides package x; to add it:",
		"pattern ./...: directory prefix . does not contain main module", "verifying x@v1: checksum mismatch", "[31m--- FAIL: BenchmarkC[0m", "FAIL\tq [build failed]",
	} {
		if got := outcome(t, [2]string{old, inside(words)}); got == Pass {
			t.Errorf("pass with %q", words)
		}
	}
	for _, words := range []string{"error: no such file", "retry 3 failed", `{"level":"error"}`, "pattern abc: 5 matches", "panic: no\ngoroutine 7 [running]:\nruntime/debug.Stack()", "go: downloading x v1", "exit status: 1", "[0m[31m"} {
		if got := outcome(t, [2]string{old, inside(words)}); got != Pass {
			t.Errorf("%s for %q", got, words)
		}
	}
}

// What ends a process or a machine has words of its own, which no list holds: what stands behind
// the results and is not understood is no pass. Lines of last-words.txt that begin with "== "
// name their source.
func TestLastWords(t *testing.T) {
	text, err := os.ReadFile("testdata/last-words.txt")
	if err != nil {
		t.Fatal(err)
	}
	const ok = "ok  \tp\t1.234s\n"
	old, good := twoOf(1, 1, "A-8", "B-8"), twoOf(2, 1, "A-8", "B-8")
	without := strings.TrimSuffix
	for line := range strings.Lines(string(text)) {
		if line == "\n" || strings.HasPrefix(line, "== ") {
			continue
		}
		for form, sides := range map[string][2]string{
			"plain": {old, good + line}, "events": {old, asEvents(good) + line}, "of the baseline": {old + line, good},
			"without an end": {without(old, "PASS\n"+ok), without(good, "PASS\n"+ok) + line}, "on both sides without an end": {without(old, "PASS\n"+ok) + line, without(good, "PASS\n"+ok) + line},
			"behind PASS": {without(old, ok), without(good, ok) + line}, "behind other words": {old + "Job succeeded\n", good + "Job succeeded\n\n" + line},
		} {
			if got := outcome(t, sides); got == Pass {
				t.Errorf("%s: pass behind %q", form, line)
			}
		}
	}
	// Where both sides go on alike, behind their ends, nothing was ended.
	for _, words := range []string{"run 3 of node 7a8b9c0d1e", "Temporarily overriding HOME='/home/x/1' before making changes", "goodbye, world", "Adding repository directory /src/12 to the configuration"} {
		if got := outcome(t, [2]string{old + words + "\n", good + strings.NewReplacer("3", "4", "7a8b9c0d1e", "ffff000", "12", "13").Replace(words) + "\n"}); got != Pass {
			t.Errorf("%s behind %q on both sides", got, words)
		}
	}
}

// timed returns a text as GitHub's logs have it.
func timed(text string) string {
	var b strings.Builder
	i := 0
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "2026-11-27T10:00:%02d.%07dZ %s", i/10, i%10, line)
		i++
	}
	return b.String()
}

// What build servers say of their own steps, artefacts and caches behind the results tells
// nothing of how these ended.
func TestLastSteps(t *testing.T) {
	text, err := os.ReadFile("testdata/last-steps.txt")
	if err != nil {
		t.Fatal(err)
	}
	old, good := twoOf(1, 1, "A-8", "B-8"), twoOf(2, 1, "A-8", "B-8")
	for line := range strings.Lines(string(text)) {
		if line == "\n" || strings.HasPrefix(line, "== ") {
			continue
		}
		for form, sides := range map[string][2]string{
			"plain": {old, good + line}, "of the baseline": {old + line, good}, "events": {old, asEvents(good) + line},
			"with times": {old, timed(good + line)},
		} {
			if got := outcome(t, sides); got != Pass {
				t.Errorf("%s: %s behind %q", form, got, line)
			}
		}
	}
}

// A failure behind a prefix counts wherever it stands; what a benchmark logs does not.
func TestStrayFailures(t *testing.T) {
	const good = "pkg: p\nBenchmarkA 10 5.0 ns/op\nPASS\n"
	for _, line := range []string{"--- FAIL: BenchmarkQ", "--- FAIL: BenchmarkQ/small-8", "--- FAIL: BenchmarkQ (0.01s)", "FAIL\texample.com/m/q\t1.234s", "FAIL    example.com/m/q 1.234s", "FAIL\texample.com/m/q [build failed]"} {
		for _, before := range []string{"bench-1  | ", "+bench | ", "[x] ", "▸ ", "> ", "12 : ", "2026-11-28T10:00:00Z "} {
			if run, err := Read(strings.NewReader(before+line+"\n"+good), "x", ReadOptions{}); err == nil && len(run.Incomplete()) == 0 {
				t.Errorf("%q is no failure", before+line)
			}
		}
	}
	for _, line := range []string{"health check FAIL after 10s", "job 12: FAIL upstream 3.5s", "state=FAIL node-3 5s", "retry: FAIL -> 2s"} {
		if run, err := Read(strings.NewReader(line+"\n"+good), "x", ReadOptions{}); err != nil || len(run.Incomplete()) != 0 {
			t.Errorf("%q: %v, %v", line, run.Incomplete(), err)
		}
	}
	logged := strings.Replace(good, "PASS", "--- BENCH: BenchmarkA\n    a_test.go:1: the golden file\n        says --- FAIL: BenchmarkQ\nPASS", 1)
	if run, err := Read(strings.NewReader(logged), "x", ReadOptions{}); err != nil || len(run.Incomplete()) != 0 {
		t.Errorf("a log: %v, %v", run.Incomplete(), err)
	}
}
