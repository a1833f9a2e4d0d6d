package connectfour

import (
	"testing"

	"sakusen/engines/arena"
)

// BenchmarkGame plays the baseline against other weights.
func BenchmarkGame(b *testing.B) {
	var players []*player
	for _, w := range []weights{{6, 0, 0, 4, 10, 0, 0, 0.8}, {0.6, -1, 1.2, 0.3, 4, 4, 4, 1}} {
		players = append(players, &player{own: w.worth(1), enemy: w.worth(w.Enemy)})
	}
	out := arena.NewOutcome(2, 1)
	for i := int64(0); b.Loop(); i++ {
		if err := (referee{}).Play(&arena.Fixture{Seed: 1, Block: i}, players, out); err != nil {
			b.Fatal(err)
		}
	}
}
