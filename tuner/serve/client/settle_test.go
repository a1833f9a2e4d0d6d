package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// A request that was sent is not given up when the context ends, and what is left of a
// beginning is done; where it was not sent, or was put off, nothing is left at the daemon.
func TestSettle(t *testing.T) {
	var interrupt context.CancelFunc
	resumed := false
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/studies", func(w http.ResponseWriter, r *http.Request) {
		interrupt()
		time.Sleep(50 * time.Millisecond)
		io.WriteString(w, `{"study":"a"}`)
	})
	mux.HandleFunc("GET /api/v1/studies/a", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"state":"paused"}`) })
	mux.HandleFunc("POST /api/v1/studies/a/resume", func(w http.ResponseWriter, r *http.Request) {
		resumed = true
		io.WriteString(w, `{"state":"queued"}`)
	})
	mux.HandleFunc("POST /api/v1/studies/a/pause", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		interrupt()
		<-r.Context().Done()
	})
	mux.HandleFunc("POST /api/v1/studies/a/stop", func(w http.ResponseWriter, r *http.Request) {
		interrupt()
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	c, err := New(s.URL, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.grace = 300 * time.Millisecond
	do := func(f func(context.Context) error) error {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		interrupt = cancel
		return f(ctx)
	}
	if err := do(func(ctx context.Context) error { return c.BeginStudy(ctx, "a", service.Submission{}) }); err != nil || !resumed {
		t.Errorf("begin: %v, resumed %t", err, resumed)
	}
	if err := do(func(ctx context.Context) error {
		_, err := Call(ctx, c, api.V1.SubmitStudy, &api.Body[service.Submission]{})
		return err
	}); err != nil {
		t.Errorf("submit: %v", err)
	}
	var left *UnansweredError
	if err := do(func(ctx context.Context) error {
		_, err := Call(ctx, c, api.V1.PauseStudy, &api.ActOnStudy{OfStudy: api.OfStudy{Study: "a"}})
		return err
	}); !errors.As(err, &left) || left.Address != s.URL {
		t.Errorf("no answer: %v", err)
	}
	if err := do(func(ctx context.Context) error {
		_, err := Call(ctx, c, api.V1.StopStudy, &api.ActOnStudy{OfStudy: api.OfStudy{Study: "a"}})
		return err
	}); errors.As(err, &left) || !errors.Is(err, context.Canceled) {
		t.Errorf("put off: %v", err)
	}
	away, err := New("http://127.0.0.1:1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []bool{false, true} {
		away.http.Transport = roundTrip(func(r *http.Request) (*http.Response, error) { // an interrupt in the middle of a try
			interrupt()
			return http.DefaultTransport.RoundTrip(r)
		})
		if err := do(func(ctx context.Context) error {
			if before {
				interrupt()
			}
			_, err := Call(ctx, away.WithRetry(), api.V1.SubmitStudy, &api.Body[service.Submission]{})
			return err
		}); errors.As(err, &left) || !errors.Is(err, context.Canceled) {
			t.Errorf("nobody is there: %v", err)
		}
	}
}

// A job is waited for while its daemon is restarted.
func TestAwaitAcrossRestart(t *testing.T) {
	away := 0
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/tests", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"id":7}`) })
	mux.HandleFunc("GET /api/v1/tests", func(w http.ResponseWriter, r *http.Request) {
		if away++; away > 1 && away < 5 {
			panic(http.ErrAbortHandler) // the connection breaks off
		}
		io.WriteString(w, map[bool]string{true: `{"tests":[{"id":7,"state":"running"}]}`, false: `{"tests":[{"id":7,"state":"done"}]}`}[away < 6])
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	c, err := New(s.URL, Options{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := c.Test(t.Context(), service.PatchRequest{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if now, err := j.Await(t.Context(), func(*service.JobProgress) {}); err != nil || now == nil || now.State != "done" {
		t.Errorf("%+v, %v", now, err)
	}
}

// roundTrip is a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
