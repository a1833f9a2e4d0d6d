package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
)

// study returns a study of one parameter against its default, and its result.
func study() (*tuner.Spec, *tuner.Result) {
	spec := &tuner.Spec{Name: "mine", Game: "hill", Baseline: "climber(x=1,y=0.5)"}
	spec.Tune.Strategy = "climber"
	for _, name := range []string{"x", "y"} {
		var d tuner.Dimension
		d.Name = name
		spec.Tune.Params = append(spec.Tune.Params, d)
	}
	spec.Validation.Elo = [2]float64{0, 10}
	number := func(x float64) *float64 { return &x }
	return spec, &tuner.Result{
		Study: "mine", Sampler: "grid", Trials: 12, Games: 1234567, Digest: "d1",
		Best: &tuner.Best{Trial: 3, Params: map[string]string{"x": "1", "y": "0.123456789"},
			Claimed: tuner.Claim{Score: number(.56), Elo: number(41.9)}, Error: number(.005)},
		Validation: &tuner.ValidationReport{
			Score: number(.53), Elo: number(20.9), CI95: &[2]float64{10.1, 31.7}, Blocks: 2000, Distinct: 2000,
			Attempt: 2, Verdict: "pass", Alpha: .0038, Shrinkage: number(21),
			Test: &entry.TestResult{Above: 4, Needs: 3, Below: 1, Fails: 3},
		},
		Rivals: &tuner.Rivals{Compared: 3, Blocks: 500, Alike: []tuner.Rival{{Trial: 1, Params: map[string]string{"x": "2", "y": "0.25"}, Elo: number(3.2)}}},
	}
}

