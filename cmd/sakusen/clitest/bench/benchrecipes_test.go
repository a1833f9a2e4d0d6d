package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The recipes of docs/ci are run as they stand, in a clone of a module whose
// change is harmless, allocates once more, or is none.
func TestBenchRecipes(t *testing.T) {
	suite.All(t)
	origin, _ := repository(t)
	gitIn(t, origin, "checkout", "-q", "main")
	clitest.WriteFile(t, origin, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	clitest.WriteFile(t, origin, "toy_test.go", plantedTest)
	gitIn(t, origin, "add", "-A")
	gitIn(t, origin, "commit", "-qm", "toy")
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	// The recipes' sample times are for real benchmarks.
	wrapper := fmt.Sprintf("#!/bin/sh\n[ \"$2\" != run ] || set -- \"$@\" $QUICK\n%s=1 exec '%s' \"$@\"\n", clitest.AsProgram, os.Args[0])
	if err := os.WriteFile(filepath.Join(bin, "sakusen"), []byte(wrapper), 0o755); err != nil {
		t.Fatal(err)
	}
	steps := workflowSteps(t, filepath.Join(root, "docs", "ci", "github-bench.yml"),
		"build", "the gate can fail", "exact metrics against the committed baseline", "both versions beside each other")
	second := workflowSteps(t, filepath.Join(root, "docs", "ci", "github-bench-comment.yml"), "build", "one comment")
	said, api := pullRequest(t)
	for _, c := range []struct{ name, from, to, says string }{
		{"no change", "", "", "nothing to compare"},
		{"an allocation", "\t\tsink =", "\t\tsink = make([]byte, 8)\n\t\tsink =", "exact metric changed from 1 to 2, for the worse"},
	} {
		clone := filepath.Join(t.TempDir(), "clone")
		gitIn(t, origin, "clone", "-q", origin, clone)
		gitIn(t, clone, "checkout", "-q", "-b", "change")
		clitest.WriteFile(t, clone, "toy_test.go", strings.Replace(plantedTest, c.from, c.to, 1))
		clitest.WriteFile(t, clone, "CHANGES", c.name)
		gitIn(t, clone, "add", "-A")
		gitIn(t, clone, "commit", "-qm", "change")
		summary := filepath.Join(t.TempDir(), "summary.md")
		run := func(quick string, args ...string) (string, int) {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = clone
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
				"RUNNER_TEMP="+bin, "GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY="+summary, "QUICK="+quick,
				"GITHUB_API_URL="+api, "GITHUB_TOKEN=secret", "GITHUB_REPOSITORY=o/n", "HEAD=fork:change", "SHA=aaa")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
				t.Fatal(err)
			}
			return out.String(), cmd.ProcessState.ExitCode()
		}
		want := clitest.ExitDone
		if c.from != "" {
			want = clitest.ExitNegative
		}
		if out, code := run("", "bash", "-eo", "pipefail", "-c", steps["the gate can fail"]); code != clitest.ExitDone {
			t.Errorf("%s: the gate can fail: exit code %d: %s", c.name, code, out)
		}
		// Too few rounds to judge time: what is exact decides.
		out, code := run("--benchtime 5ms --rounds 3", "bash", "-eo", "pipefail", "-c", steps["both versions beside each other"])
		if code != want {
			t.Errorf("%s: workflow: exit code %d, want %d: %s", c.name, code, want, out)
		}
		if text, err := os.ReadFile(summary); want == clitest.ExitNegative && (err != nil || !strings.Contains(string(text), "## Benchmarks: regression")) {
			t.Errorf("%s: summary %s, %v", c.name, text, err)
		}
		// A regression has an annotation where the benchmark stands, and a comment;
		// both are silent where there is none.
		note := "::error file=toy_test.go,line=7,title=toy.A"
		if strings.Contains(out, note) != (want == clitest.ExitNegative) {
			t.Errorf("%s: annotations: %s", c.name, out)
		}
		if out, code := run("", "bash", "-e", "-c", second["one comment"]); code != clitest.ExitDone {
			t.Errorf("%s: comment: exit code %d: %s", c.name, code, out)
		}
		if body := said(); strings.HasPrefix(body, "<!-- sakusen-bench: gate -->\n### Benchmarks: regression") != (want == clitest.ExitNegative) {
			t.Errorf("%s: comment %q", c.name, body)
		}
		if want == clitest.ExitDone {
			continue // the shell recipe begins with the self-test as well: once is enough
		}
		t.Setenv("BENCH_RESULTS", filepath.Join(bin, "results"))
		script := strings.ReplaceAll(readDoc(t, filepath.Join(root, "docs", "ci", "bench.sh")), "--gate --out", "--gate --benchtime 5ms --rounds 3 --out")
		if out, code := run("", "sh", "-c", script, "bench.sh", "main", "."); code != want || !strings.Contains(out, c.says) {
			t.Errorf("%s: shell: exit code %d, want %d: %s", c.name, code, want, out)
		}
		if text := readDoc(t, filepath.Join(bin, "results", "head.txt")); !strings.Contains(text, "BenchmarkA") {
			t.Errorf("%s: results %s", c.name, text)
		}
		if left := gitIn(t, clone, "status", "--porcelain", "--ignored"); left != "" {
			t.Errorf("%s: left in the checkout: %s", c.name, left)
		}
	}
}

func readDoc(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pullRequest stands in for GitHub's API with one pull request, 7, that
// fork:change heads at aaa, and tells the last comment under it.
func pullRequest(t *testing.T) (said func() string, url string) {
	t.Helper()
	var last string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /repos/o/n/pulls", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"number":7,"head":{"sha":"aaa"}}]`)
	})
	mux.HandleFunc("GET /repos/o/n/issues/7/comments", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	mux.HandleFunc("POST /repos/o/n/issues/7/comments", func(_ http.ResponseWriter, r *http.Request) {
		var note struct{ Body string }
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
			t.Error(err)
		}
		last = note.Body
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return func() string { return last }, server.URL
}

// workflowSteps are the commands of a workflow's only job, by the name of the
// step. The step of exact metrics is this repository's own .ci/run as well.
func workflowSteps(t *testing.T, file string, expected ...string) map[string]string {
	t.Helper()
	steps := map[string]string{}
	name, inside := "", false
	for line := range strings.Lines(readDoc(t, file)) {
		text := strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(text, "- "); ok {
			name, inside = strings.TrimPrefix(rest, "name: "), false
		} else if rest, ok := strings.CutPrefix(text, "run: "); ok {
			if inside = rest == "|"; !inside {
				steps[name] = rest
			}
		} else if inside {
			steps[name] += strings.TrimPrefix(line, strings.Repeat(" ", 10))
		}
	}
	for _, name := range expected {
		if steps[name] == "" {
			t.Fatalf("%s: no step %q", file, name)
		}
	}
	return steps
}
