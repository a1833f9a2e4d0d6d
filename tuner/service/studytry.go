package service

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store"
)

// TryPoint is a point that somebody asks a study to try.
type TryPoint struct {
	Study string `json:"study"`
	// Point has a value for every tuned parameter: those that were named and, of the
	// others, the baseline's or the default.
	Point map[string]string `json:"point"`
	Given int               `json:"given"` // so far while the study runs, this one included
}

// TryHelp explains giving points to a study.
const TryHelp = `Has a study try a point that you know: parameters and their values, in the units
of the study file; those that are not named have the baseline's value, or the
default. It is one of the next batch's trials, also of a study that runs, as long as
its search has games left for a batch. It is judged like any other trial, and is in the log, so that a resumed study does not
depend on when it came. Points that are known before the study begins belong into
its file (begin). A study that is done tries nothing more: give it a larger budget
first, or begin another with its games (begin_from).`

// Try has a study that is not done try a point.
func (t *Studies) Try(ctx context.Context, name string, named param.Values) (*TryPoint, error) {
	d, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	if d.State == tuner.Done || d.State == tuner.Stopped {
		return nil, New(Conflict, fmt.Sprintf("study %q is %s and tries nothing more: give it a larger budget, or begin another with its games (begin_from: %s)", name, d.State, name))
	}
	if len(named) == 0 {
		return nil, New(Invalid, "point: expected at least one parameter with its value")
	}
	setup, err := tuner.Prepare(spec, t.s.o.Catalogue)
	if err != nil {
		return nil, err
	}
	if takes, _ := t.s.o.Samplers.Takes(setup.Sampler.Name); !takes || setup.Evaluate != nil {
		return nil, New(Conflict, fmt.Sprintf("study %q: its sampler, %s, tries no points but its own", name, setup.Sampler.Name))
	}
	point, err := setup.Point(named)
	if err != nil {
		return nil, Wrap(Invalid, err)
	}
	out := &TryPoint{Study: name, Point: point.Map()}
	same := func(v param.Values) bool { return slices.Equal(v, point) }
	if slices.ContainsFunc(setup.Begin, same) {
		return nil, New(Conflict, fmt.Sprintf("study %q begins with this point", name))
	}
	out.Given, err = t.s.store.Study(d.ID).Give(ctx, point)
	switch {
	case errors.Is(err, store.ErrGiven):
		return nil, New(Conflict, fmt.Sprintf("study %q was given this point before", name))
	case errors.Is(err, store.ErrSearched):
		return nil, New(Conflict, fmt.Sprintf("the search of study %q has ended, and it tries nothing more: begin another with its games (begin_from: %s)", name, name))
	case err != nil:
		return nil, err
	}
	return out, nil
}
