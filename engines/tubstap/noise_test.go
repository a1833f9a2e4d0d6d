package tubstap

import (
	"testing"

	"sakusen/engines/arena"
)

// TestShake: shaken units stay on cells of their own that they may enter,
// within one step of the start and one HP of it.
func TestShake(t *testing.T) {
	m := mustMap(t, "paper12a")
	moved, hurt := 0, 0
	for seed := range uint64(200) {
		chance := arena.NewStream(seed, 1)
		units := append([]Unit(nil), m.Units...)
		shake(m, units, true, true, &chance)
		taken := map[[2]int8]bool{}
		for i, u := range units {
			was := m.Units[i]
			away := distance(u.X, u.Y, was.X, was.Y)
			if away > 1 || taken[[2]int8{u.X, u.Y}] || u.Kind.Cost(m.At(int(u.X), int(u.Y))) >= impassable {
				t.Fatalf("seed %d: unit %d went from %v to %v", seed, i, was, u)
			}
			if u.HP != 9 && u.HP != 10 {
				t.Fatalf("seed %d: unit %d has %d HP", seed, i, u.HP)
			}
			taken[[2]int8{u.X, u.Y}] = true
			moved += away
			hurt += FullHP - int(u.HP)
		}
	}
	if moved == 0 || hurt < 2000 || hurt > 2800 {
		t.Errorf("%d moves, %d HP lost by 4800 units", moved, hurt)
	}
}