func told(t *testing.T, spec *tuner.Spec, r *tuner.Result) string {
	t.Helper()
	var b strings.Builder
	if err := view.Text(&b, view.Without(view.Study(spec, r), "games")...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report says what changed, by how much, how surely, what the search believed, what
// may be as good, what it cost and what comes next, in 80 columns.
func TestStudy(t *testing.T) {
	got := told(t, first(study()), second(study()))
	const want = `Result        mine passed: its answer is better than the baseline.
Found         x=1 (as before), y=0.1235 instead of 0.5.
How much      +21 Elo against the baseline (53.0 % of the points), and with 95 %
              confidence between 10 and 32. Measured on 2000 blocks that the
              search has not seen. They decided the verdict, and only good
              results pass: on average the value is too high.
How sure      If the answer were no better than the baseline, the chance of a
              pass would be at most 0.38 %. This is attempt 2 at this question
              in this database; each further attempt has a stricter test.
Search        estimated +42 Elo (56.0 % of the points); the validation measured
              +21: the best of many looks better than it is.
As good       perhaps x=2 y=0.25 (3 Elo behind): the 500 blocks that all of them
              played do not decide between them and the answer.
Cost          1 234 567 games in all, for 12 trials (sampler grid).
Next          sakusen export mine writes the parameters.
Digest        d1
`
	if got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
	for _, line := range strings.Split(got, "\n") {
		if len([]rune(line)) > plain.Width {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
}

func first(s *tuner.Spec, _ *tuner.Result) *tuner.Spec    { return s }
func second(_ *tuner.Spec, r *tuner.Result) *tuner.Result { return r }

// weak makes the search's winner one that scored below one half, and the validation one
// of 55.3 % of the points.
func weak(r *tuner.Result, score, standardError float64) {
	elo := stats.Elo(score, 2)
	r.Best.Claimed, r.Best.Error = tuner.Claim{Score: &score, Elo: &elo}, &standardError
	*r.Validation.Score, *r.Validation.Elo, *r.Validation.Shrinkage = .553, 37, elo-37
	r.Validation.CI95, r.Validation.ScoreCI = &[2]float64{-1, 75}, &[2]float64{.4986, .6074}
}

// defaults has the answer stand so against the strategy's defaults, and lets its gain lie well above 0.
func defaults(s *tuner.Spec, r *tuner.Result, gain float64, ci [2]float64) {
	elo := (ci[0] + ci[1]) / 2
	s.Tune.Params[0].Default = "3"
	*r.Validation.Elo, r.Validation.CI95 = gain, &[2]float64{gain - 10, gain + 10}
	r.Defaults = &tuner.AgainstDefaults{Defaults: map[string]string{"x": "3"}, Elo: &elo, CI95: &ci, Blocks: 200, Games: 400}
}

// What a verdict says follows from the bounds of the study.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*tuner.Spec, *tuner.Result)
		want   []string
		never  string
	}{
		"no worse": {func(s *tuner.Spec, _ *tuner.Result) { s.Validation.Elo = [2]float64{-5, 0} },
			[]string{"no more than 5 Elo weaker than the baseline"}, "better than the baseline"},
		"a gain ruled out": {func(s *tuner.Spec, r *tuner.Result) {
			r.Validation.Verdict, r.Validation.Test.Above, r.Validation.Test.Below = "fail", 0, 4
			s.Validation.Beta = 0.05
		}, []string{"If the answer were better than the baseline by 10 Elo, the chance of a fail would be at most 5 %.", "mine failed: its answer is not better than the baseline by 10", "It gains, but less than was asked", "attempt 3, and is tested more strictly. Only tries whose answer is not used belong in a database of their own (--db FILE)."}, "sakusen export"},
		"a limit": {func(_ *tuner.Spec, r *tuner.Result) {
			r.Validation.Verdict, r.Validation.Reason = "fail", "work 3 is above 2"
		}, []string{"mine failed: work 3 is above 2."}, "is not better"},
		"undecided": {func(_ *tuner.Spec, r *tuner.Result) {
			r.Validation.Verdict, r.Validation.Test.Above = "inconclusive", 1
			r.Validation.Reason = "1.00 standard errors; to prove the +3.0 Elo that were seen, if they are true, takes about 40000 different blocks"
		}, []string{"mine is undecided", "To prove the gain that was seen, if it is true, takes about 40 000", "attempt 3"}, "sakusen export"},
		"nothing":          {func(_ *tuner.Spec, r *tuner.Result) { r.Validation, r.Best = nil, nil }, []string{"nothing to validate"}, "How sure"},
		"within its error": {func(_ *tuner.Spec, r *tuner.Result) { *r.Validation.Shrinkage = 9 }, []string{"measured +21, and the difference may be chance, as the estimate is uncertain too."}, "looks better than it is"},
		"a weaker one, by too few games": {func(_ *tuner.Spec, r *tuner.Result) { weak(r, .25, .17) },
			[]string{"estimated -191 Elo (25.0 % of the points), weaker than the baseline (with 95 % confidence below 59); the validation measured +37, and the difference may be chance, as the estimate is uncertain too."}, "does not explain"},
		"a weaker one": {func(_ *tuner.Spec, r *tuner.Result) { weak(r, .25, .1) },
			[]string{"weaker than the baseline (with 95 % confidence between -498 and -37); the validation measured +37, a larger difference than chance explains."}, "may be chance"},
		"all told apart": {func(_ *tuner.Spec, r *tuner.Result) { r.Rivals.Alike = nil }, []string{"none of the 2 other candidates: each did worse"}, "perhaps"},
		"a model that knows": {func(s *tuner.Spec, r *tuner.Result) {
			r.Rivals, s.Duels, r.Parameters = nil, true, []tuner.Known{{Name: "x", Best: "1", From: "1", To: "1"}}
		}, []string{"As good nothing that was measured: no other candidate played the same games as the answer."}, "not known"},
		"a model":          {func(s *tuner.Spec, r *tuner.Result) { r.Rivals, s.Duels = nil, true }, []string{"As good nothing that was measured: no other candidate played the same games as the answer."}, "not known"},
		"another strategy": {func(s *tuner.Spec, _ *tuner.Result) { s.Baseline = "walker(a=1,b=2)" }, []string{"The baseline is another strategy, walker."}, "instead of"},
		"rounder and nearer": {func(s *tuner.Spec, r *tuner.Result) {
			lost, gain := 3.0, -9.0
			s.Tune.Params[1].Kind, s.Tune.Params[1].Domain = param.Float, param.Range(0, 1)
			r.Rivals, s.Duels, r.Parameters = nil, true, []tuner.Known{{Name: "y", Best: "0.123456789", From: "0.09", To: "0.3", Importance: 40, Error: 9}, {Name: "x", Best: "7.3", From: "0", To: "9", Untold: true}}
			r.SetBack = []tuner.SetBack{
				{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: &lost, CI95: &[2]float64{-12, 18}, Games: 400},
				{Parameters: []string{"z"}, To: map[string]string{"z": "1"}, Lost: &gain, CI95: &[2]float64{-20, 26}, Games: 400},
				{Parameters: []string{"x"}, To: map[string]string{"x": "2"}, Lost: &gain, CI95: &[2]float64{-12, -6}, Games: 400, Told: true},
			}
		}, []string{"As good better with the baseline's x=2, by games against the answer. Perhaps with the baseline's y=0.5 (costs at most 18 Elo), by games against the answer."}, "by the search's model"},
		"one without effect": {func(s *tuner.Spec, r *tuner.Result) {
			r.Rivals, s.Duels = nil, true
			r.SetBack = []tuner.SetBack{{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Blocks: 50, Games: 100, Reason: entry.Even}}
		}, []string{"As good perhaps with the baseline's y=0.5 (each block was even), by games against the answer.", "back to y=0.5: no effect seen, each of 50 blocks was even, 100 games."}, "not known"},
		"several of the baseline": {func(_ *tuner.Spec, r *tuner.Result) {
			lost := 1.0
			r.SetBack = []tuner.SetBack{
				{Parameters: []string{"x", "y"}, To: map[string]string{"x": "2", "y": "0.5"}, Lost: &lost, CI95: &[2]float64{-12, 17}, Games: 400},
				{Parameters: []string{"z"}, To: map[string]string{"z": "1"}, Lost: &lost, CI95: &[2]float64{-20, 4}, Games: 400},
			}
		}, []string{"Perhaps with one of the baseline's values, by games against the answer: x=2, y=0.5 together (costs at most 17 Elo); z=1 (costs at most 4 Elo). Two of them at a time were not tried."}, "each by itself"},
		"the baseline among rivals": {func(_ *tuner.Spec, r *tuner.Result) {
			r.Rivals.Alike = append(r.Rivals.Alike, tuner.Rival{Params: map[string]string{"x": "1", "y": "0.5"}, Elo: new(float64)})
		}, []string{"As good perhaps x=2 y=0.25 (3 Elo behind): the 500"}, "y=0.5 ("},
		"only the baseline among rivals": {func(_ *tuner.Spec, r *tuner.Result) {
			r.Rivals.Alike = []tuner.Rival{{Params: map[string]string{"x": "1", "y": "0.5"}, Elo: new(float64)}}
		}, []string{"As good none: on the 500 blocks that all candidates played only the baseline did as well, and it did worse in the proof."}, "perhaps"},
		"a choice that games decide": {func(s *tuner.Spec, r *tuner.Result) {
			lost := 50.0
			r.Rivals, r.Parameters = nil, []tuner.Known{{Name: "x", Best: "3", Same: []string{"1", "3"}, Importance: 40, Error: 9}}
			r.Best.Params["x"] = "3"
			r.SetBack = []tuner.SetBack{{Parameters: []string{"x"}, To: map[string]string{"x": "1"}, Lost: &lost, CI95: &[2]float64{20, 80}, Games: 100, Told: true}}
		}, []string{"Model x is best at 3, but not 1, as before: games have shown that it is weaker."}, "may be as good"},
		"a loss that is none": {func(_ *tuner.Spec, r *tuner.Result) {
			lost := -7.0
			r.SetBack = []tuner.SetBack{{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: &lost, CI95: &[2]float64{-58, 44}, Games: 200}}
		}, []string{"undecided after 200 games, 7 Elo gained (-44 to 58)"}, "-7"},
		"a front": {func(_ *tuner.Spec, r *tuner.Result) { r.Rivals, r.Front = nil, make([]tuner.FrontPoint, 2) }, []string{"each point of the front is better than every other in some objective"}, "perhaps"},
		"a pool":  {func(s *tuner.Spec, r *tuner.Result) { r.Rivals, s.Evaluate = nil, &tuner.PoolSpec{} }, []string{"As good nothing that was measured"}, "perhaps"},
		"as good as the baseline": {func(s *tuner.Spec, r *tuner.Result) {
			r.Rivals, s.Duels, r.Validation.Verdict, r.Validation.CI95 = nil, true, "inconclusive", &[2]float64{-10, 32}
		}, []string{"As good perhaps the baseline: the games of the proof do not tell them apart."}, "nothing that"},
		"weaker than the baseline": {func(_ *tuner.Spec, r *tuner.Result) {
			r.Validation.Verdict, r.Validation.CI95 = "fail", &[2]float64{-40, -2}
		},
			[]string{"As good better with the baseline, by the games of the proof. Perhaps x=2"}, "do not tell them apart"},
		"all of the baseline cost": {func(s *tuner.Spec, r *tuner.Result) {
			lost := 50.0
			r.Rivals, s.Duels = nil, true
			r.SetBack = []tuner.SetBack{{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: &lost, CI95: &[2]float64{20, 80}, Games: 100, Told: true}}
		}, []string{"As good none of the baseline's values, by games against the answer."}, "not known"},
		"all of the defaults cost": {func(s *tuner.Spec, r *tuner.Result) {
			lost := 50.0
			r.Rivals, s.Duels, s.Baseline = nil, true, "walker(a=1)"
			r.SetBack = []tuner.SetBack{{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: &lost, CI95: &[2]float64{20, 80}, Games: 100, Told: true}}
		}, []string{"As good none of the default values, by games against the answer."}, "baseline's"},
		"a metric that costs little": {func(s *tuner.Spec, r *tuner.Result) {
			less, gain := 3.0, 750.0
			r.Rivals, s.Duels = nil, true
			r.Validation.Metric = &entry.MetricVerdict{Name: "cost", Winner: new(250.0), Baseline: new(1000.0), Gain: &gain, GainCI: &[2]float64{744, 757}}
			r.SetBack = []tuner.SetBack{{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Metric: &entry.MetricVerdict{Name: "cost", Gain: &less, GainCI: &[2]float64{-1.4, 7.9}}, Games: 100}}
		}, []string{"As good perhaps with the baseline's y=0.5 (worse by at most 7.9 cost), by games against the answer."}, "not known"},
		"above the defaults": {func(s *tuner.Spec, r *tuner.Result) { defaults(s, r, 30, [2]float64{1, 9}) },
			[]string{"Defaults the answer is better than the defaults (x=3) too, by 5 Elo (1 to 9), 95 %, in 400 games after the verdict. The baseline is weaker than the defaults, which have most of the gain above it."}, "not told"},
		"below the defaults": {func(s *tuner.Spec, r *tuner.Result) { defaults(s, r, 30, [2]float64{-60, -20}) },
			[]string{"better than the baseline, but weaker than the defaults of climber.", "the answer is weaker than the defaults (x=3), by 40 Elo (20 to 60)", "Next Keep the defaults, or run it again above them (baseline: climber)."}, "writes the parameters"},
		"beside the defaults": {func(s *tuner.Spec, r *tuner.Result) { defaults(s, r, 30, [2]float64{-10, 20}) },
			[]string{"the answer was compared with the defaults (x=3) in 400 games, which do not decide: it is 5 Elo (-10 to 20) above them."}, "weaker than the defaults"},
		"defaults won": {func(s *tuner.Spec, r *tuner.Result) {
			defaults(s, r, 30, [2]float64{-60, -20})
			r.Defaults.Won, r.Defaults.Search, r.Best.Claimed = true, map[string]string{"x": "9"}, tuner.Claim{}
		}, []string{"the defaults of climber, which won the final, are better than the baseline", "in the final the defaults (x=3) beat the search's answer (x=9) by 40 Elo (20 to 60) in 400 games, and took its place"}, "estimated"},
		"defaults not met": {func(s *tuner.Spec, r *tuner.Result) { s.Tune.Params[0].Default, s.Validation.SetBack = "3", 0.1 },
			[]string{"whether the answer is better than these was not measured, as too few games were left"}, "better than the defaults"},
		"games all won": {func(_ *tuner.Spec, r *tuner.Result) {
			most, least := stats.Elo(1, 2), stats.Elo(0, 2)
			r.Validation.Elo, r.Validation.CI95 = &most, &[2]float64{558, most}
			r.SetBack = []tuner.SetBack{
				{Parameters: []string{"y"}, To: map[string]string{"y": "0.5"}, Lost: &most, CI95: &[2]float64{516, most}, Games: 150, Told: true},
				{Parameters: []string{"x"}, To: map[string]string{"x": "2"}, Lost: &most, CI95: &[2]float64{most, most}, Games: 9000, Told: true},
				{Parameters: []string{"z"}, To: map[string]string{"z": "1"}, Lost: &least, CI95: &[2]float64{least, -516}, Games: 150, Told: true},
			}
		}, []string{"+1200 Elo or more against the baseline", "between 558 and 1200 or more.", "back to y=0.5: 1200 Elo or more lost (516 to 1200 or more), 150 games.",
			"back to x=2: 1200 Elo or more lost, 9 000 games.", "back to z=1: 1200 Elo or more gained (516 to 1200 or more)"}, "or less"},
		"no rivals": {func(_ *tuner.Spec, r *tuner.Result) { r.Rivals = nil }, []string{"As good nothing that was measured"}, "perhaps"},
	} {
		t.Run(name, func(t *testing.T) {
			spec, r := study()
			c.change(spec, r)
			got := strings.Join(strings.Fields(told(t, spec, r)), " ")
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("expected %q in %s", want, got)
				}
			}
			if strings.Contains(got, c.never) {
				t.Errorf("did not expect %q in %s", c.never, got)
			}
		})
	}
}

