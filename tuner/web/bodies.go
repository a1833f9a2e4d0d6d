package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// bodiesOfClient and bodiesInAll bound the large bodies that are being read or wait
	// for a place: each may take 16 MiB of memory.
	bodiesOfClient = 4
	bodiesInAll    = 16
	// leastRate is the rate, in bytes a second, at which a large body must come, after
	// the first seconds.
	leastRate  = 128 << 10
	firstBytes = 10 * time.Second
)

// bodies counts large bodies that are in memory before they have a place.
type bodies struct {
	mu  sync.Mutex
	all int
	of  map[string]int // by client
}

func newBodies() *bodies { return &bodies{of: map[string]int{}} }

// begin takes a place for a body of a client, and returns what gives it back; nil
// where there is none.
func (b *bodies) begin(client string) (end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all >= bodiesInAll || b.of[client] >= bodiesOfClient {
		return nil
	}
	b.all++
	b.of[client]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.all--
		if b.of[client]--; b.of[client] == 0 {
			delete(b.of, client)
		}
	}
}

// readBody puts a request's body into memory, in a time that goes by its size.
func readBody(w http.ResponseWriter, r *http.Request) *Problem {
	size := r.ContentLength
	if size < 0 || size > maxLarge {
		size = bodyLimit(r.URL.Path)
	}
	patience := firstBytes + time.Duration(size/leastRate)*time.Second
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(patience)) // where the server has none, so be it
	text, err := io.ReadAll(r.Body)
	control.SetReadDeadline(time.Time{}) // what follows takes as long as it takes
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return problem(http.StatusRequestTimeout, fmt.Sprintf("expected the body within %v", patience))
	}
	if err != nil {
		return problem(http.StatusBadRequest, "the body ends before it is whole")
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}
