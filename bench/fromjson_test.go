package bench_test

import (
	"strings"
	"testing"

	"sakusen/bench"
)

func TestFromJSON(t *testing.T) {
	want := "Unit req/s better=higher\npkg: server\ninterval: 90 110\nBenchmarkGet_/a 1 100 req/s\ninterval: \nBenchmarkPut 1 1.5e-07 s\nBenchmarkPut 1 2 s\n"
	list := `{"name":"get /a","pkg":"server","value":100,"unit":"req/s","better":"higher","interval":[90,110]}` + "," + "\n" +
		`{"name":"Put","pkg":"server","values":[1.5e-7,2],"unit":"s"}`
	for name, in := range map[string]string{
		"a list":    "[" + list + "]",
		"an object": `{"benchmarks":[` + list + `]}`,
		"lines":     strings.ReplaceAll(list, ",\n", "\n"),
	} {
		got, err := bench.FromJSON(strings.NewReader(in), "in")
		if err != nil || got != want {
			t.Errorf("%s: %v, %q", name, err, got)
			continue
		}
		run, err := bench.Read(strings.NewReader(got), "in", bench.ReadOptions{})
		if err != nil || len(run.Order) != 2 || run.Order[0].Title() != "server.Get_/a req/s" || len(run.Values[run.Order[1]]) != 2 || run.Units.GetBetter("req/s") != 1 || len(run.Warnings) > 0 {
			t.Errorf("%s: read back: %v, %+v", name, err, run)
		}
	}
	for in, want := range map[string]string{
		`[]`:                                  "no benchmark results",
		`{"name":"A"}`:                        `number 1 ("A"): unit: expected a unit, got an empty one`,
		`[{"name":"A","unit":"s"}]`:           "expected one of value and values",
		`[{"name":" ","unit":"s","value":1}]`: "name: expected a name",
		`[{"name":"A","unit":" ","value":1}]`: `unit: expected a unit`,
		`{"a":{"b":{}}}`:                      "expected one of value and values",
		`[{"name":"A","unit":"s","value":1,"better":"more"}]`:      `better: expected higher or lower, got "more"`,
		`[{"name":"A","unit":"s","value":1,"interval":[2]}]`:       "interval: expected low and high, got [2]",
		`[{"name":"A","unit":"s","value":1,"pkg":"a\nBenchmark"}]`: "pkg: expected a text of one line",
		`PASS`: "expected JSON with a list of {name, value, unit}",
	} {
		if got, err := bench.FromJSON(strings.NewReader(in), "in"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", in, got, err, want)
		}
	}
}

// Texts that look alike in a line stay apart, and the forms of other tools are read.
func TestFromJSONOfOthers(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"names", `[{"name":"a b","unit":"s","value":1},{"name":"a_b","unit":"s","value":2},{"name":"A_b","unit":"s","value":3}]`,
			"Benchmark%61%20b 1 1 s\nBenchmark%61_b 1 2 s\nBenchmarkA_b 1 3 s\n"},
		{"names with blanks alone", `[{"name":"Peak of all","unit":"MiB peak","value":1},{"name":"Peak of all","unit":"MiB","value":2}]`,
			"BenchmarkPeak_of_all 1 1 MiB_peak\nBenchmarkPeak_of_all 1 2 MiB\n"},
		{"units", `[{"name":"A","unit":"MiB peak","value":1},{"name":"A","unit":"MiB_peak","value":2}]`,
			"BenchmarkA 1 1 MiB%20peak\nBenchmarkA 1 2 MiB_peak\n"},
		{"github-action-benchmark", `window.BENCHMARK_DATA = {"lastUpdate":1,"repoUrl":"","entries":{"Go":[
			{"commit":{"id":"a"},"date":1,"tool":"go","benches":[{"name":"A","value":9,"unit":"ns/op","extra":"3 times"}]},
			{"commit":{"id":"b"},"date":2,"tool":"go","benches":[{"name":"A","value":8,"unit":"ns/op","range":"± 1"}]}],
			"Own":[{"tool":"customBiggerIsBetter","benches":[{"name":"B","value":7,"unit":"x per y"}]}]}};`,
			"pkg: Go\nBenchmarkA 1 8 ns/op\nUnit x_per_y better=higher\npkg: Own\nBenchmarkB 1 7 x_per_y\n"},
		{"Bencher", `{"b::two":{"latency":{"value":88,"lower_value":87,"upper_value":89},"throughput":{"value":5}},"a one":{"crashes":{"value":2}}}`,
			"BenchmarkA_one 1 2 crashes\ninterval: 87 89\nBenchmarkB::two 1 88 latency-ns\ninterval: \nBenchmarkB::two 1 5 throughput-ops/s\n"},
	} {
		got, err := bench.FromJSON(strings.NewReader(c.in), "in")
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
			continue
		}
		if run, err := bench.Read(strings.NewReader(got), "in", bench.ReadOptions{}); err != nil || len(run.Incomplete()) > 0 || run.Samples() != strings.Count(got, "Benchmark") {
			t.Errorf("%s: read back: %v, %+v", c.name, err, run)
		}
	}
	// One number against the direction of its unit is left out, and said; the rest is read, also
	// where no option says that it is JSON.
	two := `[{"name":"A","unit":"s","value":1,"better":"lower"},{"name":"B c","unit":"s","value":1,"better":"higher"},{"name":"D","unit":"s","value":4}]`
	for _, o := range []bench.ReadOptions{{JSON: true}, {}} {
		run, err := bench.Read(strings.NewReader(two), "in", o)
		if err != nil || run.Samples() != 2 || len(run.Lost) != 1 || !strings.Contains(run.Lost[0], `lost number 2 (B_c): better: expected lower as before for the unit s, got higher`) {
			t.Errorf("two directions: %v, %+v", err, run)
		}
	}
	if _, err := bench.Read(strings.NewReader(`{"results":[{"command":"sleep 1"}]}`), "in", bench.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "expected the output of go test -bench") || !strings.Contains(err.Error(), "also read are Bencher's") {
		t.Errorf("another form: %v", err)
	}
	// What has another form says which are read.
	for _, in := range []string{`{}`, `null`, `{"a":{"latency":{"value":"3"}}}`, `{"results":[{"command":"sleep 1","mean":1.0}]}`} {
		if _, err := bench.FromJSON(strings.NewReader(in), "in"); err == nil || !strings.Contains(err.Error(), "{name: {measure: {value}}}") || !strings.Contains(err.Error(), in[:2]) {
			t.Errorf("%s: %v", in, err)
		}
	}
}
