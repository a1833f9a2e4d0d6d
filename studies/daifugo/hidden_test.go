package daifugo

import (
	"context"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies/daifugo"
	"sakusen/tuner/contest/experiment"
)

// A player against three of itself gains nothing but chance; sampling deals beats
// playing the lowest card.
func TestDuels(t *testing.T) {
	seed := uint64(4)
	play := func(d duel, blocks int64) experiment.Row {
		row, err := d.play(context.Background(), experiment.Options{Host: arena.NewPool(1), Seed: &seed}, blocks, func(_, _ int64) {})
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	self := play(duel{"hidden", "sampled(deals=3)", "sampled(deals=3)"}, 300)
	if self.CI.Lo.Value > 0.03 || self.CI.Hi.Value < -0.03 {
		t.Errorf("against itself: %v %+v", self.Measured, self.CI)
	}
	better := play(duel{"hidden", "sampled(deals=10)", "lowest-first"}, 300)
	if !better.CI.Defined() || better.CI.Lo.Value < 0.03 {
		t.Errorf("against the lowest card: %v %+v", better.Measured, better.CI)
	}
}

// The cells that depend on the table are 18, and a table with one probe gives more nodes
// than one that never forgets, another number with each hash function.
func TestHashing(t *testing.T) {
	cells, err := dependent()
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 18 {
		t.Fatalf("%d cells, want 18", len(cells))
	}
	var small []cell
	for _, c := range cells {
		if c.Printed.Nodes < 60000 {
			small = append(small, c)
		}
	}
	one, err := memory{12, 1, daifugo.ReplaceHome}.fits(context.Background(), small, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range one {
		if f.Low <= small[i].Expected.Nodes || f.Low == f.High || f.Hashes != 3 || math.IsInf(f.deviations(), 0) {
			t.Errorf("%s, %s: %+v", small[i].column(), small[i].Method, f)
		}
	}
	large, err := memory{20, 16, daifugo.ReplaceHome}.fits(context.Background(), small[:1], 2)
	if err != nil {
		t.Fatal(err)
	}
	if large[0].Low != small[0].Expected.Nodes || large[0].High != small[0].Expected.Nodes {
		t.Errorf("sixteen probes: %+v, want %v", large[0], small[0].Expected)
	}
}
