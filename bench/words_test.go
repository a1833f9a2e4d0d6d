package bench

import (
	"math"
	"testing"
)

// A change is told with its interval, rounded by it, and in the words of its unit.
func TestRowWords(t *testing.T) {
	side := func(x float64) *Summary { return &Summary{Center: x} }
	inf := math.Inf(1)
	for _, c := range []struct {
		row                        Row
		change, interval, sentence string
		word                       string
	}{
		{Row{Series: Series{Unit: "sec/op"}, Old: side(100), New: side(118.63), RatioLo: 1.179, RatioHi: 1.193, Verdict: Worse, Better: -1},
			"+18.6 %", "+17.9 to +19.3 %", "18.6 % slower", "Worse"},
		{Row{Series: Series{Unit: "sec/op"}, Old: side(100), New: side(80), RatioLo: 0.7, RatioHi: 0.9, Verdict: Better, Better: -1},
			"−20 %", "−30 to −10 %", "20 % faster", "Better"},
		{Row{Series: Series{Unit: "B/s"}, Old: side(3), New: side(2), RatioHi: inf, Verdict: Inconclusive, Better: 1},
			"−33.3 %", "too few samples for an interval", "33.3 % lower", "Undecided"},
		{Row{Series: Series{Unit: "allocs/op"}, Old: side(3), New: side(5), RatioHi: inf, Verdict: ExactChanged, Better: -1, Exact: true},
			"+66.7 %", "exact", "66.7 % more", "Worse"},
		{Row{Series: Series{Unit: "allocs/op"}, Old: side(0), New: side(5), RatioHi: inf, Verdict: ExactChanged, Better: -1, Exact: true},
			"from 0 to 5 allocs", "exact", "from 0 to 5 allocs", "Worse"},
		{Row{Series: Series{Unit: "plies/op"}, Old: side(3), New: side(5), RatioHi: inf, Verdict: ExactChanged, Exact: true},
			"+66.7 %", "exact", "66.7 % more", "Changed"},
		{Row{Series: Series{Unit: "B/op"}, Old: side(64), New: side(64), RatioLo: 1, RatioHi: 1, Verdict: Same},
			"0 %", "every sample is the same", "0 %", "Level"},
		{Row{New: side(1), Verdict: New}, "", "", "", "New"},
		{Row{}, "", "", "", "Not compared"},
	} {
		r := c.row
		if r.Change() != c.change || r.Interval() != c.interval || r.Sentence() != c.sentence || r.Decided().Word() != c.word {
			t.Errorf("%+v: %q, %q, %q, %s", r, r.Change(), r.Interval(), r.Sentence(), r.Decided().Word())
		}
	}
}

// Values have their unit.
func TestAmount(t *testing.T) {
	for _, c := range []struct {
		value float64
		unit  string
		want  string
	}{
		{1.482e-6, "sec/op", "1.482 µs"}, {4, "sec/op", "4.000 s"}, {0, "B/op", "0 B"}, {20480, "B/op", "20.00 KiB"}, {3e6, "B/s", "2.861 MiB/s"},
		{3, "allocs/op", "3 allocs"}, {120000, "nodes/op", "120\u202f000 nodes"}, {2.5, "plies/op", "2.500 plies"},
	} {
		if got := Amount(c.value, c.unit); got != c.want {
			t.Errorf("%g %s: %q, want %q", c.value, c.unit, got, c.want)
		}
	}
}

// A change says what it is worth.
func TestChangeVerdict(t *testing.T) {
	for _, c := range []struct {
		change         Change
		verdict, class string
	}{
		{Change{Worse: true, Alarm: true}, "worse", "verdict bad"},
		{Change{Worse: true}, "perhaps worse", "verdict warn"},
		{Change{Better: true, Alarm: true}, "better", "verdict good"},
		{Change{Alarm: true}, "changed", "verdict warn"},
	} {
		if c.change.Verdict() != c.verdict || c.change.Class() != c.class {
			t.Errorf("%+v: %s, %s", c.change, c.change.Verdict(), c.change.Class())
		}
	}
}
