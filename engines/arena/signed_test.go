package arena

import (
	"context"
	"errors"
	"testing"
)

// A signature is worked out once; who asks no longer is not kept waiting, and
// finds it when he asks again.
func TestSigned(t *testing.T) {
	m := newSigned()
	begun, goOn := make(chan struct{}), make(chan struct{})
	times := 0
	slow := func(context.Context) (string, error) {
		times++
		close(begun)
		<-goOn
		return "s", nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := m.get(ctx, "a", slow)
		left <- err
	}()
	<-begun
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("one who left got %v", err)
	}
	if _, err := m.get(ctx, "b", slow); !errors.Is(err, context.Canceled) {
		t.Errorf("one who waits for his turn and left got %v", err)
	}
	close(goOn)
	if s, err := m.get(t.Context(), "a", slow); s != "s" || err != nil || times != 1 {
		t.Errorf("got %q, %v, worked out %d times", s, err, times)
	}
	wrong := errors.New("no")
	fails := func(context.Context) (string, error) { return "", wrong }
	if _, err := m.get(t.Context(), "c", fails); !errors.Is(err, wrong) {
		t.Errorf("got %v, want %v", err, wrong)
	}
	if _, err := m.get(t.Context(), "c", func(context.Context) (string, error) { panic("x") }); err == nil {
		t.Error("a panic is no error")
	}
	if s, err := m.get(t.Context(), "c", func(context.Context) (string, error) { return "c", nil }); s != "c" || err != nil {
		t.Errorf("after an error: %q, %v", s, err)
	}
}
