package goptuna

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"sakusen/tuner"
)

// waitAtMost is how long a sampler waits for its turn: it gives up while its study still
// waits for it, so that the study's error names the one that hangs.
const waitAtMost = tuner.SamplerPatience * 9 / 10

// hungAfter is how long a sampler may go on after its study has left it, before those that
// wait for their turn take it for hung.
const hungAfter = time.Minute

// errLeft is returned where the study no longer waits for the answer.
var errLeft = errors.New("the study no longer waits for this answer")

// turns lets one of goptuna's samplers be asked at a time, since they share the
// process-wide math/rand. A sampler that never answers keeps its turn until the program
// ends: those that wait then have an error that names it, and do not wait for ever.
type turns struct {
	free  chan struct{} // holds a value while no sampler is asked
	grace time.Duration

	mu   sync.Mutex
	hung chan struct{} // closed while a sampler that has the turn was left
	who  string        // has the turn
}

func newTurns(grace time.Duration) *turns {
	t := &turns{free: make(chan struct{}, 1), grace: grace, hung: make(chan struct{})}
	t.free <- struct{}{}
	return t
}

// take waits for the turn of a sampler and returns the function that ends it. It waits no
// longer than waitAtMost, and until left is closed.
func (t *turns) take(who string, left <-chan struct{}) (end func(), err error) {
	timer := time.NewTimer(waitAtMost)
	defer timer.Stop()
	for got := false; !got; {
		t.mu.Lock()
		hung := t.hung
		t.mu.Unlock()
		select {
		case <-t.free:
			got = true
		case <-left:
			return nil, errLeft
		case <-timer.C:
			t.mu.Lock()
			defer t.mu.Unlock()
			return nil, fmt.Errorf("goptuna's samplers are asked one at a time, and %s has not answered while this one waited %s for its turn", t.who, waitAtMost)
		case <-hung:
			if got, err = t.afterGrace(left); err != nil {
				return nil, err
			}
		}
	}
	t.mu.Lock()
	t.who = who
	t.mu.Unlock()
	ended := make(chan struct{})
	if left != nil {
		go t.watch(left, ended)
	}
	return func() {
		t.mu.Lock()
		close(ended)
		t.who = ""
		select {
		case <-t.hung:
			t.hung = make(chan struct{})
		default:
		}
		t.mu.Unlock()
		t.free <- struct{}{}
	}, nil
}

// afterGrace waits for the turn of a sampler that was left, which may still be about to
// answer.
func (t *turns) afterGrace(left <-chan struct{}) (got bool, err error) {
	timer := time.NewTimer(t.grace)
	defer timer.Stop()
	select {
	case <-t.free:
		return true, nil
	case <-left:
		return false, errLeft
	case <-timer.C:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.hung:
		return false, fmt.Errorf("goptuna's samplers are asked one at a time, and %s, which its study left, has not answered since: start the program anew", t.who)
	default:
		return false, nil // it has answered in the meantime
	}
}

// watch notes that the sampler that has the turn was left.
func (t *turns) watch(left, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-left:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-ended:
	default:
		close(t.hung)
	}
}
