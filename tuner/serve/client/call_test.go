package client

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
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
	c, err := New(s.URL, Options{HTTP: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ A int }
	if err := c.call(t.Context(), http.MethodPost, "/x", []byte("{}"), &got); err != nil || got.A != 1 || asked.Load() != 3 {
		t.Errorf("%v, %+v after %d times", err, got, asked.Load())
	}
}

// What the daemon tells of an error has its code, its text and all its details.
func TestErrors(t *testing.T) {
	for status, want := range map[int]service.Error{
		http.StatusBadRequest: {Code: service.Invalid, Message: "two mistakes", Details: []string{"a", "b"}},
		http.StatusNotFound:   {Code: service.NotFound, Message: "two mistakes", Details: []string{"a", "b"}},
		http.StatusGone:       {Code: service.NotFound, Reason: service.Nothing, Message: "two mistakes", Details: []string{"a", "b"}},
		http.StatusConflict:   {Code: service.Conflict, Message: "two mistakes", Details: []string{"a", "b"}},
		http.StatusBadGateway: {Code: service.Internal, Message: "two mistakes", Details: []string{"a", "b"}},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			w.Write([]byte(`{"error":"two mistakes","errors":["a","b"]}`))
		}))
		c, err := New(s.URL, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Call(t.Context(), c, api.V1.GetStudy, &api.OfStudy{Study: "x"})
		got, ok := errors.AsType[*service.Error](err)
		if !ok || got.Code != want.Code || got.Reason != want.Reason || got.Message != want.Message || !slices.Equal(got.Details, want.Details) {
			t.Errorf("%d: %#v", status, err)
		}
		s.Close()
	}
}

// An address is one of HTTP.
func TestAddress(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:7171", "ftp://127.0.0.1", "http://%"} {
		if _, err := New(address, Options{}); err == nil {
			t.Errorf("%q: expected an error", address)
		}
	}
}
