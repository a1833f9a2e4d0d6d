package arena

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"sakusen/engines/lru"
)

// signed remembers a game's signatures by rules and strategy: they are pure
// results of this program, and on a large map one costs minutes. One at a time is
// worked out, in a goroutine that goes on where the asker leaves, so that asking
// again finds it.
type signed struct {
	turn chan struct{} // of room 1: held while one is worked out

	mu   sync.Mutex
	done *lru.Cache[string, string]
}

// signedKept bounds the signatures that are remembered.
const signedKept = 1000

func newSigned() *signed {
	return &signed{turn: make(chan struct{}, 1), done: lru.New[string, string](signedKept)}
}

// find is a remembered signature, empty where there is none.
func (m *signed) find(key string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	signature, _ := m.done.Get(key)
	return signature
}

// keep remembers a signature.
func (m *signed) keep(key, signature string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done.Put(key, signature)
}

// get is the signature of a key, worked out where it is not remembered. Where the
// context ends first it returns its error at once.
func (m *signed) get(ctx context.Context, key string, work func(context.Context) (string, error)) (string, error) {
	if s := m.find(key); s != "" {
		return s, nil
	}
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if s := m.find(key); s != "" || ctx.Err() != nil {
		<-m.turn
		return s, ctx.Err()
	}
	type answer struct {
		signature string
		err       error
	}
	told := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if v := recover(); v != nil {
				a.err = fmt.Errorf("signature: panic: %v\n%s", v, debug.Stack())
			}
			if a.err == nil {
				m.keep(key, a.signature)
			}
			<-m.turn
			told <- a
		}()
		a.signature, a.err = work(context.WithoutCancel(ctx))
	}()
	select {
	case a := <-told:
		return a.signature, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
