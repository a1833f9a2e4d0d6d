package decisions

import (
	"fmt"
	"sync"
	"weak"

	"sakusen/engines/battleship"
)

// A Shelf lends trees. It may be used by any number of goroutines; the zero
// Shelf is empty.
type Shelf struct {
	mu    sync.Mutex
	trees map[string]weak.Pointer[Tree]
}

// Tree is the tree of the given key and limit, a new one if no player holds it.
// The key must name everything that decisions depend on; see Key.
func (s *Shelf) Tree(key string, bytes int) *Tree {
	key = fmt.Sprintf("%s limit %d", key, bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, p := range s.trees {
		if p.Value() == nil {
			delete(s.trees, k)
		}
	}
	if p, ok := s.trees[key]; ok {
		if t := p.Value(); t != nil {
			return t
		}
	}
	t := newTree(bytes)
	if s.trees == nil {
		s.trees = map[string]weak.Pointer[Tree]{}
	}
	s.trees[key] = weak.Make(t)
	return t
}

// Key names the rules and whatever else a strategy's decisions depend on.
func Key(r *battleship.Rules, parameters ...any) string {
	key := fmt.Sprintf("board %d x %d fleet", r.Board().Width(), r.Board().Height())
	for i := range r.Fleet().Ships() {
		key += fmt.Sprintf(" %d/%d", r.Fleet().Length(i), r.Fleet().Alike(i))
	}
	return key + fmt.Sprint(" ", parameters)
}
