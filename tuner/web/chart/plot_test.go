package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// Marks have no exponents where digits do, and short ones where not.
func TestTick(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.25: "0.25", 999.9: "1000", 20000: "20000", -75600: "-75600", 2.5e6: "2.5e6", 1e12: "1e12"} {
		if got := tick(x); got != want {
			t.Errorf("tick(%g) = %q, want %q", x, got, want)
		}
	}
}

// Values that lie decades apart stand on an axis of their logarithm, others do not.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		low, top float64
		log      bool
	}{{480, 1.1e8, true}, {1, 1000, true}, {1, 999, false}, {0, 1e9, false}, {-1e9, 1, false}} {
		if a := over("work", c.low, c.top).spread(); a.log != c.log || a.low != c.low || a.top != c.top {
			t.Errorf("%g to %g: %+v", c.low, c.top, a)
		}
	}
}

// logOf returns a study of n trials of two parameters, one in three complete.
func logOf(t testing.TB, n int) *insight.Log {
	t.Helper()
	spec := &tuner.Spec{Name: "s", Objective: tuner.Objective{Of: "score"}, Race: tuner.Race{Method: "halving", Rungs: []int64{2, 8}, Keep: 0.5}}
	spec.Tune.Params = tuner.Space{
		{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{Low: 0.01, High: 1, Log: true}}},
		{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"a", "<b>"}}},
	}
	c := insight.NewLog(spec, nil)
	chance := rand.New(rand.NewPCG(1, uint64(n)))
	add := func(kind entry.Kind, format string, args ...any) {
		if err := c.Add(entry.Entry{Kind: kind, Payload: json.RawMessage(fmt.Sprintf(format, args...))}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		add(entry.KindAsk, `{"trials":[{"number":%d,"params":[{"name":"x","value":"%.4f"},{"name":"kind","value":%q}]}]}`,
			i, 0.01+0.99*chance.Float64(), spec.Tune.Params[1].Choices[i%2])
		state, end := "pruned", "halved"
		if i%3 == 0 {
			state, end = "complete", "whole"
		}
		add(entry.KindTell, `{"trial":%d,"state":%q,"reason":"not among","value":%.4f,"error":0.05,"feasible":true,"end":%q}`, i, state, chance.Float64(), end)
		if i%100 == 50 {
			add(entry.KindIncumbent, `{"trial":%d,"blocks":8,"value":%.4f,"bound":0.4}`, i, chance.Float64())
		}
	}
	return c
}

// Columns lose no extreme, are as few as asked for, and the same every time.
func TestHistoryColumns(t *testing.T) {
	for _, n := range []int{1, 7, 350, 351, 5000} {
		c := logOf(t, n)
		for _, columns := range []int{1, 10, 350} {
			h := newTrials(c, nil, Wanted{Columns: columns}).history()
			if len(h.whole) > columns || h.Plot != newTrials(c, nil, Wanted{Columns: columns}).history().Plot {
				t.Errorf("%d trials in %d columns, %d asked for", n, len(h.whole), columns)
			}
			all, got := over(""), over("")
			for i := range c.Trials {
				all.reach(c.Trials[i].Value)
			}
			for i := range h.whole {
				got.reach(h.whole[i].low, h.whole[i].high, h.stopped[i].low, h.stopped[i].high)
			}
			if got.low != all.low || got.top != all.top {
				t.Errorf("%d trials in %d columns: %g to %g, want %g to %g", n, columns, got.low, got.top, all.low, all.top)
			}
		}
	}
	if h := newTrials(logOf(t, 500), nil, Wanted{From: 100, To: 120}).history(); h.From != 100 || h.Last != 119 || !h.Part || h.Step != 1 || len(h.whole) != 20 || math.IsNaN(h.incumbent[0].y) || !h.Staircase {
		t.Errorf("a part: %+v", h)
	}
	if h := newTrials(logOf(t, 0), nil, Wanted{}).history(); h != nil {
		t.Errorf("no trials: %+v", h)
	}
}

// What is drawn of many trials takes about as much as of some.
func TestDrawingsAreBounded(t *testing.T) {
	some, many := 0, 0
	for _, n := range []int{1000, 20000} {
		log := logOf(t, n)
		v := Draw(log, Subject{}, Wanted{Tab: "parameters"})
		v.History = Draw(log, Subject{}, Wanted{Tab: "summary"}).History
		size := len(v.History.Plot) + len(v.Contour.Plot)
		for _, s := range v.Slices {
			size += len(s.Plot)
			if strings.Contains(string(s.Plot), "<b>") || strings.Contains(string(s.Plot), "NaN") {
				t.Errorf("%s: %.300s", s.Name, s.Plot)
			}
		}
		some, many = many, size
	}
	if many > 2*some {
		t.Errorf("plots of 1 000 trials take %d bytes, of 20 000 %d", some, many)
	}
}

