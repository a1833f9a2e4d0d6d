package films

import (
	"testing"
	"time"

	"sakusen/tuner/store"
)

// Games of a study whose log is long to read are not waited for.
func TestLongLogIsNotWaitedFor(t *testing.T) {
	studio, d := &Studio{indexes: newIndexes()}, &store.Details{}
	busy := make(chan struct{})
	studio.indexes.find(d).busy = busy
	if studio.read(t.Context(), d, time.Millisecond) {
		t.Error("a log that is being read is said to be done")
	}
	close(busy)
	if !studio.read(t.Context(), d, time.Hour) {
		t.Error("a log that has been read is not done")
	}
}
