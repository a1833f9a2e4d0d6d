package web

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"time"

	"sakusen/tuner"
)

// drawing is the plots of a study as they were drawn once, for all who look.
type drawing struct {
	html    template.HTML
	version string // of what is shown
	entries int
	partial bool // the log had not been read to its end
	at      time.Time
	cost    time.Duration
}

const (
	// drawingsMost bounds the drawings that are kept of one study: people choose
	// parameters and ranges.
	drawingsMost = 12
	// drawingRest is the least time between two drawings of a study that goes on,
	// and drawingShare the share of the time that drawing may take.
	drawingRest  = time.Second
	drawingShare = 0.05
)

// plotsWanted says what is to be drawn.
type plotsWanted struct {
	X, Y     string // parameters of the contour plot
	From, To int    // trials of the history; To is 0 for all
}

// plots are what the template "drawings" shows.
type plots struct {
	Study    string
	Version  string
	Wanted   plotsWanted
	Reading  int // per cent of the log that has been read, 100 where it is whole
	Trials   int
	Duelling bool
	Pooled   bool
	Answers  bool

	History    template.HTML
	HistoryOf  *History
	Levels     template.HTML
	Race       []raceRow
	RaceText   string
	Slices     []slice
	Contour    *contourView
	Parallel   template.HTML
	Importance []Importance
	Front      []slice
	Points     []tuner.FrontPoint
	Duels      []duelRow
	DuelPlots  []slice
	DuelCount  int
	Drift      []slice
	Pools      int
	Finals     template.HTML
}

// draw gives a study's plots: those drawn before, where nothing has been added
// since, or not long ago.
func (s *Server) draw(c *chronicle, d *StudyDetail, want plotsWanted) (*drawing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%q %q %d %d %t", want.X, want.Y, want.From, want.To, d.Result != nil)
	now := time.Now()
	if old := c.drawn[key]; old != nil {
		rest := max(drawingRest, time.Duration(float64(old.cost)/drawingShare))
		young := now.Sub(old.at) < rest && (d.Result == nil && !old.partial || old.partial && c.busy != nil)
		if old.entries == c.log.Entries || young {
			return old, nil
		}
	}
	if len(c.drawn) >= drawingsMost {
		oldest := ""
		for k, old := range c.drawn {
			if oldest == "" || old.at.Before(c.drawn[oldest].at) {
				oldest = k
			}
		}
		delete(c.drawn, oldest)
	}
	v := plotsOf(c.log, d, want)
	v.Version = fmt.Sprintf("%d-%t", c.log.Entries, d.Result != nil)
	var b bytes.Buffer
	if err := s.pages["study"].ExecuteTemplate(&b, "drawings", v); err != nil {
		return nil, err
	}
	out := &drawing{html: template.HTML(b.String()), version: v.Version, entries: c.log.Entries, partial: v.Reading < 100, at: now, cost: time.Since(now)}
	c.drawn[key] = out
	return out, nil
}

// plotsOf draws everything that makes sense for the kind of study.
func plotsOf(log *tuner.Chronicle, d *StudyDetail, want plotsWanted) *plots {
	spec := log.Spec
	v := &plots{
		Study: d.Study.Study, Wanted: want, Trials: len(log.Trials), Reading: 100,
		Duelling: spec.Duels, Pooled: spec.Evaluate != nil, Answers: log.Answer != nil,
	}
	if d.Entries > log.Entries {
		v.Reading = 100 * log.Entries / d.Entries
	}
	if len(log.Trials) == 0 {
		return v
	}
	t := newTerrain(log)
	v.Finals = finalsPlot(log)
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
	v.HistoryOf = historyOf(log, want.From, to, historyColumns)
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
		if d.Result != nil {
			v.Points = d.Result.Front
		}
		names, _ := log.Goals()
		for g := 1; g < n; g++ {
			v.Front = append(v.Front, slice{names[g] + " against " + names[0], front(log, v.Points, 0, g)})
		}
	}
	return v
}
