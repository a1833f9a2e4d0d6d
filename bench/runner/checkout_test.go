package runner

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/engines/suite"
)

// put writes files, given as name and text in turns, into a folder.
func put(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// toyIn makes a repository of a module in a folder, with a commit of the files.
func toyIn(t testing.TB, dir string, files ...string) {
	t.Helper()
	put(t, dir, append([]string{"go.mod", "module example.com/toy\n\ngo 1.26\n"}, files...)...)
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "one")
}

const mod = "module example.com/%\n\ngo 1.26\n"

func modOf(name string) string { return strings.ReplaceAll(mod, "%", name) }

// benchOf returns a test file of a package with a benchmark that runs code.
func benchOf(pkg, name, code string) string {
	return "package " + pkg + "\n\nimport \"testing\"\n\nfunc Benchmark" + name + "(b *testing.B) {\n" + code + "\n}\n"
}

// loop returns the body of a benchmark that runs code over and over.
func loop(code string) string { return "\tfor b.Loop() {\n\t\t" + code + "\n\t}" }

// decided measures the working tree of a module against HEAD, in a few iterations, and judges
// what is exact.
func decided(t *testing.T, o Options) (*Decided, string) {
	t.Helper()
	var said strings.Builder
	if o.BenchTime, o.Rounds = "10x", 3; o.Base == "" {
		o.Base = "HEAD"
	}
	o.Say = func(format string, args ...any) {
		said.WriteString(strings.TrimSpace(fmt.Sprintf(format, args...)) + "\n")
	}
	d, err := Decide(context.Background(), DecideOptions{
		Measure: o, ExactOnly: true, Fixed: true,
		Read: func(side, text string) (*bench.Run, error) {
			return bench.Read(strings.NewReader(text), side, bench.ReadOptions{})
		},
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return d, said.String()
}

// The base's checkout has what git leaves out of a worktree: submodules and those inside them,
// neighbours of the repository and what a command makes. The test binary has its arguments, and
// knows where its source lies where it asks.
func TestCheckoutIsComplete(t *testing.T) {
	suite.All(t)
	t.Setenv("GOFLAGS", "") // with -trimpath of one's own, no binary knows where its source lies
	above := t.TempDir()
	dir := filepath.Join(above, "work", "toy")
	for _, name := range []string{"inner", "third"} {
		put(t, filepath.Join(above, name), "go.mod", modOf(name), name+".go", "package "+name+"\n\nfunc F() int { return 1 }\n")
		git(t, filepath.Join(above, name), "init", "-q", "-b", "main")
		if name == "third" {
			git(t, filepath.Join(above, name), "submodule", "--quiet", "add", filepath.Join(above, "inner"), "inner")
		}
		commit(t, filepath.Join(above, name), name)
	}
	for _, name := range []string{"near", "deps/far"} {
		base := filepath.Base(name)
		put(t, filepath.Join(above, map[string]string{"near": "work/ne ar", "far": "deps/far"}[base]), "go.mod", modOf(base), base+".go", "package "+base+"\n\nfunc F() int { return 1 }\n")
	}
	require, imports, calls := "", "", ""
	for _, d := range []struct{ name, path string }{{"third", "./third"}, {"inner", "./third/inner"}, {"near", `"../ne ar"`}, {"far", "../../deps/far"}} {
		require += "\nrequire example.com/" + d.name + " v0.0.0\n\nreplace example.com/" + d.name + " => " + d.path + "\n"
		imports += "\t\"example.com/" + d.name + "\"\n"
		calls += d.name + ".F() + "
	}
	code := "package toy\n\nimport (\n\t\"flag\"\n\t\"os\"\n\t\"path/filepath\"\n\t\"runtime\"\n\t\"testing\"\n\n" + imports + ")\n\nvar size = flag.Int(\"size\", 0, \"\")\n\nvar sink []byte\n\n" +
		"func BenchmarkA(b *testing.B) {\n\tif *size == 0 {\n\t\tb.Skip()\n\t}\n\tif _, file, _, _ := runtime.Caller(0); !filepath.IsAbs(file) {\n\t\tb.Fatal(file)\n\t}\n\tif _, err := os.ReadFile(\"data/x\"); err != nil {\n\t\tb.Fatal(err)\n\t}\n\tfor b.Loop() {\n\t\tsink = make([]byte, *size+" + strings.TrimSuffix(calls, " + ") + "+Gen())\n\t}\n}\n"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "submodule", "--quiet", "add", filepath.Join(above, "third"), "third")
	git(t, dir, "submodule", "--quiet", "update", "--init", "--recursive")
	put(t, dir, "go.mod", modOf("toy")+require, "a_test.go", code, ".gitignore", "/gen.go\n", "gen.go", "package toy\n\nfunc Gen() int { return 2 }\n")
	put(t, above, "elsewhere/x", "1")
	if err := os.Symlink("../../elsewhere", filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	commit(t, dir, "one")
	for _, key := range []string{"color.ui", "color.grep", "color.diff", "color.status"} {
		git(t, dir, "config", key, "always")
	}
	settings := git(t, dir, "config", "--local", "--list")
	put(t, dir, "a_test.go", code+"\nvar x int\n")

	d, said := decided(t, Options{Dir: dir, All: true, Prepare: `cp "$BENCH_CHECKOUT/gen.go" .`, Args: []string{"-size", "58"}})
	if d.Gate.Outcome != bench.Pass || len(d.Result.Failed) > 0 || !strings.Contains(d.Result.Base, " 64 B/op") {
		t.Errorf("%+v\n%s\n%s", d.Gate, d.Result.Base, said)
	}
	if !strings.Contains(said, "base: ../ne ar is outside the repository: both sides take it as it is now") || !strings.Contains(said, "base: ../../elsewhere is outside") {
		t.Errorf("neighbours: %s", said)
	}
	if got := git(t, dir, "config", "--local", "--list"); got != settings {
		t.Errorf("settings changed: %s", got)
	}
	if left := git(t, dir, "worktree", "list"); strings.Count(left, "\n") != 0 {
		t.Errorf("left behind: %s", left)
	}
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1, Prepare: "seq 1000; seq 1000 >&2; echo no luck >&2; exit 3"}); err == nil || !strings.Contains(err.Error(), "lines more)\n992\n") || !strings.HasSuffix(err.Error(), "\nno luck") {
		t.Errorf("a command that says much: %v", err)
	}
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1, Prepare: "echo no luck >&2; exit 3"}); err == nil || !strings.Contains(err.Error(), "head: --prepare: ") || !strings.Contains(err.Error(), "no luck") {
		t.Errorf("a command that fails: %v", err)
	}

	git(t, dir, "mv", "third", "lib")
	put(t, dir, "go.mod", modOf("toy")+strings.ReplaceAll(require, "./third", "./lib"))
	o := Options{Dir: dir, All: true, Prepare: `cp "$BENCH_CHECKOUT/gen.go" .`, Args: []string{"-size", "58"}}
	if d, said := decided(t, o); d.Gate.Outcome != bench.Pass || !strings.Contains(d.Result.Base, " 64 B/op") {
		t.Errorf("a submodule that is moved: %+v\n%s\n%s", d.Gate, d.Result.Base, said)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git", "modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "lib", ".git")); err != nil {
		t.Fatal(err)
	}
	if d, said := decided(t, o); d.Gate.Outcome != bench.Undecided || !strings.Contains(said, "the worktree lacks the submodule third") {
		t.Errorf("a submodule that is not in the clone: %+v\n%s", d.Gate, said)
	}
}

