package lifeboats_test

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
)

// seated opens the game for as many players as there are entrants.
func seated(t testing.TB, entrants ...string) arena.Series {
	t.Helper()
	game, err := strategies.Catalogue().Game("lifeboats")
	if err != nil {
		t.Fatal(err)
	}
	players := string(rune('0' + len(entrants)))
	rules, errs := game.Open(param.Values{{Name: "players", Text: players}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := arena.Series{Ruleset: rules, Seed: 1, To: 1}
	for _, text := range entrants {
		e, err := rules.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}
