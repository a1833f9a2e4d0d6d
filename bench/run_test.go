package bench

import (
	"errors"
	"strings"
	"testing"
)

// jsonOutput is what go test -json prints for two packages side by side: the
// lines of a benchmark are split, and the packages are mixed.
const jsonOutput = `{"Action":"start","Package":"example.com/m/a"}
{"Action":"start","Package":"example.com/m/b"}
{"Action":"output","Package":"example.com/m/a","Output":"goos: linux\n"}
{"Action":"output","Package":"example.com/m/b","Output":"goos: linux\n"}
{"Action":"output","Package":"example.com/m/a","Output":"goarch: amd64\npkg: example.com/m/a\n"}
{"Action":"output","Package":"example.com/m/b","Output":"goarch: amd64\npkg: example.com/m/b\n"}
{"Action":"run","Package":"example.com/m/a","Test":"BenchmarkX"}
{"Action":"output","Package":"example.com/m/a","Test":"BenchmarkX","Output":"=== RUN   BenchmarkX\n"}
{"Action":"output","Package":"example.com/m/a","Test":"BenchmarkX","Output":"BenchmarkX\n"}
{"Action":"output","Package":"example.com/m/a","Test":"BenchmarkX","Output":"BenchmarkX-2 \t"}
{"Action":"output","Package":"example.com/m/b","Test":"BenchmarkY","Output":"BenchmarkY-2 \t"}
{"Action":"output","Package":"example.com/m/a","Test":"BenchmarkX","Output":"     100\t     12 ns/op\t 3 allocs/op\n"}
{"Action":"output","Package":"example.com/m/b","Test":"BenchmarkY","Output":"     100\t     7 ns/op\n"}
{"Action":"output","Package":"example.com/m/b","Output":"FAIL\n"}
{"Action":"pass","Package":"example.com/m/a","Elapsed":1}
{"Action":"fail","Package":"example.com/m/b","Elapsed":1}
`