// Where nothing gives the worktree what it lacks, that is named.
func TestCheckoutLacks(t *testing.T) {
	dir := t.TempDir()
	skips := benchOf("data", "D", "\tif _, err := os.Stat(\"big.bin\"); err != nil {\n\t\tb.Skip()\n\t}\n"+loop("sink++"))
	skips = strings.Replace(skips, "import \"testing\"", "import (\n\t\"os\"\n\t\"testing\"\n)\n\nvar sink int", 1)
	toyIn(t, dir, ".gitignore", "gen.go\n*.bin\n", "gen.go", "package toy\n\nfunc Gen() int { return 2 }\n",
		"a_test.go", benchOf("toy", "A", loop("Gen()")), "data/d_test.go", skips, "data/big.bin", "x")
	put(t, dir, "a_test.go", benchOf("toy", "A", loop("Gen()"))+"\nvar x int\n", "data/d_test.go", skips+"\nvar x int\n")
	d, said := decided(t, Options{Dir: dir})
	var reasons []string
	for _, f := range d.Gate.Doubts {
		reasons = append(reasons, f.Reason)
	}
	all := strings.Join(reasons, "\n")
	if d.Gate.Outcome != bench.Undecided || len(d.Result.Failed) != 2 ||
		!strings.Contains(all, "undefined: Gen; the worktree lacks gen.go, data/big.bin, which git ignores: --prepare gives it, such as --prepare 'cp -R \"$BENCH_CHECKOUT\"/gen.go .'") ||
		!strings.Contains(all, "BenchmarkD asks for a file that is not there; the worktree lacks data/big.bin, which git ignores") {
		t.Errorf("%s %s\n%s", d.Gate.Outcome, all, said)
	}
}

// Benchmarks that are skipped on both sides are in doubt: they were asked for.
func TestAllSkipped(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	skips := benchOf("toy", "A", "\tb.Skip()")
	toyIn(t, dir, "a_test.go", skips)
	put(t, dir, "a_test.go", skips+"\nvar x int\n")
	d, said := decided(t, Options{Dir: dir})
	if d.Gate.Outcome != bench.Undecided || len(d.Gate.Doubts) != 1 || !strings.HasPrefix(d.Gate.Doubts[0].String(), "all benchmarks: printed no result on either side") {
		t.Errorf("%+v\n%s", d.Gate, said)
	}
}

// What fails on one side fails alone.
func TestFailsAlone(t *testing.T) {
	fatal := benchOf("toy", "A", "\tb.Fatal(\"bad data\")")
	panics, fine := benchOf("toy", "A", "\tpanic(\"broken\")"), benchOf("toy", "A", loop(""))
	other, wrong := benchOf("p", "B", loop("")), "package p\n\nfunc Benchmark"
	for i, c := range []struct {
		name     string
		old, new [2]string // package toy, package p
		outcome  bench.Outcome
		paired   int // of allocs/op
		says     string
	}{
		{"the old side panics", [2]string{panics, other}, [2]string{fine, other + "\n"}, bench.Pass, 1, "is new, and nothing is compared: it fails on the old side, which the change repairs: panic: broken"},
		{"the old side fails", [2]string{fatal, other}, [2]string{fine, other + "\n"}, bench.Pass, 1, "is new, and nothing is compared: it fails on the old side, which the change repairs: a_test.go:6: bad data"},
		{"the new side panics", [2]string{fine, other}, [2]string{panics, other + "\n"}, bench.Regression, 1, "fails on the new side alone: panic: broken"},
		{"both panic", [2]string{panics, other}, [2]string{panics + "\n", other + "\n"}, bench.Undecided, 1, "fails on both sides, and is not compared: panic: broken"},
		{"a package of the old side does not build", [2]string{fine, wrong}, [2]string{fine + "\n", other}, bench.Pass, 1, "is new, and nothing is compared: it fails on the old side, which the change repairs: "},
		{"a package of the new side does not build", [2]string{fine, other}, [2]string{fine + "\n", wrong}, bench.Regression, 1, "fails on the new side alone: "},
		{"all of the new side do not build", [2]string{fine, other}, [2]string{"package toy\n\nfunc Benchmark", wrong}, bench.Regression, 0, "fails on the new side alone: "},
		{"one does not build, and the other is the same", [2]string{fine, other}, [2]string{fine, wrong}, bench.Regression, 0, "fails on the new side alone: "},
		{"neither side builds", [2]string{"package toy\n\nfunc Benchmark", wrong}, [2]string{"package toy\n\nfunc Benchmark", wrong + "\n"}, bench.Undecided, 0, "fails on both sides, and is not compared: "},
	} {
		if suite.Few() && i != 5 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			toyIn(t, dir, "a_test.go", c.old[0], "p/b_test.go", c.old[1])
			put(t, dir, "a_test.go", c.new[0], "p/b_test.go", c.new[1])
			d, said := decided(t, Options{Dir: dir, All: c.paired > 0})
			all := ""
			for _, f := range slices.Concat(d.Gate.Failures, d.Gate.Doubts, d.Gate.Notes) {
				all += f.Row.Series.Title() + ": " + f.Reason + "\n"
			}
			if d.Gate.Outcome != c.outcome || !strings.Contains(all, c.says) || d.Comparison.Paired != c.paired {
				t.Errorf("%s, %d paired\n%s\n%s", d.Gate.Outcome, d.Comparison.Paired, all, said)
			}
		})
	}
}