// A report does not contradict itself. Values that differ only by rounding count as unchanged,
// blocks that were never played prove nothing, and a claim of a few blocks that came out alike
// has no error to compare with.
func TestNoContradictions(t *testing.T) {
	spec, r := study()
	r.Best.Params["y"], r.Best.Error = "0.49999999999999645", new(float64)
	if got := told(t, spec, r); !strings.Contains(got, "y=0.5 (as before)") || strings.Contains(got, "looks better than it is") {
		t.Error(got)
	}
	v := r.Validation
	v.Verdict, v.Reason, v.Score, v.Elo, v.CI95, v.Shrinkage, v.Test = "inconclusive", "0.00 standard errors", nil, nil, nil, nil, &entry.TestResult{Needs: 3, Fails: 3}
	if got := strings.Join(strings.Fields(told(t, spec, r)), " "); !strings.Contains(got, "all 2000 blocks came out even") || !strings.Contains(got, "Next Keep what you had, and check whether these parameters change any game of climber.") || strings.Contains(got, "rule out") {
		t.Error(got)
	}
	v.Reason, v.Blocks = tuner.ItIsTheBaseline, 0
	if got := strings.Join(strings.Fields(told(t, spec, r)), " "); !strings.Contains(got, "nothing better than the baseline, which is its answer") || !strings.Contains(got, "Next Keep what you had, or let") || strings.Contains(got, "counts as attempt") {
		t.Error(got)
	}
	most := 3.0
	spec.Objective.Limits, r.Best, r.Validation = []tuner.Limit{{Metric: "work", Max: &most}}, nil, nil
	if got := told(t, spec, r); !strings.Contains(got, "Next          sakusen study show mine tells") {
		t.Error(got)
	}
}

