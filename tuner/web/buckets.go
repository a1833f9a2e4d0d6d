package web

import (
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

// take tells whether the client may do it once more now.
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
