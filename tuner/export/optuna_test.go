package export_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/store/sqlitedb"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 123456789, time.UTC)

// all returns trials as a store gives them out.
func all(trials ...goptuna.FrozenTrial) iter.Seq2[goptuna.FrozenTrial, error] {
	return func(yield func(goptuna.FrozenTrial, error) bool) {
		for i, t := range trials {
			t.Number, t.DatetimeStart = i, noon
			if t.State.IsFinished() {
				t.DatetimeComplete = noon.Add(time.Duration(i) * time.Minute)
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// at returns a complete trial at texts, stored as the loop stores them.
func at(t testing.TB, space tuner.Space, texts ...string) goptuna.FrozenTrial {
	t.Helper()
	out := goptuna.FrozenTrial{State: goptuna.TrialStateComplete, Value: 1, InternalParams: map[string]float64{}}
	for i, text := range texts {
		d := &space[i]
		x, err := d.Internal(d.Distribution(false), text)
		if err != nil {
			t.Fatal(err)
		}
		out.InternalParams[d.Name] = x
	}
	return out
}

func written(t testing.TB, s *export.OptunaStudy, trials iter.Seq2[goptuna.FrozenTrial, error]) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.WriteOptunaJSON(&b, s, trials); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// float returns a stepped range.
func float(low, high, step float64) tuner.Space {
	return tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Grid(low, high, step)}}}
}

// Every value of a stepped range is taken by Optuna's rules, its ends are the values
// that trials have, and no range loses its step without need.
func TestSteppedRanges(t *testing.T) {
	const keeps, loses, either = 0, 1, 2
	count := func(space tuner.Space, step int) {
		t.Helper()
		d := &space[0]
		var trials []goptuna.FrozenTrial
		for i := range d.Points() {
			trials = append(trials, at(t, space, d.Point(i)))
		}
		s := &export.OptunaStudy{Name: "s", Directions: []string{export.Maximize}, Objectives: []string{"score"}, Space: space}
		read, complaints := load(t, written(t, s, all(trials...)))
		if len(complaints) > 0 {
			t.Fatalf("%s: %d complaints, the first: %s", d.Domain, len(complaints), complaints[0])
		}
		last := read[len(read)-1]
		high, _ := strconv.ParseFloat(string(last.Distributions["x"].Attributes["high"]), 64)
		if top, _ := strconv.ParseFloat(string(last.Params["x"]), 64); top != high || top != d.Domain.Top() || d.Text(d.Domain.Top()) != d.Point(d.Points()-1) {
			t.Fatalf("%s: the last trial has %v, the range ends at %v, its top is %v", d.Domain, top, high, d.Domain.Top())
		}
		if got := string(last.Distributions["x"].Attributes["step"]) == "null"; step != either && got != (step == loses) {
			t.Errorf("%s: without a step: %v", d.Domain, got)
		}
	}
	n := 0
	for _, low := range []float64{-1, -0.5, 0, 0.05, 0.1, 0.25, 1} {
		for _, step := range []float64{0.01, 0.02, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1} {
			for steps := 1; steps <= 20; steps++ {
				high, _ := strconv.ParseFloat(strconv.FormatFloat(low+float64(steps)*step, 'g', 12, 64), 64)
				count(float(low, high, step), keeps)
				if n%5 == 0 {
					count(float(low, high+0.3*step, step), keeps)            // the steps do not reach the end
					count(float(low, low+float64(steps)*step, step), either) // an end such as 0.33999999999999997
				}
				n++
			}
		}
	}
	if n != 1820 {
		t.Errorf("%d ranges", n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 { // any ends of up to five digits
		low := float64(random.IntN(20000)-10000) / 1000
		step := float64(1+random.IntN(5000)) / 10000
		count(float(low, low+float64(random.IntN(40))*step+1e-4, step), keeps)
	}
	count(float(0, 1, 0.333333333333333), loses) // trials have 0.666666666667, which is no multiple
	count(float(0.12345678901234567, 1, 0.1), loses)
	count(float(1e12, 1e12+9, 1), keeps)
	count(float(-1e-9, 1e-9, 1e-10), keeps)
}

// Trials of a program that uses goptuna have the values that it gave to the program, also
// where the range does not end at a step, and Optuna takes them.
func TestForeignRanges(t *testing.T) {
	compare := func(internal float64, distribution any) {
		t.Helper()
		want, err := goptuna.ToExternalRepresentation(distribution, internal)
		if err != nil {
			t.Fatal(err)
		}
		s := &export.OptunaStudy{Name: "s", Directions: []string{export.Maximize}, Objectives: []string{"value"}}
		read, complaints := load(t, written(t, s, all(goptuna.FrozenTrial{State: goptuna.TrialStateComplete,
			InternalParams: map[string]float64{"x": internal}, Distributions: map[string]any{"x": distribution}})))
		if len(complaints) > 0 {
			t.Errorf("%+v, %v: %q", distribution, internal, complaints)
		}
		got, _ := strconv.ParseFloat(string(read[0].Params["x"]), 64)
		if text := fmt.Sprint(want); text != strconv.FormatFloat(got, 'g', -1, 64) {
			t.Errorf("%+v, %v: exported as %v, the program had %s", distribution, internal, got, text)
		}
	}
	for _, low := range []float64{-1, 0, .5} {
		for step := 1; step <= 20; step++ {
			q := float64(step) / 20
			for i := 0; float64(i)*q < 1; i++ {
				compare(low+float64(i)*q, goptuna.DiscreteUniformDistribution{Low: low, High: low + 1, Q: q})
			}
			compare(low+1, goptuna.DiscreteUniformDistribution{Low: low, High: low + 1, Q: q})
			compare(20, goptuna.StepIntUniformDistribution{Low: int(low), High: 20, Step: step})
		}
	}
	compare(1, goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: .4}) // 1.2
	compare(.3, goptuna.DiscreteUniformDistribution{Low: 0, High: .3, Q: .1})
	compare(.7, goptuna.UniformDistribution{Low: 0, High: .7})
	compare(.7, goptuna.LogUniformDistribution{Low: .1, High: .7})
	compare(6.5, goptuna.IntUniformDistribution{Low: 6, High: 7})
}

// kinds returns spaces with every kind of parameter.
func kinds() tuner.Space {
	when := []param.Condition{{Name: "k", Value: "p"}}
	return tuner.Space{
		{Param: param.Param{Name: "n", Kind: param.Int, Domain: param.Grid(10, 95, 10)}},
		{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Log(0.1, 10)}},
		{Param: param.Param{Name: "b", Kind: param.Bool}},
		{Param: param.Param{Name: "k", Kind: param.Choice, Choices: []string{"p", "q", "1"}}},
		{Param: param.Param{Name: "i", Kind: param.Choice, Choices: []string{"10", "40", "70"}, Domain: param.Range(0, 100)}},
		{Param: param.Param{Name: "f", Kind: param.Choice, Choices: []string{"1", "2.5"}, Domain: param.Range(0, 9)}},
		{Param: param.Param{Name: "l", Kind: param.Int, Domain: param.Log(1, 4096)}},
		{Param: param.Param{Name: "u", Kind: param.Float, Domain: param.Range(0, 1), When: when}},
	}
}

// several returns trials of all states, with what a trial of two objectives and a limit has.
func several(t testing.TB) (*export.OptunaStudy, iter.Seq2[goptuna.FrozenTrial, error]) {
	space := kinds()
	s := &export.OptunaStudy{
		Name: "several", Directions: []string{export.Maximize, export.Minimize}, Objectives: []string{"score", "shots"}, Space: space,
		Attrs: map[string]string{"game": "hill"}, Reasons: map[int]string{1: "not among the better half"}, Limited: true,
		Excess: map[int][]tuner.Excess{0: {{Limit: "shots at most 40", By: -1}}, 1: {{Limit: "shots at most 40", By: 2}}},
	}
	whole := at(t, space, "70", "1.5", "true", "q", "40", "1", "2", "1")
	whole.IntermediateValues = map[int]float64{16: 0.5, 64: 1}
	whole.UserAttrs = map[string]string{"standard_error": "0.01", "objective score": "1", "objective shots": "39.5"}
	whole.SystemAttrs = map[string]string{"role": "answer", "generation": "3"}
	pruned := at(t, space, "90", "10", "false", "1", "10", "2.5", "4096")
	pruned.State, pruned.Value = goptuna.TrialStatePruned, 0.25
	pruned.UserAttrs = map[string]string{"feasible": "false", "objective score": "0.25", "objective shots": "42"}
	half := at(t, space, "10", "0.1", "false", "p", "70", "1", "1", "0")
	half.UserAttrs = map[string]string{"objective score": "1"}
	return s, all(whole, pruned, half, goptuna.FrozenTrial{State: goptuna.TrialStateFail},
		goptuna.FrozenTrial{State: goptuna.TrialStateRunning}, goptuna.FrozenTrial{State: goptuna.TrialStateWaiting})
}

// Trials of all states load, with their types, objectives, values at the rungs, notes,
// constraints and times.
func TestWriteJSON(t *testing.T) {
	s, trials := several(t)
	read, complaints := load(t, written(t, s, trials))
	if len(complaints) > 0 {
		t.Error(strings.Join(complaints, "\n"))
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	states := ""
	for _, r := range read {
		states += r.State + " "
	}
	if states != "COMPLETE PRUNED FAIL FAIL RUNNING WAITING " {
		t.Errorf("states %s", states)
	}
	for _, c := range []struct{ what, got, want string }{
		{"values", text(read[0].Values), `[1.0,39.5]`},
		{"values of a trial without all", text(read[2].Values) + text(read[2].UserAttrs["undefined"]), `null"shots"`},
		{"params", text(read[0].Params), `{"b":true,"f":1.0,"i":40,"k":"q","l":2,"n":70,"u":1.0,"x":1.5}`},
		{"params with a condition that does not hold", text(read[1].Params), `{"b":false,"f":2.5,"i":10,"k":"1","l":4096,"n":90,"x":10.0}`},
		{"numbers as choices", text(read[0].Distributions["i"].Attributes["choices"]), `[10,40,70]`},
		{"floats as choices", text(read[0].Distributions["f"].Attributes["choices"]), `[1.0,2.5]`},
		{"texts as choices", text(read[0].Distributions["k"].Attributes["choices"]), `["p","q","1"]`},
		{"grid", text(read[0].Distributions["n"].Attributes), `{"high":90,"log":false,"low":10,"step":10}`},
		{"rungs of several objectives", text(read[0].Intermediate) + text(read[0].UserAttrs["rungs"]), `{}{"16":0.5,"64":1.0}`},
		{"notes", text(read[0].UserAttrs), `{"generation":3,"limit shots at most 40":-1.0,"objective score":1,"objective shots":39.5,"role":"answer","rungs":{"16":0.5,"64":1.0},"standard_error":0.01}`},
		{"reason", text(read[1].UserAttrs["reason"]), `"not among the better half"`},
		{"feasible", text(read[0].SystemAttrs), `{"constraints":[-1.0]}`},
		{"infeasible", text(read[1].SystemAttrs), `{"constraints":[2.0]}`},
		{"unfinished", text(read[4].SystemAttrs), `{}`},
		{"study", read[0].Study + text(read[0].Directions), `several["maximize","minimize"]`},
		{"time", read[1].Complete.Format(time.RFC3339Nano), "2026-11-22T12:01:00.123456Z"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	one := &export.OptunaStudy{Name: "one", Directions: []string{export.Minimize}, Objectives: []string{"shots"}, Space: kinds(), Limited: true}
	trial := at(t, one.Space, "10")
	trial.UserAttrs = map[string]string{"feasible": "false"}
	trial.IntermediateValues = map[int]float64{16: 0.5, 64: 1}
	one.Excess = map[int][]tuner.Excess{0: {{Limit: "shots at most 40", By: -1}}} // other code counts otherwise
	out := written(t, one, all(trial))
	if _, complaints := load(t, out); len(complaints) > 0 || !strings.Contains(out, `"value":1.0,`) || !strings.Contains(out, `"constraints":[1.0]`) ||
		!strings.Contains(out, `"intermediate_values":{"16":0.5,"64":1.0}`) {
		t.Errorf("%v\n%s", complaints, out)
	}
	if out := written(t, one, all()); out != "[]\n" {
		t.Errorf("no trials are %q", out)
	}
}

// The database has Optuna's tables and what the JSON has.
func TestWriteDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "several.db")
	s, trials := several(t)
	if err := export.WriteOptunaDatabase(t.Context(), path, s, trials); err != nil {
		t.Fatal(err)
	}
	if err := export.WriteOptunaDatabase(t.Context(), path, s, trials); err == nil {
		t.Error("a file that is there is written over")
	}
	if left, _ := filepath.Glob(path + "?*"); len(left) > 0 {
		t.Errorf("beside the file: %v", left)
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT group_concat(version_num) FROM alembic_version":                                                         "v3.2.0.a",
		"SELECT group_concat(schema_version) FROM version_info":                                                         "12",
		"SELECT group_concat(study_name) FROM studies":                                                                  "several",
		"SELECT group_concat(direction || objective) FROM study_directions":                                             "MAXIMIZE0,MINIMIZE1",
		"SELECT group_concat(value_json) FROM study_system_attributes WHERE key = 'study:metric_names'":                 `["score","shots"]`,
		"SELECT group_concat(state) FROM trials":                                                                        "COMPLETE,PRUNED,FAIL,FAIL,RUNNING,WAITING",
		"SELECT datetime_complete FROM trials WHERE number = 1":                                                         "2026-11-22 12:01:00.123456",
		"SELECT group_concat(value || value_type) FROM trial_values":                                                    "1.0FINITE,39.5FINITE,0.25FINITE,42.0FINITE",
		"SELECT count(*) FROM trial_intermediate_values":                                                                "0",
		"SELECT group_concat(param_name || param_value) FROM trial_params WHERE trial_id = 2":                           "b0.0,f1.0,i0.0,k2.0,l4096.0,n90.0,x10.0",
		"SELECT distribution_json FROM trial_params WHERE param_name = 'i' LIMIT 1":                                     `{"name":"CategoricalDistribution","attributes":{"choices":[10,40,70]}}`,
		"SELECT group_concat(value_json) FROM trial_system_attributes WHERE key = 'constraints'":                        "[-1.0],[2.0],[0.0]",
		"SELECT value_json FROM trial_user_attributes WHERE key = 'reason'":                                             `"not among the better half"`,
		"SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name)":            "alembic_version,studies,study_directions,study_system_attributes,study_user_attributes,trial_heartbeats,trial_intermediate_values,trial_params,trial_system_attributes,trial_user_attributes,trial_values,trials,version_info",
		"SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type = 'index' AND sql != '' ORDER BY 1)": "ix_studies_study_name,ix_trials_study_id",
	} {
		var got string
		if err := db.QueryRow("SELECT CAST((" + query + ") AS TEXT)").Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", query, got, err, want)
		}
	}
	_ = sqlitedb.EngineVersion // the driver
}

// The values at the rungs of one objective are in the database.
func TestRungsOfOneObjective(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.db")
	s := &export.OptunaStudy{Name: "one", Directions: []string{export.Minimize}, Objectives: []string{"shots"}, Space: kinds()}
	trial := at(t, s.Space, "10")
	trial.IntermediateValues = map[int]float64{16: 0.5, 64: 1}
	if err := export.WriteOptunaDatabase(t.Context(), path, s, all(trial)); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got string
	if err := db.QueryRow("SELECT group_concat(step || ' ' || intermediate_value) FROM trial_intermediate_values").Scan(&got); err != nil || got != "16 0.5,64 1.0" {
		t.Errorf("%q, %v", got, err)
	}
}

// Optuna itself loads both forms, where SAKUSEN_OPTUNA names a python that has it; with
// versions before 3.2 the JSON alone.
func TestOptunaItself(t *testing.T) {
	python := os.Getenv("SAKUSEN_OPTUNA")
	if python == "" {
		t.Skip("SAKUSEN_OPTUNA names no python with optuna")
	}
	dir := t.TempDir()
	s, trials := several(t)
	if err := export.WriteOptunaDatabase(t.Context(), filepath.Join(dir, "several.db"), s, trials); err != nil {
		t.Fatal(err)
	}
	documents := []string{written(t, s, trials)}
	for _, low := range []float64{-0.5, 0, 0.1} {
		for _, step := range []float64{0.05, 0.1, 0.3, 0.7} {
			space := float(low, low+6*step, step)
			var trials []goptuna.FrozenTrial
			for i := range space[0].Points() {
				trials = append(trials, at(t, space, space[0].Point(i)))
			}
			s := &export.OptunaStudy{Name: fmt.Sprint(low, step), Directions: []string{export.Minimize}, Objectives: []string{"x"}, Space: space}
			documents = append(documents, written(t, s, all(trials...)))
		}
	}
	for i, text := range documents {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("testdata/load.py")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), python, "-W", "error::UserWarning", script, dir)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "loaded 13 documents") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// loaded is a trial as Optuna's create_trial takes it, read by what Optuna's
