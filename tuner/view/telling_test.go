package view_test

import (
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/view"
)

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
