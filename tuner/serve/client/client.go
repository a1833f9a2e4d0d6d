package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// Client sends requests to a daemon.
type Client struct {
	base     string // such as http://127.0.0.1:7171
	token    string
	http     *http.Client
	patience time.Duration // how long requests are retried while the daemon cannot be reached
	grace    time.Duration // how long an answer is waited for after the context has ended
}

// Options say how to reach a daemon.
type Options struct {
	Token string // empty for a daemon without one
	// Certificate, unless empty, is the daemon's own certificate, in PEM form. It is
	// trusted at whatever address the daemon is reached, because the certificate names a
	// host while the database's lock file names an address.
	Certificate []byte
	// HTTP is used unless it is nil.
	HTTP *http.Client
}

// New returns a client of the daemon at an address such as http://127.0.0.1:7171.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("expected the address of a daemon such as http://127.0.0.1:7171, got %q", address)
	}
	c := &Client{base: address, token: o.Token, http: o.HTTP, grace: grace}
	if c.http == nil {
		c.http = &http.Client{Transport: &http.Transport{}} // without a proxy: a daemon is reached as it is
	}
	if u.Scheme == "https" && len(o.Certificate) > 0 {
		t, err := trusting(o.Certificate)
		if err != nil {
			return nil, err
		}
		c.http.Transport = &http.Transport{TLSClientConfig: t}
	}
	return c, nil
}

// Address returns where the daemon is.
func (c *Client) Address() string { return c.base }

// restart is how long a daemon may be away while it is being restarted.
const restart = 30 * time.Second

// WithRetry returns a client of the same daemon that retries for up to 30 seconds while the
// daemon cannot be reached, as when it is being restarted. Use it only for operations that
// may be sent twice.
func (c *Client) WithRetry() *Client {
	retrying := *c
	retrying.patience = restart
	return &retrying
}

// trusting returns the configuration that trusts one certificate.
func trusting(text []byte) (*tls.Config, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("expected a certificate in PEM form")
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	t := &tls.Config{RootCAs: pool}
	if len(leaf.DNSNames) > 0 {
		t.ServerName = leaf.DNSNames[0]
	}
	return t, nil
}

// pollEvery is the time between two requests while a long task is waited for.
const pollEvery = 300 * time.Millisecond

// mostAnswer bounds an answer, in bytes.
const mostAnswer = 64 << 20

// Check returns an error if the daemon does not answer.
func (c *Client) Check(ctx context.Context) error {
	_, err := request(ctx, c, api.V1.GetServer, &api.None{})
	return err
}

// request sends an operation once and returns its answer.
func request[In, Out any](ctx context.Context, c *Client, op api.Op[In, Out], in *In) (*Out, error) {
	body, err := op.Body(in)
	if err != nil {
		return nil, err
	}
	out := new(Out)
	if err := c.call(ctx, op.Method, op.Target(in), body, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Call sends an operation and returns its answer. When the context ends, it still waits a few
// seconds for the answer of an operation that changes something; see [*UnansweredError].
func Call[In, Out any](ctx context.Context, c *Client, op api.Op[In, Out], in *In) (out *Out, err error) {
	if op.Method == http.MethodGet {
		return request(ctx, c, op, in)
	}
	err = c.settle(ctx, func(ctx context.Context) error {
		out, err = request(ctx, c, op, in)
		return err
	})
	return out, err
}

// call sends a request and decodes the answer into v. If the daemon answers that the request
// should be sent later (too many writes at once, a study whose signatures take long), call
// waits and sends it again, since without a daemon the command would have taken that time
// itself. It sends nothing again once the context has ended.
func (c *Client) call(ctx context.Context, method, path string, body []byte, v any) error {
	again, settles := ctx, settlingOf(ctx)
	if settles != nil {
		again = settles.first
	}
	for began := time.Now(); ; {
		err := c.once(ctx, method, path, body, v)
		var wait time.Duration
		if later, ok := errors.AsType[*laterError](err); ok {
			if wait = later.after; settles != nil {
				settles.sent.Store(false)
			}
		} else if _, gone := errors.AsType[*url.Error](err); gone && time.Since(began) < c.patience {
			wait = pollEvery
		} else {
			return err
		}
		if err := sleep(again, wait); err != nil {
			return err
		}
	}
}

// sleep waits for a time, unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// laterError says that the request should be sent again after some time.
type laterError struct{ after time.Duration }

func (e *laterError) Error() string { return fmt.Sprintf("try again in %v", e.after) }

// laterOf returns a [*laterError] if an answer asks for a later retry, and else nil.
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

// once calls without retries: it returns a [*laterError] where the daemon asks for one.
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
	if err := json.Unmarshal(all, v); err != nil {
		return fmt.Errorf("the daemon at %s: %s: %w", c.base, path, err)
	}
	return nil
}

// errorIn returns the error that an answer contains.
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

// codeOf returns the error code of an HTTP status: the reverse of statusOf in tuner/web.
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

// grace is how long the daemon's answers are waited for after the context has ended.
const grace = 5 * time.Second // of all but tests

// UnansweredError says that the context ended before the daemon answered a request that
// changes something: the change may have been made, or may be made later.
type UnansweredError struct {
	Address string // of the daemon
	Err     error
}

func (e *UnansweredError) Error() string {
	return fmt.Sprintf("interrupted; the daemon at %s was asked and has not answered: it may still carry out the request; the same command shows whether it has", e.Address)
}

func (e *UnansweredError) Unwrap() error { return e.Err }

// settling is the state of requests whose answers are waited for after the context has ended.
type settling struct {
	first context.Context // the caller's context
	sent  atomic.Bool     // a request was sent, and the daemon has not said that it should be sent later
}

// settlingKey is the key of a [*settling] in a context.
type settlingKey struct{}

// settlingOf returns the state that settle has put into a context, nil if there is none.
func settlingOf(ctx context.Context) *settling {
	s, _ := ctx.Value(settlingKey{}).(*settling)
	return s
}

// settle calls do, whose requests change something. When ctx ends after a request was sent,
// the daemon makes the change nevertheless: so do gets a context that ends only c.grace later,
// in which it can finish. If no answer comes by then, the error is a [*UnansweredError].
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
		return &UnansweredError{Address: c.base, Err: err}
	}
	return err
}
