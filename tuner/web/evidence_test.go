package web

import (
	"strings"
	"sync"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/chart"
)

// What an answer loses without its changes is drawn as it was measured, the most first.
func TestWorth(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	most := stats.Elo(1, 2)
	r := &tuner.Result{SetBack: []tuner.SetBack{
		{Parameters: []string{"a"}, Lost: of(20), CI95: &[2]float64{-10, 50}}, {Parameters: []string{"b"}},
		{Parameters: []string{"c", "d"}, Lost: &most, CI95: &[2]float64{516, most}},
	}}
	var v chart.Drawings
	worth(&v, &tuner.Spec{}, r)
	got := v.Worth
	if v.Origin != "the baseline" || v.WorthIn != "Elo lost" || len(got) != 2 || got[0].Name != "c, d" || got[0].Text != "1200 Elo or more (516 to 1200 or more)" || got[0].Share != 1 || got[1].Text != "20 Elo (\u221210 to 50)" {
		t.Errorf("%+v", got)
	}
	spec := &tuner.Spec{Objective: tuner.Objective{Of: "metric", Metric: "cost", Goal: "minimize"}}
	worth(&v, spec, &tuner.Result{SetBack: []tuner.SetBack{{Parameters: []string{"a"}, Metric: &entry.MetricVerdict{Name: "cost", Gain: of(741.6), GainCI: &[2]float64{700, 780}}}}})
	if v.WorthIn != "more cost" || !strings.Contains(v.Worth[2].Text, " cost (") {
		t.Errorf("of a cost: %q, %+v", v.WorthIn, v.Worth)
	}
}

// An opponent of whom no games tell is drawn with the reason.
func TestOpponentsWithoutAGain(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	r := &tuner.Result{Validation: &tuner.ValidationReport{Elo: of(5), CI95: &[2]float64{-5, 15}, Blocks: 90, Pool: []tuner.Standing{
		{Name: "same", Score: of(0.5), Elo: of(0), Reason: "no information: every block scored 0.5", Blocks: 75}, {Name: "other", Reason: "too few", Blocks: 2},
	}}}
	got := string(opponents(r))
	if strings.Count(got, ">even in each block<") != strings.Count(got, ">not known from these games<") || !strings.Contains(got, ">even in each block<") {
		t.Error(got)
	}
}

// Drawings show the gain of the verdict and, beside it, the one to quote; lists show the
// one to quote.
func TestGainToQuote(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	v := &tuner.ValidationReport{Verdict: "pass", Blocks: 100, Elo: of(60), CI95: &[2]float64{20, 100}}
	if got := heldOut(v); len(got) != 1 || got[0].Value != 60 || got[0].Text != "+60" {
		t.Errorf("of a verdict alone: %+v", got)
	}
	v.Estimate = &tuner.AfterPass{Blocks: 300, Elo: of(41), CI95: &[2]float64{21, 61}}
	got := heldOut(v)
	if len(got) != 2 || got[0].Value != 60 || got[0].Text != "+60" || got[1].Value != 41 || got[1].Lo != 21 || got[1].Text != "+41" || got[1].Blocks != "300 blocks" {
		t.Errorf("with games after the verdict: %+v", got)
	}
	var s service.Study
	s.State = string(tuner.Done)
	s.About.Result = &tuner.Result{Validation: v}
	if x, lo, hi, ok := gainOf(s); !ok || x != 41 || lo != 21 || hi != 61 {
		t.Errorf("the list has %v [%v, %v] %v", x, lo, hi, ok)
	}
}

// What the final claims is drawn once, as the final's: generations claim nothing before it.
func TestClaimOfTheFinal(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	spec := &tuner.Spec{Baseline: "board(place=random)", Objective: tuner.Objective{Of: "score"}}
	log := insight.NewLog(spec, &arena.Ruleset{Seats: 2})
	log.Trials, log.Finals = []insight.Line{{}}, []insight.Seen{{Trial: 0, Value: .6, Error: .01}}
	for score, drawn := range map[float64]bool{.6: false, .65: true} {
		r := &tuner.Result{
			Best:       &tuner.Best{Claimed: tuner.Claim{Score: of(score), Elo: of(stats.Elo(score, 2))}, Error: of(.01)},
			Validation: &tuner.ValidationReport{Verdict: "pass", Elo: of(60), CI95: &[2]float64{20, 100}},
		}
		text := string(evidence(r, spec, log))
		if strings.Contains(text, "Search") != drawn || !strings.Contains(text, "Final") {
			t.Errorf("claimed %v: %s", score, text)
		}
	}
}

