package web

import (
	"sync"
	"time"
)

// buckets bound the rate of something for each of many askers: burst at once,
// and then so many a second.
type buckets struct {
	rate, burst float64

	mu  sync.Mutex
	all map[string]*bucket
}

type bucket struct {
	level float64
	at    time.Time
}

// maxBuckets bounds the memory that askers can take.
const maxBuckets = 10000

func newBuckets(rate, burst float64) *buckets {
	return &buckets{rate: rate, burst: burst, all: map[string]*bucket{}}
}

// may tells whether the asker may do it once more now, without doing it.
func (b *buckets) may(who string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.all[who]
	return one == nil || one.level+b.rate*time.Since(one.at).Seconds() >= 1
}

// take tells whether the asker may do it once more now.
func (b *buckets) take(who string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	one := b.all[who]
	if one == nil {
		if len(b.all) >= maxBuckets {
			b.forget(now)
		}
		one = &bucket{level: b.burst, at: now}
		b.all[who] = one
	}
	one.level = min(b.burst, one.level+b.rate*now.Sub(one.at).Seconds())
	one.at = now
	if one.level < 1 {
		return false
	}
	one.level--
	return true
}

// forget drops those that are full again, and all where that is none.
func (b *buckets) forget(now time.Time) {
	for who, one := range b.all {
		if one.level+b.rate*now.Sub(one.at).Seconds() >= b.burst {
			delete(b.all, who)
		}
	}
	if len(b.all) >= maxBuckets {
		clear(b.all)
	}
}