// The change that repairs the base passes, whatever of the base is broken; what a worktree lacks
// and what fails by chance are not repaired by anything.
func TestRepairs(t *testing.T) {
	suite.All(t)
	fine := benchOf("toy", "A", loop(""))
	fallsBack := importing(benchOf("toy", "A", "\td, err := os.ReadFile(\"../big.bin\")\n\tif err != nil {\n\t\td = []byte{1}\n\t}\n"+loop("sink = append([]byte(nil), d...)")), "os")
	needs := importing(benchOf("toy", "A", "\td, err := os.ReadFile(\"../big.bin\")\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n"+loop("sink = append([]byte(nil), d...)")), "os")
	grows := importing(benchOf("toy", "A", "\tfor i := range b.N {\n\t\tsink = make([]byte, 1+[2]int{}[i])\n\t}"))
	survived := importing(benchOf("toy", "A", "\tfmt.Print(b.Name(), \"\\t0\\tNaN ns/op\\n\")\n\tb.Skip()"), "fmt")
	chance := func(file string) string {
		return importing(benchOf("toy", "A", "\tif f, err := os.OpenFile("+fmt.Sprintf("%q", file)+", os.O_CREATE|os.O_EXCL, 0o644); err == nil {\n\t\tf.Close()\n\t\tb.Fatal(\"once\")\n\t}\n"+loop("")), "os")
	}
	asks := importing(benchOf("toy", "A", "\tif d, _ := filepath.Abs(\".\"); !strings.HasPrefix(\"in\"+d, os.Getenv(\"TOY_CHECKOUT\")) {\n\t\tb.Fatal(\"no\")\n\t}\n"+loop("")), "os", "path/filepath", "strings")
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
	lfs := importing(benchOf("toy", "A", "\td, _ := os.ReadFile(\"x.dat\")\n"+loop("sink = append([]byte(nil), d...)")), "os")
	skips := importing(benchOf("toy", "A", "\tif list, _ := os.ReadDir(\".\"); len(list) < 2 {\n\t\tb.Skip()\n\t}\n"+loop("sink = nil")), "os")
	const refused = "package toy\n\nimport \"fmt\"\n\nfunc bad() { fmt.Printf(\"%d\", \"x\") }\n"
	embeds := strings.Replace(importing(benchOf("toy", "A", loop("d, _ := data.ReadDir(\"data\"); sink = make([]byte, len(d))")), "embed"), "var sink", "//go:embed data\nvar data embed.FS\n\nvar sink", 1)
	const repairs = "which the change repairs: "
	above := t.TempDir()
	once := filepath.Join(above, "once")
	t.Setenv("TOY_CHECKOUT", "in"+above)
	t.Setenv("GOFLAGS", strings.Replace(os.Getenv("GOFLAGS"), "-vet=off", "", 1))
	t.Setenv("GOTOOLCHAIN", "local")
	for i, c := range []struct {
		name     string
		old, new []string // files
		head     bool     // the new side is a commit
		prepare  string
		outcome  bench.Outcome
		says     string
	}{
		{"a package that does not compile, all there is", []string{"in/a_test.go", "package toy\n\nfunc BenchmarkA(\n"}, []string{"in/a_test.go", fine}, false, "", bench.Pass, repairs},
		{"the same of a commit", []string{"in/a_test.go", "package toy\n\nfunc BenchmarkA(\n"}, []string{"in/a_test.go", fine}, true, "", bench.Pass, repairs},
		{"a module that cannot be loaded", []string{"go.mod", "modul example.com/toy\n", "in/a_test.go", fine}, []string{"go.mod", modOf("toy")}, false, "", bench.Pass, repairs},
		{"a Go that is not here", []string{"go.mod", "module example.com/toy\n\ngo 1.99.0\n", "in/a_test.go", fine}, []string{"go.mod", modOf("toy")}, false, "", bench.Undecided, "is new: it fails on the old side: "},
		{"a file that is missing", []string{"in/a_test.go", benchOf("toy", "A", loop("F()"))}, []string{"in/f.go", "package toy\n\nfunc F() {}\n"}, false, "", bench.Pass, repairs},
		{"more iterations than one", []string{"in/a_test.go", grows}, []string{"in/a_test.go", strings.Replace(grows, "[i]", "[i%2]", 1)}, false, "", bench.Pass, repairs},
		{"a panic that package testing survives", []string{"in/a_test.go", survived}, []string{"in/a_test.go", importing(fine)}, false, "", bench.Pass, repairs + "BenchmarkA prints a result of no iterations, as one that panics does"},
		{"what vet refuses", []string{"in/bad.go", refused, "in/a_test.go", importing(fine)}, []string{"in/bad.go", "package toy\n", "in/a_test.go", strings.Replace(importing(fine), loop(""), loop("sink = make([]byte, 8)"), 1)}, false, "", bench.Regression, "exact metric changed from 0 to 1"},
		{"what vet refuses on both sides", []string{"in/bad.go", refused, "in/a_test.go", importing(fine)}, []string{"in/a_test.go", strings.Replace(importing(fine), loop(""), loop("sink = make([]byte, 8)"), 1)}, false, "", bench.Regression, "exact metric changed from 0 to 1"},
		{"what vet refuses on both sides, the same", []string{"in/bad.go", refused, "in/a_test.go", importing(fine)}, []string{"in/a_test.go", importing(fine) + "\nvar x int\n"}, false, "", bench.Pass, ""},
		{"what vet refuses on the new side", []string{"in/bad.go", "package toy\n", "in/a_test.go", importing(fine)}, []string{"in/bad.go", refused}, false, "", bench.Regression, "fails on the new side alone: in/bad.go:5:26: fmt.Printf format %d"},
		{"data that git ignores", []string{"in/a_test.go", needs}, []string{"in/a_test.go", needs + "\nvar x int\n"}, false, "", bench.Undecided, "no such file or directory; the worktree lacks big.bin, which git ignores"},
		{"data that git ignores, with another way", []string{"in/a_test.go", fallsBack}, []string{"in/a_test.go", fallsBack + "\nvar x int\n"}, false, "", bench.Undecided, "the worktree lacks big.bin, which git ignores: --prepare gives it, such as --prepare 'cp -R \"$BENCH_CHECKOUT\"/big.bin .'"},
		{"data that git ignores, without which both skip", []string{"in/l.bin", "many", "in/a_test.go", skips}, []string{"in/a_test.go", skips + "\nvar x int\n"}, true, "", bench.Undecided, "the worktree lacks in/l.bin, which git ignores"},
		{"a command that fails on the old side", []string{"in/a_test.go", fine}, []string{"make.sh", "true\n", "in/a_test.go", fine}, false, "sh make.sh", bench.Undecided, "it must work for both commits"},
		{"the same of a commit", []string{"in/a_test.go", fallsBack}, []string{"in/a_test.go", fallsBack + "\nvar x int\n"}, true, "", bench.Undecided, "fails on both sides, and is not compared: "},
		{"data that a command gives", []string{"in/a_test.go", fallsBack}, []string{"in/a_test.go", fallsBack + "\nvar x int\n"}, false, `cp "$BENCH_CHECKOUT"/big.bin .`, bench.Pass, ""},
		{"a pointer of git LFS", []string{".gitattributes", "*.dat filter=lfs\n", "in/x.dat", pointer, "in/a_test.go", lfs}, []string{"in/a_test.go", lfs + "\nvar x int\n"}, false, "", bench.Undecided, "fails on both sides, and is not compared: "},
		{"data that git ignores and the new side embeds", []string{"in/data/a.txt", "a", "in/a_test.go", embeds}, []string{"in/data/l.bin", "many", "in/a_test.go", embeds + "\nvar x int\n"}, false, "", bench.Undecided, "the worktree lacks in/data/l.bin, which git ignores"},
		{"a pointer of git LFS that is embedded", []string{".gitattributes", "*.dat filter=lfs\n", "in/data/x.dat", pointer, "in/a_test.go", embeds}, []string{"in/a_test.go", embeds + "\nvar x int\n"}, false, "", bench.Undecided, "it is built of in/data/x.dat, a pointer of git LFS"},
		{"a pointer that is data", []string{"in/x.dat", pointer, "in/a_test.go", lfs}, []string{"in/a_test.go", lfs + "\nvar x int\n"}, false, "", bench.Pass, ""},
		{"a file that a command makes, in a fresh clone", []string{"in/a_test.go", benchOf("toy", "A", loop("G()"))}, []string{"in/a_test.go", benchOf("toy", "A", loop("G()")) + "\nvar x int\n"}, false, `printf 'package toy\n\nfunc G() {}\n' >in/g.go`, bench.Pass, ""},
		{"a neighbour that is gone", []string{"go.mod", modOf("toy") + "\nrequire example.com/gone v0.0.0\n\nreplace example.com/gone => ../gone\n", "in/a_test.go", importing(fine, "example.com/gone")}, []string{"go.mod", modOf("toy"), "in/a_test.go", fine}, false, "", bench.Undecided, "is new: it fails on the old side: "},
		{"what both lack", []string{"in/a_test.go", asks}, []string{"in/a_test.go", asks + "\nvar x int\n"}, false, "", bench.Undecided, "no; the new side fails in a worktree too: --prepare can add what it lacks"},
		{"by chance", []string{"in/a_test.go", chance(once)}, []string{"in/a_test.go", fine}, false, "", bench.Undecided, "is new: it fails on the old side: a_test.go:13: once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(above, strconv.Itoa(i))
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			toyIn(t, dir, append([]string{".gitignore", "*.bin\n", "big.bin", "many"}, c.old...)...)
			o := Options{Dir: dir, All: true, Prepare: c.prepare, Base: "HEAD"}
			put(t, dir, c.new...)
			if c.head {
				commit(t, dir, "two")
				o.Head, o.Base = "HEAD", "HEAD~1"
			}
			status := git(t, dir, "status", "--porcelain")
			d, said := decided(t, o)
			all := ""
			for _, f := range slices.Concat(d.Gate.Failures, d.Gate.Doubts, d.Gate.Notes) {
				all += f.Row.Series.Title() + ": " + f.Reason + "\n"
			}
			if d.Gate.Outcome != c.outcome || !strings.Contains(all, c.says) || c.outcome == bench.Pass && strings.Contains(all, "lacks") {
				t.Errorf("%s\n%s\n%s", d.Gate.Outcome, all, said)
			}
			if now := git(t, dir, "status", "--porcelain"); now != status || strings.Contains(git(t, dir, "worktree", "list"), "\n") {
				t.Errorf("left behind: %s", now)
			}
		})
	}
}

