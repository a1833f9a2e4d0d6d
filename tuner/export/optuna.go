package export

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// The directions of an objective, by Optuna's names.
const (
	Maximize = "maximize"
	Minimize = "minimize"
)

// OptunaStudy is what a reader must know of a study beside its trials.
type OptunaStudy struct {
	Name       string
	Directions []string // of the objectives, in order
	// Objectives are their names; several are found in a trial's notes by them.
	Objectives []string
	Space      tuner.Space // empty where each trial's distributions tell its own
	// Attrs are told of the study: its game, strategy, state.
	Attrs map[string]string
	// Reasons say why trials were stopped, by number.
	Reasons map[int]string
	// Limited says that candidates have limits. Excess is by how much a trial exceeds
	// each, by number, at most 0 where it does not; trials that are not there have what
	// their note says.
	Limited bool
	Excess  map[int][]tuner.Excess
}

// NewOptunaStudy describes a study by its spec.
func NewOptunaStudy(spec *tuner.Spec) *OptunaStudy {
	s := &OptunaStudy{Name: spec.Name, Space: spec.Tune.Params, Limited: len(spec.Objective.Limits) > 0}
	for _, g := range spec.Objective.Goals() {
		direction := Minimize
		if g.Maximize() {
			direction = Maximize
		}
		s.Directions, s.Objectives = append(s.Directions, direction), append(s.Objectives, g.Name())
	}
	s.Attrs = map[string]string{"game": spec.Game, "strategy": spec.Tune.Strategy, "sampler": spec.Sampler.Name}
	if spec.Baseline != "" {
		s.Attrs["baseline"] = spec.Baseline
	}
	if spec.Doc != "" {
		s.Attrs["doc"] = spec.Doc
	}
	return s
}

// trial is one trial: the fields of optuna.trial.create_trial, and what Optuna keeps
// besides.
type trial struct {
	Number        int                     `json:"number"`
	State         string                  `json:"state"`
	Value         *pythonFloat            `json:"value"`
	Values        []pythonFloat           `json:"values,omitempty"` // of several objectives, in place of value
	Params        map[string]any          `json:"params"`
	Distributions map[string]distribution `json:"distributions"`
	Intermediate  map[int]pythonFloat     `json:"intermediate_values"` // by blocks, of one objective
	UserAttrs     map[string]any          `json:"user_attrs"`
	SystemAttrs   map[string]any          `json:"system_attrs"`
	Start         *moment                 `json:"datetime_start"`
	Complete      *moment                 `json:"datetime_complete"`
	Study         string                  `json:"study_name"`
	Directions    []string                `json:"directions"`

	internal map[string]float64
}

// moment is a time to the microsecond in UTC, as Python's datetime.fromisoformat
// reads it.
type moment time.Time

// MarshalText implements encoding.TextMarshaler.
func (m moment) MarshalText() ([]byte, error) {
	return []byte(time.Time(m).UTC().Format("2006-01-02T15:04:05.000000-07:00")), nil
}

// describeAll returns the distributions of a space, by parameter.
func describeAll(space tuner.Space) map[string]distribution {
	out := map[string]distribution{}
	for i := range space {
		out[space[i].Name] = describe(&space[i])
	}
	return out
}

// describeForeign returns the distributions of a space of [tuner.SpaceOf]. goptuna rounds the upper
// end of a range to the nearest step, which may lie above it: such a range ends there.
func describeForeign(space tuner.Space) map[string]distribution {
	out := describeAll(space)
	for i := range space {
		d := &space[i]
		text, err := d.External(d.Distribution(false), d.Domain.High)
		if err != nil || d.Kind == param.Choice || !(d.Number(text) > d.Domain.Top()) {
			continue
		}
		a := out[d.Name].Attributes
		if a["high"] = native(d, text); d.Kind == param.Float {
			a["step"] = nil
		}
	}
	return out
}

// trial returns a stored trial in Optuna's terms.
func (s *OptunaStudy) trial(t *goptuna.FrozenTrial, described map[string]distribution) (*trial, error) {
	o := &trial{
		Number: t.Number, State: states[t.State], Study: s.Name, Directions: s.Directions,
		Params: map[string]any{}, Distributions: map[string]distribution{}, Intermediate: map[int]pythonFloat{},
		UserAttrs: map[string]any{}, SystemAttrs: map[string]any{}, internal: map[string]float64{},
	}
	space := s.Space
	if len(space) == 0 {
		space = tuner.SpaceOf(t.Distributions)
		described = describeForeign(space)
	}
	for i := range space {
		d := &space[i]
		internal, ok := t.InternalParams[d.Name]
		if !ok {
			continue
		}
		text, err := d.External(d.Distribution(false), internal)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w", t.Number, err)
		}
		o.Params[d.Name], o.Distributions[d.Name] = native(d, text), described[d.Name]
		if o.internal[d.Name], err = d.Internal(d.Distribution(false), text); err != nil {
			return nil, fmt.Errorf("trial %d: %w", t.Number, err)
		}
	}
	s.attributes(o, t)
	s.rungs(o, t)
	s.values(o, t)
	if t.State != goptuna.TrialStateWaiting && !t.DatetimeStart.IsZero() {
		o.Start = (*moment)(&t.DatetimeStart)
	}
	if t.State.IsFinished() && !t.DatetimeComplete.IsZero() {
		o.Complete = (*moment)(&t.DatetimeComplete)
	}
	return o, nil
}

