package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/strategies"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

// No more connections are taken than there are places; one that is closed, twice
// even, gives its place to the next.
func TestCrowd(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newCrowd(inner, 2)
	taken := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			conn, err := c.Accept()
			if err != nil {
				ended <- err
				return
			}
			taken <- conn
		}
	}()
	for range 3 {
		conn, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	first, second := <-taken, <-taken
	select {
	case <-taken:
		t.Error("a third connection was taken")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close()
	third := <-taken
	if len(c.places) > 2 {
		t.Errorf("%d places are held", len(c.places))
	}
	if w, ok := third.(interface{ SetWriteBuffer(int) error }); !ok || w.SetWriteBuffer(sendBuffer) != nil {
		t.Error("its buffer cannot be bounded")
	}
	c.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	second.Close()
	third.Close()
}

// A command asks again where the daemon says when.
func TestAskAgain(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.Write([]byte(`{"a":1}`))
		}
	}))
	defer s.Close()
	c := &apiClient{base: s.URL, http: s.Client()}
	var got struct{ A int }
	if err := c.call(t.Context(), http.MethodPost, "/x", struct{}{}, &got); err != nil || got.A != 1 || asked.Load() != 3 {
		t.Errorf("%v, %+v after %d times", err, got, asked.Load())
	}
}

// A study is never in the queue without its file and its urgency: whoever looks
// when it is created, as after a death, finds them.
func TestEnqueueWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	seen := 0
	var s *store.Store
	look := func(name string) {
		if !strings.HasSuffix(name, ".committed") || s == nil {
			return
		}
		list, err := s.Waiting(context.Background())
		if err != nil {
			t.Error(err)
		}
		for _, w := range list {
			seen++
			if src, err := s.Source(context.Background(), w.ID); err != nil || src.Text == "" || w.Priority != 3 {
				t.Errorf("at %s: %+v has the file %+v, %v", name, w, src, err)
			}
		}
	}
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if s, err = store.New(t.Context(), db, store.Options{Point: look}); err != nil {
		t.Fatal(err)
	}
	a := &app{catalogue: strategies.Catalogue()}
	file := studyFile{name: "x.yaml", text: fmt.Appendf(nil, servedStudy, 0, "RNB", "uniform")}
	spec, err := file.spec(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := enqueue(t.Context(), s, file, spec, 3); err != nil || seen == 0 {
		t.Errorf("%v, seen %d times", err, seen)
	}
}
