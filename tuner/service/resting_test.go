package service

import (
	"testing"

	"sakusen/tuner"
)

// What runs or waits is not put away, since it would go on unseen; a note without the tag, or one
// that had it, is kept.
func TestRestingIsArchived(t *testing.T) {
	for _, c := range []struct {
		state        tuner.State
		before, text string
		refused      bool
	}{
		{tuner.Running, "", "a note", false},
		{tuner.Running, "", "a note #archived", true},
		{tuner.Queued, "a", "a\n#archived", true},
		{tuner.Running, "#archived", "another note #archived", false},
		{tuner.Paused, "", "#archived", false},
		{tuner.Done, "", "#archived", false},
	} {
		if err := resting("study s", c.state, c.before, c.text); (err != nil) != c.refused {
			t.Errorf("%s, %q after %q: %v", c.state, c.text, c.before, err)
		}
	}
}
