package service

import (
	"context"
	"slices"
	"time"

	"sakusen/tuner/service/daemon"
)

// Now is what goes on: what runs and waits, what ended, and what needs somebody.
type Now struct {
	Workers   int     `json:"workers"` // games that are played side by side
	AtOnce    int     `json:"at_once"` // studies and jobs that run side by side
	PerSecond float64 `json:"games_per_second"`
	// Running are in the order of their urgency, Waiting in that in which they begin.
	Running []Study `json:"running"`
	Waiting []Study `json:"waiting"`
	// RunningJobs and WaitingJobs are tournaments and runs of experiments.
	RunningJobs []NowJob `json:"running_jobs"`
	WaitingJobs []NowJob `json:"waiting_jobs"`
	// Ended came to a verdict or an end since the time that was asked for, the latest first.
	Ended     []Study  `json:"ended"`
	EndedJobs []NowJob `json:"ended_jobs"`
	// Failed, Undecided and Paused studies need somebody; FailedJobs too.
	Failed     []Study  `json:"failed"`
	Undecided  []Study  `json:"undecided"`
	Paused     []Study  `json:"paused"`
	FailedJobs []NowJob `json:"failed_jobs"`
	// Held says why nothing is written, empty where all is well.
	Held string `json:"held"`
	// Counts are how many studies came to each outcome.
	Counts map[string]int `json:"counts"`
}

// NowJob is a job with its kind.
type NowJob struct {
	Kind string `json:"kind"` // tournament or experiment
	Job
}

// nowListed bounds each list.
const nowListed = 12

// Now is what goes on, with what ended since a time.
func (t *Studies) Now(ctx context.Context, since time.Time) (*Now, error) {
	s := t.s
	n := &Now{AtOnce: s.daemon.AtOnce(), RunningJobs: []NowJob{}, WaitingJobs: []NowJob{}, EndedJobs: []NowJob{}, FailedJobs: []NowJob{}, Ended: []Study{}}
	if s.o.Pool != nil {
		n.Workers = s.o.Pool.Workers()
	}
	if damage := s.Damage(); damage != nil {
		n.Held = damage.Error()
	} else if s.Waiting() > 0 {
		n.Held = "the database cannot be written, as when the disk is full; what waits goes on by itself"
	}
	for _, list := range []struct {
		outcome string
		to      *[]Study
	}{{"running", &n.Running}, {"waiting", &n.Waiting}, {"failed", &n.Failed}, {"undecided", &n.Undecided}, {"paused", &n.Paused}} {
		found, err := t.Find(ctx, StudyFilter{Outcome: list.outcome, Sort: map[bool]string{true: "", false: "ended"}[list.outcome == "running"], Limit: nowListed})
		if err != nil {
			return nil, err
		}
		*list.to, n.Counts = found.Studies, found.Outcomes
	}
	slices.SortStableFunc(n.Waiting, func(a, b Study) int {
		if a.Priority != b.Priority {
			return b.Priority - a.Priority
		}
		return a.ID - b.ID
	})
	found, err := t.Find(ctx, StudyFilter{Sort: "ended", Limit: 4 * nowListed})
	if err != nil {
		return nil, err
	}
	for _, one := range found.Studies {
		if at, err := time.Parse(time.RFC3339, one.Updated); err == nil && one.State == "done" && at.After(since) && len(n.Ended) < nowListed {
			n.Ended = append(n.Ended, one)
		}
	}
	for _, one := range n.Running {
		if one.Progress != nil {
			n.PerSecond += one.Progress.PerSecond
		}
	}
	return n, n.addJobs(ctx, s, since)
}

// addJobs adds the tournaments and the runs of experiments.
func (n *Now) addJobs(ctx context.Context, s *Service, since time.Time) error {
	for _, kind := range []daemon.Kind{daemon.Tournament, daemon.Experiment} {
		list, err := s.Jobs(kind).List(ctx, 0, 4*nowListed)
		if err != nil {
			return err
		}
		for _, j := range list {
			one := NowJob{string(kind), j}
			at, err := time.Parse(time.RFC3339, j.Updated)
			switch {
			case j.State == "running":
				n.RunningJobs = append(n.RunningJobs, one)
				if j.Progress != nil {
					n.PerSecond += j.Progress.PerSecond
				}
			case j.State == "queued":
				n.WaitingJobs = append(n.WaitingJobs, one)
			case j.State == "failed":
				n.FailedJobs = append(n.FailedJobs, one)
			case j.State == "done" && err == nil && at.After(since):
				n.EndedJobs = append(n.EndedJobs, one)
			}
		}
	}
	return nil
}
