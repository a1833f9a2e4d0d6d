package study_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// readLog reads a study's log, with a spec that went through JSON.
func readLog(t testing.TB, spec *tuner.Setup, m *memory, rules *arena.Ruleset) *insight.Log {
	t.Helper()
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := tuner.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	c := insight.NewLog(stored, rules)
	for _, e := range m.entries {
		if err := c.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// A log says of every kind of study what Goptuna's trials say.
func TestLog(t *testing.T) {
	limited := strings.Replace(fmt.Sprintf(hillStudy, "uniform"), "sampler:", "objective: {of: metric, metric: ease, goal: maximize, limits: [{metric: effort, max: 900}]}\nsampler:", 1)
	for name, text := range map[string]string{
		"race": fmt.Sprintf(hillStudy, "uniform"), "incumbent": fmt.Sprintf(flat, .3, 5, ", incumbent: true"), "limits": limited,
		"duels": duelStudy, "surface": surfaceStudy, "pareto": strings.Replace(paretoStudy, "%s", "", 1),
	} {
		t.Run(name, func(t *testing.T) {
			spec := read(t, text)
			m := newMemory()
			r, err := run(t, spec, m, 2)
			if err != nil {
				t.Fatal(err)
			}
			c := readLog(t, spec, m, spec.Ruleset)
			checkLog(t, c, m)
			if name == "incumbent" {
				behind, compared := stopped(m)
				n := 0
				for i := range c.Trials {
					if c.Trials[i].End == entry.Behind {
						n++
					}
				}
				if n != behind || n == 0 || c.Compared == 0 || compared == 0 || len(c.Incumbents) == 0 {
					t.Errorf("%d trials behind an incumbent, the log has %d", n, behind)
				}
			}
			if (len(c.Duels) > 0) != (name == "duels") || (c.Answer != nil) != (name == "duels" || name == "surface") {
				t.Errorf("%d duels, answer %v", len(c.Duels), c.Answer)
			}
			if c.Answer != nil && c.Answer.Trial != r.Best.Trial {
				t.Errorf("answer %+v, best %+v", c.Answer, r.Best)
			}
			if name == "pareto" {
				for _, p := range r.Front {
					if at := c.Goal(p.Trial, 1); !p.Chosen && math.Abs(at-*p.Values[1].Value) > 1e-6*math.Abs(at) {
						t.Errorf("trial %d: %g, on the front %g", p.Trial, at, *p.Values[1].Value)
					}
				}
			}
			blind := readLog(t, spec, m, nil)
			if len(blind.Trials) != len(c.Trials) || blind.Bytes() < 32*len(c.Trials) {
				t.Errorf("without rules: %d trials of %d", len(blind.Trials), len(c.Trials))
			}
		})
	}
}

// checkLog compares it with the storage.
func checkLog(t *testing.T, c *insight.Log, m *memory) {
	t.Helper()
	trials, err := m.GetAllTrials(m.study)
	if err != nil || len(trials) != len(c.Trials) || c.Entries != len(m.entries) {
		t.Fatalf("%d trials of %d, %d entries of %d (%v)", len(c.Trials), len(trials), c.Entries, len(m.entries), err)
	}
	for i, x := range trials {
		line := &c.Trials[i]
		if (x.State == goptuna.TrialStatePruned) != (line.End > entry.Whole && line.End != entry.Valueless) {
			t.Errorf("trial %d is %v, in the log %v", i, x.State, line.End)
		}
		for rung, blocks := range c.Spec.Race.Rungs {
			want, ok := x.IntermediateValues[int(blocks)]
			got, _ := c.Level(i, rung)
			if len(x.IntermediateValues) > 0 && rung < int(line.Met) && ok && math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("trial %d, %d blocks: %g, in the log %g", i, blocks, want, got)
			}
		}
		for k := range c.Spec.Tune.Params {
			d := &c.Spec.Tune.Params[k]
			_, active := x.InternalParams[d.Name]
			if place := c.Place(i, k); active != !math.IsNaN(place) {
				t.Errorf("trial %d: %s is at %g, active %v", i, d.Name, place, active)
			}
		}
	}
}

// A pool's generations are read as such.
func TestLogOfPools(t *testing.T) {
	spec, err := readBoats(t, boatStudy)
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	if _, err := run(t, spec, m, 2); err != nil {
		t.Fatal(err)
	}
	c := readLog(t, spec, m, spec.Ruleset)
	if len(c.Pools) < 2 || len(c.Finals) == 0 || math.IsNaN(c.Trials[0].Value) || c.Mates(0).Trials == 0 {
		t.Errorf("%d pools, %d finalists", len(c.Pools), len(c.Finals))
	}
}

// FuzzLog: whatever a log holds, reading it ends with an error or without.
func FuzzLog(f *testing.F) {
	f.Add("ask", `{"trials":[{"number":1}]}`)
	f.Add("rung", `{"trial":0,"rung":99,"blocks":-1,"evidence":[{"scores":[1]}]}`)
	f.Add("rung", `{"trial":0,"rung":0,"evidence":[{"scores":[1,2,3,4,5],"sums":[1],"cross":[["1"]]}]}`)
	f.Add("duel", `{"a":0,"b":7}`)
	f.Add("pool", `{"trials":[{"trial":0,"scores":[[99,1]]}]}`)
	f.Add("answer", `{"trial":1}`)
	f.Add("tell", `{"trial":-1,"goals":[1,2,3]}`)
	f.Fuzz(func(t *testing.T, kind, payload string) {
		spec := &tuner.Spec{Objective: tuner.Objective{Of: "score"}, Race: tuner.Race{Rungs: []int64{2}}}
		spec.Tune.Params = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float}}}
		for _, of := range []string{"score", "metric", "pareto"} {
			spec.Objective.Of = of
			c := insight.NewLog(spec, nil)
			if err := c.Add(entry.Entry{Kind: entry.KindAsk, Payload: json.RawMessage(`{"trials":[{"number":0,"params":[{"name":"x","value":"1"}]}]}`)}); err != nil {
				t.Fatal(err)
			}
			if json.Valid([]byte(payload)) {
				_ = c.Add(entry.Entry{Kind: entry.Kind(kind), Payload: json.RawMessage(payload)})
			}
			for i := range c.Trials {
				c.Passed(i)
				c.Mates(i)
			}
		}
	})
}
