package service

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/insight/forecast"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
)

// ForecastOf is the forecast of a study that was read, whose validation would be the
// given attempt, with what is known of its games; see [forecast.Probe].
func ForecastOf(setup *tuner.Setup, samplers sampler.Kinds, a tuner.Attempts, known forecast.Known) (*forecast.Forecast, error) {
	space := setup.Tune.Params.Given(setup.Tune.Fix)
	traits := samplers.Traits(setup.Sampler, space, tuner.SearchSize{Games: setup.Budget.Games, BlockGames: setup.BlockGames(), Duels: setup.Duels})
	return forecast.Of(setup, traits.Answers, a, known)
}

// Forecast says how long a study would take and what it could prove, were it
// submitted now. A few of its games are played for that, once for each kind.
func (t StudyFiles) Forecast(ctx context.Context, given Submission) (*forecast.Forecast, error) {
	name := given.Name
	if name == "" {
		name = "study.yaml"
	}
	if yamlfile.Read(name, []byte(given.Spec)).Root.Has("engines") {
		return nil, New(Invalid, "engines: a study that is sent to the daemon names engines only: the daemon runs no program but those that its own config.yaml registers")
	}
	setup, err := studyfile.Read(name, []byte(given.Spec), t.s.o.Catalogue, t.s.o.Samplers)
	if err != nil {
		return nil, Mistakes("the study file has mistakes", err)
	}
	known := t.s.probes.of(ctx, setup, t.s.o.Pool)
	q, err := setup.Question(ctx)
	if err != nil {
		return nil, err
	}
	a, err := t.s.store.NextAttempt(ctx, q)
	if err != nil {
		return nil, err
	}
	return ForecastOf(setup, t.s.o.Samplers, a, known)
}