// A package repairs itself only where its own code was wrong, on any machine.
func TestFaulty(t *testing.T) {
	for said, want := range map[string]bool{
		"go test -c: # example.com/toy\n./a_test.go:14:9: undefined: F":                                                          true,
		"go: errors parsing go.mod:\n/x/go.mod:1: unknown directive: modul":                                                      true,
		"# example.com/toy\n./a_test.go:14:9: undefined: F\nthe worktree lacks gen.go, which git ignores: --prepare gives it":    false,
		"# example.com/toy\n./a_test.go:14:9: syntax error: x\nthe worktree lacks gen.go, which git ignores: --prepare gives it": true,
		"# example.com/toy\n./a_test.go:14:9: undefined: F\nthe worktree lacks the submodule third, which is not in the clone":   false,
		"go: error: compile: signal: killed":                                                   false,
		"a_test.go:3:20: example.com/x@v1.0.0: reading file:///p/x: no such file or directory": false,
		"cgo: C compiler \"cc\" not found":                                                     false,
		"# example.com/toy\n./a.go:3:20: write /tmp/x: no space left on device":                false,
	} {
		if got := faulty(said); got != want {
			t.Errorf("%q: got %v", said, got)
		}
	}
}

// A new side may be named by its distance from what is checked out.
func TestHeadByItsDistance(t *testing.T) {
	suite.All(t)
	dir, fine := t.TempDir(), benchOf("toy", "A", loop(""))
	toyIn(t, dir, "a_test.go", fine)
	put(t, dir, "a_test.go", fine+"\nvar x int\n")
	commit(t, dir, "two")
	if d, said := decided(t, Options{Dir: dir, All: true, Base: "HEAD", Head: "HEAD~1"}); d.Gate.Outcome != bench.Pass {
		t.Errorf("%+v\n%s", d.Gate, said)
	}
}

