package sampler_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// At a study's end the model says of each parameter which values cannot be told
// apart from the best, what it is worth, and with which other it goes together.
func TestExplain(t *testing.T) {
	space := reals(3, 0, 1)
	elo := func(v param.Values) float64 { // the third number does nothing
		x, _ := strconv.ParseFloat(v[0].Text, 64)
		y, _ := strconv.ParseFloat(v[1].Text, 64)
		a, b := x-0.7, y-0.4
		return -600 * (a*a + b*b + 1.6*a*b)
	}
	p, err := sampler.Kinds{}.New(tuner.SamplerSpec{Name: "surface", Seed: 4}, space, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &tuner.View{Space: space, Maximize: true, Seats: 2, Pinned: true, Plan: tuner.Plan{
		Games: 12_000, Trials: 1e6, BlockGames: 2, Blocks: 4, Batch: 16, Duels: true,
	}}
	for i := range space {
		v.Baseline = append(v.Baseline, param.Value{Name: space[i].Name, Text: "0.5"})
	}
	e := p.(tuner.Explainer)
	if got := e.Explain(v, v.Baseline); got != nil {
		t.Errorf("without a game it knows %v", got)
	}
	chance := arena.NewStream(1, 2)
	for draw := 0; v.Plan.Played < v.Plan.Games; {
		next := *v
		var of []float64
		for range 16 {
			values, _, err := p.Propose(v, draw)
			if err != nil {
				t.Fatal(err)
			}
			next.Told = append(next.Told, tuner.Told{Number: draw, Draw: draw, Batch: draw / 16, Params: values, Proposed: values})
			of = append(of, elo(values))
			draw++
		}
		for i := 0; i < 16; i += 2 {
			mean, se := playBlocks(&chance, of[i]-of[i+1], 4, nil)
			n := draw - 16 + i
			next.Duels = append(next.Duels, tuner.Duel{A: n, B: n + 1, Batch: n / 16, Draw: n, Score: mean, Noise: se, Blocks: 4})
		}
		next.Plan.Played += 64
		v = &next
	}
	a, ok, err := p.(tuner.Answerer).Answer(v)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	known := e.Explain(v, a.Values)
	if len(known) != len(space) {
		t.Fatalf("of %d parameters it knows %v", len(space), known)
	}
	for i, top := range []float64{0.7, 0.4} {
		k := known[i]
		from, _ := strconv.ParseFloat(k.From, 64)
		to, _ := strconv.ParseFloat(k.To, 64)
		best, _ := strconv.ParseFloat(k.Best, 64)
		if from > top+0.05 || to < top-0.05 || from > best || to < best || to-from > 0.5 {
			t.Errorf("%s: best is %v, the values from %v to %v cannot be told apart; the top is at %v", k.Name, k.Best, k.From, k.To, top)
		}
		if k.Importance < 5*k.Error || k.Importance < 20 {
			t.Errorf("%s: other values cost %.1f +- %.1f Elo", k.Name, k.Importance, k.Error)
		}
		if k.With != space[1-i].Name || math.Abs(*k.Interaction) < 20 {
			t.Errorf("%s: goes together with %q", k.Name, k.With)
		}
	}
	for i, k := range known {
		near := slices.Clone(a.Values)
		near[i].Text = k.Rounder
		x, err := strconv.ParseFloat(k.Rounder, 64)
		best, _ := strconv.ParseFloat(k.Best, 64)
		if lost := elo(a.Values) - elo(near); err != nil || len(k.Rounder) >= len(k.Best) || math.Abs(x-best) > 0.02 || lost > k.Most || k.Most > 20 || k.Below > k.Most {
			t.Errorf("%s: %s in place of %s costs %.1f Elo; the model says %.1f, at most %.1f (%v)", k.Name, k.Rounder, k.Best, lost, k.Below, k.Most, err)
		}
	}
	a.Values[1].Text = "0.004321"
	if k := e.Explain(v, a.Values)[1]; k.Rounder != "0" {
		t.Errorf("near 0 it is rounder at %s", k.Rounder)
	}
	useless := known[2]
	from, _ := strconv.ParseFloat(useless.From, 64)
	to, _ := strconv.ParseFloat(useless.To, 64)
	if math.Abs(useless.Importance) > 6 || to-from < 0.5 || useless.With != "" {
		t.Errorf("a parameter that does nothing: %s", useless.String())
	}
	useless.Importance, useless.Error = 1, 1
	if useless.Tells() {
		t.Errorf("noise is called a finding: %s", useless.String())
	}
	if text := known[0].String(); !strings.Contains(text, "may be as good; what it does depends on") {
		t.Error(text)
	}
}
