package store

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Of many who submit one name at once one creates it; the same study is there for
// the others, and another one is told that it is another.
func TestConcurrentSubmissionsOfOneName(t *testing.T) {
	s := openNew(t)
	for round := range 20 {
		var wait sync.WaitGroup
		var mu sync.Mutex
		made, met, other := 0, 0, 0
		for i := range 16 {
			wait.Go(func() {
				h := header(fmt.Sprint("study ", round))
				if i%2 == 1 {
					h.SpecHash = fmt.Sprint("other ", i)
				}
				_, created, err := s.Studies.Resume(t.Context(), h, Source{}, 0)
				_, differs := errors.AsType[*ConflictError](err)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case differs:
					other++
				case err != nil:
					t.Errorf("%v", err)
				case created:
					made++
				default:
					met++
				}
			})
		}
		wait.Wait()
		if made != 1 || made+met+other != 16 {
			t.Errorf("round %d: %d created, %d met it, %d are others", round, made, met, other)
		}
	}
}
