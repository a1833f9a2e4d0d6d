package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/bench"
)

// manySides returns two sides of so many benchmarks in so many packages, with names of so many
// characters; slower ones are so many per cent slower.
func manySides(t *testing.T, benchmarks, packages, length int, slower map[int]int) (old, new *bench.Run) {
	t.Helper()
	var sides [2]*bench.Run
	for side := range sides {
		var b strings.Builder
		at := -1
		for i := range benchmarks {
			if p := i * packages / benchmarks; p != at {
				at = p
				fmt.Fprintf(&b, "pkg: example.com/m/p%05d\n", p)
			}
			name := fmt.Sprintf("B%05d", i)
			name += strings.Repeat("n", max(0, length-len(name)))
			for k := range 10 {
				ns := 100_000 + 7*k + 13*side
				if side == 1 {
					ns = ns * (100 + slower[i]) / 100
				}
				fmt.Fprintf(&b, "Benchmark%s-8 100 %d ns/op 64 B/op 2 allocs/op\n", name, ns)
			}
		}
		var err error
		if sides[side], err = bench.Read(strings.NewReader(b.String()), []string{"old", "new"}[side], bench.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return sides[0], sides[1]
}

// Comparisons and gates of any size fit into what GitHub shows: what got worse most stands
// first, and what does not fit is counted.
func TestMarkdownIsBounded(t *testing.T) {
	for _, c := range []struct{ benchmarks, packages, length, most int }{
		{1500, 1, 6, 100_000}, {1300, 4, 300, 240_000}, {1300, 1300, 300, 100_000}, {1300, 1, 2000, 240_000},
	} {
		slower := map[int]int{}
		for i := range 500 {
			slower[2*i] = 20 + i%30
		}
		slower[1234] = 90
		old, new := manySides(t, c.benchmarks, c.packages, c.length, slower)
		compared := bench.Compare(old, new, bench.Options{})
		gate := bench.Judge(compared, bench.Policy{})
		text, short := compared.Markdown(c.most), gate.Markdown(compared, 20_000)
		for what, text := range map[string]string{"tables": text, "gate": gate.Markdown(compared, c.most)} {
			if len(text) > c.most || len(text) < c.most/2 {
				t.Errorf("%+v: %s of %d bytes", c, what, len(text))
			}
			first := regexp.MustCompile(`B\d{5}`).FindString(text)
			if first != "B01234" && c.packages == 1 || !strings.Contains(text, "B01234") {
				t.Errorf("%+v: %s begin with %s", c, what, first)
			}
		}
		out := regexp.MustCompile(`(?m)^(\d+) of (\d+) series do not fit in here \((.*)\); JSON and CSV have all\.$`).FindStringSubmatch(text)
		if rows := len(regexp.MustCompile(`(?m)^\| B\d`).FindAllString(text, -1)); out == nil || fmt.Sprint(3*c.benchmarks) != out[2] || fmt.Sprint(3*c.benchmarks-rows) != out[1] || !strings.Contains(out[3], " same") {
			t.Errorf("%+v: %d rows, %q", c, rows, out)
		}
		said := regexp.MustCompile(`(?m)^- and (\d+) failed that do not fit in here; JSON has all$`).FindStringSubmatch(short)
		if shown := strings.Count(short, "**FAIL**"); said == nil || fmt.Sprint(501-shown) != said[1] || shown == 0 {
			t.Errorf("%+v: %d failures shown, %q", c, shown, said)
		}
		if !strings.HasSuffix(short, fmt.Sprintf("\ngate: regression (%d series compared, 501 failed, 0 in doubt)\n", 3*c.benchmarks)) {
			t.Errorf("%+v: the verdict is missing: %.300q", c, short)
		}
	}
}

// What fits is written whole, in the order of the benchmarks.
func TestMarkdownOfFewIsWhole(t *testing.T) {
	old, new := manySides(t, 100, 2, 6, map[int]int{70: 50})
	text := bench.Compare(old, new, bench.Options{}).Markdown(bench.MostMarkdown)
	if rows := len(regexp.MustCompile(`(?m)^\| B\d`).FindAllString(text, -1)); rows != 300 || strings.Contains(text, "do not fit") {
		t.Errorf("%d rows", rows)
	}
	if strings.Index(text, "B00070") < strings.Index(text, "B00069") {
		t.Error("the rows stand in another order")
	}
}

// A summary of a regression ends with the command that finds its commit, quoted for a shell.
func TestSummaryNamesTheCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary.md")
	g, c, err := bench.SelfTest(bench.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	g.Bisect = &bench.Bisect{Program: "sakusen-bench", Series: "p.A/it's-2 sec/op", Good: "12", Bad: "34", Flags: []string{"--args", "-size 3"}}
	var strength *bench.Strength
	if _, err := strength.Append(file, g, c); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if want := "\nWhich commit:\n\n```sh\nsakusen-bench bisect 'p.A/it'\\''s-2 sec/op' 12..34 --args '-size 3'\n```\n"; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%v\n%s", err, text)
	}
	var out strings.Builder
	if err := g.WriteText(&out, c); err != nil || !strings.HasSuffix(out.String(), "\nwhich commit: "+g.Bisect.String()+"\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
