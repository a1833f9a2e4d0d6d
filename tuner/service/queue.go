package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// queue is the daemon's record: the studies and jobs of the store.
type queue struct{ *Service }

// Waiting implements daemon.Book: studies and jobs in one queue.
func (q *queue) Waiting(ctx context.Context) ([]daemon.Item, error) {
	studies, err := q.store.Studies.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := q.store.Jobs.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	type dated struct {
		daemon.Item
		created time.Time
	}
	var all []dated
	for _, w := range studies {
		all = append(all, dated{daemon.Item{Key: daemon.StudyKey(w.Name), State: w.State, Priority: w.Priority}, w.Created})
	}
	for _, j := range jobs {
		all = append(all, dated{daemon.Item{Key: daemon.JobKey(daemon.Kind(j.Kind), j.ID), State: j.State, Priority: j.Priority}, j.Created})
	}
	slices.SortStableFunc(all, func(x, y dated) int {
		return cmp.Or(cmp.Compare(y.Priority, x.Priority), x.created.Compare(y.created))
	})
	var out []daemon.Item
	for _, e := range all {
		out = append(out, e.Item)
	}
	return out, nil
}

// Find implements daemon.Book.
func (q *queue) Find(ctx context.Context, key daemon.Key) (daemon.Item, error) {
	if key.Kind != daemon.Study {
		j, err := findJob(ctx, q.store, key)
		return daemon.Item{Key: key, State: j.State, Priority: j.Priority}, err
	}
	d, err := FindStudy(ctx, q.store, key.Name)
	return daemon.Item{Key: key, State: d.State, Priority: d.Priority}, err
}

// SetState implements daemon.Book.
func (q *queue) SetState(ctx context.Context, key daemon.Key, state tuner.State, message string) error {
	if key.Kind != daemon.Study {
		return q.store.Jobs.SetState(ctx, key.ID, state, message)
	}
	return q.edit(ctx, key.Name, func(l *store.Log) error { return l.SetState(ctx, state, message) })
}

// SetPriority implements daemon.Book.
func (q *queue) SetPriority(ctx context.Context, key daemon.Key, priority int) error {
	if key.Kind != daemon.Study {
		return q.store.Jobs.SetPriority(ctx, key.ID, priority)
	}
	return q.edit(ctx, key.Name, func(l *store.Log) error { return l.SetPriority(ctx, priority) })
}

// Delete implements daemon.Book.
func (q *queue) Delete(ctx context.Context, key daemon.Key) error {
	if key.Kind != daemon.Study {
		if _, err := findJob(ctx, q.store, key); err != nil {
			return err
		}
		return q.store.Jobs.Delete(ctx, key.ID)
	}
	d, err := known(ctx, q.store, key.Name)
	if err != nil && (d.ID == 0 || !sqlitedb.Damaged(err)) { // a damaged study is deleted too
		return err
	}
	return q.store.Studies.Delete(d.ID)
}

// edit opens a study's record.
func (q *queue) edit(ctx context.Context, name string, do func(*store.Log) error) error {
	l, err := q.store.Studies.Open(ctx, name)
	if err != nil {
		return missing(name, err)
	}
	return do(l)
}
