package daemon

import (
	"testing"
	"time"

	"sakusen/tuner"
)

// A study that waited for a full disk is no longer counted among those that wait
// once it was paused or deleted.
func TestRestEnds(t *testing.T) {
	memoryBook := &memoryBook{entries: []Item{{StudyKey("a"), tuner.Running, 0}, {StudyKey("b"), tuner.Running, 0}}}
	d := New(Options{Book: memoryBook, Retry: time.Hour})
	d.scheduler.rest(StudyKey("a"), time.Now().Add(d.o.Retry), errFull)
	d.scheduler.rest(StudyKey("b"), time.Now().Add(d.o.Retry), errFull)
	if d.Waiting() != 2 {
		t.Fatalf("%d wait", d.Waiting())
	}
	if _, err := d.Pause(t.Context(), StudyKey("a")); err != nil {
		t.Fatal(err)
	}
	if err := d.Delete(t.Context(), StudyKey("b")); err != nil {
		t.Fatal(err)
	}
	if d.Waiting() != 0 || d.Held(StudyKey("a")) != nil {
		t.Errorf("%d wait, %v", d.Waiting(), d.Held(StudyKey("a")))
	}
}