// A workspace whose go.work git does not have, with a folder at its root that is no module; and
// a module below another one, which is told.
func TestCheckoutWorkspace(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	put(t, dir, "go.work", "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n", ".gitignore", "go.work\n", "a/go.mod", modOf("a"), "b/go.mod", modOf("b"),
		"b/b.go", "package b\n\nfunc F() {}\n", "a/go.sum", "", "a/a_test.go", strings.Replace(benchOf("a", "A", loop("b2.F()")), "import \"testing\"", "import (\n\t\"testing\"\n\n\tb2 \"example.com/b\"\n)", 1),
		"a/deep/go.mod", modOf("deep"), "a/deep/d_test.go", benchOf("deep", "D", loop("")))
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "one")
	put(t, dir, "b/b.go", "package b\n\nvar Sink []byte\n\nfunc F() { Sink = make([]byte, 8) }\n")
	d, said := decided(t, Options{Dir: dir})
	if d.Gate.Outcome != bench.Regression || len(d.Gate.Failures) == 0 || len(d.Result.Failed) > 0 {
		t.Errorf("%+v\n%s", d.Gate, said)
	}
	// Without the workspace the folder is none that can be measured, and says which are.
	if err := os.Remove(filepath.Join(dir, "go.work")); err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1}); err == nil || !strings.Contains(err.Error(), "-C names one of a, a/deep") {
		t.Errorf("no module: %v", err)
	}
	if all := strings.Join(d.Result.Warnings, "\n"); !strings.Contains(all, "modules of their own are not measured: a/deep (") {
		t.Errorf("nested: %s", all)
	}
}

// Data in a folder of any name is measured where it changed; documents are not. A module that
// the base does not have yet has nothing to be compared with.
func TestDataChanged(t *testing.T) {
	dir := t.TempDir()
	reads := strings.Replace(benchOf("toy", "A", "\td, _ := os.ReadFile(\"data/n.txt\")\n"+loop("sink = make([]byte, len(d))")), "import \"testing\"", "import (\n\t\"os\"\n\t\"testing\"\n)\n\nvar sink []byte", 1)
	toyIn(t, dir, "a_test.go", reads, "data/n.txt", "", "README.md", "", "p/b_test.go", benchOf("p", "B", loop("")))
	put(t, dir, "README.md", "hello", "docs/x.txt", "", "ci.yml", "", ".github/workflows/ci.yml", "", "p/LICENSE", "", "p/Makefile", "")
	git(t, dir, "add", "-A")
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1, BenchTime: "1x"}); !errors.Is(err, ErrNothing) {
		t.Errorf("documents: %v", err)
	}
	if suite.Few() {
		return
	}
	put(t, dir, "data/n.txt", "long")
	if d, said := decided(t, Options{Dir: dir}); d.Gate.Outcome != bench.Regression || len(d.Result.Identical) != 1 {
		t.Errorf("%+v\n%s", d.Gate, said)
	}
	put(t, dir, "data/n.txt", "", "data/words", "a name without a dot", "data/README", "x", "data/Makefile", "x")
	git(t, dir, "add", "-A")
	if d, said := decided(t, Options{Dir: dir}); len(d.Result.Identical) != 1 || !strings.Contains(said, "since data/words changed") {
		t.Errorf("%+v\n%s", d.Result.Identical, said)
	}
	// Data outside of the package's folder, and of the module's, is measured where it is read.
	put(t, dir, "q/q_test.go", strings.ReplaceAll(strings.ReplaceAll(reads, "data/n.txt", "../shared/n.txt"), "package toy", "package q"), "shared/n.txt", "", "shared/other.txt", "",
		"mod/go.mod", modOf("mod"), "mod/m_test.go", strings.ReplaceAll(reads, "data/n.txt", "../shared/n.txt"))
	commit(t, dir, "shared")
	put(t, dir, "shared/other.txt", "long")
	for _, c := range []struct{ in, file, want string }{ // of the package alone that reads it
		{"mod", "shared/other.txt", ""}, {"", "shared/other.txt", "example.com/toy: measured, since shared/other.txt changed"}, {"", "shared/n.txt", "example.com/toy/q: measured, since shared/n.txt changed"}, {"mod", "shared/n.txt", "example.com/mod: measured, since ../shared/n.txt changed"},
	} {
		put(t, dir, c.file, "long")
		var said strings.Builder
		name, _, _ := strings.Cut(c.want, ":")
		_, err := Measure(context.Background(), Options{Dir: filepath.Join(dir, c.in), Packages: strings.Fields(name), Base: "HEAD", Rounds: 1, BenchTime: "1x", Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }})
		if (c.want == "") != errors.Is(err, ErrNothing) || !strings.Contains(said.String(), c.want) {
			t.Errorf("%+v: %v\n%s", c, err, &said)
		}
	}
	put(t, dir, "new/go.mod", modOf("new"), "new/a_test.go", benchOf("new", "A", loop("")))
	if _, err := Measure(context.Background(), Options{Dir: filepath.Join(dir, "new"), Base: "HEAD", Rounds: 1}); !errors.Is(err, ErrNothing) || !strings.Contains(err.Error(), "has no folder new") {
		t.Errorf("a new module: %v", err)
	}
}

