package service

import "sync"

// turns lets one request at a time work on a study whose games are played elsewhere.
type turns struct {
	mu sync.Mutex
	of map[string]*sync.Mutex
}

func (t *turns) take(study string) (give func()) {
	t.mu.Lock()
	if t.of == nil {
		t.of = map[string]*sync.Mutex{}
	}
	one := t.of[study]
	if one == nil {
		one = &sync.Mutex{}
		t.of[study] = one
	}
	t.mu.Unlock()
	one.Lock()
	return one.Unlock
}
