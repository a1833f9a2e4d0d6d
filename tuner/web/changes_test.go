package web

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// What changes stands beside the baseline's values, in the order of declaration,
// rounded; what a condition switches off is off on either side.
func TestChanges(t *testing.T) {
	spec := &tuner.Spec{Baseline: "point(x=0.5,kind=a)"}
	spec.Tune.Strategy = "point"
	spec.Tune.Params = tuner.Space{
		{Param: param.Param{Name: "x", Kind: param.Float, Default: "0.5", Domain: param.Domain{Low: 0, High: 1}}},
		{Param: param.Param{Name: "kind", Kind: param.Choice, Default: "a", Choices: []string{"a", "b"}}},
		{Param: param.Param{Name: "bend", Kind: param.Float, Default: "0.1", Domain: param.Domain{Low: 0, High: 1}, When: []param.Condition{{Name: "kind", Value: "b"}}}},
	}
	rows, same := changes(spec, map[string]string{"x": "0.6917377060044131", "kind": "b", "bend": "0.42"})
	var got []string
	for _, r := range rows {
		got = append(got, r.Name+" "+r.Before+" "+r.After)
	}
	if text := strings.Join(got, ", "); !same || text != "x 0.5 0.692, kind a b, bend off 0.42" || !rows[2].Changed || rows[0].Exact != "0.6917377060044131" {
		t.Errorf("%v %q", same, text)
	}
	spec.Baseline = "other(y=1)"
	if rows, same := changes(spec, map[string]string{"x": "0.7", "kind": "a"}); same || rows[0].Before != "0.5" || rows[2].After != "off" {
		t.Errorf("%v %+v", same, rows)
	}
}

// Every state of a study is said in words, with a sign and a tone; the level of an
// interval is that of the data.
func TestAnswers(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	result := func(verdict string, elo float64) *tuner.Result {
		return &tuner.Result{Best: &tuner.Best{Claimed: tuner.Claim{Score: x(0.67), Elo: x(122)}, Error: x(0.03)}, Validation: &tuner.ValidationReport{
			Score: x(0.596), Elo: x(elo), CI95: &[2]float64{elo - 6.4, elo + 6.4}, ScoreCI: &[2]float64{0.587, 0.605}, Blocks: 6000, Attempt: 1, Verdict: verdict, Reason: "it is so", Alpha: 0.025,
		}}
	}
	metric := result("pass", 0)
	metric.Best.Claimed = tuner.Claim{}
	metric.Validation.Elo, metric.Validation.Alpha = nil, 0.0152
	metric.Validation.Metric = &entry.MetricVerdict{Name: "nodes", Winner: x(220), Baseline: x(475), Gain: x(255), GainCI: &[2]float64{156, 354}}
	for _, c := range []struct {
		state  string
		result *tuner.Result
		want   []string // tone, word, and what is said
	}{
		{"done", result("pass", 67), []string{"good", "Proved", "+67.0 Elo", "60.6 to 73.4 (95 %) above the baseline", "6000 blocks that no search has seen", "45 % of the promise was luck"}},
		{"done", result("pass", 112), []string{"good", "Proved", "The search had promised +122; that it is less may be chance."}},
		{"done", result("fail", -18), []string{"bad", "Not better", "\u221218.0 Elo"}},
		{"done", result("inconclusive", 20), []string{"warn", "Undecided", "+20.0 Elo", "Prove further"}},
		{"done", metric, []string{"good", "Proved", "\u221254 % nodes", "220 nodes, the baseline 480", "(97 %)"}},
		{"done", &tuner.Result{Notes: []string{"no candidate is within the limits"}}, []string{"warn", "No answer", "No candidate is within the limits."}},
		{"done", &tuner.Result{Best: &tuner.Best{Claimed: tuner.Claim{Elo: x(30)}}}, []string{"warn", "Not tested", "+30 Elo", "best of many"}},
		{"running", nil, []string{"plain", "Running", "The search goes on"}},
		{"queued", nil, []string{"plain", "Waiting"}},
		{"paused", nil, []string{"plain", "Paused", "Resume goes on"}},
		{"stopped", nil, []string{"plain", "Stopped"}},
		{"failed", nil, []string{"bad", "Failed", "Disk gone.", "Resume goes on from trial 12"}},
	} {
		s := service.Study{State: c.state, Trials: 12}
		if c.state == "failed" {
			s.Message = "disk gone"
		}
		s.About.Result, s.About.Objective.Of = c.result, "score"
		a := answerOf(s)
		text := strings.Join([]string{a.Tone, a.Sign, a.Word, a.Big, a.Small, a.Text, a.Next, a.Fine}, " | ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q lacks %q", c.state, text, want)
			}
		}
		if a.Sign == "" {
			t.Errorf("%s has no sign", c.state)
		}
	}
}

// The point to try is of a parameter that has more than one value.
func TestTries(t *testing.T) {
	number := func(name string, low float64) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: param.Int, Default: "5", Domain: param.Range(low, 5)}}
	}
	spec := &tuner.Spec{}
	spec.Tune.Params = tuner.Space{number("one", 5), number("many", 1)}
	if got := triesOf(spec, string(tuner.Running), true); got != "many=5" {
		t.Errorf("a point to try: %q", got)
	}
	spec.Tune.Params = spec.Tune.Params[:1]
	if got := triesOf(spec, string(tuner.Running), true); got != "" {
		t.Errorf("a point to try of a single value: %q", got)
	}
}
