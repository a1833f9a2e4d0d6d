package fleet

import (
	"math"
	"testing"
	"time"
)

// A rate is of the last minute: what was played before does not count, and who plays no more
// comes to nothing.
func TestRate(t *testing.T) {
	var r Rate
	at, games := time.Unix(1000, 0), int64(0)
	if got := r.Second(at, 0); got != 0 {
		t.Errorf("before the first look: %v", got)
	}
	run := func(seconds int, each int64) float64 {
		for range seconds {
			r.Look(at, games)
			at, games = at.Add(time.Second), games+each
		}
		return r.Second(at, games)
	}
	for _, c := range []struct {
		seconds int
		each    int64
		want    float64
	}{{3, 100, 100}, {10, 100, 100}, {120, 7, 7}, {30, 0, 7 * 30 / 60.}, {61, 0, 0}} {
		if got := run(c.seconds, c.each); math.Abs(got-c.want) > c.want/10 {
			t.Errorf("after %d s of %d games each: %v games/s, expected about %v", c.seconds, c.each, got, c.want)
		}
	}
}

func TestShares(t *testing.T) {
	f := Fleet{Workers: []Worker{{Name: "a", Second: 30}, {Name: "b"}}}
	f.Here.Second = 10
	if f.Shares(); f.Here.Share != .25 || f.Workers[0].Share != .75 || f.Workers[1].Share != 0 {
		t.Errorf("%+v", f)
	}
	var none Fleet
	if none.Shares(); none.Here.Share != 0 {
		t.Errorf("nobody plays: %+v", none)
	}
}
