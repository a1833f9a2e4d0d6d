package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
)

// Subject is the study whose log is drawn.
type Subject struct {
	Name    string
	Entries int           // of its log, of which fewer may have been read
	Result  *tuner.Result // nil while the study has not ended
}

// Wanted says what is to be drawn.
type Wanted struct {
	Tab      string       // summary, race or parameters
	X, Y     string       // parameters of the contour plot
	From, To int          // trials that are drawn; To is 0 for all
	Columns  int          // of the history; 0 for as many as a page has
	Only     map[int]bool // the trials that alone are drawn, nil for all
}

// figure is a drawing with what its caption names.
type figure struct {
	Name string
	Plot template.HTML
}

// Drawings are all plots that make sense for the kind of a study; the page of a
// study has a place for each. A field is empty where there is nothing to draw.
type Drawings struct {
	Study    string
	Wanted   Wanted
	Reading  int // per cent of the log that has been read, 100 where it is whole
	Trials   int
	Duelling bool
	Pooled   bool
	Verdict  string // of the validation, empty where there was none

	Value string // what trials are judged by: Elo above the baseline, else the objective

	History    *history
	Race       []rung
	RaceText   string
	Slices     []figure
	Contour    *contour
	Importance []Bar            // what each parameter does to trials' values
	Luck       string           // a sentence on what of the values is luck
	Worth      []Bar            // what the answer loses without each of its changes, as the caller knows it
	WorthIn    string           // what that is, such as "Elo lost"
	Measured   []string         // sentences of the report on changes that have no bar in Worth
	Told       []string         // sentences of the report on what the games tell of parameters
	Good       string           // what is as good as the answer, by the report
	Best       template.HTML    // what the search thought best on the way, by a model
	SoFar      *insight.Thought // what it thinks best now, nil behind its end or where that is no gain over the baseline
	Model      []figure         // what each parameter does, by a model of all games
	Calls      string           // "the answer", or "the best so far"
	Based      bool             // the baseline's value is drawn
	Origin     string           // "the baseline", or "the default" where that plays another strategy
	Above      string           // what the model's Elo are above on the way
	Effect     string           // what they are above in Model and Contour
	Refuted    string           // a sentence where games of the proof contradict the model
	Front      []figure
	Beyond     string // what stands at the end of the drawn Elo, empty where no trial does
	DuelCount  int
	Pools      int
	Finals     template.HTML
}

// Tone returns the class of the colour of what the validation found.
func (v *Drawings) Tone() string { return Tone(v.Verdict) }

// Decided returns what the validation found, for a legend.
func (v *Drawings) Decided() string {
	return map[string]string{"good": "what is to be quoted of the answer, with its interval", "bad": "what the validation found: not better", "warn": "what the validation found: undecided"}[v.Tone()]
}

// Tone returns the class of the colour of what a verdict decided.
func Tone(verdict string) string {
	return cmp.Or(map[string]string{"pass": "good", "fail": "bad"}[verdict], "warn")
}

// Draw draws everything that makes sense for the kind of study. The caller holds the
// log's lock.
func Draw(log *insight.Log, of Subject, want Wanted) *Drawings {
	v := &Drawings{
		Study: of.Name, Wanted: want, Trials: len(log.Trials), Reading: 100,
		Duelling: log.Spec.Duels, Pooled: log.Spec.Evaluate != nil, DuelCount: len(log.Duels), Pools: len(log.Pools),
	}
	if of.Entries > log.Entries {
		v.Reading = 100 * log.Entries / of.Entries
	}
	if len(log.Trials) == 0 {
		return v
	}
	if of.Result != nil && of.Result.Validation != nil {
		v.Verdict = of.Result.Validation.Verdict
	}
	t := newTrials(log, of.Result, want)
	v.Value, v.Origin, v.Calls, v.Based = t.scale.Unit, t.from, t.calls(), !math.IsNaN(t.base)
	if t.values.end(t.values.low) || t.values.end(t.values.top) {
		v.Beyond = fmt.Sprintf("▲ and ▼ are gains and losses of %d Elo or more, such as of trials that won or lost all their games.", insight.MostElo)
	}
	switch want.Tab {
	case "race":
		v.race(t)
	case "parameters":
		v.parameters(t)
	default:
		v.summary(t)
	}
	return v
}