// Absolute paths that lead into the repository, in links, go.mod and a go.work of the commit, lead
// into the worktree there, not to the code of the other side.
func TestAbsolutePathsInside(t *testing.T) {
	suite.All(t)
	const using = "package toy\n\nimport (\n\t\"testing\"\n\n\t\"example.com/dep\"\n)\n\nvar s []byte\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\ts = dep.F()\n\t}\n}\n"
	for name, make := range map[string]func(dir string){
		"replace": func(dir string) {
			put(t, dir, "go.mod", modOf("toy")+"\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => \""+dir+"/real\"\n")
		},
		"go.work": func(dir string) {
			put(t, dir, "go.mod", modOf("toy"), "go.work", "go 1.26\n\nuse (\n\t.\n\t\""+dir+"/real\"\n)\n")
		},
		"link": func(dir string) {
			put(t, dir, "go.mod", modOf("toy")+"\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n")
			if err := os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "dep")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		dir := filepath.Join(t.TempDir(), "a b")
		make(dir)
		lib := func(bytes int) {
			put(t, dir, "real/go.mod", modOf("dep"), "real/d.go", fmt.Sprintf("package dep\n\nfunc F() []byte { return make([]byte, %d) }\n", bytes))
		}
		lib(64)
		put(t, dir, "a_test.go", using)
		git(t, dir, "init", "-q", "-b", "main")
		commit(t, dir, "one")
		lib(4096)
		if d, said := decided(t, Options{Dir: dir}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
			t.Errorf("%s: old\n%snew\n%s%s", name, d.Result.Base, d.Result.Head, said)
		}
	}
}

// Data in a submodule count, also where git is told to ignore the submodule, and where only a
// program that the benchmark starts reads them.
func TestSubmoduleOfData(t *testing.T) {
	suite.All(t)
	above := t.TempDir()
	dir, data := filepath.Join(above, "toy"), filepath.Join(above, "data")
	put(t, data, "x", strings.Repeat("x", 64))
	git(t, data, "init", "-q", "-b", "main")
	commit(t, data, "one")
	put(t, dir, "go.mod", modOf("toy"), "a_test.go", importing(benchOf("toy", "A", "\td, err := os.ReadFile(\"data/x\")\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n"+loop("sink = append([]byte(nil), d...)")), "os"),
		"cat/c_test.go", importing(benchOf("cat", "B", loop("sink, _ = exec.Command(\"cat\", \"../data/x\").Output()")), "os/exec"))
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "submodule", "--quiet", "add", data, "data")
	git(t, dir, "config", "-f", ".gitmodules", "submodule.data.ignore", "all")
	commit(t, dir, "one")
	put(t, dir, "data/x", strings.Repeat("x", 4096))
	commit(t, filepath.Join(dir, "data"), "two")
	git(t, dir, "add", "-f", "data")
	for _, o := range []Options{{Dir: dir}, {Dir: dir, Base: "HEAD~1", Head: "HEAD"}} {
		if o.Head != "" {
			git(t, dir, "commit", "-qm", "two")
		}
		d, said := decided(t, o)
		if !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
			t.Errorf("old\n%snew\n%s%s", d.Result.Base, d.Result.Head, said)
		}
		if runtime.GOOS == "linux" && len(d.Result.Identical) > 0 {
			t.Errorf("read by a program, and not measured: %q\n%s", d.Result.Identical, said)
		}
	}
}

// What the build leaves out of a change is told. A relative $TMPDIR is that of the command's folder.
func TestUnbuilt(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", "tmp")
	const tagged, program = "//go:build odd\n\npackage toy\n", "//go:build ignore\n\npackage main\n"
	toyIn(t, dir, "tmp/x", "", "f_odd.go", tagged, "gen.go", program, "a_test.go", importing(benchOf("toy", "A", loop("sink = make([]byte, 64)"))), "b/b_test.go", benchOf("b", "B", loop("")))
	put(t, dir, "f_odd.go", tagged+"\nvar x = 1\n", "gen.go", program+"\nvar x = 1\n", "a_test.go", importing(benchOf("toy", "A", loop("sink = make([]byte, 96)"))))
	d, said := decided(t, Options{Dir: dir})
	if text := strings.Join(d.Result.Warnings, "\n"); !strings.Contains(text, "the change of f_odd.go (GOFLAGS=-tags=NAME") || !strings.Contains(d.Result.Base, " 64 B/op") {
		t.Errorf("%s\n%s", text, said)
	}
	if !strings.HasSuffix(d.Result.Base, "\n"+bench.EndOfPart+"\n") || !strings.HasSuffix(d.Result.Head, "\n"+bench.EndOfPart+"\n") {
		t.Errorf("without the package that is equal: %s", d.Result.Head)
	}
}

