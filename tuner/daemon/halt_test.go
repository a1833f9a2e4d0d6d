package daemon

import (
	"errors"
	"testing"
)

var errDamaged = errors.New("x.db: the database is damaged")

// One damaged page ends every study, and nothing is written any more.
func TestHalt(t *testing.T) {
	b := newBench(t, 2, Entry{Name: "a", State: Queued}, Entry{Name: "b", State: Queued}, Entry{Name: "c", State: Queued})
	b.running("a", "b")
	b.end("a", errDamaged)
	b.running()
	b.eventually("the damage is known", func() bool { return errors.Is(b.daemon.Damage(), errDamaged) })
	for _, name := range []string{"a", "b"} {
		b.in(Running, name)
	}
	b.in(Queued, "c")
	for what, err := range map[string]error{
		"pause": b.daemon.Pause(t.Context(), "b"), "stop": b.daemon.Stop(t.Context(), "b"), "resume": b.daemon.Resume(t.Context(), "b"),
	} {
		if !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.running()
}
