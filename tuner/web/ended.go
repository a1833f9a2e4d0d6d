package web

import (
	"sync"

	"sakusen/engines/lru"
)

// mostEnded bounds the ended logins that are remembered. Only those who have the token can
// add to them.
const mostEnded = 10000

// ended are the cookies of logins that were ended early. They are kept in memory; a
// restarted daemon has forgotten them.
type ended struct {
	mu  sync.Mutex
	all *lru.Cache[string, bool]
}

func newEnded() *ended { return &ended{all: lru.New[string, bool](mostEnded)} }

func (e *ended) add(cookie string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all.Put(cookie, true)
}

func (e *ended) has(cookie string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.all.Get(cookie)
	return ok
}
