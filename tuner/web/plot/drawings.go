package plot

import (
	"html/template"

	"sakusen/tuner"
	"sakusen/tuner/chronicle"
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
	Model      []Figure // what each parameter does, by a model of all duels
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
	t := newTerrain(log)
	switch want.Tab {
	case "race":
		v.race(t)
	case "parameters":
		v.parameters(t, want)
	default:
		v.summary(t, of, want)
	}
	return v
}

// summary is what a study found, at a glance.
func (v *Drawings) summary(t *terrain, of Subject, want Wanted) {
	log := t.log
	switch {
	case v.Duelling:
		v.DuelCount, v.Model = len(log.Duels), t.model(of.Result)
		v.Importance = t.modelShares()
		return
	case v.Pooled:
		v.Pools, v.Finals = len(log.Pools), finals(log)
		return
	}
	to := want.To
	if to == 0 {
		to = len(log.Trials)
	}
	v.HistoryOf = Columns(log, want.From, to, historyColumns)
	v.HistoryOf.ToElo(log, of.Result)
	v.History = v.HistoryOf.plot(820, "wide") + v.HistoryOf.plot(360, "narrow")
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

// race is how trials were stopped and the best few compared.
func (v *Drawings) race(t *terrain) {
	v.Finals = finals(t.log)
	switch {
	case v.Duelling:
		v.DuelCount, v.Duels = len(t.log.Duels), lastDuels(t.log, 20)
	case v.Pooled:
		v.Pools = len(t.log.Pools)
	default:
		v.Levels, v.RaceText, v.Race = t.levels(), t.log.Spec.Race.String(), raceRows(t.log)
	}
}

// parameters is what the study says of its parameters.
func (v *Drawings) parameters(t *terrain, want Wanted) {
	switch {
	case v.Duelling:
		v.DuelCount, v.DuelPlots, v.Drift = len(t.log.Duels), t.duels(), t.drift()
	case v.Pooled:
		v.Drift = t.drift()
	default:
		v.Slices, v.Contour, v.Parallel = t.slices(), t.contour(want.X, want.Y), t.parallel()
	}
}
