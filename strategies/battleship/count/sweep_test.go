package count

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/battleship"
	"sakusen/engines/suite"
)

// sweepAll counts by sweeps, whatever they cost.
func (c *Counter) sweepAll(k *battleship.Knowledge) {
	t := c.task(k, battleship.Set{})
	c.tally.on, c.sweeping = true, true
	c.tally.reset(c.board.Squares(), c.wide(&t))
	c.total = c.residue(&t)
	c.tally.spread(c)
}

// oddGame returns a game on a narrow board, or of many short ships on one that is
// mostly shot.
func oddGame(r *rand.Rand, limit float64) *game {
	for {
		width, height := 1+r.IntN(3), 1+r.IntN(16)
		if r.IntN(2) == 0 {
			width, height = height, width
		}
		lengths := make([]int, 1+r.IntN(4))
		if r.IntN(2) == 0 {
			width, height = 4+r.IntN(13), 4+r.IntN(13)
			lengths = make([]int, 6+r.IntN(7))
		}
		for i := range lengths {
			lengths[i] = 1 + r.IntN(3)
		}
		if r.IntN(3) == 0 {
			lengths[0] = max(width, height)
		}
		fleet, _ := battleship.NewNameless(lengths...)
		board, _ := battleship.NewBoard(width, height)
		g, ok := hide(board, fleet, r)
		if !ok {
			continue
		}
		chase := r.Float64()
		g.fire(r.IntN(board.Squares()/2+1), chase, r)
		for g.plain().size() > limit && len(g.at) < board.Squares() {
			g.fire(1+board.Squares()/20, chase, r)
		}
		if g.plain().size() <= limit {
			return g
		}
	}
}

func TestSweepAgainstEnumeration(t *testing.T) {
	positions := 1500
	if suite.Few() {
		positions = 200
	}
	r := rand.New(rand.NewPCG(21, 2))
	many, loose, open := 0, 0, 0
	for i := range positions {
		g := randomGame
		if i%2 == 0 {
			g = oddGame
		}
		game := g(r, 1e5)
		p := game.plain()
		p.run()
		k := game.knowledge()
		c := New(game.board)
		c.sweepAll(k)
		p.compare(t, c)
		if k.Afloat() >= 4 {
			many++
		}
		if k.Loose() > 0 {
			loose++
		}
		if !k.Open().Empty() {
			open++
		}
	}
	t.Logf("%d positions, %d with four or more afloat, %d with ambiguous sinkings, %d with open hits", positions, many, loose, open)
	if many < positions/20 || loose < positions/100 || open < positions/10 {
		t.Error("too few of a kind")
	}
}

// TestSweepAgainstClosedForms compares the two ways of counting on large
// boards.
func TestSweepAgainstClosedForms(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	for _, test := range []struct {
		width, height int
		lengths       []int
		games         int
	}{
		{10, 10, []int{5, 4, 3, 3, 2}, 12}, {12, 10, []int{5, 4, 3, 3, 2}, 6}, {8, 8, []int{5, 4, 3, 3, 2}, 12}, {16, 16, []int{5, 4, 3, 3, 2}, 3},
		{10, 16, []int{6, 2, 2, 1, 1}, 4}, {16, 16, []int{16, 9, 4, 2}, 2}, {13, 9, []int{9, 7, 1, 3}, 4}, {9, 9, []int{4, 3, 3, 2, 2, 2}, 2},
	} {
		board, _ := battleship.NewBoard(test.width, test.height)
		fleet, _ := battleship.NewNameless(test.lengths...)
		for n := range test.games {
			if suite.Few() && n > 0 {
				break
			}
			g, ok := hide(board, fleet, r)
			if !ok {
				t.Fatal("no room")
			}
			g.fire(n*board.Squares()/(3*test.games), 0.3, r)
			k := g.knowledge()
			a, b := New(board), New(board)
			a.Count(k)
			b.sweepAll(k)
			same(t, g.text(), a, b, func(s battleship.Square) battleship.Square { return s })
		}
	}
}

// same compares two counters whose boards are images of each other.
func same(t *testing.T, name string, a, b *Counter, image func(battleship.Square) battleship.Square) {
	t.Helper()
	if a.Total() != b.Total() {
		t.Fatalf("%s: %v placements and %v", name, a.Total(), b.Total())
	}
	for s := range a.board.Squares() {
		if s := battleship.Square(s); a.At(s) != b.At(image(s)) {
			t.Fatalf("%s: square %s: %v and %v", name, a.board.Name(s), a.At(s), b.At(image(s)))
		}
	}
}

