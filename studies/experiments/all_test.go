package experiments_test

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/studies/experiments"
)

// A program whose catalogue lacks games has the experiments on the others.
func TestAllOfSomeGames(t *testing.T) {
	whole, err := experiments.All(strategies.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, g := range strategies.Catalogue() {
		some, err := experiments.All(arena.Catalogue{g})
		if err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
		sum += len(some)
	}
	if sum != len(whole) || sum < 10 {
		t.Errorf("%d experiments game by game, %d of all games", sum, len(whole))
	}
	if none, err := experiments.All(nil); err != nil || len(none) != 0 {
		t.Errorf("%d experiments on no games, %v", len(none), err)
	}
}
