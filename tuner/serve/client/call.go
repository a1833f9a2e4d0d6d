package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sakusen/tuner/service"
)

// pollEvery is the time between two questions about something that takes long.
const pollEvery = 300 * time.Millisecond

// mostAnswer bounds an answer, in bytes.
const mostAnswer = 64 << 20

// Check asks whether the daemon answers.
func (c *Client) Check(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "", nil, nil)
}

// call sends a request below /api/v1 and decodes the answer into v, unless that is nil. If
// the daemon answers that it should be asked later (too many writes at once, a study whose
// signatures take long), call waits and asks again, since without a daemon the command
// would have taken that time itself. It does not ask again once it was asked to end.
func (c *Client) call(ctx context.Context, method, path string, body, v any) error {
	var text []byte
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = b
	}
	again, settles := ctx, settlingOf(ctx)
	if settles != nil {
		again = settles.first
	}
	for began := time.Now(); ; {
		err := c.once(ctx, method, "/api/v1"+path, text, v)
		var wait time.Duration
		if later, ok := errors.AsType[*laterError](err); ok {
			if wait = later.after; settles != nil {
				settles.sent.Store(false)
			}
		} else if _, gone := errors.AsType[*url.Error](err); gone && again.Err() == nil && time.Since(began) < c.patience {
			wait = pollEvery
		} else {
			return err
		}
		if err := sleep(again, wait); err != nil {
			return err
		}
	}
}

// sleep waits, unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// laterError says that the daemon wants to be asked again after some time.
type laterError struct{ after time.Duration }

func (e *laterError) Error() string { return fmt.Sprintf("try again in %v", e.after) }

// laterOf is the time after which an answer wants to be asked again; nil if it does not.
func laterOf(answer *http.Response) error {
	if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode != http.StatusServiceUnavailable {
		return nil
	}
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return nil
	}
	return &laterError{time.Duration(min(seconds, 60)) * time.Second}
}

// once is call without asking again: a [*laterError] says when that is wanted.
func (c *Client) once(ctx context.Context, method, path string, body []byte, v any) error {
	var text io.Reader
	if body != nil {
		text = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, text)
	if err != nil {
		return err
	}
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("the daemon at %s: %w", c.base, err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("the daemon at %s: %w", c.base, err)
	}
	if err := laterOf(answer); err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		return c.errorIn(answer, all)
	}
	if v == nil {
		return nil
	}
	if err := json.Unmarshal(all, v); err != nil {
		return fmt.Errorf("the daemon at %s: %s: %w", c.base, path, err)
	}
	return nil
}

// errorIn is the error that an answer contains.
func (c *Client) errorIn(answer *http.Response, body []byte) error {
	var told struct {
		Error  string   `json:"error"`
		Errors []string `json:"errors"`
	}
	if json.Unmarshal(body, &told) != nil || told.Error == "" {
		told.Error = answer.Status
	}
	e := &service.Error{Message: told.Error, Details: told.Errors}
	e.Code, e.Reason = codeOf(answer.StatusCode)
	if e.Code == service.Internal {
		return fmt.Errorf("the daemon at %s: %w", c.base, e)
	}
	return e
}

// codeOf is the error code that belongs to an HTTP status: the reverse of statusOf in
// tuner/web.
func codeOf(status int) (service.Code, service.Reason) {
	switch {
	case status >= 500:
		return service.Internal, ""
	case status == http.StatusNotFound:
		return service.NotFound, ""
	case status == http.StatusGone:
		return service.NotFound, service.Nothing
	case status == http.StatusConflict:
		return service.Conflict, ""
	}
	return service.Invalid, ""
}