// The middle of values is what it is of the values in order, and none of none.
func TestMiddles(t *testing.T) {
	values := make([]float64, 1000)
	for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(1000) {
		values[i] = (float64(k) + 0.5) / 1000
	}
	s := middle(3, values)
	for _, c := range []struct{ got, want float64 }{{s.low, 0.1}, {s.y, 0.5}, {s.high, 0.9}} {
		if math.Abs(c.got-c.want) > 0.01 {
			t.Errorf("quantile %g is %g", c.want, c.got)
		}
	}
	if s := middle(4, nil); s.x != 4 || !math.IsNaN(s.y) {
		t.Error("an empty column has a median")
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		a    axis
		want string
	}{
		{axis{low: -1, top: 1}, "−1.0 −0.5 0.0 0.5 1.0"},
		{axis{low: 0, top: 2, names: []string{"ascending", "descending", "pass-first"}}, "ascending descending pass-first"},
		{axis{low: 0, top: 7, names: []string{"11", "12", "13", "14", "15", "16", "17", "18"}}, "11 12 13 14 15 16 17 18"},
		{axis{low: 0, top: 7, names: []string{"ascending", "descending", "pass-first", "x", "y", "z", "w", "v"}}, "ascending pass-first y w"},
		{axis{low: 0, top: 1, upright: true, names: []string{"ascending by rank and then", "b"}}, "ascending by rank and then b"},
		{axis{low: 0, top: 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{axis{low: -0.04, top: 1}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{axis{low: 0, top: 3, whole: true}, "0 1 2 3"},
		{axis{low: 0, top: 1e8}, "0 2e7 4e7 6e7 8e7 1e8"},
		{axis{low: -2, top: 2, log: true}, "0.01 0.1 1 10 100"},
		{axis{low: 0, top: 2, names: []string{"a", "b&", "thirteen long"}}, "a b&amp; thirteen long"},
		{axis{low: 1, top: 9, at: []float64{2, 8}}, "2 8"},
	} {
		var got []string
		for _, m := range c.a.marks(6, 330) {
			got = append(got, m.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
	}
}

// The legend writes each bound of a band so that it is that bound, whatever the step.
func TestLegendOfLevels(t *testing.T) {
	for _, high := range []float64{0.31, 3, 7.5, 15, 31, 170, 390, 750} {
		s := levelsOf([]float64{-high / 3, high}, true)
		for k, level := range s.legend() {
			low := s.first + float64(k)*s.step
			var a, b float64
			if _, err := fmt.Sscanf(strings.ReplaceAll(level.Text, "−", "-"), "%g to %g", &a, &b); err != nil {
				t.Fatal(level, err)
			}
			if math.Abs(a-low) > 1e-9 || math.Abs(b-low-s.step) > 1e-9 {
				t.Errorf("up to %g, step %g: band %d is %q, expected from %g", high, s.step, k, level.Text, low)
			}
		}
	}
}

// A gain at the end of what is drawn may be any larger one: its mark is an arrow, its words, the
// axis and the legend of a contour say so.
func TestGainsBeyondTheAxis(t *testing.T) {
	all := []point{{x: 1, y: -400, low: math.NaN(), class: "dot"}, {x: 2, y: 399, low: math.NaN(), class: "dot"}}
	mark := func(unit string) string {
		return string(draw("gains", over("", 1, 2), over(unit, -400, 399), paper, func(p *plot) {
			p.dots(all, func(d *point) string { return interval(true, d) })
		}))
	}
	elo, other := mark("Elo above the baseline"), mark("cost")
	if strings.Count(elo, "<circle") != 1 || strings.Count(elo, "<path") != 1 || !strings.Contains(elo, "<title>below −400</title></path>") || !strings.Contains(elo, ">≤ −400<") {
		t.Error(elo)
	}
	if strings.Count(other, "<circle") != 2 || strings.Contains(other, "≤") {
		t.Error(other)
	}
	levels := levelsOf([]float64{-400, 0, 400}, true)
	levels.elo = true
	if all := levels.legend(); all[0].Text != "below −300" || all[len(all)-1].Text != "above 300" {
		t.Errorf("%+v", all)
	}
}
