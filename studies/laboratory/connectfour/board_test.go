package connectfour

import (
	"testing"

	"sakusen/engines/arena"
)

// plain is a position as a list of cells, to hold the bits against.
type plain [columns][rows]int // 0 empty, 1 to move, 2 the other

func (b board) plain() (p plain) {
	for c := range columns {
		for r := range rows {
			bit := uint64(1) << (c*height + r)
			switch {
			case b.own&bit != 0:
				p[c][r] = 1
			case b.taken&bit != 0:
				p[c][r] = 2
			}
		}
	}
	return p
}

// windows yields, for each row of four, the discs of one side and the empty cells.
func (p *plain) windows(yield func(own, empty int)) {
	p.fours(func(cell [4]*int) {
		own, empty := 0, 0
		for _, at := range cell {
			switch *at {
			case 1:
				own++
			case 0:
				empty++
			}
		}
		yield(own, empty)
	})
}

// fours yields all rows of four.
func (p *plain) fours(yield func(cell [4]*int)) {
	for c := range columns {
		for r := range rows {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				endC, endR := c+3*d[0], r+3*d[1]
				if endC >= columns || endR >= rows || endR < 0 {
					continue
				}
				var cell [4]*int
				for k := range cell {
					cell[k] = &p[c+k*d[0]][r+k*d[1]]
				}
				yield(cell)
			}
		}
	}
}

// wins reports whether a side has four.
func (p *plain) wins(side int) (won bool) {
	p.fours(func(cell [4]*int) {
		won = won || *cell[0] == side && *cell[1] == side && *cell[2] == side && *cell[3] == side
	})
	return won
}

// What the bits say is what a list of cells says, in positions of random games.
func TestBits(t *testing.T) {
	chance := arena.NewStream(7, 7)
	positions, forced, lost := 0, 0, 0
	for range 300 {
		b := board{}
		for b.playable() != 0 {
			positions++
			p := b.plain()
			for c := range columns {
				for r := range rows {
					if p[c][r] != 0 {
						continue
					}
					for side, own := range map[int]uint64{1: b.own, 2: b.enemy()} {
						p[c][r] = side
						bit := uint64(1) << (c*height + r)
						if got, want := completing(own, b.taken)&bit != 0, p.wins(side); got != want {
							t.Fatalf("%+v: column %d, row %d makes four for %d: %v, want %v", p, c, r, side, got, want)
						}
					}
					p[c][r] = 0
				}
			}
			open, twos, wantOpen, wantTwos := 0, 0, 0, 0
			p.windows(func(own, empty int) {
				if own+empty == 4 {
					wantOpen++
					if own == 2 {
						wantTwos++
					}
				}
			})
			if open, twos = lines(b.own, b.enemy()); open != wantOpen || twos != wantTwos {
				t.Fatalf("%+v: %d rows open and %d with two, want %d and %d", p, open, twos, wantOpen, wantTwos)
			}
			safe, want := b.safe(), uint64(0)
			for moves := b.playable(); moves != 0; moves &= moves - 1 {
				next := b.after(moves & -moves)
				if next.playable()&completing(next.own, next.taken) == 0 {
					want |= moves & -moves
				}
			}
			if safe != want {
				t.Fatalf("%+v: safe moves %x, want %x", p, safe, want)
			}
			switch {
			case want == 0:
				lost++
			case want&(want-1) == 0:
				forced++
			}
			moves := b.playable()
			for n := chance.IntN(columns); n > 0 && moves&(moves-1) != 0; n-- {
				moves &= moves - 1
			}
			move := moves & -moves
			if move&completing(b.own, b.taken) != 0 {
				break
			}
			b = b.after(move)
		}
	}
	if positions < 3000 || forced < 100 || lost < 30 {
		t.Errorf("%d positions, %d with one safe move, %d with none: too few to say anything", positions, forced, lost)
	}
}

// Openings are eight plies that decide nothing, and many.
func TestOpenings(t *testing.T) {
	seen := map[board]bool{}
	for i := range 2000 {
		chance := arena.NewStream(uint64(i), 1)
		b := start(&chance)
		p := b.plain()
		if p.wins(1) || p.wins(2) || b.playable()&completing(b.own, b.taken) != 0 || b.safe() == 0 {
			t.Fatalf("%+v is no opening", p)
		}
		seen[b] = true
	}
	if len(seen) < 1500 {
		t.Errorf("%d different openings of 2000", len(seen))
	}
}
