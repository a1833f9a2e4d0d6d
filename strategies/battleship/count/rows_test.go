package count

import (
	"testing"

	"sakusen/engines/battleship"
	"sakusen/engines/suite"
)

// rows is a second way to count ships on free squares, which has nothing in common with the
// closed form. Of five ships at most two lie one way and at least three the other. The few are
// enumerated. The many lie in rows, and rows do not disturb each other. The ways to put a
// subset of ships into one row are counted along the row for each pattern of free squares once,
// and rows are joined by splitting the subset.
type rows struct {
	lengths []int
	ways    [2]map[uint32][]uint64 // by pattern of a row: ways for each subset
	width   [2]int
	height  [2]int
}

func newRows(width, height int, lengths []int) *rows {
	return &rows{lengths: lengths, width: [2]int{width, height}, height: [2]int{height, width},
		ways: [2]map[uint32][]uint64{{}, {}}}
}

// row returns the ways to put each subset of the ships into a row.
func (r *rows) row(o int, pattern uint32) []uint64 {
	if ways, ok := r.ways[o][pattern]; ok {
		return ways
	}
	n := 1 << len(r.lengths)
	width := r.width[o]
	from := make([][]uint64, width+1) // ways right of a column
	for c := width; c >= 0; c-- {
		from[c] = make([]uint64, n)
		if c == width {
			from[c][0] = 1
			continue
		}
		copy(from[c], from[c+1])
		for i, length := range r.lengths {
			fits := c+length <= width
			for x := c; fits && x < c+length; x++ {
				fits = pattern>>x&1 != 0
			}
			for subset := range n {
				if fits && subset>>i&1 != 0 {
					from[c][subset] += from[c+length][subset&^(1<<i)]
				}
			}
		}
	}
	r.ways[o][pattern] = from[0]
	return from[0]
}

// along returns the ways to put the ships of a subset in rows of direction o.
func (r *rows) along(o int, free []uint32, subset int) uint64 {
	total := make([]uint64, subset+1)
	total[0] = 1
	for _, pattern := range free {
		ways := r.row(o, pattern)
		next := make([]uint64, subset+1)
		for s := range total {
			if total[s] == 0 {
				continue
			}
			rest := subset &^ s
			for put := rest; ; put = (put - 1) & rest {
				next[s|put] += total[s] * ways[put]
				if put == 0 {
					break
				}
			}
		}
		total = next
	}
	return total[subset]
}

func (r *rows) count(free [2][]uint32) uint64 {
	all := 1<<len(r.lengths) - 1
	total := uint64(0)
	for down := 0; down <= all; down++ {
		few, o := down, 0
		n := 0
		for i := range r.lengths {
			n += down >> i & 1
		}
		if 2*n > len(r.lengths) {
			few, o = all&^down, 1
		}
		total += r.few(o, free, few, all&^few)
	}
	return total
}

// few enumerates the ships that do not lie in the rows of direction o.
func (r *rows) few(o int, free [2][]uint32, few, many int) uint64 {
	if few == 0 {
		return r.along(o, free[o], many)
	}
	i := 0
	for few>>i&1 == 0 {
		i++
	}
	length := r.lengths[i]
	total := uint64(0)
	for column := range r.width[o] {
		for top := 0; top+length <= r.height[o]; top++ {
			line := uint32(1<<length-1) << top
			if free[1-o][column]&line != line {
				continue
			}
			var next [2][]uint32
			next[o] = append([]uint32(nil), free[o]...)
			next[1-o] = append([]uint32(nil), free[1-o]...)
			next[1-o][column] &^= line
			for y := top; y < top+length; y++ {
				next[o][y] &^= 1 << column
			}
			total += r.few(o, next, few&^(1<<i), many)
		}
	}
	return total
}

func patterns(board *battleship.Board, free battleship.Set) [2][]uint32 {
	out := [2][]uint32{make([]uint32, board.Height()), make([]uint32, board.Width())}
	for s := range free.All() {
		out[0][board.Row(s)] |= 1 << board.Column(s)
		out[1][board.Column(s)] |= 1 << board.Row(s)
	}
	return out
}

// TestOtherBoards counts five ships on boards of other sizes by rows.
func TestOtherBoards(t *testing.T) {
	for i, test := range []struct {
		width, height int
		lengths       []int
		misses        []string
		squares       []string
	}{
		{8, 8, []int{5, 4, 3, 3, 2}, nil, []string{"a1", "b1", "c2", "d3", "d4", "h8", "e5"}},
		{8, 8, []int{5, 4, 3, 3, 2}, []string{"c3", "f5", "d7"}, []string{"a1", "d4", "c4", "h8", "f4"}},
		{12, 10, []int{5, 4, 3, 3, 2}, nil, []string{"a1", "f5", "l10"}},
		{12, 10, []int{5, 4, 3, 3, 2}, []string{"c3", "f5", "d7", "k2", "i8", "f9"}, []string{"a1", "e5"}},
		{10, 12, []int{4, 3, 3, 2}, []string{"c3", "f11"}, []string{"a1", "e6", "c2"}},
		{16, 16, []int{8, 8, 7, 6}, []string{"h8"}, []string{"a1", "h9"}},
		// numbers near the widths of their lanes
		{16, 16, []int{8, 8, 8, 8}, nil, []string{"h8"}},
		{16, 16, []int{9, 9, 9, 8}, []string{"a1"}, []string{"i7"}},
		{16, 16, []int{2, 2, 2, 2}, nil, []string{"h8"}},
		{16, 16, []int{3, 2, 2, 2}, nil, []string{"b1"}},
		{16, 16, []int{14, 5, 4, 3}, nil, []string{"b2"}},
		{9, 13, []int{9, 6, 2, 2, 2}, []string{"e7", "b11"}, []string{"a1", "e6"}},
	} {
		if suite.Few() && i%2 == 1 {
			continue
		}
		board, err := battleship.NewBoard(test.width, test.height)
		if err != nil {
			t.Fatal(err)
		}
		fleet, err := battleship.NewNameless(test.lengths...)
		if err != nil {
			t.Fatal(err)
		}
		k := battleship.NewKnowledge(board, fleet)
		at := func(name string) battleship.Square {
			s, err := board.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		for _, name := range test.misses {
			k.Record(at(name), battleship.Miss)
		}
		c := New(board)
		c.Count(k)
		r := newRows(test.width, test.height, test.lengths)
		total := r.count(patterns(board, k.Unshot()))
		if c.Total() != (Number{0, total}) {
			t.Errorf("%d x %d %v %v: %v placements, want %d", test.width, test.height, test.lengths, test.misses, c.Total(), total)
		}
		squares := test.squares
		if suite.Few() {
			squares = nil
		}
		for _, name := range squares {
			free := k.Unshot()
			free.Remove(at(name))
			want := total - r.count(patterns(board, free))
			if got := c.At(at(name)); got != (Number{0, want}) {
				t.Errorf("%d x %d %v %v: %s: %v, want %d", test.width, test.height, test.lengths, test.misses, name, got, want)
			}
		}
	}
}
