package experiment

import (
	"strings"
	"testing"
)

// Every flag that an experiment cannot take is told, and only flags that are there.
func TestCheck(t *testing.T) {
	seed := uint64(1)
	all := func(string) bool { return true }
	for _, c := range []struct {
		e     Experiment
		given func(string) bool
		want  []string
	}{
		{Experiment{Name: "x"}, all, []string{"--games: x plays no games", "--simulations: x does", "--keep: x runs no", "--seed: x has"}},
		{Experiment{Name: "x"}, func(string) bool { return false }, nil},
		{Experiment{Name: "x", Games: 5, Simulations: 50, Studies: true, Seed: &seed}, all, []string{"--games: expected at least 1, got 0", "--simulations: expected 10 to 1000000, got 3"}},
	} {
		err := c.e.Check(c.given, 0, 3)
		if (err == nil) != (c.want == nil) {
			t.Fatalf("%v, expected %q", err, c.want)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v, expected %q", err, want)
			}
		}
	}
}
