package plot

import (
	"fmt"
	"html/template"
	"math"

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
	v.Finals = finals(log)
	switch {
	case v.Duelling:
		v.DuelCount, v.Duels, v.DuelPlots = len(log.Duels), lastDuels(log, 10), t.duels()
		v.Drift = t.drift()
		return v
	case v.Pooled:
		v.Pools, v.Drift = len(log.Pools), t.drift()
		return v
	}
	to := want.To
	if to == 0 {
		to = len(log.Trials)
	}
	v.HistoryOf = Columns(log, want.From, to, historyColumns)
	v.History = v.HistoryOf.plot()
	v.Levels = t.levels()
	v.RaceText = spec.Race.String()
	v.Race = raceRows(log)
	v.Slices = t.slices()
	v.Contour = t.contour(want.X, want.Y)
	v.Parallel = t.parallel()
	all, luck := t.importance()
	if v.Importance = all; len(all) > 0 && !math.IsNaN(luck) {
		v.Importance = append(v.Importance, Importance{"luck of the games", luck, fmt.Sprintf("%.0f %%", 100*luck)})
	}
	if n := log.Several(); n > 1 {
		if of.Result != nil {
			v.Points = of.Result.Front
		}
		names, _ := log.Goals()
		for g := 1; g < n; g++ {
			v.Front = append(v.Front, Figure{names[g] + " against " + names[0], front(log, v.Points, 0, g)})
		}
	}
	return v
}
