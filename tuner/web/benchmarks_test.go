package web

import (
	"testing"

	"sakusen/tuner/service"
)

// A change says what it is worth.
func TestSeriesVerdict(t *testing.T) {
	for _, c := range []struct {
		change  service.SeriesChange
		verdict string
		class   string
	}{
		{service.SeriesChange{Text: "worse, 1 to 2", Worse: true, Alarm: true}, "worse", "verdict bad"},
		{service.SeriesChange{Text: "worse, 1 to 2", Worse: true}, "perhaps worse", "verdict warn"},
		{service.SeriesChange{Text: "better, 2 to 1", Alarm: true}, "better", "verdict good"},
		{service.SeriesChange{Text: "changed, 2 to 1", Alarm: true}, "changed", "verdict warn"},
	} {
		if c.change.Verdict() != c.verdict || c.change.Class() != c.class {
			t.Errorf("%+v: %s, %s", c.change, c.change.Verdict(), c.change.Class())
		}
	}
}
