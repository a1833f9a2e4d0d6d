package client

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// grace is how long the daemon's answers are waited for after the context has ended.
const grace = 5 * time.Second // of all but tests

// LeftError says that the context ended when the daemon had been asked to change something and
// had not answered: it may have done it, or do it yet.
type LeftError struct {
	Address string // of the daemon
	Err     error
}

func (e *LeftError) Error() string {
	return fmt.Sprintf("interrupted; the daemon at %s was asked and has not answered: it may do what it was asked all the same, and the same command shows it", e.Address)
}

func (e *LeftError) Unwrap() error { return e.Err }

// settling is what is known of requests whose answers are waited for.
type settling struct {
	first context.Context // whose end asks for an end
	sent  atomic.Bool     // a request, which the daemon has not put off
}

// settlingKey finds it in a context.
type settlingKey struct{}

// settlingOf is nil where a context ends when it is asked to.
func settlingOf(ctx context.Context) *settling {
	s, _ := ctx.Value(settlingKey{}).(*settling)
	return s
}

// act is call for what changes something.
func (c *Client) act(ctx context.Context, method, path string, body, v any) error {
	return c.settle(ctx, func(ctx context.Context) error { return c.call(ctx, method, path, body, v) })
}

// settle asks the daemon for what changes something. When the context ends after a request
// was sent, the daemon does it all the same: so the answers are waited for, and what is
// left of do is done. Where no answer comes, the error is a [*LeftError].
func (c *Client) settle(ctx context.Context, do func(context.Context) error) error {
	if settlingOf(ctx) != nil {
		return do(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s := &settling{first: ctx}
	longer, end := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), settlingKey{}, s))
	defer end()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(c.grace):
			end()
		case <-longer.Done():
		}
	})()
	err := do(httptrace.WithClientTrace(longer, &httptrace.ClientTrace{WroteHeaders: func() { s.sent.Store(true) }}))
	if unanswered := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); unanswered && s.sent.Load() {
		return &LeftError{Address: c.base, Err: err}
	}
	return err
}
