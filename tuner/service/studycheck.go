package service

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// StudyCheck is what a study file would do, before anything of it is played.
type StudyCheck struct {
	Study string      `json:"study"`
	State string      `json:"state,omitempty"` // where the database has the study already
	Done  bool        `json:"done,omitempty"`  // it has a result
	Spec  *tuner.Spec `json:"spec"`            // with every default filled in
	// Space is the number of parameter sets, nil where they are too many to be counted.
	Space     *int              `json:"space"`
	Reachable int               `json:"reachable_trials"`
	Forecast  *insight.Forecast `json:"forecast"`
	Warnings  []string          `json:"warnings"`
	// Begun is what it begins with of another study.
	Begun *tuner.BegunWith `json:"begun,omitempty"`
}

// CheckStudy says what a study that was read would do. A few of its games are played
// to know how fast they are. s is the database in which it would run, nil where there
// is none yet.
func CheckStudy(ctx context.Context, s *store.Store, samplers sampler.Kinds, setup *tuner.Setup, pool *arena.Pool) (*StudyCheck, error) {
	out := &StudyCheck{Study: setup.Name, Spec: setup.Spec, Reachable: MostTrials(setup, samplers), Warnings: append([]string{}, setup.Warnings...)}
	if n := setup.Tune.Params.Count(setup.Tune.Fix); n > 0 {
		out.Space = &n
	}
	if err := out.begin(ctx, s, samplers, setup); err != nil {
		return nil, err
	}
	a := tuner.Attempts{Number: 1}
	if s != nil {
		d, err := s.Studies.Details(ctx, setup.Name)
		if err == nil {
			out.State, out.Done = string(d.State), d.Result != nil
		} else if !errors.Is(err, store.ErrStudyNotFound) {
			return nil, err
		}
		q, err := setup.Question(ctx)
		if err != nil {
			return nil, err
		}
		if a, err = s.NextAttempt(ctx, q); err != nil {
			return nil, err
		}
	}
	known := insight.Probe(ctx, setup, pool, insight.Patience)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var err error
	out.Forecast, err = forecastOf(setup, samplers, a, known)
	return out, err
}

// StoredSetup is what a study of the database was made with, where there is one of that name
// whose game this program has. s is nil where there is no database.
func StoredSetup(ctx context.Context, s *store.Store, name string, games arena.Catalogue) (*tuner.Setup, bool) {
	if s == nil {
		return nil, false
	}
	d, err := s.Studies.Details(ctx, name)
	if err != nil {
		return nil, false
	}
	spec, err := StoredSpec(d)
	if err != nil {
		return nil, false
	}
	spec.Budget = tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
	setup, err := tuner.Prepare(spec, games)
	return setup, err == nil
}

// begin looks up what the study begins with.
func (c *StudyCheck) begin(ctx context.Context, s *store.Store, samplers sampler.Kinds, setup *tuner.Setup) error {
	if setup.BeginFrom == "" {
		return nil
	}
	if s == nil {
		return New(Invalid, fmt.Sprintf("begin_from: no study named %q: there is no database yet", setup.BeginFrom))
	}
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	if err != nil {
		return err
	}
	b, err := beginning(ctx, s, samplers, StudyFile{Setup: setup, Signatures: signatures})
	if b != nil {
		c.Begun = &tuner.BegunWith{Study: b.Study, Games: b.Games, Points: b.Points, Dropped: b.Dropped}
	}
	return err
}

// EmbeddedStudies are the studies that come with the program.
func EmbeddedStudies() []studyfile.Brief {
	list := []studyfile.Brief{}
	for _, name := range studies.Names() {
		if text, err := studies.Read(name); err == nil { // those embedded always read
			list = append(list, studyfile.BriefOf(name, text))
		}
	}
	return list
}
