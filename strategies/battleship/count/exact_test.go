package count

import (
	"math/big"
	"testing"

	"sakusen/engines/battleship"
	"sakusen/engines/suite"
)

// TestBeyond64Bits counts a fleet of ten ships whose placements exceed 2^64,
// against the formula for one ship of length 2 and nine of length 1.
func TestBeyond64Bits(t *testing.T) {
	board, _ := battleship.NewBoard(16, 16)
	fleet, err := battleship.NewNameless(2, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	k := battleship.NewKnowledge(board, fleet)
	c := New(board)
	c.Count(k)
	// 254 squares are left for the first of nine
	falling := func(from, n int64) *big.Int {
		p := big.NewInt(1)
		for i := range n {
			p.Mul(p, big.NewInt(from-i))
		}
		return p
	}
	times := func(n int64, p *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(n), p) }
	if want := times(480, falling(254, 9)); c.Total().String() != want.String() || c.Total().Hi == 0 {
		t.Errorf("%v placements, want %v", c.Total(), want)
	}
	for _, at := range []struct {
		name string
		long int64 // placements of the ship of length 2 there
	}{{"a1", 2}, {"b1", 3}, {"h8", 4}} {
		s, _ := board.Parse(at.name)
		want := times(at.long, falling(254, 9))
		want.Add(want, times(9*(480-at.long), falling(253, 8)))
		if got := c.At(s).String(); got != want.String() {
			t.Errorf("%s: %s, want %s", at.name, got, want)
		}
	}
	best, _ := c.Best()
	if best.Len() != 14*14 {
		t.Errorf("%d best squares, want the 196 off the edge", best.Len())
	}
}

// TestBigEqualsSmall counts in 128 bits what fits in 64.
func TestBigEqualsSmall(t *testing.T) {
	for row, v := range vectors(t) {
		if suite.Few() && row%7 != 0 {
			continue
		}
		k := v.knowledge(t)
		small, big := New(k.Board()), New(k.Board())
		small.Count(k)
		big.tally.on = true
		task := big.task(k, battleship.Set{})
		big.tally.reset(k.Board().Squares(), true)
		big.total = big.solve(&task).mul(task.times)
		big.tally.spread(big)
		if small.Total() != big.Total() {
			t.Fatalf("row %d: %v placements, want %v", row, big.Total(), small.Total())
		}
		for s := range k.Board().Squares() {
			if a, b := small.At(battleship.Square(s)), big.At(battleship.Square(s)); a != b {
				t.Fatalf("row %d: square %d: %v, want %v", row, s, b, a)
			}
		}
	}
}

// TestFigure5 has the paper's own numbers, the two ships of length 3 alike.
func TestFigure5(t *testing.T) {
	board, _ := battleship.NewBoard(10, 10)
	k := battleship.NewKnowledge(board, battleship.Classic())
	c := New(board)
	c.Count(k)
	if c.Total().Lo != 2*15046987768 {
		t.Errorf("%v placements", c.Total())
	}
	for name, want := range map[string]uint64{
		"e5": 3214027020, "e4": 3136128540, "d4": 3060754006, "e3": 3000859368, "d3": 2920534022,
		"e2": 2771697341, "c3": 2769717852, "d2": 2674167548, "e1": 2508505461, "c2": 2490360157,
		"d1": 2387278606, "c1": 2158897172, "b2": 2146161986, "b1": 1729219394, "a1": 1203741932,
	} {
		s, _ := board.Parse(name)
		if c.At(s) != (Number{0, 2 * want}) {
			t.Errorf("%s: %v, want twice %d", name, c.At(s), want)
		}
	}
}

// TestCountMissing compares shots that are assumed to miss with shots that do.
func TestCountMissing(t *testing.T) {
	for _, v := range vectors(t)[:40] {
		k := v.knowledge(t)
		c, d := New(k.Board()), New(k.Board())
		c.Count(k)
		best, most := c.Best()
		total := c.Total()
		missed := battleship.SetOf(best.First())
		d.CountMissing(k, missed)
		if d.Total().plus(most) != total {
			t.Fatalf("%v placements with a miss and %v without, of %v", d.Total(), most, total)
		}
		if d.Total().IsZero() {
			continue
		}
		m := *k
		m.Record(best.First(), battleship.Miss)
		c.Count(&m)
		for s := range k.Board().Squares() {
			if c.At(battleship.Square(s)) != d.At(battleship.Square(s)) {
				t.Fatalf("square %d: %v, want %v", s, d.At(battleship.Square(s)), c.At(battleship.Square(s)))
			}
		}
		if c.Placements(k, missed) != d.Total() {
			t.Fatal("placements alone differ")
		}
	}
}

func TestNoAllocation(t *testing.T) {
	k := vectors(t)[5].knowledge(t)
	c := New(k.Board())
	if n := testing.AllocsPerRun(3, func() { c.Count(k); c.Best(); c.Possible(k, Effort{Steps: 1e6}) }); n != 0 {
		t.Errorf("%v allocations a count", n)
	}
}

func TestNumber(t *testing.T) {
	a := Number{1, 1<<63 + 5}
	if got := a.String(); got != "27670116110564327429" {
		t.Error(got)
	}
	if got := a.mul(signed(-3)).plus(a).plus(a).plus(a); !got.IsZero() {
		t.Error(got)
	}
	if a.Cmp(Number{0, 7}) != 1 || (Number{0, 7}).Cmp(a) != -1 || a.Cmp(a) != 0 || (Number{1, 4}).Cmp(Number{1, 5}) != -1 {
		t.Error("order")
	}
	if f := a.Float(); f != 27670116110564327424 {
		t.Error(f)
	}
}
