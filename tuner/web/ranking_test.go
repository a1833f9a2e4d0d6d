package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// rankedOf returns a study of n trials of one parameter, one in three complete, whose values
// repeat.
func rankedOf(t *testing.T, n int) *insight.Log {
	t.Helper()
	spec := &tuner.Spec{Name: "s", Objective: tuner.Objective{Of: "score"}, Race: tuner.Race{Method: "halving", Rungs: []int64{2, 8}, Keep: 0.5}}
	spec.Tune.Params = tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{Low: 0, High: 1}}}}
	c := insight.NewLog(spec, nil)
	for i := range n {
		state, end := "pruned", "halved"
		if i%3 == 0 {
			state, end = "complete", "whole"
		}
		for _, e := range []entry.Entry{
			{Kind: entry.KindAsk, Payload: json.RawMessage(fmt.Sprintf(`{"trials":[{"number":%d,"params":[{"name":"x","value":"%.2f"}]}]}`, i, float64(i*7%50)/50))},
			{Kind: entry.KindTell, Payload: json.RawMessage(fmt.Sprintf(`{"trial":%d,"state":%q,"value":%.2f,"error":0.05,"feasible":true,"end":%q}`, i, state, float64(i*11%40)/40, end))},
		} {
			if err := c.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

// Pages of every order hold every trial once.
func TestOrdersAreWhole(t *testing.T) {
	c := rankedOf(t, 333)
	for _, order := range []string{"latest", "first", "best", c.Spec.Tune.Params[0].Name, "-" + c.Spec.Tune.Params[0].Name} {
		for show, want := range map[string]int{"all": 333, "complete": 111, "stopped": 222, "running": 0} {
			var all []int
			for o := (ranking{Order: order, Show: show, After: -1}); ; {
				page := o.numbers(c, 10)
				all = append(all, page...)
				if len(page) < 10 {
					break
				}
				o.After = page[9]
			}
			if len(all) != want || len(slices.Compact(slices.Sorted(slices.Values(all)))) != want {
				t.Errorf("%s, %s: %d trials, want %d", order, show, len(all), want)
			}
			if order == "best" && show == "complete" && !slices.IsSortedFunc(all, func(i, j int) int {
				return cmp.Compare(c.Trials[j].Value, c.Trials[i].Value)
			}) {
				t.Errorf("%v are not in order", all[:10])
			}
		}
	}
}
