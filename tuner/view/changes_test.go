package view_test

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/view"
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
	rows, same := view.Changes(spec, map[string]string{"x": "0.6917377060044131", "kind": "b", "bend": "0.42"})
	var got []string
	for _, r := range rows {
		got = append(got, r.Name+" "+r.Before+" "+r.After)
	}
	if text := strings.Join(got, ", "); !same || text != "x 0.5 0.692, kind a b, bend off 0.42" || !rows[2].Changed || rows[0].Exact != "0.6917377060044131" {
		t.Errorf("%v %q", same, text)
	}
	spec.Baseline = "other(y=1)"
	if rows, same := view.Changes(spec, map[string]string{"x": "0.7", "kind": "a"}); same || rows[0].Before != "0.5" || rows[2].After != "off" {
		t.Errorf("%v %+v", same, rows)
	}
}
