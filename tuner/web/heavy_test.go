package web

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
)

// Large requests take places, small ones never wait; one that leaves gives its
// place to the next.
func TestHeavy(t *testing.T) {
	s := newGate(&Options{}, failures{}, newCounts())
	large := strings.Repeat("x", heavyBody+1)
	ctx, cancel := context.WithCancel(t.Context())
	var leave func()
	for range heavyPlaces {
		var p *Problem
		if leave, p = s.place(httptest.NewRecorder(), httptest.NewRequest("POST", "/api/v1/studies", strings.NewReader(large))); p != nil {
			t.Fatal(p)
		}
	}
	for _, r := range [][2]string{{"POST", "x"}, {"GET", ""}, {"POST", large[1:]}} {
		if _, p := s.place(httptest.NewRecorder(), httptest.NewRequest(r[0], "/api/v1/studies", strings.NewReader(r[1]))); p != nil {
			t.Errorf("a small request: %v", p)
		}
	}
	if _, p := s.place(httptest.NewRecorder(), httptest.NewRequest("POST", "/api/v1/films", strings.NewReader(large))); p != nil {
		t.Errorf("a film: %v", p)
	}
	cancel()
	waits := httptest.NewRequestWithContext(ctx, "POST", "/new/check", strings.NewReader(large))
	if _, p := s.place(httptest.NewRecorder(), waits); p == nil || p.Status != 503 || p.RetryAfter == 0 {
		t.Errorf("one too many: %+v", p)
	}
	leave()
	chunked := httptest.NewRequest("POST", "/new/check", strings.NewReader("x"))
	chunked.ContentLength = -1
	if _, p := s.place(httptest.NewRecorder(), chunked); p != nil || len(s.places) != heavyPlaces {
		t.Errorf("in the place of one that left: %v, %d places held", p, len(s.places))
	}
}