// documents and sources say of it (optuna.distributions, optuna.trial.FrozenTrial,
// version 5.0): nothing here knows how the trials were written.
type loaded struct {
	Number        int                        `json:"number"`
	State         string                     `json:"state"`
	Value         *json.Number               `json:"value"`
	Values        []json.Number              `json:"values"`
	Params        map[string]json.RawMessage `json:"params"`
	Distributions map[string]struct {
		Name       string                     `json:"name"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"distributions"`
	Intermediate map[string]float64         `json:"intermediate_values"`
	UserAttrs    map[string]json.RawMessage `json:"user_attrs"`
	SystemAttrs  map[string]json.RawMessage `json:"system_attrs"`
	Start        *time.Time                 `json:"datetime_start"`
	Complete     *time.Time                 `json:"datetime_complete"`
	Study        string                     `json:"study_name"`
	Directions   []string                   `json:"directions"`
}

// load reads an export and returns what Optuna would refuse or warn of.
func load(t testing.TB, text string) (trials []loaded, complaints []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&trials); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	for i := range trials {
		for _, c := range trials[i].check() {
			complaints = append(complaints, fmt.Sprintf("trial %d: %s", trials[i].Number, c))
		}
	}
	return trials, complaints
}

// check does what FrozenTrial._validate and Study.add_trial do.
func (l *loaded) check() (out []string) {
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	finished := slices.Contains([]string{"COMPLETE", "PRUNED", "FAIL"}, l.State)
	if !finished && l.State != "RUNNING" && l.State != "WAITING" {
		bad("state %q", l.State)
	}
	values := l.Values
	if l.Value != nil {
		if l.Values != nil {
			bad("value and values are both specified")
		}
		values = []json.Number{*l.Value}
	}
	switch {
	case l.State == "COMPLETE" && values == nil:
		bad("values should be set for a complete trial")
	case l.State == "FAIL" && values != nil:
		bad("values should be None for a failed trial")
	case values != nil && len(values) != len(l.Directions):
		bad("%d values for %d objectives", len(values), len(l.Directions))
	}
	for _, v := range values {
		if !strings.ContainsAny(v.String(), ".eE") {
			bad("value %s is an integer", v)
		}
	}
	if finished != (l.Complete != nil) || (l.State != "WAITING") != (l.Start != nil) {
		bad("state %s with the times %v and %v", l.State, l.Start, l.Complete)
	}
	for _, d := range l.Directions {
		if d != "maximize" && d != "minimize" {
			bad("direction %q", d)
		}
	}
	if len(l.Directions) > 1 && len(l.Intermediate) > 0 { // optuna.trial.Trial.report, and TPESampler of a pruned trial
		bad("intermediate values of several objectives")
	}
	for step := range l.Intermediate {
		if _, err := strconv.Atoi(step); err != nil {
			bad("step %q", step)
		}
	}
	if len(l.Params) != len(l.Distributions) {
		bad("inconsistent parameters and distributions")
	}
	for name, value := range l.Params {
		d := l.Distributions[name]
		if why := contains(d.Name, d.Attributes, string(value)); why != "" {
			bad("%s: %s", name, why)
		}
	}
	return out
}

