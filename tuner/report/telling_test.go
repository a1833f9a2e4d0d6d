package report_test

import (
	"bytes"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/report"
)

// A result of an older program, which does not say how many games prove 10 Elo, is shown
// like any other; one that says nothing of its games has no line of them.
func TestTelling(t *testing.T) {
	one := 1.0
	r := &tuner.Result{Validation: &tuner.ValidationReport{Resolution: &tuner.Resolution{PerElo: &one}}}
	all := report.Telling(&tuner.Spec{}, r)
	if len(all) != 1 || !strings.Contains(all[0].Text, "takes about 10 900 games") {
		t.Errorf("%+v", all)
	}
	for _, of := range []*tuner.Resolution{nil, {}} {
		r.Validation.Resolution, r.DuelResolution = of, of
		if all := report.Telling(&tuner.Spec{}, r); len(all) != 0 {
			t.Errorf("%+v", all)
		}
	}
	var b bytes.Buffer
	if err := report.Shown(&b, &tuner.Spec{}, &tuner.Result{}); err != nil {
		t.Error(err)
	}
}