// A module that the change moves is found where it lay, and what killed runs left is removed.
func TestMovedModule(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	toyIn(t, dir, "a_test.go", importing(benchOf("toy", "A", loop("sink = make([]byte, 64)"))))
	put(t, dir, "sub/go.mod", modOf("toy"), "sub/a_test.go", importing(benchOf("toy", "A", loop("sink = make([]byte, 4096)"))))
	for _, name := range []string{"go.mod", "a_test.go"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	ended := exec.Command("git", "version")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(t.TempDir(), fmt.Sprintf("sakusen-bench-%d-1", ended.Process.Pid))
	git(t, dir, "worktree", "add", "-q", "--detach", filepath.Join(left, "base"))
	if old := time.Now().Add(-2 * time.Hour); os.Chtimes(left, old, old) != nil {
		t.Fatal("no times")
	}
	if d, said := decided(t, Options{Dir: filepath.Join(dir, "sub")}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
		t.Errorf("old\n%snew\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	if list := git(t, dir, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("left behind: %s", list)
	}
}

// A path of the checkout in the environment or in --args leads the old side to its own files; what it lacks
// stays the new side's, which is a doubt, or refused where it is in what the go command reads.
func TestPathsOfCheckout(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	code := "\td, err := os.ReadFile(os.Getenv(\"TOY_DATA\"))\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n\tout, err := exec.Command(\"toytool\", os.Args[len(os.Args)-1]).Output()\n\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n"
	toyIn(t, dir, ".gitignore", "own", "data/x", "abc", "bin/toytool", "#!/bin/sh\ncat $1\n", "a_test.go", importing(benchOf("toy", "A", code+loop("sink = append([]byte(nil), d...)")+"\n\tb.ReportMetric(float64(len(out)), \"out-bytes\")"), "os", "os/exec"))
	if err := os.Chmod(filepath.Join(dir, "bin", "toytool"), 0o755); err != nil {
		t.Fatal(err)
	}
	commit(t, dir, "it can be run")
	put(t, dir, "data/x", strings.Repeat("abc", 1000), "own/x", "abc")
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("TOY_DATA", filepath.Join(dir, "data", "x"))
	o := Options{Dir: dir, Args: []string{filepath.Join(dir, "data", "x")}}
	if d, said := decided(t, o); !strings.Contains(d.Result.Base, " 3 out-bytes 8 B/op") || !strings.Contains(d.Result.Head, " 3000 out-bytes 3072 B/op") {
		t.Errorf("%+v\n%s\n%s\n%s", d.Gate, said, d.Result.Base, d.Result.Head)
	}
	t.Setenv("TOY_DATA", filepath.Join(dir, "own", "x"))
	d, said := decided(t, o)
	if d.Gate.Outcome != bench.Undecided || !strings.Contains(said, "of the checkout, which is the new side's") {
		t.Errorf("%+v\n%s", d.Gate, said)
	}
	t.Setenv("CGO_CFLAGS", "-I"+dir+"/inc")
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1}); err == nil || !strings.Contains(err.Error(), "CGO_CFLAGS: expected ") {
		t.Errorf("%v", err)
	}
}

// Paths in a value lead to the worktree where they begin at the checkout's top folder and exist there.
func TestLed(t *testing.T) {
	top, root := filepath.Join(t.TempDir(), "my module"), t.TempDir()
	put(t, root, "a/x", "", "b c/x", "")
	tree := &tree{root: root, tops: []string{top}}
	for value, want := range map[string]string{
		"": "", "/usr/bin": "/usr/bin", top: root, top + "/a:/usr/bin:" + top + "/a/x": root + "/a:/usr/bin:" + root + "/a/x",
		top + "/none:" + top + "/a": top + "/none:" + root + "/a", "-I" + top + "/a -L=" + top + "/a": "-I" + root + "/a -L=" + root + "/a",
		top + "x/a": top + "x/a", "/mnt" + top + "/a": "/mnt" + top + "/a", top + "/b c/x": root + "/b c/x", top + "/../a": top + "/../a",
		"file://" + top + "/a/x?mode=ro#1": "file://" + root + "/a/x?mode=ro#1", "u:p@" + top + "/a&b=(" + top + "/a/x)|" + top + "/b c": "u:p@" + root + "/a&b=(" + root + "/a/x)|" + top + "/b c",
	} {
		if got := tree.led(value); got != want {
			t.Errorf("%q: got %q, expected %q", value, got, want)
		}
	}
	put(t, root, "go.mod", modOf("toy"))
	tree.dir = root
	t.Setenv("GOBIN", filepath.Join(top, "a"))
	t.Setenv("TOY_DATA", top)
	if err := tree.lead(context.Background(), true); err != nil || !slices.Contains(tree.env, "TOY_DATA="+root) || slices.ContainsFunc(tree.env, func(v string) bool { return strings.HasPrefix(v, "GOBIN=") }) {
		t.Errorf("%v: %q", err, tree.env)
	}
}

// A file of the checkout that changed and that the old side reads is a reason to measure.
func TestReadsOfCheckout(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	toyIn(t, dir, "data/x", "abc", "data/y", "", "p/a_test.go", importing(benchOf("p", "A", "\td, _ := os.ReadFile(os.Getenv(\"TOY_DATA\")[1:])\n\t_, _ = os.ReadFile(os.Getenv(\"TOY_DATA\")[1:]+\"2\")\n"+loop("sink = d")), "os"), "data/x2", "")
	t.Setenv("TOY_DATA", "x"+filepath.Join(dir, "data", "x"))
	put(t, dir, "data/y", "1")
	commit(t, dir, "another")
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD~1", Rounds: 1}); !errors.Is(err, ErrNothing) {
		t.Errorf("another file: %v", err)
	}
	t.Chdir(dir)
	for _, c := range []struct{ file, in string }{{"data/x", dir}, {"data/x2", ""}} {
		put(t, dir, c.file, "abcd")
		if d, said := decided(t, Options{Dir: c.in}); d.Gate.Outcome != bench.Undecided || !strings.Contains(said, "of the checkout, which is the new side's") {
			t.Errorf("%s: %+v\n%s", c.file, d.Gate, said)
		}
		commit(t, dir, c.file)
	}
}

