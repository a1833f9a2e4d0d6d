package members_test

import (
	"math"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/members"
)

// space has a switch, a choice, and an integer that counts with one of its values: 2 x (2 + 5)
// members.
func space() tuner.Space {
	return tuner.Space{
		{Param: param.Param{Name: "bold", Kind: param.Bool}},
		{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"plain", "fancy", "odd"}}},
		{Param: param.Param{Name: "depth", Kind: param.Int, Domain: param.Domain{Low: 1, High: 5}, When: []param.Condition{{Name: "kind", Value: "fancy"}}}},
	}
}

func values(bold, kind, depth string) param.Values {
	return param.Values{{Name: "bold", Text: bold}, {Name: "kind", Text: kind}, {Name: "depth", Text: depth}}
}

// height is the truth, Elo: the baseline has 0, the best 90.
func height(v param.Values) float64 {
	h := 0.0
	if x, _ := v.Get("bold"); x == "true" {
		h += 30
	}
	switch x, _ := v.Get("kind"); x {
	case "odd":
		h -= 80
	case "fancy":
		d, _ := v.Get("depth")
		h += 60 - 25*math.Abs(float64(d[0])-'4')
	}
	return h
}

// told adds what a batch showed of proposals: blocks of one game each, by chance.
func told(v *tuner.View, batch int, proposals []param.Values, blocks int64) *tuner.View {
	next := *v
	for i, p := range proposals {
		active := v.Space.Activate(nil, p)
		n := slices.IndexFunc(next.Told, func(t tuner.Told) bool { return t.Params.String() == active.String() })
		if n < 0 {
			n = len(next.Told)
			next.Told = append(next.Told, tuner.Told{Number: n, Batch: batch, Params: active, Proposed: p})
		}
		rng := arena.NewStream(uint64(batch), uint64(i))
		won := 0.0
		for range blocks {
			if rng.Float64() < 1/(1+math.Pow(10, -height(active)/400)) {
				won++
			}
		}
		score := won / float64(blocks)
		next.Observed = append(next.Observed, tuner.Observation{
			Trial: n, Batch: batch, Value: score, Noise: math.Sqrt(score * (1 - score) / float64(blocks-1)), Blocks: blocks,
		})
	}
	return &next
}

func view() *tuner.View {
	return &tuner.View{Space: space(), Seats: 2, Maximize: true, Baseline: values("false", "plain", "1"), Pinned: true}
}

// The best member is found, the baseline is never proposed, a model that is made anew proposes
// and answers the same, and the search ends once nothing is left to be gained.
func TestModel(t *testing.T) {
	v := view()
	m := members.New(v.Space, v)
	if m == nil {
		t.Fatal("no model")
	}
	if _, ok := m.Answer(v); ok {
		t.Error("it answers before anything is seen")
	}
	draw, ended := 0, false
	for batch := 0; batch < 400 && !ended; batch++ {
		var proposals []param.Values
		fresh := members.New(v.Space, v)
		for range 8 {
			p := m.Propose(v, 3, draw)
			if again := fresh.Propose(v, 3, draw); again.String() != p.String() {
				t.Fatalf("batch %d: %s, a model made anew %s", batch, p, again)
			}
			if p == nil {
				ended = true
				break
			}
			draw++
			active := v.Space.Activate(nil, p)
			if active.String() == "bold=false,kind=plain" || len(p) != 3 {
				t.Fatalf("it proposes %s", p)
			}
			if !slices.ContainsFunc(proposals, func(q param.Values) bool { return v.Space.Activate(nil, q).String() == active.String() }) {
				proposals = append(proposals, p)
			}
		}
		v = told(v, batch, proposals, 16)
	}
	if !ended {
		t.Error("the search goes on for ever")
	}
	a, ok := m.Answer(v)
	if !ok || v.Space.Activate(nil, a.Values).String() != "bold=true,kind=fancy,depth=4" || a.Belief == nil {
		t.Fatalf("%+v %v", a, ok)
	}
	if want := 1 / (1 + math.Pow(10, -90.0/400)); math.Abs(a.Belief.Mean-want) > 4*a.Belief.StandardError || a.Belief.StandardError > 0.05 {
		t.Errorf("it claims %+v of %.3f", a.Belief, want)
	}
	if again, ok := members.New(v.Space, v).Answer(v); !ok || *again.Belief != *a.Belief {
		t.Errorf("%+v, a model made anew %+v", a.Belief, again.Belief)
	}
	// Another study.
	if _, ok := m.Answer(view()); ok {
		t.Error("it remembers another study")
	}
}

// Where the baseline is no member, the level of all is learnt as well.
func TestModelWithoutBaseline(t *testing.T) {
	v := view()
	v.Baseline, v.Pinned = nil, false
	m := members.New(v.Space, v)
	draw := 0
	for batch := range 60 {
		var proposals []param.Values
		for range 8 {
			if p := m.Propose(v, 5, draw); p != nil && !slices.ContainsFunc(proposals, func(q param.Values) bool { return q.String() == p.String() }) {
				proposals = append(proposals, p)
			}
			draw++
		}
		v = told(v, batch, proposals, 16)
	}
	a, ok := m.Answer(v)
	if !ok || height(v.Space.Activate(nil, a.Values)) < 65 {
		t.Errorf("%+v %v", a, ok)
	}
}

// Spaces that are infinite or large, duels, and metrics have no such model.
func TestModelServes(t *testing.T) {
	for name, change := range map[string]func(*tuner.View){
		"duels":  func(v *tuner.View) { v.Plan.Duels = true },
		"metric": func(v *tuner.View) { v.Seats = 0 },
		"many":   func(v *tuner.View) { v.Space[2].Domain.High = 400 },
		"real": func(v *tuner.View) {
			v.Space[2] = tuner.Dimension{Param: param.Param{Name: "depth", Kind: param.Float, Domain: param.Domain{High: 1}}}
		},
		"numbers": func(v *tuner.View) {
			v.Space = tuner.Space{{Param: param.Param{Name: "n", Kind: param.Int, Domain: param.Domain{Low: 0, High: 99}}}}
		},
	} {
		v := view()
		v.Pinned = false
		change(v)
		if members.New(v.Space, v) != nil {
			t.Errorf("%s: there is a model", name)
		}
	}
}
