package experiment

import (
	"context"
	"encoding/json"
)

// Pieces keeps results of a run that are not blocks, by name, so that a run that
// was interrupted does not compute them again.
type Pieces interface {
	Find(name string) (value json.RawMessage, ok bool)
	Keep(name string, value json.RawMessage) error
}

// Acquire waits for a free worker, runs the work on it and releases it. If the
// context ends first, it returns the context's error at once, and the result of
// the work is lost.
type Acquire func(ctx context.Context, work func()) error

// RunCached returns a piece of a run from o.Pieces if it is there, and otherwise
// runs the work on a free worker (o.Acquire) and keeps what comes of it. Both give
// the same value, so T must survive JSON.
func RunCached[T any](ctx context.Context, o Options, name string, work func() (T, error)) (T, error) {
	return Cached(o, name, func() (T, error) {
		type made struct {
			value T
			err   error
		}
		done := make(chan made, 1)
		acquire := o.Acquire
		if acquire == nil {
			acquire = apart
		}
		err := acquire(ctx, func() {
			v, err := work()
			done <- made{v, err}
		})
		if err != nil {
			var none T
			return none, err
		}
		m := <-done
		return m.value, m.err
	})
}

// apart runs work in a goroutine of its own.
func apart(ctx context.Context, work func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cached is RunCached for work that takes workers itself, as playing series does.
func Cached[T any](o Options, name string, work func() (T, error)) (T, error) {
	var v T
	if o.Pieces == nil {
		return work()
	}
	if text, ok := o.Pieces.Find(name); ok {
		return v, json.Unmarshal(text, &v)
	}
	v, err := work()
	if err != nil {
		return v, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return v, err
	}
	return v, o.Pieces.Keep(name, text)
}
