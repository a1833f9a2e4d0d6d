package experiment

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/stats"
)

const (
	deviate99 = 2.58
	// widest is how much wider than the printed interval ours may be.
	widest = 1.5
)

// Printed is a number as a paper prints it.
type Printed struct {
	Text  string
	Value float64
	// Digit is the value of the last printed digit: 0.01 for "52.30".
	Digit float64
	// HalfWidth is half of the printed 95 % interval, 0 where none is printed.
	HalfWidth float64
}

// ParsePrinted reads a decimal number.
func ParsePrinted(text string, halfWidth float64) (Printed, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return Printed{}, fmt.Errorf("printed: expected a decimal number, got %q", text)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return Printed{Text: text, Value: x, Digit: math.Pow10(-len(decimals)), HalfWidth: halfWidth}, nil
}

// Verdict is the outcome of a comparison.
type Verdict int

// The verdicts.
const (
	TooFewGames Verdict = iota
	Agrees
	Differs
)

// Compare applies the rule of agreement. Where no interval is printed the
// printed value is taken for exact but for its rounding, and half a digit
// stands for its half-width.
func (p Printed) Compare(measured stats.MeanInterval) Verdict {
	if !measured.Mean.Defined || !measured.SE.Defined {
		return TooFewGames
	}
	se := measured.SE.Value
	if stats.Deviate95*se > p.Limit()*(1+1e-12) {
		return TooFewGames
	}
	// A rounding error of decimal fractions must not make a value disagree.
	allowed := deviate99*math.Hypot(se, p.HalfWidth/stats.Deviate95) + p.Digit/2 + 1e-9*p.Digit
	if math.Abs(measured.Mean.Value-p.Value) <= allowed {
		return Agrees
	}
	return Differs
}

// Deviation is how far a value lies from the printed one beyond half a printed digit, in
// standard errors of the difference; se is that of the value. It agrees up to
// [Agreement]. NaN where both are exact and differ.
func (p Printed) Deviation(value, se float64) float64 {
	d := value - p.Value
	beyond := max(0, math.Abs(d)-p.Digit/2*(1+1e-9))
	if beyond == 0 {
		return 0
	}
	return math.Copysign(beyond, d) / math.Hypot(se, p.HalfWidth/stats.Deviate95)
}

// Agreement is the deviation up to which a value agrees with the printed one.
const Agreement = deviate99

// Limit is the largest half-width of ours with which anything can be said.
func (p Printed) Limit() float64 {
	if p.HalfWidth == 0 {
		return widest * p.Digit / 2
	}
	return widest * p.HalfWidth
}

// takes says how many more games a comparison needs, whose error falls with their
// square root.
func (p Printed) takes(m stats.MeanInterval) string {
	if !m.Mean.Defined || !m.SE.Defined {
		return "too few games"
	}
	more := math.Pow(stats.Deviate95*m.SE.Value/p.Limit(), 2)
	return fmt.Sprintf("needs about %s times the games", strconv.FormatFloat(math.Ceil(10*more)/10, 'f', -1, 64))
}
