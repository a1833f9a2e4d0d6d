package numeral

import (
	"math"
	"testing"
	"time"
)

func after(seconds float64) time.Time {
	return time.Unix(1000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// What is told comes at once and then at most so often.
func TestDue(t *testing.T) {
	p := New(after(0), time.Second)
	for _, c := range []struct {
		seconds float64
		due     bool
	}{{0, true}, {0.5, false}, {0.999, false}, {1, true}, {1.5, false}, {3, true}} {
		if got := p.Due(after(c.seconds)); got != c.due {
			t.Errorf("after %g s: due %v", c.seconds, got)
		} else if got {
			p.Shown(after(c.seconds))
		}
	}
}

func TestRateAndLeft(t *testing.T) {
	p := New(after(0), time.Second)
	if r := p.PerSecond(after(0), 5); r != 0 {
		t.Errorf("%g a second before any time has passed", r)
	}
	if r := p.PerSecond(after(4), 100); r != 25 {
		t.Errorf("%g a second, want 25", r)
	}
	for _, c := range []struct {
		rest int64
		rate float64
		want time.Duration
	}{
		{100, 25, 4 * time.Second}, {1, 4, 250 * time.Millisecond}, {0, 25, 0}, {-5, 25, 0}, {100, 0, 0},
		{100, math.NaN(), 0}, {math.MaxInt64, 1e-9, math.MaxInt64},
	} {
		if got := Left(c.rest, c.rate); got != c.want {
			t.Errorf("%d at %g a second: %v, want %v", c.rest, c.rate, got, c.want)
		}
	}
}

// Work in parts has a pace of its own in each: what earlier ones took says nothing of it.
func TestRestOfAPart(t *testing.T) {
	p := New(after(0), time.Second)
	for _, c := range []struct {
		seconds     float64
		done, total int64
		want        time.Duration
	}{
		{0, 1, 100, 0}, {10, 20, 100, 40 * time.Second}, {50, 100, 100, 0},
		{52, 4, 800, 0}, {62, 84, 800, 716 * time.Second / 8}, // 8 a second in another part
		{70, 10, 800, 0}, {80, 20, 800, 780 * time.Second}, // a part with the same total
	} {
		if got := p.Rest(after(c.seconds), c.done, c.total); got != c.want {
			t.Errorf("%d of %d after %g s: %v, want %v", c.done, c.total, c.seconds, got, c.want)
		}
	}
}
