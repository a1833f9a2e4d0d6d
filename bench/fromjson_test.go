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
		`[]`:                                    "no benchmark results",
		`{"name":"A"}`:                          `number 1 ("A"): unit: expected a unit without blanks, got ""`,
		`[{"name":"A","unit":"s"}]`:             "expected one of value and values",
		`[{"name":" ","unit":"s","value":1}]`:   "name: expected a name",
		`[{"name":"A","unit":"a b","value":1}]`: `unit: expected a unit without blanks, got "a b"`,
		`[{"name":"A","unit":"s","value":1,"better":"more"}]`:      `better: expected higher or lower, got "more"`,
		`[{"name":"A","unit":"s","value":1,"interval":[2]}]`:       "interval: expected low and high, got [2]",
		`[{"name":"A","unit":"s","value":1,"pkg":"a\nBenchmark"}]`: "pkg: expected a text of one line",
		`PASS`: "expected JSON with a list of {name, value, unit}",
		`[{"name":"A","unit":"s","value":1,"better":"lower"},{"name":"B","unit":"s","value":1,"better":"higher"}]`: "expected lower as before for the unit s, got higher",
	} {
		if got, err := bench.FromJSON(strings.NewReader(in), "in"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", in, got, err, want)
		}
	}
}