// C that a package includes from another folder is that of each side, committed or not.
func TestIncludedC(t *testing.T) {
	suite.All(t)
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	t.Setenv("GOENV", "off")
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	header := func(n int) string { return fmt.Sprintf("static int size(void) { return %d; }\n", n) }
	toyIn(t, dir, "csrc/size.h", header(64), "x/x.go", "package x\n\n// #include \"../csrc/size.h\"\nimport \"C\"\n\nfunc Size() int { return int(C.size()) }\n",
		"x/x_test.go", strings.Replace(importing(benchOf("x", "A", loop("sink = make([]byte, Size())"))), "package toy", "package x", 1))
	put(t, dir, "csrc/size.h", header(4096))
	if d, said := decided(t, Options{Dir: dir}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
		t.Errorf("not committed\n%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	commit(t, dir, "two")
	if d, said := decided(t, Options{Dir: dir, Base: "HEAD~1"}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
		t.Errorf("committed\n%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	// So is what Go's assembler includes, wherever temporary files lie.
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "it's"))
	put(t, os.TempDir(), "one", "")
	put(t, dir, "asm/n.h", "#define N 1\n", "y/n.inc", "#include\"../asm/n.h\"\n", "y/n_"+runtime.GOARCH+".s", "/* behind a comment */ #include \"n.inc\"\nGLOBL ·num(SB), 24, $8\nDATA ·num+0(SB)/8, $(N*64)\n",
		"y/y.go", "package y\n\nvar num int\n\nfunc Size() int { return num }\n", "y/y_test.go", strings.Replace(importing(benchOf("y", "A", loop("sink = make([]byte, Size())"))), "package toy", "package y", 1))
	commit(t, dir, "assembly")
	put(t, dir, "asm/n.h", "#define N 64\n")
	commit(t, dir, "another number")
	if d, said := decided(t, Options{Dir: dir, Base: "HEAD~1", Packages: []string{"./y"}}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
		t.Errorf("assembly\n%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	// Assembly of another module is as it is in the cache of modules, also in the checkout.
	download := filepath.Join(t.TempDir(), "example.com", "dep", "@v")
	put(t, download, "v1.0.0.info", `{"Version":"v1.0.0"}`, "v1.0.0.mod", "module example.com/dep\n")
	file, err := os.Create(filepath.Join(download, "v1.0.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for name, text := range map[string]string{"go.mod": "module example.com/dep\n", "d.go": "package dep\n\nfunc F()\n", "d_" + runtime.GOARCH + ".s": "TEXT ·F(SB), 4, $0-0\n\tRET\n"} {
		w, err := archive.Create("example.com/dep@v1.0.0/" + name)
		if _, other := w.Write([]byte(text)); err != nil || other != nil {
			t.Fatal(err, other)
		}
	}
	if err := errors.Join(archive.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GOPROXY": "file://" + filepath.ToSlash(strings.TrimSuffix(download, filepath.Join("example.com", "dep", "@v"))), "GONOSUMDB": "*", "GONOSUMCHECK": "1", "GOSUMDB": "off", "GOFLAGS": "-modcacherw -mod=mod", "GOMODCACHE": filepath.Join(dir, ".modules")} {
		t.Setenv(name, value)
	}
	put(t, dir, ".gitignore", ".modules/\n", "go.mod", "module example.com/toy\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n", "y/dep.go", "package y\n\nimport \"example.com/dep\"\n\nfunc init() { dep.F() }\n")
	git(t, dir, "add", "-A")
	if out, err := outputWith(context.Background(), nil, dir, "go", "mod", "tidy"); err != nil {
		t.Fatal(out, err)
	}
	commit(t, dir, "a dependency")
	put(t, dir, "asm/n.h", "#define N 1\n")
	commit(t, dir, "the first number")
	if d, said := decided(t, Options{Dir: dir, Base: "HEAD~1", Packages: []string{"./y"}}); !strings.Contains(d.Result.Base, " 4096 B/op") || !strings.Contains(d.Result.Head, " 64 B/op") {
		t.Errorf("beside a cache of modules\n%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	// A file that git ignores, and --prepare makes, may include C as well.
	put(t, dir, ".gitignore", ".modules/\nz/gen.go\n", "z/gen.tmpl", "package z\n\n// #include \"../csrc/size.h\"\nimport \"C\"\n\nfunc Size() int { return int(C.size()) }\n", "csrc/size.h", header(64),
		"z/z_test.go", strings.Replace(importing(benchOf("z", "A", loop("sink = make([]byte, Size())"))), "package toy", "package z", 1))
	commit(t, dir, "made by --prepare")
	put(t, dir, "csrc/size.h", header(4096))
	commit(t, dir, "another size")
	if d, said := decided(t, Options{Dir: dir, Base: "HEAD~1", Packages: []string{"./z"}, Prepare: "cp z/gen.tmpl z/gen.go"}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 4096 B/op") {
		t.Errorf("made by --prepare\n%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
	put(t, dir, "notes.txt", "nothing that C includes")
	commit(t, dir, "three")
	if _, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD~1", Rounds: 1, Prepare: "cp z/gen.tmpl z/gen.go"}); !errors.Is(err, ErrNothing) {
		t.Errorf("the same code: %v", err)
	}
}
