package web

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
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
	if v.WorthIn != "Elo lost" || len(got) != 2 || got[0].Name != "c, d" || got[0].Text != "1200 Elo or more (516 to 1200 or more)" || got[0].Share != 1 || got[1].Text != "20 Elo (\u221210 to 50)" {
		t.Errorf("%+v", got)
	}
	spec := &tuner.Spec{Objective: tuner.Objective{Of: "metric", Metric: "cost", Goal: "minimize"}}
	worth(&v, spec, &tuner.Result{SetBack: []tuner.SetBack{{Parameters: []string{"a"}, Metric: &entry.MetricVerdict{Name: "cost", Gain: of(741.6), GainCI: &[2]float64{700, 780}}}}})
	if v.WorthIn != "more cost" || !strings.Contains(v.Worth[2].Text, " cost (") {
		t.Errorf("of a cost: %q, %+v", v.WorthIn, v.Worth)
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
	spec := &tuner.Spec{Objective: tuner.Objective{Of: "score"}}
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
