package main

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
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
)

// apiClient speaks with the daemon that holds the database.
type apiClient struct {
	base  string // such as http://127.0.0.1:7171
	token string
	http  *http.Client
}

// daemonOf is the client of the daemon that holds the database, nil where err
// is not that of a database held by one.
func (a *app) daemonOf(err error) (*apiClient, error) {
	locked, ok := errors.AsType[*sqlitedb.LockedError](err)
	if !ok || locked.Address == "" {
		return nil, err
	}
	c := &apiClient{base: locked.Address, http: &http.Client{}}
	if file := a.settings.Text("token_file"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, usage(fmt.Errorf("token_file: %w", err))
		}
		c.token = strings.TrimSpace(string(text))
	}
	u, parsed := url.Parse(c.base)
	if parsed != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, err
	}
	if file := a.settings.Text("tls_cert"); u.Scheme == "https" && file != "" {
		t, err := trusting(file)
		if err != nil {
			return nil, usage(fmt.Errorf("tls_cert: %w", err))
		}
		c.http.Transport = &http.Transport{TLSClientConfig: t}
	}
	return c, nil
}

// trusting trusts the daemon's own certificate, which names a host where the lock
// file names an address.
func trusting(file string) (*tls.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: expected a certificate in PEM form", file)
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	t := &tls.Config{RootCAs: pool}
	if len(leaf.DNSNames) > 0 {
		t.ServerName = leaf.DNSNames[0]
	}
	return t, nil
}

// call asks for something and decodes the answer into v, unless that is nil. A
// problem that the daemon tells is bad usage. Where the daemon says when to ask
// again (too many writes at once, a study whose signatures take long), that is
// done: without a daemon the command would only have taken longer.
func (c *apiClient) call(ctx context.Context, method, path string, body, v any) error {
	var text []byte
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = b
	}
	for {
		var later *laterError
		err := c.once(ctx, method, path, text, v)
		if !errors.As(err, &later) {
			return err
		}
		select {
		case <-time.After(later.after):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// laterError says that the daemon wants to be asked again after a time.
type laterError struct{ after time.Duration }

func (e *laterError) Error() string { return fmt.Sprintf("try again in %v", e.after) }

// laterOf is when an answer wants to be asked again; nil where it does not.
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
func (c *apiClient) once(ctx context.Context, method, path string, body []byte, v any) error {
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
	all, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	if err != nil {
		return fmt.Errorf("the daemon at %s: %w", c.base, err)
	}
	if err := laterOf(answer); err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		var p web.Problem
		if json.Unmarshal(all, &p) != nil || p.Text == "" {
			p.Text = answer.Status
		}
		e := &service.Error{Message: p.Text, Details: p.Errors}
		e.Code, e.Reason = codeOf(answer.StatusCode)
		if e.Code == service.Internal {
			return fmt.Errorf("the daemon at %s: %w", c.base, e)
		}
		return e
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(all, v)
}

// codeOf is the code of an error that the daemon answers with an HTTP status: the
// way back of what tuner/web makes of it.
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

// pollEvery is how often a waiting command asks how far its study is.
const pollEvery = 300 * time.Millisecond

// patience is how long a waiting command tries to reach a daemon that is gone.
const patience = 30 * time.Second

// callAgain is call for what may be asked twice. A daemon that is started again
// meanwhile, at the same address, is waited for.
func (c *apiClient) callAgain(ctx context.Context, method, path string, body, v any) error {
	for began := time.Now(); ; {
		err := c.call(ctx, method, path, body, v)
		if _, gone := errors.AsType[*url.Error](err); !gone || ctx.Err() != nil || time.Since(began) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pollEvery):
		}
	}
}

// await waits for a study to end or to be held, and tells how far it is.
func (c *apiClient) await(ctx context.Context, name string, tell func(*service.StudyDetail)) (*service.StudyDetail, error) {
	for {
		var d service.StudyDetail
		if err := c.callAgain(ctx, http.MethodGet, "/api/v1/studies/"+name, nil, &d); err != nil {
			return nil, err
		}
		if d.State != "queued" && d.State != "running" {
			return &d, nil
		}
		tell(&d)
		select {
		case <-ctx.Done():
			return &d, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}
