package experiment

import (
	"context"
	"encoding/json"
)

// Pieces keeps finished parts of a run that are no blocks, by name, so that a
// run that was cut short does not make them again.
type Pieces interface {
	Find(name string) (value json.RawMessage, ok bool)
	Keep(name string, value json.RawMessage) error
}

// Turn waits for a worker, does some work there and gives it back. Where the
// context ends first it returns its error at once, and what comes of the work
// is lost.
type Turn func(ctx context.Context, work func()) error

// Part is a part of a run that is done by one worker, in its turn, and kept, or
// found among what is kept. It is the same either way: T survives JSON.
func Part[T any](ctx context.Context, o Options, name string, work func() (T, error)) (T, error) {
	return Kept(o, name, func() (T, error) {
		type made struct {
			value T
			err   error
		}
		done := make(chan made, 1)
		turn := o.Turn
		if turn == nil {
			turn = apart
		}
		err := turn(ctx, func() {
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

// apart does work in a goroutine of its own.
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

// Kept is a part of a run that plays at workers itself.
func Kept[T any](o Options, name string, work func() (T, error)) (T, error) {
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
