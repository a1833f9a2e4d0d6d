package insight

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// A score that has no Elo is beyond the last one that is shown.
func TestBounded(t *testing.T) {
	for x, want := range map[float64]string{-400: "below \u2212400", 400: "above +400", 67: "+67", -18: "\u221218"} {
		if got := told(x, numeral.Elo(x)); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

// planted returns a study of n trials whose value rises with x, and has nothing to do
// with y; where duels is set, pairs of trials have met. Further parameters have one value.
func planted(t *testing.T, n int, noise float64, duels bool, single ...tuner.Dimension) *Log {
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
	c := NewLog(spec, &arena.Ruleset{Seats: 2})
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

// What a parameter explains adds up to no more than all, and a parameter that does
// something is told from one that does not.
func TestImportance(t *testing.T) {
	for _, noise := range []float64{0.01, 0.05, 0.2} {
		all, luck := planted(t, 400, noise, false).Model().Importance()
		sum := 0.0
		for _, one := range all {
			sum += one.Share
		}
		// x makes a variance of .2 squared / 12.
		if want := noise * noise / (noise*noise + 0.04/12); len(all) != 2 || all[0].Name != "x" || sum > 1+1e-9 || math.Abs(luck-want) > 0.15 {
			t.Errorf("noise %g: %+v, luck %g, want %g", noise, all, luck, want)
		}
		if noise <= 0.05 && (all[0].Share < 0.7 || all[1].Share > 0.15) {
			t.Errorf("noise %g: %+v", noise, all)
		}
	}
}

// The model of a study knows which parameter does something, and how much, where the
// best place is and what it was thought to be on the way; of duels and of trials against
// the baseline. Numbers and choices of one value take nothing from it.
func TestModel(t *testing.T) {
	single := func(name string, kind param.Kind, domain param.Domain, choices ...string) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: kind, Domain: domain, Choices: choices}}
	}
	for _, duels := range []bool{true, false} {
		m := planted(t, 800, 0.1, duels).Model()
		if m == nil {
			t.Fatalf("duels %v: no model", duels)
		}
		last := len(m.Looks) - 1
		if shares, _ := m.Importance(); len(shares) != 2 || shares[0].Name != "x" || shares[0].Share < 0.8 || shares[1].Share > 0.05 {
			t.Errorf("duels %v: %+v", duels, shares)
		}
		low, _ := m.Height([]float64{0, 0.5}, last)
		high, e := m.Height([]float64{1, 0.5}, last)
		if math.Abs(high-low-0.2) > 4*e || e > 0.05 {
			t.Errorf("duels %v: from 0 to 1 x does %g, standard error %g; want 0.2", duels, high-low, e)
		}
		if at := m.Peak(last); at[0] < 0.9 {
			t.Errorf("duels %v: the peak is at %v, the best x is 1", duels, at)
		}
		if len(m.Looks) < modelLooks || m.Looks[last].Trials != 800 {
			t.Errorf("duels %v: %d looks on the way, the last %+v", duels, len(m.Looks), m.Looks[last].Trials)
		}
		beside := planted(t, 800, 0.1, duels, single("n", param.Int, param.Range(5, 5)), single("l", param.Float, param.Log(.3, .3)),
			single("g", param.Int, param.Grid(1, 5, 7)), single("k", param.Choice, param.Domain{}, "a")).Model()
		if beside == nil || len(beside.terms) != len(m.terms) {
			t.Fatalf("the model beside single values: %+v, want %d terms", beside, len(m.terms))
		}
		want, _ := m.Height([]float64{1, .5}, last)
		if got, _ := beside.Height([]float64{5, .3, 1, 0, 1, .5}, len(beside.Looks)-1); math.Abs(got-want) > 1e-9 {
			t.Errorf("height %g beside single values, %g without", got, want)
		}
	}
	if planted(t, 10, 0.1, true).Model() != nil {
		t.Error("five duels make a model")
	}
}
