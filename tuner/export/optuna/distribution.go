package optuna

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// distribution is a dimension in Optuna's vocabulary, as
// optuna.distributions.distribution_to_json writes it.
type distribution struct {
	Name       string         `json:"name"`
	Attributes map[string]any `json:"attributes"`
}

// number is a float in JSON, which Python reads back as a float: 1 is "1.0".
type number float64

// MarshalJSON implements json.Marshaler.
func (x number) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(x), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return []byte(text), nil
}

// describe is a dimension as Optuna draws from it.
func describe(d *tuner.Dimension) distribution {
	low, high := d.Domain.Low, d.Domain.Top()
	switch d.Kind {
	case param.Bool:
		return distribution{"CategoricalDistribution", map[string]any{"choices": []any{false, true}}}
	case param.Choice:
		choices := make([]any, len(d.Choices))
		for i, text := range d.Choices {
			choices[i] = value(d, text)
		}
		return distribution{"CategoricalDistribution", map[string]any{"choices": choices}}
	case param.Int:
		step := int64(1)
		if d.Domain.Step > 0 {
			step = int64(d.Domain.Step)
		}
		return distribution{"IntDistribution", map[string]any{
			"log": d.Domain.Log, "step": step, "low": int64(low), "high": int64(high)}}
	}
	var step any
	if d.Domain.Step > 0 && stepped(&d.Domain) {
		step = number(d.Domain.Step)
	}
	return distribution{"FloatDistribution", map[string]any{
		"step": step, "low": number(low), "high": number(high), "log": d.Domain.Log}}
}

// value is a canonical text as JSON's own type: numbers of a list of numbers are
// numbers too.
func value(d *tuner.Dimension, text string) any {
	kind := d.Kind
	if kind == param.Choice {
		kind = listed(d)
	}
	switch kind {
	case param.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return n
		}
	case param.Float:
		x, err := strconv.ParseFloat(text, 64)
		if err == nil {
			return number(x)
		}
	case param.Bool:
		return text == "true"
	}
	return text
}

// listed is the kind of the values of a choice: a number that is tuned as a list keeps
// the range that its strategy declares.
func listed(d *tuner.Dimension) param.Kind {
	if d.Domain.Low == d.Domain.High {
		return param.Choice
	}
	kind := param.Int
	for _, text := range d.Choices {
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			continue
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return param.Choice
		}
		kind = param.Float
	}
	return kind
}

// mostPoints bounds the grids whose points are looked at one by one.
const mostPoints = 1 << 20

// stepped tells whether Optuna takes a grid for what it is. It keeps the upper end
// only where its own decimal arithmetic reaches it, and takes values only within
// 1e-8 of a step of a multiple of the step. Any other grid is a range without a step
// to it, which takes all of its values.
func stepped(d *param.Domain) bool {
	n := d.Points()
	if n > mostPoints || highest(d.Low, d.Top(), d.Step) != d.Top() {
		return false
	}
	for i := range n {
		k := (d.Point(i) - d.Low) / d.Step
		if !(math.Abs(k-math.RoundToEven(k)) < 1e-8) {
			return false
		}
	}
	return true
}

// highest is the upper end to which Optuna cuts a stepped range: low plus the largest
// multiple of the step that fits, of the shortest decimals.
func highest(low, high, step float64) float64 {
	exact := func(x float64) *big.Rat {
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
		return r
	}
	l, s := exact(low), exact(step)
	n := new(big.Rat).Quo(new(big.Rat).Sub(exact(high), l), s)
	whole := new(big.Rat).SetInt(new(big.Int).Quo(n.Num(), n.Denom()))
	if whole.Cmp(n) == 0 {
		return high
	}
	top, _ := new(big.Rat).Add(whole.Mul(whole, s), l).Float64()
	return top
}