// A result says how many games prove 10 Elo, rounded to three digits; one that says nothing
// of its games has no line of them.
func TestTelling(t *testing.T) {
	one, games := 1.0, 10_896.2
	r := &tuner.Result{Validation: &tuner.ValidationReport{Resolution: &tuner.Resolution{PerElo: &one, Proof: &games}}}
	all := view.Find(view.Study(&tuner.Spec{}, r), "games").Lines
	if len(all) != 1 || !strings.Contains(all[0].Text(), "takes about 10 900 games") {
		t.Errorf("%+v", all)
	}
	for _, of := range []*tuner.Resolution{nil, {}} {
		r.Validation.Resolution, r.DuelResolution = of, of
		if all := view.Find(view.Study(&tuner.Spec{}, r), "games").Lines; len(all) != 0 {
			t.Errorf("%+v", all)
		}
	}
}

// A text that goes on from its label begins with it where the label does not stand beside
// it.
func TestLineAlone(t *testing.T) {
	for _, s := range []struct {
		label, text, want string
	}{
		{"As good", "each parameter says below.", "As good: each parameter says below."},
		{"As good", "Nothing else is.", "Nothing else is."},
		{"Checked", "8 of the 78 blocks.", "8 of the 78 blocks."},
	} {
		if got := (view.Line{Label: s.label, Cell: view.Cell{Value: s.text}}).Alone(); got != s.want {
			t.Errorf("%q, want %q", got, s.want)
		}
	}
}

