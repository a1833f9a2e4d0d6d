package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
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
		if !o.inside(log, i) {
			return false
		}
		end := log.Trials[i].End
		switch o.Show {
		case "complete":
			return end == entry.Whole
		case "stopped":
			return end != entry.Whole && end != entry.Playing
		case "running":
			return end == entry.Playing
		}
		return true
	}
	var out []int
	switch o.Order {
	case "first":
		for i := o.After + 1; i < len(log.Trials) && len(out) < limit; i++ {
			if want(i) {
				out = append(out, i)
			}
		}
		return out
	case "latest":
		first := len(log.Trials) - 1
		if o.After >= 0 {
			first = min(first, o.After-1)
		}
		for i := first; i >= 0 && len(out) < limit; i-- {
			if want(i) {
				out = append(out, i)
			}
		}
		return out
	}
	if at := dimension(log, strings.TrimPrefix(o.Order, "-")); at >= 0 {
		falling := strings.HasPrefix(o.Order, "-")
		order := func(i, j int) int {
			a, b := log.Place(i, at), log.Place(j, at)
			switch {
			case Better(a, b, falling):
				return -1
			case Better(b, a, falling):
				return 1
			}
			return i - j
		}
		return Pick(len(log.Trials), limit, func(i int) bool {
			return want(i) && (o.After < 0 || o.After >= len(log.Trials) || order(i, o.After) > 0)
		}, order)
	}
	// Complete trials come before stopped ones, which have played fewer blocks.
	order := func(i, j int) int {
		a, b := &log.Trials[i], &log.Trials[j]
		switch {
		case (a.End == entry.Whole) != (b.End == entry.Whole):
			if a.End == entry.Whole {
				return -1
			}
			return 1
		case Better(a.Value, b.Value, up[0]):
			return -1
		case Better(b.Value, a.Value, up[0]):
			return 1
		}
		return i - j
	}
	return Pick(len(log.Trials), limit, func(i int) bool {
		return want(i) && (o.After < 0 || o.After >= len(log.Trials) || order(i, o.After) > 0)
	}, order)
}

// Better tells whether a value is better than another, up where more is better.
// Any number is better than NaN.
func Better(a, b float64, up bool) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a)
	}
	return a != b && (a > b) == up
}

// Pick is the first so many of 0..n-1 that are wanted, in the given order,
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
