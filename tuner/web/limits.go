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

	"sakusen/engines/lru"
)

// buckets limit the rate of something for each client: burst at once, and then so many a
// second.
type buckets struct {
	rate, burst float64

	mu  sync.Mutex
	all *lru.Cache[string, *bucket]
}

type bucket struct {
	level float64
	at    time.Time
}

// maxBuckets bounds the memory for clients. Beyond it the client that has been quiet
// longest is forgotten, which gives it a full bucket again.
const maxBuckets = 10000

func newBuckets(rate, burst float64) *buckets {
	return &buckets{rate: rate, burst: burst, all: lru.New[string, *bucket](maxBuckets)}
}

// take reports whether the client's rate permits one more request now.
func (b *buckets) take(who string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	one, ok := b.all.Get(who)
	if !ok {
		one = &bucket{level: b.burst, at: now}
		b.all.Put(who, one)
	}
	one.level = min(b.burst, one.level+b.rate*now.Sub(one.at).Seconds())
	one.at = now
	if one.level < 1 {
		return false
	}
	one.level--
	return true
}

// mostEnded bounds the ended logins that are remembered. Only those who have the token can
// add to them, and a daemon that is started again has forgotten them.
const mostEnded = 10000

// shared is a cache that several requests use at once.
type shared[K comparable, V any] struct {
	mu  sync.Mutex
	all *lru.Cache[K, V]
}

func newShared[K comparable, V any](most int) *shared[K, V] {
	return &shared[K, V]{all: lru.New[K, V](most)}
}

func (s *shared[K, V]) put(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Put(key, value)
}

func (s *shared[K, V]) get(key K) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Get(key)
}

// heavyBody is the size of a body, in bytes, above which a request needs one of a few
// places. Reading a study file of 1 MiB takes 100 MB of memory, and played blocks of 16 MiB
// take more; a hundred at once would use up all memory.
const heavyBody = 64 << 10

// formBody bounds what may be sent without a token, in bytes.
const formBody = 4096

// heavyPlaces is the number of such requests that are served at once; others wait
// for heavyPatience.
const (
	heavyPlaces   = 2
	heavyPatience = 20 * time.Second
)

// heavy reports whether a request needs a place. Films are bounded by themselves and take long.
func heavy(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != "/api/v1/films" &&
		(r.ContentLength < 0 || r.ContentLength > heavyBody)
}

// place waits for a place and returns the function that gives it back, or a problem if
// there is none. The body is read before, so that a slow client holds no place.
func (s *gate) place(w http.ResponseWriter, r *http.Request) (leave func(), p *Problem) {
	if !heavy(r) {
		if r.ContentLength != 0 {
			p = s.readBody(w, r)
		}
		return func() {}, p
	}
	full := &Problem{Status: http.StatusServiceUnavailable, RetryAfter: 5, Text: "too many large requests at once; try again in some seconds"}
	end := s.bodies.begin(s.asker(r))
	if end == nil {
		return nil, full
	}
	defer end()
	if p := s.readBody(w, r); p != nil {
		return nil, p
	}
	late := time.NewTimer(heavyPatience)
	defer late.Stop()
	select {
	case s.places <- struct{}{}:
		return func() { <-s.places }, nil
	case <-late.C:
	case <-r.Context().Done():
	}
	return nil, full
}

const (
	// bodiesOfClient and bodiesInAll bound the large bodies that are being read or wait
	// for a place: each may take 16 MiB of memory.
	bodiesOfClient = 4
	bodiesInAll    = 16
	// leastRate is the rate, in bytes a second, at which a large body must come, after
	// the first seconds.
	leastRate  = 128 << 10
	firstBytes = 10 * time.Second
	// smallPatience is for a small body, and for all of a request without a token.
	smallPatience = 5 * time.Second
)

// shares counts things that clients have: for each client, and in all.
type shares struct {
	most, each int

	mu  sync.Mutex
	all int
	of  map[string]int // by client
}

func newShares(most, each int) *shares {
	return &shares{most: most, each: each, of: map[string]int{}}
}

// begin counts one of a client, and returns what ends it; nil where there are too many.
func (b *shares) begin(client string) (end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all >= b.most || b.of[client] >= b.each {
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
func (s *gate) readBody(w http.ResponseWriter, r *http.Request) *Problem {
	size := r.ContentLength
	if size < 0 || size > 16<<20 {
		size = s.bodyLimit(r.URL.Path)
	}
	patience := smallPatience
	if size > formBody {
		patience = firstBytes + time.Duration(size/leastRate)*time.Second
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(patience)) // a server without this deadline needs none
	text, err := io.ReadAll(r.Body)
	if err == nil {
		control.SetReadDeadline(time.Time{}) // the handler has its own limits
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return problem(http.StatusRequestTimeout, fmt.Sprintf("expected the body within %v", patience))
	}
	if err != nil {
		return problem(http.StatusBadRequest, "the body is shorter than announced")
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}
