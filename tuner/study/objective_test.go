package study_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner"
)

// resumes wants a study to end the same after it died at every so many entries.
func resumes(t *testing.T, text string, whole *memory, want *tuner.Result, step int) {
	t.Helper()
	if suite.Few() {
		step *= 4
	}
	for at := 1; at < len(whole.entries); at += step {
		m := newMemory()
		m.die = at
		if _, err := run(t, read(t, text), m, 2); !errors.Is(err, errDied) {
			t.Fatalf("entry %d: %v", at, err)
		}
		m.die = 0
		if got, err := run(t, read(t, text), m, 1); err != nil || got.Digest != want.Digest {
			t.Fatalf("killed after %d entries: %v, %v", at, got, err)
		}
	}
}

// A relative metric is the ratio to the baseline's on the same blocks: what the
// blocks have in common cancels, so its error is a fraction of the metric's own.
func TestRelativeMetric(t *testing.T) {
	text := `version: 1
name: relative
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, low: 0.1, high: 0.9, step: 0.1}]}
baseline: climber(x=0.5,n=5)
objective: {of: metric, metric: effort, relative: true}
sampler: {name: grid, batch: 9}
budget: {games: 20000}
`
	m := newMemory()
	r, err := run(t, read(t, text), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	// Effort is 500 + 500 x: 550 at .1 against 750 at .5.
	if r.Best.Params["x"] != "0.1" || math.Abs(*r.Best.Value-550./750) > .002 {
		t.Errorf("best %+v, value %v", r.Best.Params, *r.Best.Value)
	}
	v := r.Validation
	if v.Verdict != "pass" || v.Metric.Name != "effort ratio" || *v.Metric.Baseline != 1 || math.Abs(*v.Metric.Gain-200./750) > .002 || v.Shrinkage == nil {
		t.Errorf("%+v %+v", v, v.Metric)
	}
	// The length of the day moves effort by 12 % of its mean; the ratio by less
	// than a hundredth of that.
	if *r.Best.Error > 1e-4 {
		t.Errorf("standard error %g", *r.Best.Error)
	}
	if r.Games > 20000 {
		t.Errorf("%d games of 20000", r.Games)
	}
	resumes(t, text, m, r, 7)
	fresh := strings.Replace(text, "budget:", "race: {blocks: fresh}\nbudget:", 1)
	m = newMemory()
	if r, err = run(t, read(t, fresh), m, 2); err != nil || r.Best.Params["x"] != "0.1" || r.Games > 20000 {
		t.Fatalf("%+v %v", r, err)
	}
	resumes(t, fresh, m, r, 11)
}

// Without a baseline a metric is relative to the strategy's defaults.
func TestRelativeToDefaults(t *testing.T) {
	text := `version: 1
name: defaults
game: hill
tune: {strategy: climber, params: [{name: x, step: 0.1}]}
objective: {of: metric, metric: effort, goal: maximize, relative: true}
sampler: {name: grid, batch: 11}
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Params["x"] != "1" || math.Abs(*r.Best.Value-1000./600) > .003 || r.Validation.Verdict != "pass" {
		t.Errorf("%+v %v %+v", r.Best.Params, *r.Best.Value, r.Validation)
	}
}

// Limits on both sides, absolute and relative: effort is 500 + 500 x, of a
// baseline that has 600, and strength rises up to x = .7.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ limit, x string }{
		{"{metric: effort, max: 760}", "0.5"},
		{"{metric: effort, min: 870}", "0.8"},
		{"{metric: effort, max_ratio: 1.26}", "0.5"},
		{"{metric: effort, min_ratio: 1.5}", "0.8"},
		{"{metric: effort, min_ratio: 1.1, max_ratio: 1.2}", "0.4"},
		{"{metric: effort, min: 600, max: 760}, {metric: height, max: 290}", "0.5"},
	} {
		text := `version: 1
name: limited
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, step: 0.1}]}
baseline: climber(x=0.2,n=5)
objective: {limits: [` + c.limit + `]}
sampler: {name: grid, seed: 3, batch: 11}
race: {method: none, rungs: [300]}
final: {top: 0}
`
		m := newMemory()
		r, err := run(t, read(t, text), m, 2)
		if err != nil {
			t.Fatal(err)
		}
		if r.Best == nil || r.Best.Params["x"] != c.x || r.Validation.Verdict != "pass" {
			t.Errorf("%s: best is %+v, %+v", c.limit, r.Best, r.Validation)
		}
		resumes(t, text, m, r, 9)
	}
}

// What limits keep out is told to samplers as no better than what they let in.
func TestNothingIsWithinTheLimits(t *testing.T) {
	text := `version: 1
