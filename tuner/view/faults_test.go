package view_test

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// A report says how many games ended by a fault, and of which player.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		all  []tuner.FaultsOf
		rule string
		want string
	}{
		{nil, "", ""},
		{[]tuner.FaultsOf{{Player: tuner.TheAnswer, Games: 1500, Faults: entry.FaultCounts{"crashes": 3, "overtime": 1}}, {Player: tuner.TheBaseline, Games: 900, Faults: entry.FaultCounts{"garbled": 2}}}, "",
			"The answer crashed in 3 and lost on time in 1 of 1 500 games, the baseline answered what is no move in 2 of 900 games. Such a game is lost, which the gain counts."},
		{[]tuner.FaultsOf{{Player: tuner.TheCandidates, Games: 20, Faults: entry.FaultCounts{"stalls": 1}}}, "void", "Other candidates did not answer in 1 of 20 games. The block of such a game is a draw for both."},
		{[]tuner.FaultsOf{{Player: tuner.TheAnswer, Games: 20, Faults: entry.FaultCounts{"void": 1}}}, "", "1 game had no result and counts as a draw."},
		{[]tuner.FaultsOf{{Player: tuner.TheAnswer, Games: 20, Faults: entry.FaultCounts{"void": 1, "faults": 2}}, {Player: tuner.OtherOpponents, Games: 20, Faults: entry.FaultCounts{"void": 4}}}, "",
			"The answer made an error in 2 of 20 games. 5 games had no result and count as draws."},
	} {
		spec, r := study()
		spec.Rules, r.Faults = param.Values{{Name: "faults", Text: c.rule}}, c.all
		got := ""
		for _, l := range view.Find(view.Study(spec, r), "search").Lines {
			if l.Label == "Faults" {
				got = l.Text()
			}
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if numbers := text(t, view.Numbers(spec, r)...); strings.Contains(numbers, "faults ") != (c.want != "") {
			t.Errorf("in numbers: %s", numbers)
		}
	}
}

// Where games lost on time decide, what to do is about time, and not to prove further.
func TestLate(t *testing.T) {
	for verdict, n := range map[string]int64{"pass": 90, "fail": 90, "inconclusive": 90, "inconclusive ": 5} {
		spec, r := study()
		r.Validation.Verdict = strings.TrimSpace(verdict)
		r.Faults = []tuner.FaultsOf{{Player: tuner.TheCandidates, Games: 100, Faults: entry.FaultCounts{"overtime": 99}}, {Player: tuner.TheAnswer, Games: 1500, Faults: entry.FaultCounts{"overtime": n / 2}}, {Player: tuner.TheBaseline, Games: 1500, Faults: entry.FaultCounts{"stalls": n - n/2}}}
		a := view.AnswerOf(service.Study{State: "done", About: service.About{Objective: spec.Objective, Validation: spec.Validation, Result: r}})
		next, want := text(t, view.Find(view.Study(spec, r), "end")), r.Validation.Verdict != "pass" && n == 90
		if strings.Contains(a.Next, "longer limit") != want || strings.Contains(next, "longer limit") != want || want && (a.Proves() || !a.Again()) {
			t.Errorf("%s, %d of 1500: %q, %q", verdict, n, a.Next, next)
		}
	}
}

