package runner

import (
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// The commit that allocates is found in a module of a workspace, where code is generated, behind
// flags of the tests and beside commits whose code cannot be made. A series name with several
// meanings, and a module below the folder, are refused with what to do.
func TestBisectOdd(t *testing.T) {
	suite.All(t)
	const gen = "package toy\n\nvar Sink []byte\n\nfunc G(n int) { ? }\n"
	const calls = "package toy\n\nfunc F(n int) { G(n) }\n"
	makes := func(code string) string {
		return "cat > gen.go <<'X'\n" + strings.Replace(gen, "?", code, 1) + "X\n"
	}
	two := benchOf("toy", "A", "\tb.Run(\"x-1\", func(b *testing.B) {\n"+loop("F(1)")+"\n\t})\n\tb.Run(\"x-2\", func(b *testing.B) {\n"+loop("F(2)")+"\n\t})")
	flags := strings.Replace(benchOf("toy", "A", "\tif *size == 0 {\n\t\tb.Fatal(\"no size\")\n\t}\n"+loop("F(*size)")), "\"testing\"\n", "(\n\t\"flag\"\n\t\"testing\"\n)\n\nvar size = flag.Int(\"size\", 0, \"\")\n", 1)
	const slow = "Sink = make([]byte, 64*n)"
	plain := benchOf("toy", "A", loop("F(2)"))
	quick := strings.Replace(gen, "?", "", 1)
	for _, c := range []struct {
		name   string
		files  []string // of the first commit, below go.mod
		change []string // the second but one; the fifth is the same again with a comment
		broken []string // the third
		o      BisectOptions
		want   string // of the error; empty where the commit is found
	}{
		{"generated", []string{".gitignore", "gen.go\n", "f.go", calls, "f_test.go", plain, "mk.sh", makes("")}, []string{"mk.sh", makes(slow)}, []string{"mk.sh", "exit 3\n"},
			BisectOptions{Prepare: "sh mk.sh"}, ""},
		{"generated, and not made", []string{".gitignore", "gen.go\n", "f.go", calls, "f_test.go", plain, "mk.sh", makes("")}, []string{"mk.sh", makes(slow)}, nil, BisectOptions{}, "GOOD: "},
		{"flags", []string{"f.go", calls, "gen.go", quick, "f_test.go", flags}, []string{"gen.go", strings.Replace(gen, "?", slow, 1)}, nil, BisectOptions{Args: []string{"-size", "3"}}, ""},
		{"data in a document", []string{"f_test.go", importing(benchOf("toy", "A", loop("sink, _ = os.ReadFile(\"words.md\")\n\t\tfor range sink {\n\t\t\tsink = append([]byte(nil), 1)\n\t\t}")), "os"), "words.md", "a"}, []string{"words.md", "aaaaaaaaaaaa"}, nil, BisectOptions{}, ""},
		{"flags that are not given", []string{"f.go", calls, "gen.go", quick, "f_test.go", flags}, []string{"gen.go", strings.Replace(gen, "?", slow, 1)}, nil, BisectOptions{}, "no size"},
		{"one of two", []string{"f.go", calls, "gen.go", quick, "f_test.go", two}, []string{"gen.go", strings.Replace(gen, "?", slow, 1)}, nil, BisectOptions{Series: "example.com/toy.A/x-2 allocs/op"}, ""},
		{"two of two", []string{"f.go", calls, "gen.go", quick, "f_test.go", two}, []string{"gen.go", strings.Replace(gen, "?", slow, 1)}, nil, BisectOptions{}, "expected one benchmark, got 2"},
		{"renamed", []string{"f.go", calls, "gen.go", quick, "f_test.go", plain}, []string{"f_test.go", strings.Replace(plain, "BenchmarkA", "BenchmarkB", 1)}, nil, BisectOptions{}, "prints no result of example.com/toy.A allocs/op: is the benchmark there, by that name?"},
		{"a module below", []string{"sub/go.mod", "module example.com/toy/sub\n\ngo 1.26\n", "sub/f_test.go", plain, "f_test.go", plain, "f.go", calls, "gen.go", quick}, []string{"x", ""}, nil,
			BisectOptions{Series: "example.com/toy/sub.A allocs/op"}, "(sub is a module of its own: -C "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			toyIn(t, dir, c.files...)
			put(t, dir, append([]string{"n", "2"}, c.broken...)...)
			commit(t, dir, "broken")
			put(t, dir, append([]string{"n", "3"}, c.change...)...)
			found := commit(t, dir, "change")
			put(t, dir, "n", "4")
			commit(t, dir, "after")
			o := c.o
			o.Dir, o.Range, o.BenchTime, o.Rounds, o.Least, o.Say = dir, "HEAD~3..HEAD", "10x", 5, 0.02, func(string, ...any) {}
			if o.Series == "" {
				o.Series = "example.com/toy.A allocs/op"
			}
			r, err := Bisect(t.Context(), o)
			switch {
			case c.want != "":
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, expected %q", err, c.want)
				}
			case err != nil || r.Commit == nil || *r.Commit != found || len(r.Skipped) != min(1, len(c.broken)):
				t.Errorf("%+v, %v, expected %s", r, err, found)
			}
		})
	}
	dir := t.TempDir()
	put(t, dir, "go.work", "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod", modOf("a"), "b/go.mod", modOf("b"), "b/gen.go", quick, "b/f.go", calls, "a/a.go", "package a\n",
		"a/a_test.go", strings.Replace(benchOf("a", "A", loop("toy.G(2)")), "\"testing\"", "(\n\t\"testing\"\n\n\ttoy \"example.com/b\"\n)", 1))
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "one")
	put(t, dir, "n", "2")
	commit(t, dir, "two")
	put(t, dir, "b/gen.go", strings.Replace(gen, "?", slow, 1))
	found := commit(t, dir, "change")
	r, err := Bisect(t.Context(), BisectOptions{Series: "example.com/a.A allocs/op", Range: "HEAD~2..", Dir: dir, BenchTime: "10x", Rounds: 5, Say: func(string, ...any) {}})
	if err != nil || r.Commit == nil || *r.Commit != found {
		t.Errorf("workspace: %+v, %v, expected %s", r, err, found)
	}
}
