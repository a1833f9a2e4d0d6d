package experiment

import (
	"math"
	"testing"

	"sakusen/tuner/stats"
)

// The drawn band of agreement is the rule of agreement.
func TestDeviationIsTheRule(t *testing.T) {
	for _, half := range []float64{0, 0.2} {
		p, err := ParsePrinted("52.31", half)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 400 {
			value := 51.3 + float64(i)*0.005
			se := p.Limit() / stats.Deviate95 / 2
			m := stats.MeanInterval{Mean: stats.Known(value), SE: stats.Known(se)}
			d := p.Deviation(value, se)
			if math.Abs(math.Abs(d)-Agreement) < 1e-6 {
				continue
			}
			if agrees := p.compare(m) == Agrees; agrees != (math.Abs(d) < Agreement) {
				t.Fatalf("half-width %g, value %g: agrees %v at %g standard errors", half, value, agrees, d)
			}
		}
	}
}