// A search by duels names no trial before its end: what its model thinks best stands on the card, not
// proved and hatched.
func TestSearchOfDuelsHasAnEstimate(t *testing.T) {
	spec := &tuner.Spec{Objective: tuner.Objective{Of: "score"}, Duels: true}
	spec.Tune.Params = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Default: "0.5", Domain: param.Domain{Low: 0, High: 1}}}}
	d := &service.StudyDetail{}
	d.State, d.Progress = "running", &service.Progress{Phase: "tune", Trials: 40}
	v := &studyView{D: d, Spec: spec}
	v.thinks(&insight.Thought{Gain: [3]float64{34, 27, 40}, Params: map[string]string{"x": "0.7"}})
	if v.A.Big() != "+34 Elo" || v.A.Small() != "27 to 40 (95 %) above the baseline, best so far and not proved" || len(v.Changes) != 1 || v.Changes[0].After != "0.7" || v.BestTrial != nil {
		t.Errorf("%q, %q, %+v", v.A.Big(), v.A.Small(), v.Changes)
	}
	if text := string(underway(d.Progress, spec, insight.NewLog(spec, &arena.Ruleset{Seats: 2}))); !strings.Contains(text, "thought hatched") || !strings.Contains(text, "+34") {
		t.Error(text)
	}
}

// The page of an answer by duels has what its proof has shown, and no value of its own in the search.
func TestAnswerOfDuelsHasItsProof(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	spec := &tuner.Spec{Objective: tuner.Objective{Of: "score"}, Duels: true}
	log := insight.NewLog(spec, &arena.Ruleset{Seats: 2})
	log.Trials = []insight.Line{{}, {}}
	d := &service.StudyDetail{Result: &tuner.Result{
		Best:       &tuner.Best{Trial: 1, Claimed: tuner.Claim{Score: of(.6), Elo: of(70)}, Error: of(.05)},
		Validation: &tuner.ValidationReport{Verdict: "pass", Blocks: 100, Elo: of(60), CI95: &[2]float64{20, 100}},
	}}
	d.State, d.About.Result = "done", d.Result
	v := &trialView{Number: 1, Unit: unitOf(log)}
	v.levels(log, d.Study, d.Result)
	if !v.Untried || v.A == nil || v.A.Big() != "+60 Elo" || v.Axis != "Elo above the baseline" || len(v.Levels) != 2 || v.Plot == "" {
		t.Fatalf("%+v", v)
	}
	if last := v.Levels[1]; last != (trialLevel{"Validation", "100", "+60", "20 to 100"}) {
		t.Errorf("%+v", last)
	}
	if v = (&trialView{Number: 0, Unit: unitOf(log)}); v.A != nil || len(v.Levels) != 0 {
		t.Errorf("another trial: %+v", v)
	}
}

// A page says of a change that is the whole gain what the report says, and not that nothing matters.
func TestOnlyChangeMatters(t *testing.T) {
	x := 91.
	spec := &tuner.Spec{Baseline: "board(place=random)", Objective: tuner.Objective{Of: "score"}}
	spec.Tune.Strategy = "board"
	spec.Tune.Params = []tuner.Dimension{{Param: param.Param{Name: "place", Kind: param.Choice, Choices: []string{"random", "packed"}, Default: "random"}}}
	spec.Validation.SetBack = .1
	r := &tuner.Result{Best: &tuner.Best{Params: map[string]string{"place": "packed"}}, Validation: &tuner.ValidationReport{Verdict: "pass", Elo: &x, CI95: &[2]float64{83, 98}}}
	v := chart.Drawings{Trials: 2, Reading: 100, Best: "<p>", Wanted: chart.Wanted{Tab: "summary"}}
	worth(&v, spec, r)
	html, err := pageSet{nil, new(sync.Map), ""}.part(api.Read, "study", "drawings", &v)
	if err != nil || !strings.Contains(string(html), "place is the only change of the answer, so it is worth the whole gain.") || strings.Contains(string(html), "do not show it") {
		t.Errorf("%v: %s", err, html)
	}
}
