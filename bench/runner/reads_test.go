package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/engines/suite"
)

// What benchmarks read is compared whatever its name is: documents, code, settings, folders that
// begin with a dot, files in no commit, and what programs that they start read. What git ignores,
// what they write themselves, and what they do not read, is not.
func TestReadsOfAnyName(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	read := func(pkg, body string, imports ...string) string {
		return importing(benchOf(pkg, "A", "\tfor range b.N {\n\t\t"+body+"\n\t}"), imports...)
	}
	file := func(pkg, path string) string {
		return read(pkg, fmt.Sprintf("sink, _ = os.ReadFile(%q)", path), "os")
	}
	files := []string{
		"md/a_test.go", read("md", "list, _ := os.ReadDir(\"../pages\")\n\t\tsink = make([]byte, len(list))", "os"), "pages/1.md", "a",
		"code/a_test.go", file("code", "../input/x.go"), "input/x.go", "package input\n",
		"conf/a_test.go", file("conf", "../.data/config.yaml"), ".data/config.yaml", "a: 1\n",
		"gone/a_test.go", file("gone", "../gone.md"), "gone.md", "a",
		"loose/a_test.go", read("loose", "list, _ := filepath.Glob(\"../corpus/*.txt\")\n\t\tsink = make([]byte, len(list))", "path/filepath"), "corpus/1.txt", "a",
		"first/a_test.go", file("first", "../none.txt"),
		"child/a_test.go", read("child", "sink, _ = exec.Command(\"cat\", \"../words.md\").Output()", "os/exec"), "words.md", "a",
		"plain/a_test.go", read("plain", "_ = os.WriteFile(\"out.tmp\", nil, 0o644)\n\t\tsink, _ = os.ReadFile(\"../same.md\")\n\t\t_, _ = os.ReadDir(\".\")", "os"), "same.md", "a",
		"cache/a_test.go", read("cache", "list, _ := os.ReadDir(\"../kept\")\n\t\tsink = make([]byte, len(list))", "os"), "kept/1.md", "a", ".gitignore", "*.ignored\n",
		"README.md", "a",
	}
	toyIn(t, dir, files...)
	for i := 0; i < len(files); i += 2 { // all of it changes but for what plain and cache read
		if name := files[i]; !strings.HasSuffix(name, "_test.go") && !slices.Contains([]string{"same.md", "corpus/1.txt", "pages/1.md", "kept/1.md", ".gitignore", "gone.md"}, name) {
			put(t, dir, name, files[i+1]+" ")
		}
	}
	put(t, dir, "pages/2.md", "", "corpus/2.txt", "", "none.txt", "", "kept/2.ignored", "", "top.out", "")
	git(t, dir, "rm", "-q", "gone.md")
	git(t, dir, "add", "pages")
	var said strings.Builder
	r, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1, BenchTime: "1x", Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/toy/cache", "example.com/toy/plain"}
	if runtime.GOOS != "linux" {
		want = []string{"example.com/toy/cache", "example.com/toy/child", "example.com/toy/plain"}
	}
	if !slices.Equal(r.Identical, want) {
		t.Errorf("%q\n%s", r.Identical, &said)
	}
	for _, path := range []string{"pages", "input/x.go", ".data/config.yaml", "gone.md", "corpus", "none.txt"} {
		if !strings.Contains(said.String(), "measured, since "+filepath.FromSlash(path)+" changed, which it may read") {
			t.Errorf("%s is not told:\n%s", path, &said)
		}
	}
}

// Benchmarks that did not come to their end, as they were cut off or the process ended, may read
// whatever changed; those that fail have been seen to their end.
func TestNotSeenToTheEnd(t *testing.T) {
	suite.All(t)
	for _, c := range []struct {
		name, code string // of the short run alone
		patience   time.Duration
		measured   bool
	}{
		{"late", "time.Sleep(time.Hour)", time.Second, true},
		{"exits", "os.Exit(0)", 0, true},
		{"panics", "panic(0)", 0, true},
		{"fails", "b.Fatal()", 0, false},
		{"before", "os.Exit(0)", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			short := "if flag.Lookup(\"test.benchtime\").Value.String() == \"10ms\" {\n\t\t_, _ = time.Hour, os.Exit\n\t\t" + c.code + "\n\t}\n\t"
			code := importing(benchOf("toy", "A", short+loop("sink = make([]byte, 64)")), "flag", "os", "time")
			if c.name == "before" {
				code = strings.Replace(code, short, "", 1) + "\nfunc TestMain(m *testing.M) {\n\tflag.Parse()\n\t" + short + "os.Exit(m.Run())\n}\n"
			}
			toyIn(t, dir, "README.md", "a", "x_test.go", code)
			put(t, dir, "README.md", "b")
			_, err := Measure(context.Background(), Options{Dir: dir, Base: "HEAD", Rounds: 1, BenchTime: "1x", patience: c.patience})
			if measured := err == nil; measured != c.measured || err != nil && !errors.Is(err, ErrNothing) {
				t.Errorf("measured: %v, %v", measured, err)
			}
		})
	}
}

// A package may find data by where the source of one that it imports lies.
func TestFoundBySource(t *testing.T) {
	suite.All(t)
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	toyIn(t, dir, "internal/place/p.go", "package place\n\nimport (\n\t\"path/filepath\"\n\t\"runtime\"\n)\n\nvar _, file, _, _ = runtime.Caller(0)\n\nvar Root = filepath.Join(file, \"../../..\")\n", "data/n", "a",
		"x/x_test.go", importing(benchOf("x", "A", "\tdata, _ := os.ReadFile(place.Root + \"/data/n\")\n"+loop("sink = make([]byte, 64*len(data))")), "os", "example.com/toy/internal/place"))
	put(t, dir, "data/n", "four")
	if d, said := decided(t, Options{Dir: dir}); !strings.Contains(d.Result.Base, " 64 B/op") || !strings.Contains(d.Result.Head, " 256 B/op") {
		t.Errorf("%s\n%s%s", d.Result.Base, d.Result.Head, said)
	}
}
