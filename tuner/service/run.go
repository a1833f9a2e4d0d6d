package service

import (
	"context"
	"encoding/json"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
)

// Run runs a study or a job of the queue from whatever of it is done already, and
// writes its result. It is the daemon.Runner.
func (s *Service) Run(ctx context.Context, key daemon.Key, host arena.Host, tell func(tuner.Progress)) error {
	if key.Kind == daemon.Study {
		return execution{s}.runStored(ctx, key.Name, host, tell)
	}
	j, err := findJob(ctx, s.store, key)
	if err != nil {
		return err
	}
	w := execution{s}.newJobWatch(ctx, j, tell)
	var result any
	if key.Kind == daemon.Tournament {
		result, err = execution{s}.runTournament(ctx, j, host, w)
	} else {
		result, err = execution{s}.runExperiment(ctx, j, host, w)
	}
	w.note()
	if err != nil {
		return err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return s.store.Jobs.Finish(context.WithoutCancel(ctx), key.ID, text)
}

// execution runs studies and jobs with the options of a service.
type execution struct{ *Service }
