package chart

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// planted is a study of n trials whose value rises with x, and has nothing to do
// with y; where duels is set, pairs of trials have met. Further parameters have one value.
func planted(t *testing.T, n int, noise float64, duels bool, single ...tuner.Dimension) *insight.Chronicle {
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
	c := insight.NewChronicle(spec, &arena.Ruleset{Seats: 2})
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
	}
	return c
}

// What a parameter explains adds up to no more than all, and a parameter that does
// something is told from one that does not.
func TestImportance(t *testing.T) {
	for _, noise := range []float64{0.01, 0.05, 0.2} {
		all, luck := newTrials(planted(t, 400, noise, false), nil).importance()
		sum := 0.0
		for _, one := range all {
			sum += one.Share
		}
		if noise == 0.2 && all == nil { // nearly all of it is luck
			continue
		}
		if len(all) != 2 || all[0].Name != "x" || sum > 1+1e-9 || !strings.Contains(luck, "% are luck") {
			t.Errorf("noise %g: %+v, %q", noise, all, luck)
		}
		if noise <= 0.05 && (all[0].Share < 0.7 || all[1].Share > 0.15) {
			t.Errorf("noise %g: %s %s, %s %s", noise, all[0].Name, all[0].Text, all[1].Name, all[1].Text)
		}
	}
}

// The model of a study knows which parameter does something, and how much, where the
// best place is and what it was thought to be on the way; of duels and of trials against
// the baseline.
func TestModel(t *testing.T) {
	for _, duels := range []bool{true, false} {
		log := planted(t, 800, 0.1, duels)
		for i := range log.Trials {
			log.Trials[i].Met, log.Trials[i].Blocks = 1, 8
		}
		log.Spec.Sampler.Name = "surface"
		m := newTrials(log, nil).learn()
		if m == nil {
			t.Fatalf("duels %v: no model", duels)
		}
		if shares := m.shares(); len(shares) != 2 || shares[0].Name != "x" || shares[0].Share < 0.9 {
			t.Errorf("duels %v: %+v", duels, shares)
		}
		low, _ := m.height([]float64{0, 0.5}, &m.fit)
		high, e := m.height([]float64{1, 0.5}, &m.fit)
		if math.Abs(high-low-0.2) > 4*e || e > 0.05 {
			t.Errorf("duels %v: from 0 to 1 x does %g, standard error %g; want 0.2", duels, high-low, e)
		}
		if at := m.peak(&m.fit); at[0] < 0.9 {
			t.Errorf("duels %v: the peak is at %v, the best x is 1", duels, at)
		}
		if n := len(m.course); n < courseSteps || m.course[n-1].trials != 800 {
			t.Errorf("duels %v: %d looks on the way, the last %+v", duels, n, m.course[n-1].trials)
		}
		v := Draw(log, Subject{}, Wanted{Tab: "summary"})
		w := Draw(log, Subject{}, Wanted{Tab: "parameters", X: "x", Y: "y"})
		for what, text := range map[string]template.HTML{"the best so far": v.Best, "a slice": v.Model[0].Plot, "the surface": w.Contour.Plot} {
			if !strings.Contains(string(text), "<svg") || strings.Contains(string(text), "NaN") {
				t.Errorf("duels %v, %s: %.200s", duels, what, text)
			}
		}
		if !w.Contour.Model || len(v.Importance) != 2 || v.Model[0].Name != "x" {
			t.Errorf("duels %v: contour of the model %v, importance %+v", duels, w.Contour.Model, v.Importance)
		}
	}
	if newTrials(planted(t, 10, 0.1, true), nil).learn() != nil {
		t.Error("five duels make a model")
	}
}

// Numbers and choices of one value take nothing from the model of the others.
func TestModelBesideSingleValues(t *testing.T) {
	single := func(name string, kind param.Kind, domain param.Domain, choices ...string) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: kind, Domain: domain, Choices: choices}}
	}
	alone := newTrials(planted(t, 800, 0.1, true), nil).learn()
	log := planted(t, 800, 0.1, true, single("n", param.Int, param.Range(5, 5)), single("l", param.Float, param.Log(.3, .3)),
		single("g", param.Int, param.Grid(1, 5, 7)), single("k", param.Choice, param.Domain{}, "a"))
	m := newTrials(log, nil).learn()
	if m == nil || len(m.terms) != len(alone.terms) {
		t.Fatalf("the model beside single values: %+v, want %d terms", m, len(alone.terms))
	}
	want, _ := alone.height([]float64{1, .5}, &alone.fit)
	if got, _ := m.height([]float64{5, .3, 1, 0, 1, .5}, &m.fit); math.Abs(got-want) > 1e-9 {
		t.Errorf("height %g beside single values, %g without", got, want)
	}
	summary, pair := Draw(log, Subject{}, Wanted{Tab: "summary"}), Draw(log, Subject{}, Wanted{Tab: "parameters", X: "n", Y: "y"})
	all := map[string]template.HTML{"the best so far": summary.Best, "the surface": pair.Contour.Plot}
	for _, f := range summary.Model {
		all["the slice of "+f.Name] = f.Plot
	}
	for what, text := range all {
		if !strings.Contains(string(text), "<svg") || strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
			t.Errorf("%s: %.300s", what, text)
		}
	}
}

// What the validation found is green only where the test proved it.
func TestVerdictColours(t *testing.T) {
	for verdict, want := range map[string]string{"pass": "good", "fail": "bad", "inconclusive": "warn", "": "warn"} {
		x := 20.0
		h := Columns(planted(t, 50, 0.1, false), 0, 50, 350)
		h.ToElo(planted(t, 50, 0.1, false), &tuner.Result{Validation: &tuner.ValidationReport{Verdict: verdict, Elo: &x, CI95: &[2]float64{10, 30}}})
		drawn := string(h.draw())
		if Tone(h.Verdict) != want || !strings.Contains(drawn, `class="val `+want+`"`) || want != "good" && strings.Contains(drawn, "good") {
			t.Errorf("%q has the tone %s, want %s: %.300s", verdict, Tone(h.Verdict), want, drawn)
		}
	}
}

// The strip has every stage and the baseline, at both sizes.
func TestStrip(t *testing.T) {
	s := Forest{Unit: "Elo", Gains: true, Zone: [2]float64{0, 10}, Stages: []Stage{
		{Name: "Search", Blocks: "8 blocks", Value: 122, Lo: 70, Hi: 170, Text: "+122", Class: "thought"},
		{Name: "Validation", Value: 67, Lo: math.NaN(), Hi: math.NaN(), Text: "+67", Class: "good"},
	}}
	text := string(s.Draw())
	if strings.Count(text, "<svg") != 2 || strings.Count(text, ">+67<") != 2 || strings.Count(text, ">baseline<") != 2 || strings.Contains(text, "NaN") || strings.Count(text, `class="zone"`) != 2 {
		t.Errorf("%s", text)
	}
}
