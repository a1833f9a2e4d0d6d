package experiment

import (
	"math"
	"testing"

	"sakusen/tuner/stats"
)

func measured(mean, halfWidth float64) stats.MeanInterval {
	return stats.MeanInterval{Mean: stats.Known(mean), SE: stats.Known(halfWidth / stats.Deviate95)}
}

func TestCompare(t *testing.T) {
	// Two half-widths of 0.31 allow 2.58 sqrt(2) 0.31/1.96 + 0.005 = 0.5821.
	for _, c := range []struct {
		name      string
		printed   string
		halfWidth float64
		measured  stats.MeanInterval
		want      Verdict
	}{
		{"the same", "52.31", 0.31, measured(52.31, 0.31), Agrees},
		{"just inside", "52.31", 0.31, measured(52.31+0.582, 0.31), Agrees},
		{"just inside below", "52.31", 0.31, measured(52.31-0.582, 0.31), Agrees},
		{"just outside", "52.31", 0.31, measured(52.31+0.5825, 0.31), Differs},
		{"just outside below", "52.31", 0.31, measured(52.31-0.5825, 0.31), Differs},
		{"a wider interval of ours allows more", "52.31", 0.31, measured(52.31+0.7, 0.46), Agrees},
		{"as wide as may be", "52.31", 0.31, measured(52.31, 0.465), Agrees},
		{"too wide", "52.31", 0.31, measured(52.31, 0.4651), TooFewGames},
		{"too wide, however far off", "52.31", 0.31, measured(5, 0.4651), TooFewGames},
		{"no error of ours", "52.31", 0.31, measured(52.31+0.41, 0), Agrees},
		{"no error of ours, too far", "52.31", 0.31, measured(52.31+0.42, 0), Differs},
		{"one game", "52.31", 0.31, stats.MeanInterval{Mean: stats.Known(52.31)}, TooFewGames},
		{"no games", "52.31", 0.31, stats.MeanInterval{}, TooFewGames},
		{"exact, rounds to it", "3.21", 0, measured(3.21402, 0), Agrees},
		{"exact, half a digit", "3.21", 0, measured(3.215, 0), Agrees},
		{"exact, more than half a digit", "3.21", 0, measured(3.2151, 0), Differs},
		{"no printed interval, ours narrow", "3.21", 0, measured(3.214, 0.007), Agrees},
		{"no printed interval, ours wide", "3.21", 0, measured(3.21, 0.008), TooFewGames},
		{"a whole number", "54", 0, measured(54.5, 0), Agrees},
		{"a whole number, too far", "54", 0, measured(54.6, 0), Differs},
		{"trailing zeros count", "3.00", 0, measured(3.006, 0), Differs},
		{"below 0", "-1.5", 0.1, measured(-1.5, 0.1), Agrees},
	} {
		p, err := ParsePrinted(c.printed, c.halfWidth)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.compare(c.measured); got != c.want {
			t.Errorf("%s: verdict %d, want %d", c.name, got, c.want)
		}
	}
}

func TestParsePrinted(t *testing.T) {
	for text, digit := range map[string]float64{"52.31": 0.01, "48.30": 0.01, "7": 1, "20.814": 0.001, "-0.5": 0.1} {
		p, err := ParsePrinted(text, 0)
		if err != nil || math.Abs(p.Digit/digit-1) > 1e-12 || p.Text != text {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "x", "NaN", "Inf", "1.2.3"} {
		if _, err := ParsePrinted(text, 0); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
