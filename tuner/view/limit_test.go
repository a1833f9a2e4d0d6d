package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service"
)

// A study of thousands of trials prints its first and its last, and says how many it
// leaves out; 0 prints all.
func TestTrialsAreLimited(t *testing.T) {
	s := &service.WholeStudy{Spec: &tuner.Spec{Name: "x"}}
	for i := range 3000 {
		s.Trial = append(s.Trial, service.Trial{Number: i, State: "complete"})
	}
	for _, c := range []struct{ limit, lines int }{{100, 105}, {1, 6}, {3000, 3003}, {0, 3003}, {-1, 3003}} {
		var w strings.Builder
		if err := Text(&w, Whole(s, c.limit)...); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(w.String(), "\n"); n != c.lines {
			t.Errorf("limit %d: %d lines, expected %d", c.limit, n, c.lines)
		}
		left := fmt.Sprintf("%d trials in the middle are left out (--limit 0", 3000-c.limit)
		if got := strings.Contains(w.String(), left); got != (c.lines < 3000) {
			t.Errorf("limit %d: %q is told: %t", c.limit, left, got)
		}
	}
}

// Who wants to know more has a line every five seconds.
func TestVerboseStatus(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	s := NewStatus(&w, nil, func() time.Time { return clock }).Verbose()
	for range 60 {
		clock = clock.Add(time.Second)
		s.Show("going")
	}
	if n := strings.Count(w.String(), "\n"); n != 12 {
		t.Errorf("%d lines in a minute, expected 12", n)
	}
}

// Progress is by what ends a study first, and never less for a pause.
func TestShare(t *testing.T) {
	s := service.Study{State: "running", Trials: 24, MaxTrials: 60, Games: 50, MaxGames: 100000, Progress: &service.Progress{Games: 1300, Expected: 2600, SecondsExpected: 420}}
	if Share(&s) != 50 || Left(&s) != "about 7 min left" || !strings.HasPrefix(Far(&s), "24 of at most 60 trials, 1300 of at most 100") {
		t.Errorf("%d %q %q", Share(&s), Left(&s), Far(&s))
	}
	s.Progress, s.State = nil, "paused"
	if Share(&s) != 36 {
		t.Errorf("paused: %d", Share(&s))
	}
}
