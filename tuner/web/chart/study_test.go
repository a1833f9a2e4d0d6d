package chart

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/stats"
)

// planted returns a study of n trials whose value rises with x, and has nothing to do
// with y; where duels is set, pairs of trials have met. Further parameters have one value.
func planted(t *testing.T, n int, noise float64, duels bool, single ...tuner.Dimension) *insight.Log {
	t.Helper()
	spec := &tuner.Spec{Name: "s", Objective: tuner.Objective{Of: "score"}, Race: tuner.Race{Method: "none", Rungs: []int64{8}}, Duels: duels}
	still := ""
	for _, d := range single {
		spec.Tune.Params = append(spec.Tune.Params, d)
		still += fmt.Sprintf(`{"name":%q,"value":%q},`, d.Name, d.Point(0))
	}
	for _, name := range []string{"x", "y"} {
		spec.Tune.Params = append(spec.Tune.Params, tuner.Dimension{Param: param.Param{Name: name, Kind: param.Float, Domain: param.Domain{Low: 0, High: 1}}})
	}
	c := insight.NewLog(spec, &arena.Ruleset{Seats: 2})
	chance := rand.New(rand.NewPCG(3, 4))
	add := func(kind entry.Kind, text string) {
		if err := c.Add(entry.Entry{Kind: kind, Payload: json.RawMessage(text)}); err != nil {
			t.Fatal(err)
		}
	}
	last := 0.0
	for i := range n {
		x := math.Round(chance.Float64()*1e4) / 1e4
		add(entry.KindAsk, fmt.Sprintf(`{"trials":[{"number":%d,"params":[%s{"name":"x","value":"%g"},{"name":"y","value":"%.4f"}]}]}`, i, still, x, chance.Float64()))
		if !duels {
			add(entry.KindTell, fmt.Sprintf(`{"trial":%d,"state":"complete","value":%.5f,"error":%g,"feasible":true}`, i, 0.4+0.2*x+noise*chance.NormFloat64(), noise))
		} else if i%2 == 1 {
			c.Duels = append(c.Duels, tuner.Duel{A: i - 1, B: i, Score: 0.5 + 0.2*(last-x) + noise*chance.NormFloat64(), Noise: noise, Blocks: 8})
		}
		last = x
		c.Trials[i].Met, c.Trials[i].Blocks = 1, 8
	}
	return c
}

// modelled returns a planted study whose answer is a model's.
func modelled(t *testing.T, duels bool, single ...tuner.Dimension) *insight.Log {
	log := planted(t, 800, 0.1, duels, single...)
	log.Spec.Sampler.Name = "surface"
	return log
}

// What the model of a study says is drawn: of duels and of trials against the baseline, and
// beside numbers and choices of one value.
func TestModel(t *testing.T) {
	single := func(name string, kind param.Kind, domain param.Domain, choices ...string) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: kind, Domain: domain, Choices: choices}}
	}
	for what, log := range map[string]*insight.Log{
		"duels": modelled(t, true), "trials": modelled(t, false),
		"single values": modelled(t, true, single("n", param.Int, param.Range(5, 5)), single("l", param.Float, param.Log(.3, .3)),
			single("g", param.Int, param.Grid(1, 5, 7)), single("k", param.Choice, param.Domain{}, "a")),
	} {
		v := Draw(log, Subject{}, Wanted{Tab: "summary"})
		w := Draw(log, Subject{}, Wanted{Tab: "parameters", X: log.Spec.Tune.Params[0].Name, Y: "y"})
		if log.Spec.Duels && v.SoFar != nil {
			t.Errorf("%s: a gain over a baseline of which no place is known: %+v", what, v.SoFar)
		}
		for k := range log.Spec.Tune.Params {
			if d := &log.Spec.Tune.Params[k]; d.Name == "x" || d.Name == "y" {
				d.Default = "0.5"
			}
		}
		if of := Draw(log, Subject{}, Wanted{Tab: "summary"}).SoFar; what != "single values" && (of == nil || len(of.Params) != len(log.Spec.Tune.Params)) || of != nil && !(of.Gain[1] < of.Gain[0] && of.Gain[0] < of.Gain[2]) {
			t.Errorf("%s: the search thinks %+v", what, of)
		}
		if of := Draw(log, Subject{Result: &tuner.Result{Best: &tuner.Best{Params: map[string]string{"x": "0.5", "y": "0.5"}}}}, Wanted{Tab: "summary"}).SoFar; of != nil {
			t.Errorf("%s: the search has ended and thinks %+v", what, of)
		}
		all := map[string]template.HTML{"the best so far": v.Best, "the surface": w.Contour.Plot}
		for _, f := range w.Model {
			all["the slice of "+f.Name] = f.Plot
		}
		for drawing, text := range all {
			if !strings.Contains(string(text), "<svg") || strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
				t.Errorf("%s, %s: %.300s", what, drawing, text)
			}
		}
		if !w.Contour.Model || len(v.Importance) != 1 || v.Importance[0].Name != "x" || v.Model[0].Name != "x" {
			t.Errorf("%s: contour of the model %v, importance %+v", what, w.Contour.Model, v.Importance)
		}
		if want := map[bool]string{true: "Elo against the best so far", false: "Elo above the baseline"}[log.Spec.Duels]; v.Effect != want || w.Effect != want {
			t.Errorf("%s: effects in %q and %q", what, v.Effect, w.Effect)
		}
		if want := "The games do not show whether others matter: y"; !strings.HasPrefix(v.Luck, want) { // it does nothing
			t.Errorf("%s: %q, want %q first", what, v.Luck, want)
		}
	}
}

