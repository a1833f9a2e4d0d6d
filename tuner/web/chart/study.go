package chart

import (
	"html/template"

	"sakusen/tuner"
	"sakusen/tuner/insight"
)

// Subject is the study whose log is drawn.
type Subject struct {
	Name    string
	Entries int           // of its log, of which fewer may have been read
	Result  *tuner.Result // nil while the study has not ended
}

// Wanted says what is to be drawn.
type Wanted struct {
	Tab      string // summary, race or parameters
	X, Y     string // parameters of the contour plot
	From, To int    // trials of the history; To is 0 for all
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
	Version  string
	Wanted   Wanted
	Reading  int // per cent of the log that has been read, 100 where it is whole
	Trials   int
	Duelling bool
	Pooled   bool
	Verdict  string // of the validation, empty where there was none

	Value string // what trials are judged by: Elo above the baseline, else the objective

	History    template.HTML
	HistoryOf  *TrialHistory
	Levels     template.HTML
	Race       []rung
	RaceText   string
	Slices     []figure
	Contour    *contour
	Parallel   template.HTML
	Importance []Bar  // what each parameter does to trials' values
	Luck       string // a sentence on what of the values is luck
	Known      []Bar  // what the search has learnt of each parameter
	Funnel     []Bar  // how many trials came how far
	FunnelText string
	Best       template.HTML // what the search thought best on the way, by a model
	Model      []figure      // what each parameter does, by a model of all games
	Above      string        // what the model's Elo are above
	Front      []figure
	Duels      []duelRow
	DuelPlots  []figure
	DuelCount  int
	Drift      []figure
	Pools      int
	Finals     template.HTML
}

// Tone returns the class of the colour of what the validation found.
func (v *Drawings) Tone() string { return Tone(v.Verdict) }

// Decided says what the validation found, for a legend.
func (v *Drawings) Decided() string {
	return map[string]string{"good": "what the validation proved", "bad": "what the validation found: not better", "warn": "what the validation found: undecided"}[v.Tone()]
}

// Draw draws everything that makes sense for the kind of study. The caller holds
// whatever lock guards the chronicle.
func Draw(log *insight.Chronicle, of Subject, want Wanted) *Drawings {
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
	t := newTrials(log, of.Result)
	v.Value = t.scale.Unit
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

// summary draws what a study found, at a glance.
func (v *Drawings) summary(t *trials) {
	switch {
	case t.modelled():
		v.model(t)
		if v.Duelling || v.Best != "" {
			v.Model = v.Model[:min(modelsMost, len(v.Model))]
			return
		}
	case v.Pooled:
		v.Finals = t.finals()
		return
	}
	v.history(t)
	v.Funnel, v.FunnelText = t.funnel()
	v.Importance, v.Luck = t.importance()
	v.Front = t.fronts()
}

// modelsMost is the number of parameters that a summary shows.
const modelsMost = 3

// model draws what a model of all games says and returns the model, nil where there is none.
func (v *Drawings) model(t *trials) *surface {
	m := t.learn()
	if m != nil {
		v.Best, v.Model, v.Importance, v.Above = m.best(), m.slices(), m.shares(), m.above()
		if t.result != nil {
			v.Known = known(t.result.Parameters)
		}
	}
	return m
}

// history draws the trials' values by number.
func (v *Drawings) history(t *trials) {
	to := v.Wanted.To
	if to == 0 {
		to = len(t.log.Trials)
	}
	v.HistoryOf = Columns(t.log, v.Wanted.From, to, historyColumns)
	v.HistoryOf.ToElo(t.log, t.result)
	v.History = v.HistoryOf.draw()
}

// race draws how trials were stopped and the best few compared.
func (v *Drawings) race(t *trials) {
	v.Finals = t.finals()
	switch {
	case v.Duelling:
		v.Duels = lastDuels(t.log, 20)
	case !v.Pooled:
		v.Levels, v.RaceText, v.Race = t.levels(), t.log.Spec.Race.String(), rungs(t.log)
		if t.modelled() {
			v.history(t)
		}
	}
}

// parameters draws what the study says of its parameters.
func (v *Drawings) parameters(t *trials) {
	m := v.model(t)
	switch {
	case v.Pooled:
		v.Drift = t.drift()
	case v.Duelling:
		v.DuelPlots, v.Drift = t.duels(), t.drift()
		if m != nil {
			v.Contour = t.contour(v.Wanted.X, v.Wanted.Y, m)
		}
	default:
		v.Slices, v.Contour, v.Parallel = t.slices(), t.contour(v.Wanted.X, v.Wanted.Y, m), t.parallel()
	}
}