// image returns the game with columns and rows exchanged, or mirrored, and where its
// squares went.
func (g *game) image(turned bool) (*game, func(battleship.Square) battleship.Square) {
	board := g.board
	if turned {
		board, _ = battleship.NewBoard(g.board.Height(), g.board.Width())
	}
	to := func(s battleship.Square) battleship.Square {
		column, row := g.board.Column(s), g.board.Row(s)
		if turned {
			return board.At(row, column)
		}
		return board.At(g.board.Width()-1-column, row)
	}
	h := &game{board: board, fleet: g.fleet, said: g.said}
	for _, s := range g.at {
		h.at = append(h.at, to(s))
	}
	return h, to
}

// TestManyShips counts positions of seven to twelve ships on the largest board:
// the squares add up, what a miss leaves out is what a square has, and images
// of the position have images of the counts.
func TestManyShips(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 2))
	for i, test := range []struct {
		lengths []int
		shots   int
	}{
		{[]int{4, 3, 3, 2, 2, 2, 1, 1, 1, 1}, 40},
		{[]int{5, 4, 3, 3, 2, 2, 2}, 80},
		{[]int{5, 4, 4, 3, 3, 3, 2, 2, 2, 2}, 130},
		{[]int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 90},
		{[]int{16, 6, 4, 4, 2, 2, 2}, 120},
	} {
		if suite.Few() && i > 2 {
			break
		}
		board, _ := battleship.NewBoard(16, 16)
		fleet, _ := battleship.NewNameless(test.lengths...)
		g, ok := hide(board, fleet, r)
		if !ok {
			t.Fatal("no room")
		}
		g.fire(test.shots, 0.1, r)
		k := g.knowledge()
		c := New(board)
		if e := c.Effort(k); e.Steps > 5e9 {
			t.Fatalf("%s: %v", g.text(), e)
		}
		c.Count(k)
		total, sum := c.Total(), Number{}
		for s := range k.Unshot().All() {
			sum = sum.plus(c.At(s))
		}
		left := fleet.Squares() - k.Hits().Len()
		if total.IsZero() || sum != total.mul(signed(int64(left))) {
			t.Fatalf("%s: squares add up to %v, want %d times %v", g.text(), sum, left, total)
		}
		for _, turned := range []bool{false, true} {
			h, to := g.image(turned)
			d := New(h.board)
			if turned { // open hits may make the closed forms few
				d.sweepAll(h.knowledge())
			} else {
				d.Count(h.knowledge())
			}
			same(t, g.text(), c, d, to)
		}
		s := k.Unshot().Nth(r.IntN(k.Unshot().Len()))
		d := New(board)
		if got := d.Placements(k, battleship.SetOf(s)).plus(c.At(s)); got != total {
			t.Fatalf("%s: with and without %s there are %v, want %v", g.text(), board.Name(s), got, total)
		}
	}
}

// TestDominoes counts twelve ships of two squares as sets of twelve dominoes,
// by a method of its own: square by square, with the squares that the last
// ones reach into.
func TestDominoes(t *testing.T) {
	const ships = 12
	for _, size := range [][2]int{{10, 10}, {8, 12}} {
		width, height := size[0], size[1]
		ways := make([][ships + 1]Number, 1<<width)
		ways[0][0] = signed(1)
		for s := range width * height {
			next := make([][ships + 1]Number, 1<<width)
			// bit 0 is this square, bit width the one below
			for taken := range ways {
				for n, number := range ways[taken] {
					if number.IsZero() {
						continue
					}
					next[taken>>1][n] = next[taken>>1][n].plus(number)
					if taken&1 != 0 || n == ships {
						continue
					}
					if s%width+1 < width && taken&2 == 0 {
						next[taken>>1|1][n+1] = next[taken>>1|1][n+1].plus(number)
					}
					if s+width < width*height {
						below := taken>>1 | 1<<(width-1)
						next[below][n+1] = next[below][n+1].plus(number)
					}
				}
			}
			ways = next
		}
		want := ways[0][ships]
		for i := range ships {
			want = want.mul(signed(int64(i + 1)))
		}
		board, _ := battleship.NewBoard(width, height)
		fleet, _ := battleship.NewNameless(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
		k := battleship.NewKnowledge(board, fleet)
		c := New(board)
		if c.Count(k); c.Total() != want {
			t.Errorf("%v: %v placements, want %v", size, c.Total(), want)
		}
	}
}
