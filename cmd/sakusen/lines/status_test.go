package lines

import (
	"strings"
	"testing"
)

// A shorter text leaves nothing of a longer one, and the end leaves nothing.
func TestStatus(t *testing.T) {
	var w strings.Builder
	s := NewStatus(&w)
	s.Clear()
	s.Show("four")
	s.Show("two")
	s.Clear()
	if got, want := w.String(), "\rfour\rtwo \r   \r"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	nobody := NewStatus(nil)
	nobody.Show("nothing")
	nobody.Clear()
}
