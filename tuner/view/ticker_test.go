package view

import (
	"strings"
	"testing"
	"time"
)

// The line of a match tells what is known so far and how long it takes, which is a
// bound where a test may end it.
func TestTicker(t *testing.T) {
	var w strings.Builder
	clock := time.Unix(0, 0)
	now := func() time.Time { return clock }
	tick := NewTicker(NewStatus(&w, func() int { return 80 }, now), 1000, now)
	clock = clock.Add(time.Second)
	tick.Tick(100, 200, func() string { return "score 0.51" })
	tick.Clear()
	tick.AtMost = true
	clock = clock.Add(time.Second)
	tick.Tick(200, 200, nil)
	got := strings.ReplaceAll(w.String(), "\r", "|")
	if want := "100/1000 blocks, score 0.51, 9 s left, 200 games/s"; !strings.Contains(got, "|"+want+"|") {
		t.Errorf("%q has no %q", got, want)
	}
	if want := "|200/1000 blocks, at most 8 s left, 200 games/s"; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
}
