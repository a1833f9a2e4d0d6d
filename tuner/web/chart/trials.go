package chart

import (
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// trials is a study's trials as plots need them. It is read under the chronicle's lock.
type trials struct {
	log    *insight.Chronicle
	result *tuner.Result // nil while the study has not ended
	space  *space
	scale  Scale
	up     bool    // more is better
	n      int     // trials with a value
	values axis    // of those that are shown, and the baseline's
	lo, hi float64 // the least and the greatest of them
	base   float64 // the baseline's, NaN where it is not known
}

func newTrials(log *insight.Chronicle, result *tuner.Result) *trials {
	names, up := log.Goals()
	t := &trials{log: log, result: result, space: &space{log, log.Spec.Tune.Params}, scale: ScaleOf(log), up: up[0], base: math.NaN()}
	switch {
	case t.scale.Elo:
		t.base = 0
	case result != nil && result.Validation != nil && result.Validation.Metric != nil && result.Validation.Metric.Name == names[0]:
		t.base = numeral.OrNaN(result.Validation.Metric.Baseline)
	}
	t.values = over(t.scale.Unit)
	for i := range log.Trials {
		if v := log.Trials[i].Value; !math.IsNaN(v) {
			t.n++
			t.values.reach(t.scale.of(v))
		}
	}
	t.lo, t.hi = t.values.low, t.values.top
	t.values.reach(t.base)
	return t
}

// value returns a trial's value as it is shown.
func (t *trials) value(i int) float64 { return t.scale.of(t.log.Trials[i].Value) }

// text returns a trial's value for people, with its 95 % interval.
func (t *trials) text(i int) string {
	line := &t.log.Trials[i]
	unit := " " + t.scale.Unit
	if t.scale.Elo {
		unit = " Elo"
	}
	e := t.scale.Estimate(line.Value, line.Error, int64(line.Blocks))
	if e.Interval == "" {
		return e.Text + unit
	}
	return e.Text + unit + " (" + e.Interval + ")"
}

// class returns the class of a trial's mark.
func (t *trials) class(i int) string {
	if line := &t.log.Trials[i]; line.End == entry.Whole && line.Feasible {
		return "dot"
	}
	return "hollow"
}

// top returns the best complete trials, the best first, of equals the earlier.
func (t *trials) top(most int) []int {
	return Pick(len(t.log.Trials), most, func(i int) bool {
		return t.class(i) == "dot" && !math.IsNaN(t.log.Trials[i].Value)
	}, t.order)
}

// order tells which of two trials has the better value, of equals the earlier.
func (t *trials) order(i, j int) int {
	return Order(t.log.Trials[i].Value, t.log.Trials[j].Value, t.up, i-j)
}

// Baseline returns the parameters of the baseline, as far as its canonical text names
// them, and whether it plays the tuned strategy.
func Baseline(spec *tuner.Spec) (map[string]string, bool) {
	out := map[string]string{}
	name, rest, _ := strings.Cut(spec.Baseline, "(")
	if spec.Baseline != "" && name != spec.Tune.Strategy {
		return out, false
	}
	for _, part := range strings.Split(strings.TrimSuffix(rest, ")"), ",") {
		if key, value, ok := strings.Cut(part, "="); ok {
			out[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return out, true
}

// Better tells whether a value is better than another, up where more is better.
// Any number is better than NaN.
func Better(a, b float64, up bool) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a)
	}
	return a != b && (a > b) == up
}

// Order compares two values, the better first; equals are in another order.
func Order(a, b float64, up bool, otherwise int) int {
	switch {
	case Better(a, b, up):
		return -1
	case Better(b, a, up):
		return 1
	}
	return otherwise
}

// Pick returns the first so many of 0..n-1 that are wanted, in the given order,
// without sorting the others.
func Pick(n, most int, want func(i int) bool, order func(i, j int) int) []int {
	var out []int
	for i := range n {
		if !want(i) || len(out) == most && (most == 0 || order(i, out[most-1]) >= 0) {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, i, order)
		if len(out) == most {
			out = out[:most-1]
		}
		out = slices.Insert(out, at, i)
	}
	return out
}

// mostElo bounds the Elo that is drawn: the score of a trial that won all of few
// games has none.
const mostElo = 400

// Scale is how the values of a study's trials are shown: scores against the baseline alone
// as Elo above it, others as they are.
type Scale struct {
	Unit string // "Elo above the baseline", else the objective
	Elo  bool

	log *insight.Chronicle
}

// ScaleOf returns how a study's values are shown.
func ScaleOf(log *insight.Chronicle) Scale {
	names, _ := log.Goals() // of several objectives, the first is a trial's value
	s := Scale{Unit: names[0], log: log}
	s.Elo = log.Spec.Ruleset != nil && names[0] == "score" && len(log.Spec.Pool) == 0 && log.Spec.Evaluate == nil && !log.Spec.Duels
	if s.Elo {
		s.Unit = "Elo above the baseline"
	}
	return s
}

// of returns a value as it is shown: Elo between -400 and 400.
func (s Scale) of(v float64) float64 {
	if !s.Elo || math.IsNaN(v) {
		return v
	}
	return min(mostElo, max(-mostElo, stats.Elo(v, s.log.Spec.Ruleset.Seats)))
}

// Estimate is a value with its 95 % interval as it is shown.
type Estimate struct {
	Value, Low, High float64 // the ends are NaN where they are not known
	Text, Interval   string  // "+67" and "55 to 79", which is empty where it is not known
}

// Estimate returns a trial's value of so many blocks, with its standard error, as it is
// shown. What has reached a bound of the Elo that is shown lies beyond it.
func (s Scale) Estimate(value, standardError float64, blocks int64) Estimate {
	low, high := s.log.Interval(value, standardError, blocks)
	e := Estimate{Value: s.of(value), Low: s.of(low), High: s.of(high)}
	half := (e.High - e.Low) / 2
	if e.Text = s.write(numeral.Short, e.Value, half); s.Elo {
		e.Text = s.write(numeral.Signed, e.Value, half)
	}
	if !math.IsNaN(half) {
		e.Interval = s.write(numeral.Short, e.Low, half) + " to " + s.write(numeral.Short, e.High, half)
	}
	return e
}

func (s Scale) write(number func(x, half float64) string, x, half float64) string {
	switch {
	case s.Elo && x <= -mostElo:
		return "below " + numeral.Short(-mostElo, 0)
	case s.Elo && x >= mostElo:
		return "above " + numeral.Signed(mostElo, 0)
	}
	return number(x, half)
}

// Tone returns the class of the colour of what a verdict decided.
func Tone(verdict string) string {
	switch verdict {
	case "pass":
		return "good"
	case "fail":
		return "bad"
	}
	return "warn"
}