// What the search's model thinks of a parameter is told only where games have borne out that it
// matters; of others the report says that the games do not tell.
func TestModelIsBorneOut(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	numbers := ""
	report := func(change func(*tuner.Spec, *tuner.Result)) string {
		spec, r := study()
		for i := range spec.Tune.Params {
			spec.Tune.Params[i].Kind = param.Float
			spec.Tune.Params[i].Domain.High = 1
		}
		spec.Validation.SetBack = .1
		r.Best.Params = map[string]string{"x": "0.77", "y": "0.1234"}
		r.Parameters = []tuner.Known{{Name: "x", Best: "0.77", From: "0.6", To: "0.9", Importance: 65, Error: 14}, {Name: "y", Best: "0.1234", From: "0.1", To: "0.2", Importance: 40, Error: 9, Rounder: "0.12", Below: 0.4, Most: 3}}
		r.SetBack = []tuner.SetBack{
			{Parameters: []string{"x"}, To: map[string]string{"x": "1"}, Lost: number(5), CI95: &[2]float64{-20, 30}, Games: 100},
			{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: number(50), CI95: &[2]float64{20, 80}, Games: 100, Told: true}}
		change(spec, r)
		numbers = text(t, view.Numbers(spec, r)...)
		return strings.Join(strings.Fields(told(t, spec, r)), " ")
	}
	const y, none = "Model y: the answer has 0.1234; 0.1 to 0.2 may be as good.", "the search's games do not tell which values of "
	for name, c := range map[string]struct {
		change func(*tuner.Spec, *tuner.Result)
		want   []string
		never  []string
	}{
		"a model that games refute": {func(*tuner.Spec, *tuner.Result) {}, []string{y}, []string{"y=0.12 ("}},
		"one is borne out":          {func(_ *tuner.Spec, r *tuner.Result) { *r.Validation.Shrinkage = 9 }, []string{y, none + "x are best", "as good); x may still matter.", "Too few games were played against the answer to tell whether the baseline's x=1 is as good. By the search's model and not measured, perhaps with y=0.12 (costs at most 3 Elo)."}, []string{"x: the answer has", "on average its other values", "x=0.8"}},
		"not proved":                {func(_ *tuner.Spec, r *tuner.Result) { r.Validation.Verdict = "fail" }, []string{none + "x, y are best", "As good perhaps x=2 y=0.25"}, []string{"may be as good.", "the answer has", "y=0.12 ("}},
		"not measured":              {func(_ *tuner.Spec, r *tuner.Result) { r.SetBack = nil }, []string{none + "x, y are best", "as good); these parameters may still matter."}, []string{"the answer has", "x, y may still"}},
		"together only":             {func(_ *tuner.Spec, r *tuner.Result) { r.SetBack[1].Parameters = []string{"x", "y"} }, []string{none + "x, y are best"}, []string{"the answer has"}},
		"the old is better": {func(_ *tuner.Spec, r *tuner.Result) {
			r.SetBack[1].Lost, r.SetBack[1].CI95 = number(-50), &[2]float64{-80, -20}
		}, []string{none + "x, y are best"}, []string{"the answer has"}},
		"all that changed": {func(_ *tuner.Spec, r *tuner.Result) { r.SetBack = nil; r.Best.Params["x"] = "1" },
			[]string{"y is the only change of the answer", y, none + "x are best"}, []string{"x: the answer has"}},
	} {
		got := report(c.change)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %s", name, want, got)
			}
		}
		for _, never := range c.never {
			if strings.Contains(got+numbers, never) {
				t.Errorf("%s: %q in %s%s", name, never, got, numbers)
			}
		}
	}
}

// A number of blocks of which two digits are known is told with two; what the defaults that won the
// final did is told of them.
func TestReasons(t *testing.T) {
	spec, r := study()
	r.Validation.Verdict, r.Validation.Test = "inconclusive", &entry.TestResult{Above: 1, Needs: 3, Below: 1, Fails: 3}
	r.Validation.Reason = "1 standard errors above; to prove the +0.1 Elo that were seen, if they are true, takes about 1185694 different blocks"
	r.Defaults = &tuner.AgainstDefaults{Won: true}
	got := strings.Join(strings.Fields(told(t, spec, r)+text(t, view.Numbers(spec, r)...)), " ")
	if strings.Contains(got, "1185694") || strings.Count(got, "takes about 1 200 000 different blocks") != 2 || !strings.Contains(got, "neither show that the defaults of climber, which won the final, are better than the baseline nor rule out a gain of 10 Elo.") {
		t.Error(got)
	}
}