// modelsMost is the number of parameters that a summary shows.
const modelsMost = 3

// summary draws what a study found, at a glance.
func (v *Drawings) summary(t *trials) {
	v.model(t)
	switch {
	case v.Duelling || v.Best != "":
		v.Model = v.Model[:min(modelsMost, len(v.Model))]
		return
	case v.Pooled:
		v.Finals = t.finals()
		return
	}
	v.History = t.history()
	if t.result == nil { // else it is the answer, which stands above
		v.Front = t.fronts()
	}
}

// model draws what a model of all games says, and returns it; nil where there is none.
func (v *Drawings) model(t *trials) *fitted {
	f := &fitted{trials: t, Model: t.log.Model()}
	if f.Model == nil {
		return nil
	}
	v.Importance, v.Luck = f.importance()
	if t.scale.Model {
		v.Best, v.Above = f.best(), f.above()
		if t.result == nil {
			v.SoFar = t.scale.Best(f.Model)
		}
		v.Effect = f.beside()
		v.Model = f.effects()
		v.Refuted = insight.Refuted(t.log.Spec.Spec, t.result)
	}
	return f
}

// race draws how trials were stopped and the best few compared.
func (v *Drawings) race(t *trials) {
	if v.Finals = t.finals(); v.Pooled || v.Duelling {
		return
	}
	if v.RaceText, v.Race = t.log.Spec.Race.String(), rungs(t.log); t.scale.Model {
		v.History = t.history()
	}
}

// parameters draws what the study says of its parameters.
func (v *Drawings) parameters(t *trials) {
	f := v.model(t)
	if v.Pooled || f == nil && v.Duelling {
		return
	}
	if v.Contour = t.contour(v.Wanted.X, v.Wanted.Y, f); !v.Duelling {
		v.Slices = t.slices()
	}
}

// trials are a study's trials in the form that plots need. It is read under the log's lock.
type trials struct {
	log    *insight.Log
	result *tuner.Result // nil while the study has not ended
	want   Wanted
	params tuner.Space
	scale  insight.Scale
	up     bool      // more is better
	n      int       // trials with a value
	values axis      // of those that are shown, and the baseline's
	base   float64   // the baseline's, NaN where it is not known
	from   string    // what the origin is
	origin []float64 // the baseline's place in the space, else the default's, and the answer's; NaN where it has none
	found  []float64
	trial  int // the answer, or the best so far; -1 where there is none
}

func newTrials(log *insight.Log, result *tuner.Result, want Wanted) *trials {
	names, up := log.Goals()
	t := &trials{log: log, result: result, want: want, params: log.Spec.Tune.Params, scale: log.Scale(), up: up[0], base: math.NaN()}
	switch {
	case t.scale.Elo:
		t.base = 0
	case result != nil && result.Validation != nil && result.Validation.Metric != nil && result.Validation.Metric.Name == names[0]:
		t.base = numeral.OrNaN(result.Validation.Metric.Baseline)
	}
	t.find()
	t.values = over(t.scale.Axis, t.base)
	for i := range log.Trials {
		if v := t.value(i); !math.IsNaN(v) {
			t.n++
			t.values.reach(v)
		}
	}
	return t
}

// validated returns the value of the answer to quote, with the ends of its interval, and the
// class of its colour; nil and "thought" where there was none.
func (t *trials) validated() (found *[3]float64, tone string) {
	if t.result == nil || t.result.Validation == nil {
		return nil, "thought"
	}
	v := t.result.Validation
	_, elo, ci := v.Quoted()
	if m := v.QuotedMetric(); m != nil && !t.scale.Elo && m.Winner != nil && m.GainCI != nil {
		half := (m.GainCI[1] - m.GainCI[0]) / 2
		found = &[3]float64{*m.Winner, *m.Winner - half, *m.Winner + half}
	} else if elo != nil && ci != nil && (t.scale.Elo || t.scale.Model) {
		found = &[3]float64{*elo, ci[0], ci[1]}
	}
	return found, Tone(v.Verdict)
}