name: nothing
game: hill
tune: {strategy: climber, params: [{name: x, step: 0.1}]}
baseline: climber
objective: {limits: [{metric: effort, max_ratio: 0.1}]}
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil || r.Best != nil || r.Validation != nil || r.Exit() != 3 || r.Notes[0] != "no candidate is within the limits" {
		t.Errorf("%+v %v", r, err)
	}
}

// Against a pool the mean and the worst choose as they should: fancy
// climbers with a bonus of 3 are .1 above plain ones.
func TestOverAPool(t *testing.T) {
	values := map[string]float64{}
	for _, over := range []string{"mean", "worst"} {
		text := `version: 1
name: pool
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, low: 0.7, high: 0.7}]}
baseline: climber(x=0.2)
pool: ["climber(x=0.7,n=5,kind=fancy,bonus=3)", "climber(x=0.6,n=5)"]
objective: {over: ` + over + `}
race: {method: none, rungs: [400]}
`
		r, err := run(t, read(t, text), newMemory(), 2)
		if err != nil {
			t.Fatal(err)
		}
		values[over] = *r.Best.Value
	}
	if values["worst"] > .5 || values["mean"] < .55 {
		t.Errorf("%v", values)
	}
}

const paretoStudy = `version: 1
name: pareto
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}], params: [{name: x}, {name: n}]}
baseline: climber(x=0.1)
objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort, relative: true}]%s}
sampler: {name: quasi, seed: 3, batch: 16}
budget: {trials: 96, games: 40000}
final: {top: 6, blocks: 100}
validation: {regression_elo: [-20, 0], max_blocks: 500}
`

// Strength and effort both rise up to x = .7 and only effort beyond: the front
// lies below, its ends are the strongest and the laziest, and one point between
// is validated.
func TestPareto(t *testing.T) {
	chosen := map[string]float64{}
	for name, weights := range map[string]string{"knee": "", "strong": ", weights: [1, 0]", "lazy": ", weights: [0, 1]"} {
		text := strings.Replace(paretoStudy, "%s", weights, 1)
		m := newMemory()
		r, err := run(t, read(t, text), m, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Front) < 5 || r.Validation == nil || len(r.Validation.Objectives) != 2 || len(r.Best.Objectives) != 2 {
			t.Fatalf("%+v %+v", r.Front, r.Validation)
		}
		marked := 0
		for i, p := range r.Front {
			x, err := strconv.ParseFloat(p.Params["x"], 64)
			if err != nil || x > .8 {
				t.Errorf("x = %s is on the front", p.Params["x"])
			}
			if p.Chosen {
				marked++
				chosen[name] = x
				continue // the final may choose one that lies behind
			}
			if i == 0 || r.Front[i-1].Chosen {
				continue
			}
			before, here := r.Front[i-1].Measured(), p.Measured() // the final's values where there are some
			if *here[0].Value > *before[0].Value || *here[1].Value > *before[1].Value {
				t.Errorf("the front is in no order: %+v", r.Front)
			}
		}
		if marked != 1 {
			t.Errorf("%d points are chosen", marked)
		}
		if base := r.FrontBaseline; len(base) != 2 || *base[0].Value != 0.5 || *base[1].Value != 1 {
			t.Errorf("the baseline's values: %+v", base)
		}
		if name == "knee" {
			resumes(t, text, m, r, 17)
			checkGoals(t, m)
		}
	}
	if !(chosen["lazy"] < chosen["knee"] && chosen["knee"] < chosen["strong"]) {
		t.Errorf("chosen: %v", chosen)
	}
}

// A front whose best point is the baseline itself has nothing to be validated, and says so.
func TestParetoOfTheBaseline(t *testing.T) {
	text := strings.Replace(strings.Replace(paretoStudy, "%s", "", 1), "params: [{name: x}, {name: n}]", "params: [{name: x, choices: [0.1]}]", 1)
	text = strings.Replace(text, "{name: quasi, seed: 3, batch: 16}", "{name: grid}", 1)
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Validation
	if v == nil || v.Verdict != "inconclusive" || v.Blocks != 0 || v.Objectives != nil || len(r.Front) != 1 {
		t.Errorf("%+v %+v", v, r.Front)
	}
}

// The baseline's value of an objective that is not relative to it is measured in its games
// against the answer.
func TestParetoTellsTheBaseline(t *testing.T) {
	text := strings.Replace(strings.Replace(paretoStudy, "%s", "", 1), ", relative: true", "", 1)
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if base := r.FrontBaseline; len(base) != 2 || *base[0].Value != 0.5 || !(*base[1].Value > 0) || base[1].Error == nil {
		t.Errorf("the baseline's values: %+v", base)
	}
	if own, base := r.Validation.Objectives[1], r.FrontBaseline[1]; *own.Value == *base.Value {
		t.Errorf("the answer's value %g is told as the baseline's", *own.Value)
	}
}

