package view_test

import (
	"testing"

	"sakusen/tuner/view"
)

// A text that goes on from its label begins with it where the label does not stand beside
// it.
func TestLineAlone(t *testing.T) {
	for _, s := range []struct {
		label, text, want string
	}{
		{"As good", "each parameter says below.", "As good: each parameter says below."},
		{"As good", "Nothing else is.", "Nothing else is."},
		{"Checked", "8 of the 78 blocks.", "8 of the 78 blocks."},
	} {
		if got := (view.Line{Label: s.label, Cell: view.Cell{Value: s.text}}).Alone(); got != s.want {
			t.Errorf("%q, want %q", got, s.want)
		}
	}
}
