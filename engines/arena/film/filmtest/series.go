// Package filmtest helps the tests of games' drawers: games to film, checks of
// every frame, and drawings held to files.
//
//	s := filmtest.Series(t, game, "players=4", "level1", "random")
//	one := filmtest.Sound(t, Scene(), s)
package filmtest

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Series is one block of a game under rules such as "map=own04 noise_hp=true", its
// entrants one a seat and round again.
func Series(t testing.TB, g *arena.Game, rules string, entrants ...string) arena.Series {
	t.Helper()
	var values param.Values
	for _, text := range strings.Fields(rules) {
		name, value, _ := strings.Cut(text, "=")
		values = append(values, param.Value{Name: name, Text: value})
	}
	rs, errs := g.Open(values)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := arena.Series{Ruleset: rs, Seed: 1, To: 1}
	for i := range rs.Seats {
		e, err := rs.Entrant(entrants[i%len(entrants)])
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}
