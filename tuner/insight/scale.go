package insight

import (
	"math"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// MostElo bounds the Elo that trials and models are shown with: the score of a trial that won all
// of few games has none.
const MostElo = 400

// SaysNothing is the width of an interval, in Elo, above which what a model took for the best on
// the way is left out.
const SaysNothing = 300

// Scale is how the values of a study's trials are shown: scores against the baseline alone
// as Elo above it, others as they are.
type Scale struct {
	Unit  string // "Elo above the baseline", else the objective
	Axis  string // the same, of a metric with its unit
	Elo   bool
	Model bool // the study's answer is that of a model of scores

	log *Log
}

// Scale returns how the study's values are shown.
func (c *Log) Scale() Scale {
	names, _ := c.Goals() // of several objectives, the first is a trial's value
	s := Scale{Unit: names[0], log: c}
	s.Elo = c.Spec.Ruleset != nil && names[0] == "score" && len(c.Spec.Pool) == 0 && c.Spec.Evaluate == nil && !c.Spec.Duels
	if s.Elo {
		s.Unit = "Elo above the baseline"
	}
	s.Axis = s.AxisOf(s.Unit)
	s.Model = c.Spec.Duels || s.Elo && c.Several() == 0 && slices.Contains([]string{"surface", "spsa"}, c.Spec.Sampler.Name)
	return s
}

// metric returns a metric of the game; without a name where it has none of this one.
func (s Scale) metric(name string) (found arena.Metric) {
	if rs := s.log.Spec.Ruleset; rs != nil && rs.Game != nil {
		for _, m := range rs.Game.Metrics {
			if m.Name == name {
				return m
			}
		}
	}
	return found
}

// AxisOf returns the name of an axis of an objective's values: of a metric with its unit.
func (s Scale) AxisOf(name string) string {
	if m := s.metric(name); m.Unit() != "" {
		name += ", " + m.Unit()
	}
	return name
}

// Measured returns what the metrics of a study's objectives and limits are, with their units.
func (s Scale) Measured() (lines []string) {
	var names []string
	for _, g := range s.log.Spec.Objective.Goals() {
		names = append(names, g.Metric)
	}
	for _, l := range s.log.Spec.Objective.Limits {
		names = append(names, l.Metric)
	}
	for _, name := range names {
		if m := s.metric(name); m.Name != "" && !slices.Contains(lines, m.Name+": "+m.Doc+".") {
			lines = append(lines, m.Name+": "+m.Doc+".")
		}
	}
	return lines
}

// Of returns a value as it is shown.
func (s Scale) Of(v float64) float64 {
	if !s.Elo {
		return v
	}
	return s.OfScore(v)
}

// OfScore returns a score as Elo between -400 and 400, of two seats where the rules are not
// known; NaN of NaN.
func (s Scale) OfScore(score float64) float64 {
	seats := 2
	if s.log.Spec.Ruleset != nil {
		seats = s.log.Spec.Ruleset.Seats
	}
	if math.IsNaN(score) {
		return score
	}
	return min(MostElo, max(-MostElo, stats.Elo(min(1, max(0, score)), seats)))
}

// Height returns what a model says of a point in Elo, with the ends of its 95 % interval.
func (s Scale) Height(m *Model, at []float64, look int) (value, low, high float64) {
	v, e := m.Height(at, look)
	if s.log.Spec.Duels {
		v += 0.5
	}
	half := stats.Deviate95 * e
	return s.OfScore(v), s.OfScore(v - half), s.OfScore(v + half)
}

// Thought is what a search thinks best, by a model of all games.
type Thought struct {
	Gain   [3]float64 // over the baseline in Elo, with the ends of its 95 % interval
	Params map[string]string
}

// Best returns what the search thinks best after all games; nil where that is no gain over the
// baseline, or says nothing.
func (s Scale) Best(m *Model) *Thought {
	last := len(m.Looks) - 1
	peak := m.Peak(last)
	v, low, high := s.Height(m, peak, last)
	if s.log.Spec.Duels && !m.Known || !(high-low <= SaysNothing) {
		return nil
	}
	out := &Thought{[3]float64{v, low, high}, map[string]string{}}
	for k, x := range peak {
		if d := &s.log.Spec.Tune.Params[k]; !math.IsNaN(x) {
			out.Params[d.Name] = d.Text(x)
		}
	}
	return out
}

// estimate is a value with its 95 % interval as it is shown.
type estimate struct {
	Value, Low, High float64 // the ends are NaN where they are not known
	Text, Interval   string  // "+67" and "55 to 79", which is empty where it is not known
}

// Estimate returns a trial's value of so many blocks, with its standard error, as it is
// shown. A value at a bound of the shown Elo may lie beyond it.
func (s Scale) Estimate(value, standardError float64, blocks int64) estimate {
	low, high := s.log.Interval(value, standardError, blocks)
	e := estimate{Value: s.Of(value), Low: s.Of(low), High: s.Of(high)}
	half := (e.High - e.Low) / 2
	e.Text = numeral.Short(e.Value, half)
	from, to := numeral.Short(e.Low, half), numeral.Short(e.High, half)
	if s.Elo {
		from, to = numeral.EloEnds(e.Low, e.High)
		e.Text, from, to = told(e.Value, numeral.Elo(e.Value)), told(e.Low, from), told(e.High, to)
	}
	if !math.IsNaN(half) {
		e.Interval = from + " to " + to
	}
	return e
}

// told returns an Elo that is written so for pages, or that it lies beyond what is shown.
func told(elo float64, text string) string {
	switch {
	case elo <= -MostElo:
		text = "below " + numeral.Page(numeral.Elo(-MostElo))
	case elo >= MostElo:
		text = "above " + numeral.Elo(MostElo)
	default:
		text = numeral.Page(text)
	}
	return text
}

// better reports whether a value is better than another, up where more is better.
// Any number is better than NaN.
func better(a, b float64, up bool) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a)
	}
	return a != b && (a > b) == up
}

// Order compares two values, the better first; equals are in another order.
func Order(a, b float64, up bool, otherwise int) int {
	switch {
	case better(a, b, up):
		return -1
	case better(b, a, up):
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
