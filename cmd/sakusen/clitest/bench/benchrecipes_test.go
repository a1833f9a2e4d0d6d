package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The action and the recipes of examples/ci are run as they stand, in clones of a module whose
// change is harmless, allocates once more, or is none.
func TestBenchRecipes(t *testing.T) {
	suite.All(t)
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	origin, _ := repository(t)
	gitIn(t, origin, "checkout", "-q", "main")
	clitest.WriteFile(t, origin, "go.mod", "module example.com/toy\n\ngo 1.26\n")
	clitest.WriteFile(t, origin, "toy_test.go", plantedTest)
	gitIn(t, origin, "add", "-A")
	gitIn(t, origin, "commit", "-qm", "toy")
	change := func(name, from, to string) (clone string) {
		t.Helper()
		gitIn(t, origin, "checkout", "-q", "-b", name, "main")
		clitest.WriteFile(t, origin, "toy_test.go", strings.Replace(plantedTest, from, to, 1))
		clitest.WriteFile(t, origin, "CHANGES", name)
		gitIn(t, origin, "add", "-A")
		gitIn(t, origin, "commit", "-qm", name)
		clone = filepath.Join(t.TempDir(), "clone")
		gitIn(t, origin, "clone", "-q", "-b", name, "file://"+origin, clone)
		return clone
	}
	unchanged := change("unchanged", "", "")
	slower := change("slower", "\t\tsink =", "\t\tsink = make([]byte, 8)\n\t\tsink =")
	shallow := filepath.Join(t.TempDir(), "shallow")
	gitIn(t, origin, "clone", "-q", "--depth", "1", "-b", "slower", "file://"+origin, shallow)
	gitIn(t, origin, "checkout", "-q", "--orphan", "orphan")
	gitIn(t, origin, "commit", "-qm", "orphan")
	orphan := filepath.Join(t.TempDir(), "orphan")
	gitIn(t, origin, "clone", "-q", "-b", "orphan", "file://"+origin, orphan)

	said, api := pullRequest(t)
	temp := t.TempDir()
	r := &runner{t: t, temp: temp, action: root, inputs: map[string]string{"arguments": `--benchtime 5ms --rounds 3 --prepare 'test -f "$BENCH_CHECKOUT/go.mod"'`}, api: api}
	action := steps(t, filepath.Join(root, "action.yml"))
	second := steps(t, filepath.Join(root, "examples", "ci", "github-bench-comment.yml"))

	// The program is built once, and is taken from the cache where its sources are the same.
	r.run(action["key"], clitest.ExitDone)
	if out := r.output("key"); strings.Trim(out, "0123456789") != "-" {
		t.Errorf("the key of the cache is %q", out)
	}
	r.run(action["install"], clitest.ExitDone)
	program := filepath.Join(temp, "sakusen-bench", "sakusen-bench")
	before, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	r.run(action["install"], clitest.ExitDone)
	if after, err := os.Stat(program); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("it is built again: %v", err)
	}

	// Too few rounds to judge time: what is exact decides.
	note := "::error file=toy_test.go,line=7,title=toy.A"
	r.dir = unchanged
	out := r.run(action["gate"], clitest.ExitDone)
	if verdict := r.output("verdict"); verdict != "nothing" || !strings.Contains(out, "::notice::no benchmark to compare") || strings.Contains(out, note) {
		t.Errorf("no change: verdict %s: %s", verdict, out)
	}
	r.run(action["comment"], clitest.ExitDone)
	r.run(second["one comment"], clitest.ExitDone)
	if body := said(); body != "" {
		t.Errorf("no change: comment %q", body)
	}
	r.dir = slower
	out = r.run(action["gate"], clitest.ExitNegative)
	if r.output("verdict") != "regression" || r.output("exit-code") != "1" || !strings.Contains(out, note) || !strings.Contains(out, "exact metric changed from 1 to 2, for the worse") {
		t.Errorf("an allocation: %s", out)
	}
	if text := readDoc(t, filepath.Join(temp, "summary")); !strings.Contains(text, "## Benchmarks: regression") || strings.Contains(text, "planted.Planted") {
		t.Errorf("summary %s", text)
	}
	if text := readDoc(t, r.output("report")); !strings.Contains(text, `"verdict":"regression"`) {
		t.Errorf("report %s", text)
	}
	for _, step := range []step{action["comment"], second["one comment"]} {
		r.run(step, clitest.ExitDone)
		if body := said(); !strings.HasPrefix(body, "<!-- sakusen-bench: gate -->\n### Benchmarks: regression") {
			t.Errorf("%s: comment %q", step.name, body)
		}
	}
	// A fork's token may only read, which fails nothing and is told.
	r.token = "readonly"
	if out := r.run(action["comment"], clitest.ExitDone); said() != "" || !strings.Contains(out, "403") || !strings.Contains(out, "::notice::the verdict is not under the pull request") {
		t.Errorf("a fork: %s", out)
	}
	// What cannot be measured says what to set.
	for dir, want := range map[string]string{shallow: "::error::this clone is shallow and does not have the commit at which the change left main: set fetch-depth: 0", orphan: "::error::HEAD and main have no commit in common"} {
		r.dir = dir
		if out := r.run(action["gate"], clitest.ExitUsage); !strings.Contains(out, want) {
			t.Errorf("%s: %s", dir, out)
		}
	}
	r.dir, r.inputs["base"] = slower, "nowhere"
	if out := r.run(action["gate"], clitest.ExitUsage); !strings.Contains(out, "::error::the branch nowhere cannot be fetched from origin") {
		t.Errorf("a branch that is not there: %s", out)
	}

	// Elsewhere the same script says it in plain words; it builds the program itself, and with
	// no folder for results it leaves none.
	lines := script(t, filepath.Join(root, "examples", "ci", "gitlab-bench.yml"))
	if !strings.HasPrefix(lines[0], "git clone ") {
		t.Fatalf("GitLab: %q", lines)
	}
	gitlab := "set -e\n" + strings.ReplaceAll(strings.Join(lines[1:], "\n"), "/tmp/sakusen", root)
	for _, c := range []struct {
		dir  string
		code int
		says string
	}{{unchanged, clitest.ExitDone, "no benchmark to compare"}, {slower, clitest.ExitNegative, "exact metric changed from 1 to 2"}, {shallow, clitest.ExitUsage, "GIT_DEPTH: 0"}} {
		cmd := exec.Command("sh", "-c", gitlab)
		cmd.Dir = c.dir
		cmd.Env = append(os.Environ(), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "BENCH_RESULTS=bench-results", "BENCH_ARGS=--benchtime 5ms --rounds 3", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=")
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "::") {
			t.Errorf("GitLab, %s: exit code %d: %s", c.dir, code, out)
		}
	}
	if text := readDoc(t, filepath.Join(slower, "bench-results", "head.txt")); !strings.Contains(text, "BenchmarkA") {
		t.Errorf("results %s", text)
	}
	gitIn(t, slower, "clean", "-qfdx")
	cmd := exec.Command("sh", filepath.Join(root, "examples", "ci", "bench.sh"), "main", ".")
	cmd.Dir = slower
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"), "BENCH_ARGS=--benchtime 5ms --rounds 3", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=", "TMPDIR="+temp)
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != clitest.ExitNegative {
		t.Errorf("shell: %s", out)
	}
	if left := gitIn(t, slower, "status", "--porcelain", "--ignored"); left != "" {
		t.Errorf("left in the checkout: %s", left)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "tmp.*")); len(left) > 0 {
		t.Errorf("left beside it: %s", left)
	}
}