// contains does what a distribution's constructor, to_internal_repr and _contains do.
func contains(class string, attributes map[string]json.RawMessage, value string) string {
	keys := map[string]int{"FloatDistribution": 4, "IntDistribution": 4, "CategoricalDistribution": 1}
	if len(attributes) != keys[class] {
		return fmt.Sprintf("%s with %d attributes", class, len(attributes))
	}
	if class == "CategoricalDistribution" {
		var choices []json.RawMessage
		if err := json.Unmarshal(attributes["choices"], &choices); err != nil || len(choices) == 0 {
			return "no choices"
		}
		for _, c := range choices {
			if string(c) == value {
				return ""
			}
		}
		return fmt.Sprintf("%s is not in %s", value, attributes["choices"])
	}
	low, high, step := string(attributes["low"]), string(attributes["high"]), string(attributes["step"])
	log := string(attributes["log"]) == "true"
	float := class == "FloatDistribution"
	for _, text := range []string{low, high, value} {
		if strings.ContainsAny(text, ".e") != float {
			return fmt.Sprintf("%s in a %s", text, class)
		}
	}
	l, h, v := decimal(low), decimal(high), decimal(value)
	switch {
	case l.Cmp(h) > 0:
		return fmt.Sprintf("low %s above high %s", low, high)
	case log && l.Sign() <= 0:
		return "low of a logarithmic range is not positive"
	case float && log && step != "null", !float && log && step != "1":
		return "a step in a logarithmic range"
	case v.Cmp(l) < 0 || v.Cmp(h) > 0:
		return fmt.Sprintf("%s is not in [%s, %s]", value, low, high)
	case step == "null":
		return ""
	}
	s := decimal(step)
	if n := new(big.Rat).Quo(new(big.Rat).Sub(h, l), s); !n.IsInt() {
		return fmt.Sprintf("[%s, %s] is not divisible by %s: the range is changed, with a warning", low, high, step)
	}
	x, _ := v.Float64()
	a, _ := l.Float64()
	w, _ := s.Float64()
	if k := (x - a) / w; math.Abs(k-math.RoundToEven(k)) >= 1e-8 {
		return fmt.Sprintf("%s is no multiple of %s above %s", value, step, low)
	}
	return ""
}

func decimal(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return x
}
