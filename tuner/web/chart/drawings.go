package chart

import (
	"html/template"

	"sakusen/tuner"
	"sakusen/tuner/insight/chronicle"
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
	Answers  bool

	Value string // what trials are judged by: Elo above the baseline, else the objective

	History    template.HTML
	HistoryOf  *TrialHistory
	Levels     template.HTML
	Race       []Rung
	RaceText   string
	Slices     []Figure
	Contour    *Contour
	Parallel   template.HTML
	Importance []Importance
	Luck       string // a sentence on what of the values is luck
	Funnel     []FunnelRow
	FunnelText string
	Best       template.HTML // what the search thought best on the way, by a model
	Model      []Figure      // what each parameter does, by a model of all games
	Above      string        // what the model's Elo are above
	Decided    *TrialHistory // how what the validation found is drawn
	Known      []KnownRow    // what the search has learnt of each parameter
	Front      []Figure
	Points     []tuner.FrontPoint
	Duels      []DuelRow
	DuelPlots  []Figure
	DuelCount  int
	Drift      []Figure
	Pools      int
	Finals     template.HTML
}

// Draw draws everything that makes sense for the kind of study. The caller holds
// whatever lock guards the chronicle.
func Draw(log *chronicle.Chronicle, of Subject, want Wanted) *Drawings {
	spec := log.Spec
	v := &Drawings{
		Study: of.Name, Wanted: want, Trials: len(log.Trials), Reading: 100,
		Duelling: spec.Duels, Pooled: spec.Evaluate != nil, Answers: log.Answer != nil,
	}
	if of.Entries > log.Entries {
		v.Reading = 100 * log.Entries / of.Entries
	}
	if len(log.Trials) == 0 {
		return v
	}
	t := newTerrain(log, of.Result)
	v.Value = t.unit
	switch want.Tab {
	case "race":
		v.race(t, of, want)
	case "parameters":
		v.parameters(t, of, want)
	default:
		v.summary(t, of, want)
	}
	return v
}

// summary is what a study found, at a glance.
func (v *Drawings) summary(t *terrain, of Subject, want Wanted) {
	log := t.log
	switch {
	case t.modelled():
		v.DuelCount = len(log.Duels)
		v.model(t.learn(), of.Result)
		if v.Duelling || v.Best != "" {
			v.Model = v.Model[:min(modelsMost, len(v.Model))]
			return
		}
	case v.Pooled:
		v.Pools, v.Finals = len(log.Pools), finals(t)
		return
	}
	v.history(t, of, want)
	v.Funnel, v.FunnelText = funnel(log, of.Result)
	v.Importance, v.Luck = t.importance()
	if n := log.Several(); n > 1 {
		if of.Result != nil {
			v.Points = of.Result.Front
		}
		names, _ := log.Goals()
		for g := 1; g < n; g++ {
			v.Front = append(v.Front, Figure{names[g] + " against " + names[0], front(log, v.Points, 0, g)})
		}
	}
}

// modelsMost is the number of parameters that a summary shows.
const modelsMost = 3

// model is what a model of all games says, nothing where there is none.
func (v *Drawings) model(m *landscape, r *tuner.Result) {
	if m == nil {
		return
	}
	v.Best, v.Model, v.Importance, v.Above = m.best(r), m.slices(r), m.shares(), m.above()
	if r != nil {
		v.Known = knownRows(r.Parameters)
		if r.Validation != nil {
			v.Decided = &TrialHistory{Verdict: r.Validation.Verdict}
		}
	}
}

// history is the trials' values by number.
func (v *Drawings) history(t *terrain, of Subject, want Wanted) {
	log, to := t.log, want.To
	if to == 0 {
		to = len(log.Trials)
	}
	v.HistoryOf = Columns(log, want.From, to, historyColumns)
	v.HistoryOf.ToElo(log, of.Result)
	v.History = v.HistoryOf.plot(820, "wide") + v.HistoryOf.plot(360, "narrow")
}

// race is how trials were stopped and the best few compared.
func (v *Drawings) race(t *terrain, of Subject, want Wanted) {
	v.Finals = finals(t)
	switch {
	case v.Duelling:
		v.DuelCount, v.Duels = len(t.log.Duels), lastDuels(t.log, 20)
	case v.Pooled:
		v.Pools = len(t.log.Pools)
	default:
		v.Levels, v.RaceText, v.Race = t.levels(), t.log.Spec.Race.String(), raceRows(t.log)
		if t.modelled() {
			v.history(t, of, want)
		}
	}
}

// parameters is what the study says of its parameters.
func (v *Drawings) parameters(t *terrain, of Subject, want Wanted) {
	m := t.learn()
	v.model(m, of.Result)
	switch {
	case v.Duelling:
		v.DuelCount, v.DuelPlots, v.Drift = len(t.log.Duels), t.duels(), t.drift()
		if m != nil {
			v.Contour = t.contour(want.X, want.Y, m, of.Result)
		}
	case v.Pooled:
		v.Drift = t.drift()
	default:
		v.Slices, v.Contour, v.Parallel = t.slices(), t.contour(want.X, want.Y, m, of.Result), t.parallel()
	}
}