// value returns a trial's value as it is shown, NaN of one that is not asked for.
func (t *trials) value(i int) float64 {
	if i < t.want.From || t.want.To > 0 && i >= t.want.To || t.want.Only != nil && !t.want.Only[i] {
		return math.NaN()
	}
	return t.scale.Of(t.log.Trials[i].Value)
}

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
	return insight.Pick(len(t.log.Trials), most, func(i int) bool {
		return t.class(i) == "dot" && !math.IsNaN(t.log.Trials[i].Value)
	}, t.order)
}

// order reports which of two trials has the better value, of equals the earlier.
func (t *trials) order(i, j int) int {
	return insight.Order(t.log.Trials[i].Value, t.log.Trials[j].Value, t.up, i-j)
}

// find sets where the baseline lies or, if it plays another strategy, the default, and the answer or, of trials
// that can be compared, the best one so far.
func (t *trials) find() {
	given, same := insight.Baseline(t.log.Spec.Spec)
	var params map[string]string
	t.from = map[bool]string{true: "the baseline", false: "the default"}[same]
	if t.trial = -1; t.result != nil && t.result.Best != nil {
		t.trial, params = t.result.Best.Trial, t.result.Best.Params
	} else if best := t.top(1); len(best) > 0 && !t.log.Spec.Duels && t.log.Spec.Evaluate == nil {
		t.trial = best[0]
	}
	for k := range t.params {
		d, base, found := &t.params[k], math.NaN(), math.NaN()
		if text := cmp.Or(given[d.Name], d.Default); text != "" {
			base = d.Number(d.Searched(text))
		}
		if text, ok := params[d.Name]; ok {
			found = d.Number(text)
		} else if params == nil && t.trial >= 0 {
			found = t.log.Place(t.trial, k)
		}
		t.origin, t.found = append(t.origin, base), append(t.found, found)
	}
}

// landmarks marks on a drawing the baseline's value of a parameter and the answer's.
func (t *trials) landmarks(p *plot, k int, answer float64) {
	_, tone := t.validated()
	p.landmark("base dashed", t.origin[k], true, t.from+": "+t.place(k, t.origin[k]))
	p.landmark("answer "+tone, answer, true, t.calls()+": "+t.place(k, answer))
}

// calls returns the name of the answer, or of the best so far while there is none.
func (t *trials) calls() string {
	if t.result == nil {
		return "the best so far"
	}
	return "the answer"
}

// axis returns a parameter's axis over what the trials have tried, or, whole, over its
// range as it is declared.
func (t *trials) axis(k int, whole bool) axis {
	d := &t.params[k]
	switch d.Kind {
	case param.Bool:
		return axis{name: d.Name, names: []string{"false", "true"}}
	case param.Choice:
		return axis{name: d.Name, names: d.Choices}
	}
	a := axis{name: d.Name, low: d.Domain.Low, top: d.Domain.Top(), log: d.Domain.Log && d.Domain.Low > 0, whole: d.Kind == param.Int}
	if whole {
		return a
	}
	if n := d.Points(); n > 1 && n <= sliceColumns && !d.Domain.Log {
		half := (a.top - a.low) / float64(n-1) / 2 // each value has a column of its own
		a.low, a.top = a.low-half, a.top+half
		return a
	}
	tried := over("")
	for i := range t.log.Trials {
		tried.reach(t.log.Place(i, k))
	}
	if a.wide = true; !tried.empty() {
		a.low, a.top, a.log = tried.low, tried.top, d.Domain.Log && tried.low > 0
	}
	return a
}

// place returns a place along a parameter for people.
func (t *trials) place(k int, x float64) string {
	d := &t.params[k]
	if i := int(x); d.Kind == param.Choice && i >= 0 && i < len(d.Choices) {
		return d.Choices[i]
	}
	if d.Kind == param.Bool {
		return map[bool]string{true: "true", false: "false"}[x > 0.5]
	}
	return numeral.Page(numeral.Text(x))
}