// checkGoals wants the objectives in Goptuna's trials.
func checkGoals(t *testing.T, m *memory) {
	t.Helper()
	trials, err := m.GetAllTrials(m.study)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range trials {
		if _, err := strconv.ParseFloat(x.UserAttrs["objective effort ratio"], 64); err != nil {
			t.Errorf("trial %d: %v", x.Number, x.UserAttrs)
		}
	}
}

// A game in which nothing is left to chance is played once, however often: no
// verdict comes of it, and neither does a correlation.
func TestDeterministicPairing(t *testing.T) {
	text := `version: 1
name: certain
game: hill
rules: [{name: certain, value: true}]
tune: {strategy: climber, params: [{name: x, step: 0.1}]}
baseline: climber(x=0)
sampler: {name: grid}
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Validation
	if v.Verdict != "inconclusive" || !strings.Contains(v.Reason, "no information: all 330 blocks are the same games") || v.Elo != nil || v.CI95 != nil {
		t.Errorf("%+v", v)
	}
	if r.Common == nil || r.Common.Correlation != nil || r.Common.Reason != "no information: the blocks do not vary" {
		t.Errorf("%+v", r.Common)
	}
	metric := strings.Replace(text, "baseline:", "objective: {of: metric, metric: effort, relative: true}\nbaseline:", 1)
	if r, err = run(t, read(t, metric), newMemory(), 2); err != nil || r.Validation.Verdict != "inconclusive" || !strings.Contains(r.Validation.Reason, "no information") {
		t.Errorf("%+v %v", r.Validation, err)
	}
}

// The report has what was claimed, what was validated, and their difference; and
// what common blocks were worth.
func TestReport(t *testing.T) {
	r, err := run(t, read(t, strings.Replace(paretoStudy, "objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: effort, relative: true}]%s}\n", "", 1)), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Validation
	if _, elo, _ := v.Quoted(); v.Shrinkage == nil || math.Abs(*v.Shrinkage-(*r.Best.Claimed.Elo-*elo)) > 1e-9 {
		t.Errorf("%+v %+v", r.Best.Claimed, v)
	}
	// All climbers live through the same days.
	c := r.Common
	if c == nil || c.Correlation == nil || *c.Correlation < .5 || c.CI95[0] > *c.Correlation || c.CI95[1] < *c.Correlation || *c.VarianceSaved != *c.Correlation {
		t.Errorf("%+v", c)
	}
}

// The report names the candidates that may be as good as the winner: those near the
// top of the hill, of which two are equal, and none that is far from it.
func TestRivals(t *testing.T) {
	r, err := run(t, read(t, `version: 1
name: near
game: hill
tune: {strategy: climber, params: [{name: x, low: 0.1, high: 0.9, step: 0.1}]}
baseline: climber(x=0)
sampler: {name: grid}
final: {top: 9}
budget: {games: 20000}
`), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rivals == nil || r.Rivals.Compared < 3 {
		t.Fatalf("%+v", r.Rivals)
	}
	near := map[string]bool{r.Best.Params["x"]: true}
	for _, a := range r.Rivals.Alike {
		if near[a.Params["x"]] || a.Behind < 0 || a.Elo == nil || *a.Elo < 0 {
			t.Errorf("%+v beside %+v", a, r.Best)
		}
		near[a.Params["x"]] = true
	}
	if !near["0.7"] || near["0.1"] || near["0.2"] || near["0.3"] {
		t.Errorf("perhaps the best: %v of %d", near, r.Rivals.Compared)
	}
}

// What a validation cannot pass is not chosen from a front: a corner that plays like the
// baseline.
func TestKneeOfGains(t *testing.T) {
	text := strings.Replace(paretoStudy, "%s", "", 1)
	text = strings.Replace(text, "climber(x=0.1)", "climber(x=0.4,kind=plain)", 1)
	text = strings.Replace(text, "params: [{name: x}, {name: n}]", "params: [{name: x, low: 0, high: 1, step: 0.2}]", 1)
	text = strings.Replace(text, "name: quasi", "name: grid", 1)
	text = strings.Replace(text, "regression_elo: [-20, 0]", "gain_elo: [0, 10]", 1)
	score := func(setup *tuner.Setup) float64 {
		r, err := run(t, setup, newMemory(), 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Front {
			if p.Chosen {
				return *p.Measured()[0].Value
			}
		}
		t.Fatalf("nothing is chosen: %+v", r.Front)
		return 0
	}
	setup := read(t, text)
	whole := *setup
	spec := *setup.Spec
	whole.Spec, spec.Objective.Knee = &spec, ""
	if gains, all := score(setup), score(&whole); !(gains > .5) || all > .5 {
		t.Errorf("chosen: score %g, of the whole front %g", gains, all)
	}
	if weighted := read(t, strings.Replace(text, "relative: true}]", "relative: true}], weights: [1, 1]", 1)); weighted.Objective.Knee != "" {
		t.Error("a study with weights has a knee")
	}
}