// Of a drawing of chosen trials these alone have marks.
func TestOnlyChosenTrials(t *testing.T) {
	log := planted(t, 40, 0.1, false)
	for _, tab := range []string{"summary", "parameters"} {
		v := Draw(log, Subject{}, Wanted{Tab: tab, From: 3, To: 31, Only: map[int]bool{3: true, 17: true, 30: true}})
		var text string
		if v.History != nil {
			text = string(v.History.Plot)
		}
		for _, f := range v.Slices {
			text += string(f.Plot)
		}
		for n := range 40 {
			if has, want := strings.Contains(text, fmt.Sprintf(`data-n="%d"`, n)), n == 3 || n == 17 || n == 30; has != want && text != "" {
				t.Errorf("%s: trial %d is drawn: %v", tab, n, has)
			}
		}
		if text == "" {
			t.Errorf("%s: nothing is drawn", tab)
		}
	}
}

// What the validation found is green only where the test proved it.
func TestVerdictColours(t *testing.T) {
	for verdict, want := range map[string]string{"pass": "good", "fail": "bad", "inconclusive": "warn", "": "warn"} {
		x := 20.0
		log := planted(t, 50, 0.1, false)
		log.Spec.Ruleset = &arena.Ruleset{Seats: 2}
		v := Draw(log, Subject{Result: &tuner.Result{Validation: &tuner.ValidationReport{Verdict: verdict, Elo: &x, CI95: &[2]float64{10, 30}}}}, Wanted{})
		drawn := string(v.History.Plot)
		if v.Tone() != want || !strings.Contains(drawn, `class="val `+want+`"`) || want != "good" && strings.Contains(drawn, "good") {
			t.Errorf("%q has the tone %s, want %s: %.300s", verdict, v.Tone(), want, drawn)
		}
	}
}

// The strip has every stage and the baseline, at both sizes, and room for its labels.
func TestStrip(t *testing.T) {
	s := Forest{Unit: "Elo", Gains: true, Zone: [2]float64{0, 10}, Stages: []Stage{
		{Name: "Search", Blocks: "8 blocks", Value: 122, Lo: 70, Hi: 170, Text: "+122", Class: "thought"},
		{Name: "Validation", Value: 67, Lo: math.NaN(), Hi: math.NaN(), Text: "+67", Class: "good"},
	}}
	text := string(s.Draw())
	if strings.Count(text, "<svg") != 2 || strings.Count(text, ">+67<") != 2 || strings.Count(text, ">baseline<") != 2 || strings.Contains(text, "NaN") || strings.Count(text, `class="zone"`) != 2 {
		t.Errorf("%s", text)
	}
	s.Stages[0].Hi, s.Stages[0].Text = 1200, "+1200 or more"
	for i, m := range regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>\+1200 or more<`).FindAllStringSubmatch(string(s.Draw()), -1) {
		if x, _ := strconv.ParseFloat(m[1], 64); x+7*13 > []float64{620, 330}[i] {
			t.Errorf("the label of drawing %d begins at %g", i, x)
		}
	}
	s.Stages[0].Blocks = "10 000 000 blocks"
	if long := string(s.Draw()); strings.Count(long, `<text x="123" y="37.0" class="end lab">10 000 000 blocks<`) != 2 {
		t.Errorf("%s", long)
	}
}

// An end of an interval beyond all that is told of gains is an arrow, as is a value there; the
// label stands behind it. Other units have no such ends.
func TestOpenEnds(t *testing.T) {
	most := stats.Elo(1, 2)
	f := Forest{Unit: "Elo above the baseline", Gains: true, Stages: []Stage{
		{Name: "Search", Value: most, Lo: most, Hi: most, Text: "+1200 or more", Class: "thought"},
		{Name: "Final", Value: 300, Lo: 200, Hi: insight.MostElo, Text: "+300", Class: "measured"},
		{Name: "Validation", Value: 600, Lo: 500, Hi: most, Text: "+600", Class: "good"},
		{Name: "To quote", Value: 700, Lo: -most, Hi: 800, Text: "+700", Class: "good"},
	}}
	text := string(f.Draw())
	text = text[:strings.Index(text, "</svg>")]
	if strings.Count(text, `<path class="tip`) != 4 || strings.Count(text, "<circle") != 3 || strings.Count(text, "l10 -6z") != 3 || strings.Count(text, "l-10 -6z") != 1 {
		t.Errorf("%s", text)
	}
	ends := regexp.MustCompile(`<text x="([0-9.]+)" y="[0-9.]+" class="value`).FindAllStringSubmatch(text, -1)
	if len(ends) != 4 || ends[0][1] != ends[2][1] { // behind arrows at one place
		t.Errorf("labels at %v", ends)
	}
	f.Unit = "shots a game"
	if text := string(f.Draw()); strings.Contains(text, "tip") {
		t.Errorf("%s", text)
	}
}

