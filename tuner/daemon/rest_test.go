package daemon

import (
	"testing"
	"time"
)

// A study that waited for a full disk is no longer counted among those that wait
// once it was paused or deleted.
func TestRestEnds(t *testing.T) {
	shelf := &shelf{entries: []Entry{{"a", Running, 0}, {"b", Running, 0}}}
	d := New(Options{Book: shelf, Retry: time.Hour})
	d.rest("a", errFull)
	d.rest("b", errFull)
	if d.Waiting() != 2 {
		t.Fatalf("%d wait", d.Waiting())
	}
	if err := d.Pause(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := d.Delete(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if d.Waiting() != 0 || d.Held("a") != nil {
		t.Errorf("%d wait, %v", d.Waiting(), d.Held("a"))
	}
}
