package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/daemon"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/web"
)

// jobOf takes the name of a tournament or an experiment in the daemon's queue
// apart; no study's name is one.
func jobOf(name string) (kind string, id int, ok bool) {
	kind, number, found := strings.Cut(name, "/")
	id, err := strconv.Atoi(number)
	return kind, id, found && err == nil && (kind == store.Tournament || kind == store.Experiment)
}

// job finds a job.
func (b *book) job(ctx context.Context, kind string, id int) (store.Job, error) {
	j, err := b.store.Job(ctx, kind, id)
	if errors.Is(err, store.ErrJobNotFound) {
		err = service.New(service.NotFound, fmt.Sprintf("no %s %d", kind, id))
	}
	return j, err
}

// publishJob tells watchers of an event of a job.
func publishJob(h *web.Hub, e daemon.Event) {
	switch e.Kind {
	case "progress":
		h.Publish(e.Kind, map[string]any{"job": e.Study, "progress": service.JobProgressOf(e.Progress)})
	case "state":
		h.Publish(e.Kind, map[string]any{"job": e.Study, "state": e.State, "message": e.Why})
	default:
		h.Publish(e.Kind, map[string]any{"job": e.Study})
	}
}

// Jobs implements web.JobLibrary.
func (l *library) Jobs(ctx context.Context, kind string, before, limit int) ([]service.Job, error) {
	page, err := l.store.Jobs(ctx, kind, before, limit)
	out := []service.Job{}
	for _, j := range page {
		out = append(out, jobLine(j))
	}
	return out, err
}

// jobLine is a job as it is listed.
func jobLine(j store.Job) service.Job {
	return service.Job{
		ID: j.ID, Name: j.Name, State: string(j.State), Message: j.Message, Priority: j.Priority,
		Blocks: j.Blocks, Of: j.Of, Games: j.Games,
		Created: j.Created.Format(time.RFC3339), Updated: j.Updated.Format(time.RFC3339),
	}
}

// Job implements web.JobLibrary.
func (l *library) Job(ctx context.Context, kind string, id int) (*service.JobDetail, error) {
	j, err := l.job(ctx, kind, id)
	if err != nil {
		return nil, err
	}
	return &service.JobDetail{Job: jobLine(j), Request: j.Request, Result: j.Result, Partial: j.Partial}, nil
}

// queueJob writes a job into the queue.
func (l *library) queueJob(ctx context.Context, kind, name string, request any, priority int) (int, bool, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return 0, false, err
	}
	id, created, err := l.store.CreateJob(ctx, store.Job{Kind: kind, Name: name, Request: text, Priority: priority})
	if err != nil {
		return 0, false, err
	}
	l.queue()
	return id, created, nil
}