// A model's estimate far from what was measured is an arrow at the end of an axis that has at most
// three times the width of what was measured, so that the measured intervals can be compared.
func TestFarClaim(t *testing.T) {
	for _, far := range []float64{900, -700, insight.MostElo} {
		f := Forest{Unit: "Elo above the baseline", Gains: true}
		f.Add("Search", "32 blocks", far, math.NaN(), math.NaN(), "thought")
		f.Add("Validation", "60 blocks", 39, 36, 42, "good")
		if x := f.axis(); x.top-x.low > 3*42 || x.outside(36) || x.outside(0) {
			t.Errorf("a claim of %g: an axis of %g to %g", far, x.low, x.top)
		}
		want := map[bool]string{true: "l10 -6z", false: "l-10 -6z"}[far > 0]
		if text := string(f.Draw()); strings.Count(text, want) != 2 || strings.Count(text, `class="tip`) != 2 {
			t.Errorf("a claim of %g: %s", far, text)
		}
	}
}

// Each search has a line and its number, and a search whose games tell no gain over a baseline is
// named.
func TestBestSoFar(t *testing.T) {
	log := modelled(t, false)
	log.Spec.Ruleset = &arena.Ruleset{Seats: 2}
	metric := planted(t, 20, 0.1, false)
	metric.Spec.Ruleset, metric.Spec.Objective = log.Spec.Ruleset, tuner.Objective{Of: "metric", Metric: "cost"}
	duels := modelled(t, true)
	duels.Spec.Ruleset, duels.Spec.Tune.Strategy, duels.Spec.Baseline = log.Spec.Ruleset, "p", "p(x=0.5,y=0.5)"
	drawing, without := BestSoFar([]Search{SearchOf("a", log, nil), SearchOf("b", metric, nil), SearchOf("c", log, nil), SearchOf("d", duels, nil)})
	lines := regexp.MustCompile(`<path class="course s(\d)" d="[^"]+"`).FindAllStringSubmatch(string(drawing), -1)
	var got []string
	for _, l := range lines {
		got = append(got, l[1])
	}
	if want := "[0 2 3 0 2 3]"; fmt.Sprint(got) != want || fmt.Sprint(without) != "[2]" { // wide and narrow
		t.Errorf("lines %v, none of %v; want %s and none of 2", got, without, want)
	}
	if drawing, _ := BestSoFar([]Search{SearchOf("b", metric, nil)}); drawing != "" {
		t.Error("searches without gains are drawn")
	}
}

// The history of a metric is headed by it, and says where less is better. What is drawn of the
// answer is the gain to quote. Where the baseline plays another strategy, the default stands for it.
func TestMetricHistory(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	log := planted(t, 20, 0.1, false)
	log.Spec.Ruleset, log.Spec.Objective = &arena.Ruleset{Seats: 2}, tuner.Objective{Of: "metric", Metric: "cost", Goal: "minimize"}
	log.Spec.Baseline, log.Spec.Tune.Strategy = "other", "p"
	verdict := func(x float64) *entry.MetricVerdict {
		return &entry.MetricVerdict{Name: "cost", Winner: of(x), Baseline: of(0.9), Gain: of(0.9 - x), GainCI: &[2]float64{0.8 - x, 1 - x}}
	}
	r := &tuner.Result{Validation: &tuner.ValidationReport{Verdict: "pass", Metric: verdict(0.5), Estimate: &tuner.AfterPass{Metric: verdict(0.6)}}}
	v := Draw(log, Subject{Name: "a", Result: r}, Wanted{})
	if v.History == nil || v.History.Head != "Trials by cost, less is better" || v.Origin != "the default" {
		t.Fatalf("%+v, origin %q", v.History, v.Origin)
	}
	drawn := newTrials(log, r, Wanted{})
	if found, _ := drawn.validated(); found == nil || found[0] != 0.6 {
		t.Errorf("drawn of the answer: %v", found)
	}
	long := axis{name: strings.Repeat("a_long_name.", 8), low: 0, top: 1}
	if p := string(draw("x", long, axis{name: "y", low: 0, top: 1}, column, func(p *plot) { p.bars("bar", point{x: 0.5, low: 0, high: 1, of: "7"}) })); !strings.Contains(p, "…") || strings.Contains(p, `>`+long.name+`<`) || !strings.Contains(p, `data-n="7"/>`) {
		t.Errorf("a long name is not cut, or an interval is of no trial: %s", p)
	}
}
