package client

import (
	"context"
	"net/http"
	"net/url"

	"sakusen/engines/param"
	"sakusen/tuner/insight/forecast"
	"sakusen/tuner/service"
)

// Studies are the studies of a daemon's database.
type Studies struct{ c *Client }

// Studies are the daemon's studies.
func (c *Client) Studies() *Studies { return &Studies{c} }

func studyPath(name string) string { return "/studies/" + url.PathEscape(name) }

// Submit queues a study, or only checks it, and returns its name. One that is
// there already with the same spec is left as it is.
func (s *Studies) Submit(ctx context.Context, given service.Submission) (string, error) {
	var answer struct{ Study string }
	err := s.c.act(ctx, http.MethodPost, "/studies", given, &answer)
	return answer.Study, err
}

// Begin submits a study of a name, and resumes it where it rests. Without an error the daemon
// has it, also where the context has ended.
func (s *Studies) Begin(ctx context.Context, name string, given service.Submission) error {
	return s.c.settle(ctx, func(ctx context.Context) error {
		if _, err := s.Submit(ctx, given); err != nil {
			return err
		}
		at, err := s.Show(ctx, name)
		if err == nil && (at.State == "paused" || at.State == "stopped" || at.State == "failed") {
			_, err = s.Resume(ctx, name)
		}
		return err
	})
}

// Forecast says how long a study would take and what it could prove.
func (s *Studies) Forecast(ctx context.Context, given service.Submission) (*forecast.Forecast, error) {
	var f forecast.Forecast
	if err := s.c.call(ctx, http.MethodPost, "/forecast", given, &f); err != nil {
		return nil, err
	}
	return &f, nil
}

// Prove queues a study that proves the answer of another on new seeds, or, with check,
// only says what that takes.
func (s *Studies) Prove(ctx context.Context, name string, blocks int64, check bool) (*service.FurtherProof, error) {
	var p service.FurtherProof
	if err := s.c.act(ctx, http.MethodPost, studyPath(name)+"/prove", map[string]any{"blocks": blocks, "check": check}, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// Show is a study with its result.
func (s *Studies) Show(ctx context.Context, name string) (*service.StudyDetail, error) {
	var d service.StudyDetail
	if err := s.c.call(ctx, http.MethodGet, studyPath(name), nil, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

// Pause interrupts a study until it is resumed, and returns the state that it is
// then in.
func (s *Studies) Pause(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, "pause")
}

// Resume puts a study that was paused, stopped or failed back into the queue, and
// returns the state that it is then in.
func (s *Studies) Resume(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, "resume")
}

// Stop ends a study for good unless it is resumed, and returns the state that it is
// then in.
func (s *Studies) Stop(ctx context.Context, name string) (state string, err error) {
	return s.control(ctx, name, "stop")
}

func (s *Studies) control(ctx context.Context, name, what string) (string, error) {
	var answer struct{ State string }
	err := s.c.act(ctx, http.MethodPost, studyPath(name)+"/"+what, struct{}{}, &answer)
	return answer.State, err
}

// Try has a study try a point, and says which that is with all its values.
func (s *Studies) Try(ctx context.Context, name string, named param.Values) (*service.TryPoint, error) {
	var p service.TryPoint
	if err := s.c.act(ctx, http.MethodPost, studyPath(name)+"/points", map[string]any{"point": named.Map()}, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// Drop takes a worker's blocks out and has the study begin anew.
func (s *Studies) Drop(ctx context.Context, name, worker string) (service.Dropped, error) {
	var done service.Dropped
	err := s.c.act(ctx, http.MethodPost, studyPath(name)+"/drop", map[string]string{"worker": worker}, &done)
	return done, err
}

// Delete deletes a study.
func (s *Studies) Delete(ctx context.Context, name string) error {
	return s.c.act(ctx, http.MethodDelete, studyPath(name), nil, nil)
}

// Await waits for a study to end or to be held, and tells how far it is. An ended
// context is an error beside the study as it was seen last.
func (s *Studies) Await(ctx context.Context, name string, tell func(*service.StudyDetail)) (*service.StudyDetail, error) {
	for {
		d, err := s.Show(ctx, name)
		if err != nil {
			return nil, err
		}
		if d.State != "queued" && d.State != "running" {
			return d, nil
		}
		tell(d)
		if err := sleep(ctx, pollEvery); err != nil {
			return d, err
		}
	}
}
