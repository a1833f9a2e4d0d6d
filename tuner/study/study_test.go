package study_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
)

const hillStudy = `version: 1
name: hill
game: hill
tune:
  strategy: climber
baseline: climber
sampler: {name: %s, seed: 5, batch: 8}
race: {rungs: [8, 16, 32]}
budget: {trials: 48, games: 12000}
final: {top: 4, blocks: 200}
validation: {gain_elo: [0, 20], max_blocks: 2000}
`

// Every sampler comes to a verdict; the log of one worker and of eight is the
// same; and a study that dies after any number of entries goes on to the same
// end.
func TestStudyEndsTheSameHoweverItIsRun(t *testing.T) {
	for _, name := range (sampler.Kinds{}).Names() {
		if name == "goptuna-cmaes" || name == "grid" || name == "jgg" || name == "surface" || answeringStudies[name] != "" {
			continue // refuse this space, or answer otherwise; see below
		}
		t.Run(name, func(t *testing.T) {
			spec := read(t, fmt.Sprintf(hillStudy, name))
			whole := newMemory()
			want, err := run(t, spec, whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want.Trials < 30 || want.Validation == nil || want.Games > spec.Budget.Games {
				t.Fatalf("%+v", want)
			}
			many, err := run(t, spec, newMemory(), 8)
			if err != nil || many.Digest != want.Digest {
				t.Errorf("eight workers: digest %s, want %s (%v)", many.Digest, want.Digest, err)
			}
			step := every(17, 61)
			for at := 1; at < len(whole.entries); at += step {
				m := newMemory()
				m.die = at
				if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
					t.Fatalf("entry %d: %v", at, err)
				}
				m.die = 0
				got, err := run(t, spec, m, 2)
				if err != nil || got.Digest != want.Digest {
					t.Fatalf("killed after %d entries: %v, %v", at, got, err)
				}
			}
			checkTrials(t, whole, want)
		})
	}
}

// checkTrials checks that Goptuna's trials say what the log says.
func checkTrials(t *testing.T, m *memory, r *tuner.Result) {
	t.Helper()
	trials, err := m.GetAllTrials(m.study)
	if err != nil || len(trials) != r.Trials {
		t.Fatalf("%d trials in the storage, %d in the result (%v)", len(trials), r.Trials, err)
	}
	states := map[goptuna.TrialState]int{}
	for _, x := range trials {
		states[x.State]++
		if !x.State.IsFinished() {
			t.Errorf("trial %d is %v", x.Number, x.State)
		}
		kind := x.Params["kind"]
		if _, ok := x.Params["bonus"]; ok != (kind == "fancy") {
			t.Errorf("trial %d: bonus given is %v for kind %v", x.Number, ok, kind)
		}
		if kind == "plain" && !strings.Contains(x.SystemAttrs["proposed"], "bonus=") {
			t.Errorf("trial %d: the inactive proposal is lost: %v", x.Number, x.SystemAttrs)
		}
	}
	if states[goptuna.TrialStatePruned] == 0 || states[goptuna.TrialStateComplete] == 0 {
		t.Errorf("states %v: a race stops some and finishes some", states)
	}
}

// Stateful samplers resume as exactly; jgg proposes its parents a second time,
// which extends their blocks.
func TestStatefulSampler(t *testing.T) {
	for name, options := range map[string]string{
		"goptuna-cmaes": "",
		"jgg":           ", options: [{name: population, value: 8}, {name: parents, value: 3}, {name: children, value: 5}]",
	} {
		text := strings.Replace(fmt.Sprintf(hillStudy, name), "  strategy: climber\n",
			"  strategy: climber\n  params: [{name: x}, {name: n}]\n", 1)
		text = strings.Replace(text, ", batch: 8", options+", batch: 8", 1)
		spec := read(t, text)
		whole := newMemory()
		want, err := run(t, spec, whole, 2)
		if err != nil {
			t.Fatal(err)
		}
		for at := 1; at < len(whole.entries); at += 23 {
			m := newMemory()
			m.die = at
			if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
				t.Fatal(err)
			}
			m.die = 0
			if got, err := run(t, spec, m, 2); err != nil || got.Digest != want.Digest {
				t.Errorf("%s, killed after %d entries: %v %v", name, at, got, err)
			}
		}
	}
}

