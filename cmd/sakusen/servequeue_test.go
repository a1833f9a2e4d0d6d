package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

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
