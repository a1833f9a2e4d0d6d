package pages

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/web/chart"
)

// Ranking is how trials are listed, and which.
type Ranking struct {
	Order string // latest, first, best, or a parameter, falling with a minus before it
	Show  string // all, complete, stopped or running
	After int    // the trial behind which the page begins, -1 from the beginning
	// Within are ranges of parameters in which trials lie, as Place tells them.
	Within []Within
}

// Within is a range of a parameter; an infinite end is open.
type Within struct {
	Name      string
	Low, High float64
}

// Resolve says what of the ranking the study does not know.
func (o Ranking) Resolve(space tuner.Space) error {
	names := []string{"latest", "first", "best"}
	for i := range space {
		names = append(names, space[i].Name)
	}
	order, falling := strings.CutPrefix(o.Order, "-")
	if !slices.Contains(names, order) || falling && slices.Contains(names[:3], order) {
		return fmt.Errorf("order: expected latest, first or best, or a parameter of the study, got %.40q", o.Order)
	}
	for _, w := range o.Within {
		if !slices.Contains(names[3:], w.Name) {
			return fmt.Errorf("min, max: expected a parameter of the study, got %.40q", w.Name)
		}
	}
	return nil
}

// dimension is the place of a parameter in the space, -1 where there is none.
func dimension(log *chronicle.Chronicle, name string) int {
	return slices.IndexFunc(log.Spec.Tune.Params, func(d tuner.Dimension) bool { return d.Name == name })
}

// inside tells whether a trial lies in all ranges.
func (o Ranking) inside(log *chronicle.Chronicle, trial int) bool {
	for _, w := range o.Within {
		x := log.Place(trial, dimension(log, w.Name))
		if math.IsNaN(x) || x < w.Low || x > w.High {
			return false
		}
	}
	return true
}

// Numbers are the trials of a page: those behind the key in the order.
func (o Ranking) Numbers(log *chronicle.Chronicle, limit int) []int {
	_, up := log.Goals()
	want := func(i int) bool {
		end := log.Trials[i].End
		switch {
		case !o.inside(log, i):
			return false
		case o.Show == "complete":
			return end == entry.Whole
		case o.Show == "stopped":
			return end != entry.Whole && end != entry.Playing
		case o.Show == "running":
			return end == entry.Playing
		}
		return true
	}
	order := func(i, j int) int {
		a, b := &log.Trials[i], &log.Trials[j]
		if (a.End == entry.Whole) != (b.End == entry.Whole) { // stopped ones have played fewer blocks
			return map[bool]int{true: -1, false: 1}[a.End == entry.Whole]
		}
		return chart.Order(a.Value, b.Value, up[0], i-j)
	}
	name, falling := strings.CutPrefix(o.Order, "-")
	switch at := dimension(log, name); {
	case o.Order == "first":
		order = func(i, j int) int { return i - j }
	case o.Order == "latest":
		order = func(i, j int) int { return j - i }
	case at >= 0:
		order = func(i, j int) int { return chart.Order(log.Place(i, at), log.Place(j, at), falling, i-j) }
	}
	return chart.Pick(len(log.Trials), limit, func(i int) bool {
		return want(i) && (o.After < 0 || o.After >= len(log.Trials) && o.Order != "first" || order(i, o.After) > 0)
	}, order)
}
