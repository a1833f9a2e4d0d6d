package runner_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// fakePerf counts 1000 instructions an iteration on the base and 1020 on the
// head, and five million for the process.
const fakePerf = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
file=$2
shift 3
n=0
for a in "$@"; do
	case $a in -test.benchtime=*x) n=${a#*=}; n=${n%x} ;; esac
done
per=1000
case $1 in */head-binaries/*) per=1020 ;; esac
"$@" || exit
{ echo '# started on Saturday'; echo; echo "$((5000000 + n * per)),,instructions:u,1234,100.00,,"; } > "$file"
`

// onPath puts a program before all others on PATH.
func onPath(t *testing.T, name, text string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Where perf counts, two percent more instructions are found, each sub-benchmark
// alone, in five rounds.
func TestInstructions(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "toy.go"), toy(1001, 1))
	onPath(t, "perf", fakePerf)
	r, err := runner.Measure(context.Background(), runner.Options{
		Dir: dir, Base: "main", Packages: []string{"."}, BenchTime: "100x", Rounds: 5, CPU: "1,2", Instructions: true,
	})
	if err != nil || len(r.Warnings) > 0 {
		t.Fatalf("%v, %q", err, r.Warnings)
	}
	c := bench.Compare(read(t, "base", r.Base), read(t, "head", r.Head), bench.Options{})
	found := map[string]bool{}
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Series.Unit != "instructions/op" {
			continue
		}
		found[row.Series.Name] = true
		if row.Old.Center != 1000 || row.New.Center != 1020 || row.Old.N != 5 || row.Verdict != bench.ExactChanged || row.Better != -1 {
			t.Errorf("%+v %+v %+v", row, row.Old, row.New)
		}
	}
	for _, name := range []string{"Work", "Work-2", "Sub/a", "Sub/a-2", "Sub/b", "Sub/b-2"} {
		if !found[name] {
			t.Errorf("no instructions of %s, only %v", name, found)
		}
	}
	if g := bench.Judge(c, bench.Policy{}); g.Outcome != bench.Regression {
		t.Errorf("%+v", g)
	}
	if strings.Contains(r.Noise, "instructions/op") {
		t.Error("the noise copy was counted")
	}
}

// Where perf does not count, that is a warning, and times are measured.
func TestInstructionsMissing(t *testing.T) {
	suite.All(t)
	dir := module(t)
	o := runner.Options{Dir: dir, Base: "main", Bench: "Work", Packages: []string{"."}, BenchTime: "1x", Rounds: 1, All: true, Instructions: true}
	measure := func(want string) {
		t.Helper()
		r, err := runner.Measure(context.Background(), o)
		if err != nil || r.Rounds != 1 || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], want) || strings.Contains(r.Warnings[0], "\n") {
			t.Errorf("%v, %+v, want %s", err, r, want)
		}
	}
	onPath(t, "perf", strings.ReplaceAll(fakePerf, "$((5000000 + n * per))", "<not supported>"))
	measure("instructions are not counted: perf stat: expected a count of instructions, got <not supported>")
	onPath(t, "perf", "#!/bin/sh\nprintf 'No permission to enable instructions:u event.\\n\\nAdvice\\n' >&2\nexit 255\n")
	measure("instructions are not counted: perf stat -x: No permission to enable instructions:u event.")
	// Without perf at all.
	tools := t.TempDir()
	for _, name := range []string{"go", "git"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	measure("instructions are not counted: perf stat -x: exec: \"perf\"")
}
