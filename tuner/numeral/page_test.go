package numeral

import (
	"math"
	"testing"
	"time"
)

// A number on a page ends where its error does, and the error keeps one digit
// from 3 on.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		x, half float64
		want    string
	}{
		{67.3, 6.4, "67"}, {67.3, 1.24, "67.3"}, {67.34, 0.31, "67.3"}, {0.55281, 0.0046, "0.553"}, {225811, 3900, "226\u202f000"},
		{-18.4, 4, "\u221218"}, {-0.2, 3, "0"}, {133616, 0, "133\u202f616"}, {0.5, math.NaN(), "0.5"}, {29.6, 2.96, "30"}, {12.34, 2.9, "12.3"}, {math.Copysign(0, -1), 0, "0"},
	} {
		if got := Short(c.x, c.half); got != c.want {
			t.Errorf("Short(%g, %g) = %q, want %q", c.x, c.half, got, c.want)
		}
	}
	if got := Signed(67, 6); got != "+67" {
		t.Error(got)
	}
	if got := Signed(0.1, 6); got != "0" {
		t.Error(got)
	}
	for n, want := range map[int64]string{0: "0", 9999: "9999", 10000: "10\u202f000", -1234567: "\u22121\u202f234\u202f567"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 40 * time.Millisecond: "1 s", 1400 * time.Millisecond: "1 s", 53 * time.Second: "53 s", 219 * time.Second: "3 min 39 s", 2 * time.Minute: "2 min",
		16*time.Hour + 47*time.Minute + 9*time.Second: "16 h 47 min", 76 * time.Hour: "3 d 4 h", -time.Second: "0 s", 59*time.Second + 900*time.Millisecond: "1 min",
	} {
		if got := Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		8 * time.Second: "about 8 s", 17 * time.Second: "about 15 s", 219 * time.Second: "about 3 min 40 s", 1234 * time.Second: "about 21 min",
		4000 * time.Second: "about 1 h 6 min", 25*time.Hour + 20*time.Minute: "about 25 h",
	} {
		if got := About(d); got != want {
			t.Errorf("About(%v) = %q, want %q", d, got, want)
		}
	}
}

// Gains are told to 1 Elo, their bounds rounded outwards.
func TestElo(t *testing.T) {
	for gain, want := range map[float64]string{68.1: "+68", 0.4: "0", -0.4: "0", 0.5: "0", -31.6: "-32", 1.5: "+2", 150.2: "+150"} {
		if got := Elo(gain); got != want {
			t.Errorf("Elo(%g) = %q, want %q", gain, got, want)
		}
	}
	for _, c := range []struct {
		low, high float64
		from, to  string
	}{{36.7, 100.2, "36", "101"}, {-31.2, 2, "-32", "2"}, {-0.3, 0.2, "-1", "1"}, {37, 37.00000000001, "37", "37"}} {
		if from, to := EloEnds(c.low, c.high); from != c.from || to != c.to {
			t.Errorf("%g to %g are %s to %s, want %s to %s", c.low, c.high, from, to, c.from, c.to)
		}
	}
}