// A grid tries each parameter set once, conditions taken into account, and then
// the search ends.
func TestGrid(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(hillStudy, "grid"), "  strategy: climber\n",
		"  strategy: climber\n  fix: [{name: x, value: 0.7}]\n  params: [{name: kind}, {name: bonus}, {name: n, low: 3, high: 5, step: 1}]\n", 1)
	m := newMemory()
	r, err := run(t, read(t, text), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Trials != 3*(1+4) {
		t.Errorf("%d trials, want 15", r.Trials)
	}
	if r.Best.Params["kind"] != "fancy" || r.Validation.Verdict != "pass" || r.Exit() != 0 {
		t.Errorf("%+v %+v", r.Best, r.Validation)
	}
	cut, err := run(t, read(t, strings.Replace(text, "trials: 48", "trials: 8", 1)), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := "the budget ended after 8 of the grid's 15 parameter sets"; !strings.Contains(strings.Join(cut.Notes, "\n"), want) {
		t.Errorf("no note %q in %q", want, cut.Notes)
	}
}

// Random search over a small space proposes sets again: they extend their
// trial, and the search ends when all are known.
func TestRepeats(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(hillStudy, "uniform"), "  strategy: climber\n",
		"  strategy: climber\n  params: [{name: n}]\n", 1)
	text = strings.Replace(text, "batch: 8", "batch: 2", 1)
	m := newMemory()
	r, err := run(t, read(t, text), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	for _, e := range m.entries {
		again += strings.Count(string(e.Payload), `"again":true`)
	}
	if r.Trials != 5 || again == 0 {
		t.Errorf("%d trials, %d repeats", r.Trials, again)
	}
}

// A parameter set that was proposed again has met more blocks, which is no
// merit: the final takes the best means of those that passed every rung.
func TestRepeatsGainNoPlaceInTheFinal(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(hillStudy, "uniform"), "  strategy: climber\n",
		"  strategy: climber\n  params: [{name: x, step: 0.05}]\n", 1)
	text = strings.Replace(text, "batch: 8", "batch: 4", 1)
	text = strings.Replace(text, "top: 4", "top: 2", 1)
	m := newMemory()
	if _, err := run(t, read(t, text), m, 2); err != nil {
		t.Fatal(err)
	}
	mean, complete, finalists := map[int]float64{}, map[int]bool{}, map[int]bool{}
	for _, e := range m.entries {
		var p struct {
			Trial    int
			State    string
			Evidence []entry.Evidence
		}
		if e.Kind == entry.KindAsk || json.Unmarshal(e.Payload, &p) != nil {
			continue
		}
		switch e.Kind {
		case entry.KindRung:
			sum := int64(0)
			for quarters, n := range p.Evidence[0].Scores {
				sum += int64(quarters) * n
			}
			mean[p.Trial] = float64(sum) / float64(4*p.Evidence[0].Blocks)
		case entry.KindTell:
			complete[p.Trial] = p.State == "complete"
		case entry.KindFinal:
			finalists[p.Trial] = true
		}
	}
	if len(finalists) != 2 {
		t.Fatalf("%d finalists", len(finalists))
	}
	for f := range finalists {
		for n := range complete {
			if complete[n] && !finalists[n] && mean[n] > mean[f] {
				t.Errorf("trial %d (%.3f) is in the final, trial %d (%.3f) is not", f, mean[f], n, mean[n])
			}
		}
	}
}

// Without a limit the answer is the largest height; with one, the best below.
func TestLimit(t *testing.T) {
	text := `version: 1
name: limited
game: hill
rules: [{name: slope, value: 0.15}]
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, low: 0, high: 0.6, step: 0.1}]}
baseline: climber(x=0)
objective: {limits: [{metric: height, max: 270}]}
sampler: {name: grid, seed: 3}
race: {method: none, rungs: [1600]}
final: {top: 0}
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Params["x"] != "0.4" {
		t.Errorf("best is %v (heights 1-4(x-.7)^2: 264 at 0.4)", r.Best.Params)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "a limit excludes a set that scored better: x=0.") {
		t.Errorf("notes: %q", r.Notes)
	}
	free, err := run(t, read(t, strings.Replace(text, "objective: {limits: [{metric: height, max: 270}]}\n", "", 1)), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(free.Notes, "\n"), "upper end of the range of x") {
		t.Errorf("notes: %q", free.Notes)
	}
}

// A winner that exceeds a limit on the validation blocks has failed, however
// well it plays.
func TestLimitHoldsInValidation(t *testing.T) {
	text := fmt.Sprintf(hillStudy, "quasi") + "objective: {limits: [{metric: late, max: 0.5}]}\n"
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Validation.Verdict != "fail" || r.Validation.Reason != "late 1 exceeds its limit 0.5 on the validation blocks" {
		t.Errorf("%+v", r.Validation)
	}
	free, err := run(t, read(t, fmt.Sprintf(hillStudy, "quasi")), newMemory(), 2)
	if err != nil || free.Validation.Verdict != "pass" {
		t.Errorf("without the limit: %+v, %v", free.Validation, err)
	}
}

// A metric objective has its verdict on the metric.
func TestMetricObjective(t *testing.T) {
	text := `version: 1
name: metric
game: hill
tune: {strategy: climber, params: [{name: x, step: 0.1}]}
baseline: climber
objective: {of: metric, metric: height, goal: maximize}
sampler: {name: grid}
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Params["x"] != "0.7" || r.Validation.Metric == nil {
		t.Errorf("%+v %+v", r.Best, r.Validation)
	}
	if r.Validation.Verdict != "inconclusive" || !strings.Contains(r.Validation.Reason, "no information") {
		t.Errorf("height does not vary from block to block, so %q", r.Validation.Reason)
	}
}

// The baseline against itself gives no information, and says so.
func TestWinnerIsBaseline(t *testing.T) {
	text := `version: 1
name: same
game: hill
tune: {strategy: climber, params: [{name: n, low: 1, high: 1}]}
baseline: climber(n=1)
`
	r, err := run(t, read(t, text), newMemory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit() != 3 || !strings.Contains(r.Validation.Reason, "no information") {
		t.Errorf("%+v", r.Validation)
	}
}

// A log made by other code is refused, whatever is wrong with it.
func TestOtherCode(t *testing.T) {
	spec := read(t, fmt.Sprintf(hillStudy, "quasi"))
	whole := newMemory()
	if _, err := run(t, spec, whole, 2); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func([]entry.Entry) []entry.Entry{
		"an unknown field": func(e []entry.Entry) []entry.Entry {
			e[0].Payload = json.RawMessage(`{"trials":[],"more":1}`)
			return e
		},
		"entries swapped":  func(e []entry.Entry) []entry.Entry { e[0], e[1] = e[1], e[0]; return e },
		"an entry dropped": func(e []entry.Entry) []entry.Entry { return append(e[:3:3], e[4:]...) },
		"an entry doubled": func(e []entry.Entry) []entry.Entry { return append(e, e[len(e)-1]) },
	} {
		m := newMemory()
		entries := append([]entry.Entry(nil), whole.entries...)
		m.entries = spoil(entries)
		if _, err := run(t, spec, m, 2); !errors.Is(err, tuner.ErrOtherCode) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
