package lifeboats_test

import (
	"context"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
)

// Levels 0 and 1 are the strategies of these names, vote for vote; level 2 is another.
func TestLevels(t *testing.T) {
	game, err := strategies.Catalogue().Game("lifeboats")
	if err != nil {
		t.Fatal(err)
	}
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	digest := func(first, others string) string {
		s := arena.Series{Ruleset: rules, Seed: 3, To: 40}
		for _, text := range []string{first, others, others, others, "random"} {
			e, err := rules.Entrant(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Entrants = append(s.Entrants, e)
		}
		tally, err := arena.NewPool(1).Play(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatUint(tally.Digest, 16)
	}
	if digest("levelk(level=0,X=3)", "level0") != digest("level0(X=3)", "level0") {
		t.Error("level 0 plays unlike level0")
	}
	one := digest("level1(alive=expected,X=3)", "level0")
	if digest("levelk(level=1,X=3)", "level0") != one {
		t.Error("level 1 plays unlike level1")
	}
	if digest("levelk(level=2,X=3)", "level0") == one {
		t.Error("level 2 plays like level 1")
	}
}