// runner stands in for GitHub's: it runs steps with the variables that GitHub sets.
type runner struct {
	t                      *testing.T
	temp, action, dir, api string
	token                  string
	inputs                 map[string]string // other than the action's defaults
}

// run runs a step and returns what it printed.
func (r *runner) run(s step, want int) string {
	r.t.Helper()
	os.Remove(filepath.Join(r.temp, "output"))
	expression := regexp.MustCompile(`\$\{\{ ([a-z._-]+) \}\}`)
	values := map[string]string{"runner.temp": r.temp, "github.token": "secret", "github.event.number": "7"}
	for name, value := range s.defaults {
		values["inputs."+name] = value
	}
	for name, value := range r.inputs {
		values["inputs."+name] = value
	}
	if r.token != "" {
		values["github.token"] = r.token
	}
	evaluated := func(text string) string {
		for range 2 { // a default is an expression too
			text = expression.ReplaceAllStringFunc(text, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
		}
		return text
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", evaluated(s.run))
	cmd.Dir = r.dir
	path, _ := os.ReadFile(filepath.Join(r.temp, "path"))
	cmd.Env = append(os.Environ(), "PATH="+strings.TrimSpace(string(path))+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+r.action, "GITHUB_OUTPUT="+filepath.Join(r.temp, "output"), "GITHUB_PATH="+filepath.Join(r.temp, "path"),
		"RUNNER_TEMP="+r.temp, "GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"), "GITHUB_API_URL="+r.api, "GITHUB_REPOSITORY=o/n")
	for name, value := range s.env {
		cmd.Env = append(cmd.Env, name+"="+evaluated(value))
	}
	if s.name == "one comment" { // what happened elsewhere
		cmd.Env = append(cmd.Env, "HEAD=fork:change", "SHA=aaa")
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != want {
		r.t.Errorf("%s: exit code %d, want %d: %s", s.name, code, want, out)
	}
	return string(out)
}

// output returns an output of the step that ran last.
func (r *runner) output(name string) string {
	r.t.Helper()
	for line := range strings.Lines(readDoc(r.t, filepath.Join(r.temp, "output"))) {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
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
// fork:change heads at aaa, and tells the comment that was added since it was last asked.
func pullRequest(t *testing.T) (said func() string, url string) {
	t.Helper()
	var last string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /repos/o/n/pulls", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"number":7,"head":{"sha":"aaa"}}]`)
	})
	mux.HandleFunc("GET /repos/o/n/issues/7/comments", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	mux.HandleFunc("POST /repos/o/n/issues/7/comments", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
			return
		}
		var note struct{ Body string }
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
			t.Error(err)
		}
		last = note.Body
		fmt.Fprint(w, `{"id":1}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return func() string {
		body := last
		last = ""
		return body
	}, server.URL
}

// step is a step of a workflow or of an action that runs a command.
type step struct {
	name, run     string
	env, defaults map[string]string // defaults: of the action's inputs
}

// steps returns the steps of a workflow's only job or of an action, by their names.
func steps(t *testing.T, file string) map[string]step {
	t.Helper()
	all, defaults, input := map[string]step{}, map[string]string{}, ""
	s, block := step{}, ""
	for line := range strings.Lines(readDoc(t, file)) {
		text, depth := strings.TrimSpace(line), len(line)-len(strings.TrimLeft(line, " "))
		key, value, _ := strings.Cut(strings.TrimPrefix(text, "- "), ":")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch {
		case strings.HasPrefix(text, "- name:") || strings.HasPrefix(text, "- uses:"):
			s, block = step{name: value, env: map[string]string{}, defaults: defaults}, ""
		case s.name == "" && depth == 2:
			input = key
		case s.name == "" && key == "default":
			defaults[input] = value
		case key == "env" || key == "with":
			block = key
		case key == "run":
			if block = "run"; value != "|" {
				s.run = strings.TrimSpace(strings.TrimPrefix(text, "run:"))
				block = ""
			}
		case block == "env" && value != "":
			s.env[key] = value
		case block == "run":
			s.run += text + "\n"
		}
		all[s.name] = s
	}
	return all
}

// script returns the commands of GitLab's job.
func script(t *testing.T, file string) (lines []string) {
	t.Helper()
	_, text, _ := strings.Cut(readDoc(t, file), "  script:\n")
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "    - ")
		if !ok {
			return lines
		}
		lines = append(lines, strings.TrimSpace(command))
	}
	return lines
}

// Without a branch the script takes that of the pull request, or else origin's default branch;
// a key tells comments apart.
func TestBenchScriptDefaults(t *testing.T) {
	script, err := filepath.Abs("../../../../examples/ci/bench.sh")
	if err != nil {
		t.Fatal(err)
	}
	origin, clone, bin := t.TempDir(), filepath.Join(t.TempDir(), "clone"), t.TempDir()
	gitIn(t, origin, "init", "-q", "-b", "trunk")
	gitIn(t, origin, "commit", "-q", "--allow-empty", "-m", "one")
	gitIn(t, origin, "branch", "next")
	gitIn(t, origin, "clone", "-q", "file://"+origin, clone)
	clitest.WriteFile(t, bin, "gate.json", "{}")
	stand := filepath.Join(bin, "sakusen-bench")
	if err := os.WriteFile(stand, []byte("#!/bin/sh\n[ \"$1\" != gate ] || exit 1\necho \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(clone, env string, args ...string) (string, error) {
		cmd := exec.Command("sh", append([]string{script}, args...)...)
		cmd.Dir = clone
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + bin, "BENCH_RESULTS=" + bin, env}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	// On the branch itself it is the commit before.
	if out, err := run(clone, "X="); err != nil || !strings.Contains(out, "run --base origin/trunk ") {
		t.Errorf("the first commit: %v\n%s", err, out)
	}
	gitIn(t, origin, "commit", "-q", "--allow-empty", "-m", "two")
	gitIn(t, clone, "pull", "-q")
	if out, err := run(clone, "X="); err != nil || !strings.Contains(out, "HEAD is a commit of trunk: it is compared with ") || !strings.Contains(out, ", the one before it") || !strings.Contains(out, "run --base HEAD~1 ") {
		t.Errorf("the second: %v\n%s", err, out)
	}
	// After a push of several it is the one before the push, where the build server names that.
	gitIn(t, origin, "commit", "-q", "--allow-empty", "-m", "three")
	gitIn(t, clone, "pull", "-q")
	first := strings.TrimSpace(gitIn(t, clone, "rev-parse", "HEAD~2"))
	event := filepath.Join(bin, "event.json")
	clitest.WriteFile(t, bin, "event.json", "{\n  \"after\": \"x\",\n  \"before\": \""+first+"\"\n}\n")
	for env, want := range map[string]string{
		"CI_COMMIT_BEFORE_SHA=" + first: "run --base " + first, "GITHUB_EVENT_PATH=" + event: "run --base " + first, "CI_COMMIT_BEFORE_SHA=" + strings.Repeat("0", 40): "run --base HEAD~1 ",
	} {
		if out, err := run(clone, env); err != nil || !strings.Contains(out, want) {
			t.Errorf("a push of two, %s: %v\n%s", env, err, out)
		}
	}
	// A merge of what was pushed meanwhile, as git pull makes it, has that as its second parent.
	gitIn(t, origin, "checkout", "-q", "-b", "own", "HEAD~1")
	gitIn(t, origin, "commit", "-q", "--allow-empty", "-m", "mine")
	gitIn(t, origin, "merge", "-q", "-m", "merged", "trunk")
	pushed := strings.TrimSpace(gitIn(t, origin, "rev-parse", "trunk"))
	gitIn(t, origin, "checkout", "-q", "-B", "trunk")
	gitIn(t, clone, "pull", "-q")
	for env, want := range map[string]string{
		"CI_COMMIT_BEFORE_SHA=" + pushed: "run --base " + pushed, "DRONE_COMMIT_BEFORE=" + pushed: "run --base " + pushed,
		"CI_COMMIT_BEFORE_SHA=" + strings.Repeat("1", 40): "is not in the history of HEAD: only the last commit is looked at",
	} {
		if out, err := run(clone, env); err != nil || !strings.Contains(out, want) {
			t.Errorf("a push of a merge, %s: %v\n%s", env, err, out)
		}
	}
	// What an earlier step of a job changed is not what the job is about.
	if err := os.WriteFile(filepath.Join(clone, "f"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, clone, "add", "-A")
	for env, want := range map[string]string{"CI=true": "run --base HEAD~1 ", "X=": "run --base origin/trunk "} {
		if out, err := run(clone, env); err != nil || !strings.Contains(out, want) {
			t.Errorf("changes in the tree, %s: %v\n%s", env, err, out)
		}
	}
	gitIn(t, clone, "reset", "-q", "--hard")
	shallow := filepath.Join(t.TempDir(), "shallow")
	gitIn(t, origin, "clone", "-q", "--depth", "1", "file://"+origin, shallow)
	if out, err := run(shallow, "GITHUB_ACTIONS=1"); err == nil || !strings.Contains(out, "::error::HEAD is a commit of trunk, and this clone is shallow") {
		t.Errorf("without the one before: %v\n%s", err, out)
	}
	two, one := strings.TrimSpace(gitIn(t, clone, "rev-parse", "HEAD")), strings.TrimSpace(gitIn(t, clone, "rev-parse", "HEAD~1"))
	gitIn(t, clone, "checkout", "-q", "-b", "change")
	gitIn(t, clone, "commit", "-q", "--allow-empty", "-m", "three")
	for i, c := range []struct {
		env  string
		args []string
		want string
	}{
		{"X=", nil, "run --base origin/trunk "},
		{"GITHUB_BASE_REF=next", nil, "run --base origin/next "},
		{"CHANGE_TARGET=next", nil, "run --base origin/next "},
		{"CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME=next", nil, "run --base origin/next "},
		{"SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/next", nil, "run --base origin/next "},
		{"X=", []string{"origin/next"}, "run --base origin/next "},
		{"DRONE_TARGET_BRANCH=next", nil, "run --base origin/trunk "}, // no pull request
		{"GITHUB_BASE_REF=next", []string{"trunk"}, "run --base origin/trunk "},
		{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + two, []string{"next"}, "run --base " + two + " "}, // a fork's next is old
		{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + one, []string{"trunk"}, "run --base origin/trunk "},
		{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + strings.Repeat("0", 40), []string{"trunk"}, "run --base origin/trunk "},
		{"BENCH_ARGS=--rounds 6\n--args '-size 3'\n", []string{"trunk"}, " --rounds 6 --args -size 3 "},
		{"BENCH_ARGS=# fewer\n--rounds 6 # of them\n --args '-size #3'\n", []string{"trunk"}, " --rounds 6 --args -size #3 ./...\n"},
		{"BENCH_ARGS=# don't take \"long\nx=1\n", []string{"trunk"}, " x=1 ./...\n"},
		{"BENCH_ARGS=--args 'a\n#b' c#d \\\n --rounds 6 \"it's\"", []string{"trunk"}, " --args a\n#b c#d --rounds 6 it's ./...\n"},
		{"BENCH_WHEN=undecided", []string{"--comment", "7"}, " --key gate --when undecided\n"},
		{"BENCH_KEY=a b", []string{"--comment", "7"}, " --pull 7 --author github-actions[bot] --key a b"},
	} {
		if suite.Few() && i%4 != 0 {
			continue
		}
		if out, err := run(clone, c.env, c.args...); err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%s %q: %v\n%s", c.env, c.args, err, out)
		}
	}
}