// A pass that the games after the verdict do not bear out is told as such in the first line.
func TestPassThatIsNotConfirmed(t *testing.T) {
	spec, r := study()
	elo, score := -28.0, 0.459
	r.Validation.Estimate = &tuner.AfterPass{Elo: &elo, Score: &score, CI95: &[2]float64{-71, 14}, Blocks: 111}
	if got := strings.Join(strings.Fields(told(t, spec, r)), " "); !strings.HasPrefix(got, "Result mine passed, but the games after the verdict do not confirm that its answer is better than the baseline: its gain is small, or it is one of the few false passes.") {
		t.Error(got)
	}
}

// Where the interval of the gain to quote holds the gain above which the test proved it to be, the first
// line of every form says that it is proved, and that its size is unclear.
func TestSizeIsUnclear(t *testing.T) {
	spec, r := study()
	for _, c := range []struct {
		low, floor float64
		want       bool
	}{{-8, 0, true}, {1, 0, false}, {3, 5, true}, {-8, -10, false}} {
		elo, score := 8.0, 0.511
		spec.Validation.Elo[0] = c.floor
		r.Validation.Estimate = &tuner.AfterPass{Elo: &elo, Score: &score, CI95: &[2]float64{c.low, 24}, Blocks: 111}
		got := strings.Join(strings.Fields(told(t, spec, r)), " ")
		d := kept(t, "mine")
		d.Result, d.About.Result, d.About.Validation = r, r, spec.Validation
		a, list := view.AnswerOf(d.Study), view.Studies([]service.Study{d.Study}, time.Time{}, 0)
		for text, want := range map[string]string{
			got:                             "better than the baseline; the size of the gain is unclear, at most 24 Elo. Found",
			got + " ":                       "too few to show alone what the test of the other 2000 has proved.",
			a.Word + ": " + a.Text:          "Passed, size unclear: On 111",
			a.Small() + " ":                 "above the baseline, by games after the proof alone",
			fmt.Sprint(list.Lines[0].Cells): "passed, size unclear",
			chapters(t, d, nil)["answer"]:   "the gain is proved, and its size is unclear: +8 Elo",
		} {
			if strings.Contains(text, want) != c.want {
				t.Errorf("from %g, above %g: %q in %q is not %v", c.low, c.floor, want, text, c.want)
			}
		}
	}
}

