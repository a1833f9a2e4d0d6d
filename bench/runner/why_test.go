package runner_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"

	"sakusen/bench"
	"sakusen/bench/runner"
)

// put writes a profile in which functions counted so much.
func put(t *testing.T, name, kind string, counted map[string]int64) string {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: kind, Unit: "x"}}, PeriodType: &profile.ValueType{}}
	caller := &profile.Function{ID: 100, Name: "main.caller"}
	outer := &profile.Location{ID: 100, Line: []profile.Line{{Function: caller}}}
	p.Function, p.Location = append(p.Function, caller), append(p.Location, outer)
	for _, function := range []string{"toy.Decode", "toy.check", "toy.rest"} {
		if counted[function] == 0 {
			continue
		}
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: function}
		// It was inlined into the caller: the first line is the innermost.
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: f}, {Function: caller}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l, outer}, Value: []int64{counted[function] / 8, counted[function]}})
	}
	file := filepath.Join(t.TempDir(), name)
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestExplain(t *testing.T) {
	causes, err := runner.Explain([]runner.Profiled{{
		Pkg: "example.com/toy", Name: "Decode-2", Operations: 10, Slower: 1.25,
		CPU: [2]string{
			put(t, "a", "cpu", map[string]int64{"toy.Decode": 800, "toy.rest": 200}),
			put(t, "b", "cpu", map[string]int64{"toy.Decode": 1280, "toy.rest": 320, "toy.check": 400}), // the profile ran longer
		},
		Memory: [2]string{
			put(t, "c", "alloc_space", map[string]int64{"toy.Decode": 640}),
			put(t, "d", "alloc_space", map[string]int64{"toy.Decode": 640, "toy.check": 80}),
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	texts := bench.WriteCauses(causes)
	want := `example.com/toy.Decode-2
  old   new  gained  time, of the old time (profiles of 125 and 250 samples)
  0 %  25 %   +25 %  toy.check
  old  new  gained  allocated, B/op
  0.0  8.0    +8.0  toy.check
`
	if len(texts) != 1 || texts[0] != want {
		t.Errorf("got\n%s\nwant\n%s", texts[0], want)
	}
	if _, err := runner.Explain([]runner.Profiled{{CPU: [2]string{"none", "none"}}}); err == nil {
		t.Error("files that are not there")
	}
}
