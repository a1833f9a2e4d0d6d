package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/suite"
	"sakusen/tuner/serve"
)

// A message is signed, and sent again until it is taken; one that is refused is not.
func TestHook(t *testing.T) {
	secret := []byte("a secret of some length")
	var asked, status atomic.Int64
	status.Store(503)
	taken := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var seconds int64
		if _, err := fmt.Sscanf(r.Header.Get(serve.HookHeader), "t=%d,", &seconds); err != nil {
			t.Errorf("signature %q", r.Header.Get(serve.HookHeader))
		}
		if want := serve.SignHook(secret, time.Unix(seconds, 0), body); r.Header.Get(serve.HookHeader) != want || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("signature %q, want %q", r.Header.Get(serve.HookHeader), want)
		}
		if asked.Add(1) == 3 {
			status.Store(204)
			taken <- string(body)
		}
		w.WriteHeader(int(status.Load()))
	}))
	defer s.Close()
	h, err := serve.NewHook(s.URL, secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Pauses = []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}
	h.Tell(map[string]string{"study": "one"})
	select {
	case body := <-taken:
		if body != `{"study":"one"}` {
			t.Error(body)
		}
	case <-suite.Late(t):
		t.Fatal("nothing came")
	}
	for asked.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	status.Store(404)
	h.Tell("refused")
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	h.Close(ctx)
	if n := asked.Load(); n != 4 {
		t.Errorf("asked %d times; a message that is refused is not sent again", n)
	}
}

// Redirects are not followed: they would lead to unchecked addresses.
func TestRedirects(t *testing.T) {
	var followed atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			followed.Store(true)
		}
		http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	h, err := serve.NewHook(s.URL, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Tell(1)
	h.Close(t.Context())
	if followed.Load() {
		t.Error("a redirect was followed")
	}
}

func TestCheck(t *testing.T) {
	for address, wrong := range map[string]string{
		"https://example.org/a": "", "http://127.0.0.1:80/": "", "http://localhost:9/x": "", "http://[::1]:9": "",
		"http://example.org/": "https", "http://10.0.0.1/": "https", "ftp://example.org": "expected an address", "": "expected an address",
		"https://a:b@example.org": "without a name", "http://localhost.example.org/": "https", "https://": "expected an address",
	} {
		err := serve.CheckHook(address)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", address, err, wrong)
		}
	}
}