// A verdict has one word in every form: in the report, the list, the comparison and the page's answer.
func TestOneWordForAVerdict(t *testing.T) {
	spec, r := study()
	for verdict, word := range map[string]string{"pass": "passed", "fail": "failed", "inconclusive": "undecided"} {
		r.Validation.Verdict = verdict
		d := kept(t, "mine")
		d.Result, d.About.Result, d.About.Validation = r, r, spec.Validation
		list := view.Studies([]service.Study{d.Study}, time.Time{}, 0)
		compared := view.Find(view.Compared([]*service.StudyDetail{d, d}), "compared")
		for form, text := range map[string]string{
			"report":     strings.TrimPrefix(strings.TrimPrefix(view.Find(view.Study(spec, r), "answer").Lines[0].Value, "mine "), "is "),
			"answer":     view.AnswerOf(d.Study).Word,
			"list":       list.Lines[0].Cells[1].Value,
			"comparison": compared.Lines[0].Cells[0].Value,
			"to set":     chapters(t, d, nil)["set"],
		} {
			if text = strings.ToLower(text); !strings.HasPrefix(text, word) && !(form == "to set" && (verdict == "pass" || strings.Contains(text, ". "+word))) {
				t.Errorf("%s of %s: %q does not begin with %s", form, verdict, text, word)
			}
		}
	}
}