func TestReadJSON(t *testing.T) {
	r, err := Read(strings.NewReader(jsonOutput), "ci.json", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Series{
		{"example.com/m/a", "X-2", "sec/op", "linux", "amd64", ""},
		{"example.com/m/a", "X-2", "allocs/op", "linux", "amd64", ""},
		{"example.com/m/b", "Y-2", "sec/op", "linux", "amd64", ""},
	}
	if len(r.Order) != len(want) {
		t.Fatalf("got %v", r.Order)
	}
	for i, s := range want {
		if r.Order[i] != s || len(r.Values[s]) != 1 {
			t.Errorf("series %d: got %v, want %v", i, r.Order[i], s)
		}
	}
	if len(r.Failures) != 1 || r.Failures[0].Pkg != "example.com/m/b" || len(r.Warnings) != 1 {
		t.Errorf("failed %v, warnings %v", r.Failures, r.Warnings)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no benchmark results"},
		{"tests only", "ok  \texample.com/m\t0.1s\n", "no benchmark results"},
		{"a benchmark that printed into its line", "BenchmarkA-2 \tseed: 42\n     100\t 61.88 ns/op\n", "in.txt:1: parsing iteration count: invalid syntax (what a benchmark prints can break its line: go test -v"},
		{"other json", `{"a":1}` + "\n", "no benchmark results"},
		{"broken json", "{\"Action\":\"start\",\"Package\":\"p\"}\n{\"Acti\n", `in.txt: lost the end of package p`},
	} {
		_, err := Read(strings.NewReader(c.text), "in.txt", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := Read(strings.NewReader("PASS\n"), "x", ReadOptions{}); !errors.Is(err, errNoResults) {
		t.Errorf("got %v", err)
	}
}

func TestReadWarnings(t *testing.T) {
	r, err := Read(strings.NewReader("BenchmarkA 1 2 ns/op\nBenchmarkB x 2 ns/op\nBenchmarkC 1 NaN ns/op\nFAIL\texample.com/p [build failed]\n"), "in.txt", ReadOptions{Machine: "big"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"package example.com/p failed", "in.txt:2: parsing iteration count", "C sec/op: a value"} {
		if i >= len(r.Warnings) || !strings.HasPrefix(r.Warnings[i], want) {
			t.Errorf("warning %d of %q: expected %s", i, r.Warnings, want)
		}
	}
	if r.Machine() != "big" || r.Samples() != 1 {
		t.Errorf("machine %q, %d samples", r.Machine(), r.Samples())
	}
}

// A line that a benchmark prints and that looks like configuration does not
// stop the pairing; another machine class does, for times alone.
func TestPairing(t *testing.T) {
	side := func(text string) *Run {
		r, err := Read(strings.NewReader(text), "side", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	verdicts := func(old, new string) string {
		var all []string
		for _, r := range Compare(side(old), side(new), Options{}).Rows {
			all = append(all, r.Series.Name+" "+r.Series.Unit+" "+string(r.Verdict))
		}
		return strings.Join(all, ", ")
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"seed", "seed: 42\nBenchmarkA 1 5 allocs/op\n", "seed: 43\nBenchmarkA 1 5 allocs/op\n", "A allocs/op same"},
		{"machines", "Unit allocs/op assume=exact\ncpu: x\nBenchmarkA-2 1 7 ns/op 5 allocs/op\n", "cpu: y\nBenchmarkA-8 1 7 ns/op 6 allocs/op\n",
			"A-2 sec/op missing, A-2 allocs/op exact-changed, A-8 sec/op new"},
		{"ambiguous names", "BenchmarkA-2 1 5 allocs/op\nBenchmarkA-4 1 5 allocs/op\n", "BenchmarkA-8 1 5 allocs/op\n",
			"A-2 allocs/op missing, A-4 allocs/op missing, A-8 allocs/op new"},
		{"numbers in names", "BenchmarkA/size-10 1 5 allocs/op\nBenchmarkA/size-20 1 6 allocs/op\n", "BenchmarkA/size-10-8 1 5 allocs/op\nBenchmarkA/size-20-8 1 6 allocs/op\n",
			"A/size-10 allocs/op same, A/size-20 allocs/op same"},
		{"one number in a name", "BenchmarkA/size-10 1 5 allocs/op\n", "BenchmarkA/size-10-8 1 5 allocs/op\n", "A/size-10 allocs/op same"},
		{"no number of processors", "BenchmarkY 1 5 allocs/op\nBenchmarkX/n-10 1 5 allocs/op\n", "BenchmarkY-4 1 5 allocs/op\nBenchmarkX/n-4 1 5 allocs/op\n",
			"Y allocs/op same, X/n-10 allocs/op missing, X/n-4 allocs/op new"},
		{"packages", "pkg: a\nBenchmarkA 1 5 allocs/op\n", "pkg: b\nBenchmarkA 1 5 allocs/op\n", "A allocs/op missing, A allocs/op new"},
	} {
		if got := verdicts(c.old, c.new); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzRead holds that no text makes the reader fail otherwise than by an error,
// and that what it read can be compared with itself without a change.
func FuzzRead(f *testing.F) {
	f.Add(jsonOutput)
	f.Add("goos: linux\nBenchmarkA-8 1 2 ns/op 3 B/op\n")
	f.Add("Unit x better=lower assume=exact\nBenchmarkA 1 0 x -1 y 1e400 z\n")
	f.Add("FAIL\t\n{\nBenchmark")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(strings.NewReader(text), "fuzz", ReadOptions{})
		if err != nil {
			return
		}
		for _, row := range Compare(r, r, Options{}).Rows {
			if row.Verdict != Same && row.Verdict != Inconclusive {
				t.Errorf("%s: %s against itself", row.Series.Title(), row.Verdict)
			}
		}
	})
}

// More of what is done per second is better where the name says that it is work; more of a mishap
// is not, and of what is not known nothing is.
func TestDirections(t *testing.T) {
	for want, units := range map[int]string{
		1:  "B/s MB/s GiB/s Mbit/s bits/s req/s requests/s ops/s Mops/s ops/sec msgs/second games/s nodes/s queries/s entries/s total-rows/s http-requests/s throughput-ops/s kflop/s tokens/s sent.bytes/s MHz/s",
		0:  "false-matches/s nil-results/s ignored-events/s unparsed-lines/s bounced-msgs/s truncated-lines/s partial-reads/s short-writes/s empty-polls/s pending-jobs/s half-open-conn/s 5xx/s errors/s discarded/s nacks/s page-ins/s slow/s slow-reqs/s usd/s warnings/s warnings/sec dropped-packets/s retried-ops/s wait-ns/s things/s hits 4xx-responses/s dead-letters/s db-rows/s cache.hits/s fsync-calls/s late-packets/s 500-responses/s no-op-ops/s log_lines/s heap-objects/s remote-calls/s anomalous-points/s B/cycle MB/min GB/hour B/ns MB/cpu-s bytes/joule throughput-MB goodput-bytes B/instr 404responses/s nops/s 失败req/s",
		-1: "ns/op p99-ms B/op heap-MB ns/key sec bytes/item B/tick peak-MB allocs/msg",
	} {
		for unit := range strings.FieldsSeq(units) {
			if got := direction(unit, nil); got != want {
				t.Errorf("%s: %d, expected %d", unit, got, want)
			}
		}
	}
}

// A benchmark with fewer samples than on the other side is one that was ended, unless all have as
// many fewer in a text that tells its ends.
func TestFewerSamples(t *testing.T) {
	lines := func(name string, n int) string { return strings.Repeat("Benchmark"+name+"-8 100 100 ns/op\n", n) }
	pkg := func(name, results string) string {
		return "goos: linux\ngoarch: amd64\npkg: " + name + "\n" + results + "PASS\nok  \t" + name + "\t3.1s\n"
	}
	nameless := func(text string) string {
		return strings.NewReplacer("pkg: p\n", "", "pkg: q\n", "").Replace(text)
	}
	for _, c := range []struct{ what, old, new, want string }{
		{"all have fewer", pkg("p", lines("A", 10)) + pkg("q", lines("B", 10)), pkg("p", lines("A", 6)) + pkg("q", lines("B", 6)), ""},
		{"unevenly many fewer", pkg("p", lines("A", 10)+lines("B", 10)), pkg("p", lines("A", 6)+lines("B", 7)), "2 benchmarks have fewer samples"},
		{"unevenly many fewer than unevenly many", pkg("p", lines("A", 12)+lines("B", 10)), pkg("p", lines("A", 7)+lines("B", 6)), ""},
		{"those of one package", pkg("p", lines("A", 10)) + pkg("q", lines("B", 10)), pkg("p", lines("A", 10)) + pkg("q", lines("B", 6)), "1 benchmarks have fewer samples"},
		{"without packages and ends", lines("A", 10), lines("A", 6), "1 benchmarks have fewer samples"},
		{"skipped now and then", pkg("p", lines("A", 10)), pkg("p", lines("A", 9)+"--- SKIP: BenchmarkA\n    a_test.go:5: no disk\n"), "1 benchmarks have fewer samples"},
		{"begun more often", pkg("p", strings.Repeat("BenchmarkA\n"+lines("A", 1), 10)), pkg("p", strings.Repeat("BenchmarkA\n"+lines("A", 1), 9)+"BenchmarkA\n"), "1 benchmarks have fewer samples"},
		{"names of packages", nameless(pkg("p", lines("A", 10)) + pkg("q", lines("A", 10))), nameless(pkg("p", lines("A", 10)) + pkg("q", lines("A", 10))), "the names of packages that have benchmarks of one name"},
		{"names of packages, with other benchmarks", nameless(pkg("p", lines("A", 10)) + pkg("q", lines("B", 10))), nameless(pkg("p", lines("A", 10)) + pkg("q", lines("B", 10))), ""},
	} {
		sides := [2]*Run{}
		for i, text := range []string{c.old, c.new} {
			var err error
			if sides[i], err = Read(strings.NewReader(text), "side", ReadOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		g := Judge(Compare(sides[0], sides[1], Options{}), Policy{})
		if c.want == "" && len(g.Doubts) > 0 || c.want != "" && (len(g.Doubts) == 0 || !strings.Contains(g.Doubts[0].Reason, c.want)) {
			t.Errorf("%s: %v, expected %q", c.what, g.Doubts, c.want)
		}
	}
}
