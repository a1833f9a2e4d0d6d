package arena

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"sakusen/engines/lru"
)

// signed remembers a game's signatures by rules and strategy. They depend on nothing but
// this program, and on a large map one takes minutes. One is computed at a time, in a
// goroutine that continues when the caller gives up, so that a later call finds it.
type signed struct {
	turn chan struct{} // has room for one: full while a signature is computed

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

// get is the signature of a key; it is computed if it is not remembered. If the context
// ends first, get returns its error at once.
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
