package service

import (
	"testing"

	"sakusen/engines/param"
)

// A program from elsewhere need not be there when a study is exported: then a parameter that was
// not tuned is a number or a switch where its value is written as one.
func TestKindsByTheirLooks(t *testing.T) {
	for text, want := range map[string]param.Kind{
		"1": param.Int, "-100": param.Int, "0.5": param.Float, "true": param.Bool,
		"square": param.Choice, "1e3": param.Choice, "007": param.Choice, "NaN": param.Choice, "": param.Choice,
	} {
		if got := looks(text); got != want {
			t.Errorf("%q looks like %v, expected %v", text, got, want)
		}
	}
}