// rungs writes the values at the rungs. Optuna has none where there are several objectives,
// and its samplers refuse trials that do: there they are a note.
func (s *OptunaStudy) rungs(o *trial, t *goptuna.FrozenTrial) {
	at := o.Intermediate
	if len(s.Objectives) > 1 && len(t.IntermediateValues) > 0 {
		at = map[int]pythonFloat{}
		o.UserAttrs["rungs"] = at
	}
	for blocks, x := range t.IntermediateValues {
		at[blocks] = pythonFloat(x)
	}
}

// attributes writes the attributes of a trial: numbers as numbers.
func (s *OptunaStudy) attributes(o *trial, t *goptuna.FrozenTrial) {
	for _, from := range []map[string]string{t.SystemAttrs, t.UserAttrs} {
		for key, text := range from {
			o.UserAttrs[key] = noted(text)
		}
	}
	if reason := s.Reasons[t.Number]; reason != "" {
		o.UserAttrs["reason"] = reason
	}
	if !s.Limited {
		return
	}
	var amounts []pythonFloat
	for _, e := range s.Excess[t.Number] {
		o.UserAttrs["limit "+e.Limit] = pythonFloat(e.By)
		amounts = append(amounts, pythonFloat(e.By))
	}
	judged := t.State == goptuna.TrialStateComplete || t.State == goptuna.TrialStatePruned
	infeasible := t.UserAttrs["feasible"] == "false"
	if exceeded := slices.ContainsFunc(amounts, func(x pythonFloat) bool { return x > 0 }); judged && (len(amounts) == 0 || exceeded != infeasible) {
		amounts = []pythonFloat{0}
		if infeasible {
			amounts[0] = 1
		}
	}
	if amounts != nil {
		o.SystemAttrs["constraints"] = amounts
	}
}

// noted returns the text of an attribute as what it says: a number, a switch or a text.
func noted(text string) any {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !(x != x || x-x != 0) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
		return pythonFloat(x)
	}
	if text == "true" || text == "false" {
		return text == "true"
	}
	return text
}

// values sets what a trial is worth. Optuna wants all of several objectives from a
// complete trial: one that lacks some has failed for it, and a note says so.
func (s *OptunaStudy) values(o *trial, t *goptuna.FrozenTrial) {
	if t.State != goptuna.TrialStateComplete && t.State != goptuna.TrialStatePruned {
		return
	}
	if len(s.Objectives) < 2 {
		o.Value = (*pythonFloat)(&t.Value)
		return
	}
	for _, name := range s.Objectives {
		x, err := strconv.ParseFloat(t.UserAttrs[entry.GoalNote(name)], 64)
		if err != nil {
			o.Values = nil
			if t.State == goptuna.TrialStateComplete {
				o.State, o.UserAttrs["undefined"] = "FAIL", name
			}
			return
		}
		o.Values = append(o.Values, pythonFloat(x))
	}
}

// states are Optuna's names.
var states = map[goptuna.TrialState]string{
	goptuna.TrialStateComplete: "COMPLETE",
	goptuna.TrialStatePruned:   "PRUNED",
	goptuna.TrialStateFail:     "FAIL",
	goptuna.TrialStateWaiting:  "WAITING",
	goptuna.TrialStateRunning:  "RUNNING",
}

// names returns the keys of a map in order.
func names[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// distribution is a dimension in Optuna's vocabulary, as
// optuna.distributions.distribution_to_json writes it.
type distribution struct {
	Name       string         `json:"name"`
	Attributes map[string]any `json:"attributes"`
}

// pythonFloat is a float in JSON, which Python reads back as a float: 1 is "1.0".
type pythonFloat float64

// MarshalJSON implements json.Marshaler.
func (x pythonFloat) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(x), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return []byte(text), nil
}

// describe returns a dimension as Optuna draws from it.
func describe(d *tuner.Dimension) distribution {
	low, high := d.Domain.Low, d.Domain.Top()
	switch d.Kind {
	case param.Bool:
		return distribution{"CategoricalDistribution", map[string]any{"choices": []any{false, true}}}
	case param.Choice:
		choices := make([]any, len(d.Choices))
		for i, text := range d.Choices {
			choices[i] = native(d, text)
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
		step = pythonFloat(d.Domain.Step)
	}
	return distribution{"FloatDistribution", map[string]any{
		"step": step, "low": pythonFloat(low), "high": pythonFloat(high), "log": d.Domain.Log}}
}

// native returns a canonical text as JSON's own type: numbers of a list of numbers are numbers too.
func native(d *tuner.Dimension, text string) any {
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
			return pythonFloat(x)
		}
	case param.Bool:
		return text == "true"
	}
	return text
}

// listed returns the kind of the values of a choice: a number that is tuned as a list keeps
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

// stepped reports whether Optuna takes a grid for what it is. It keeps the upper end only where its
// own decimal arithmetic reaches it, and takes values only within 1e-8 of a step of a multiple of
// the step. Any other grid is a range without a step to it, which takes all of its values.
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

// highest returns the upper end to which Optuna cuts a stepped range: low plus the largest
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
