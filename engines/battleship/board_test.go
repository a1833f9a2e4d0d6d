package battleship

import "testing"

func TestSquareNames(t *testing.T) {
	for _, dim := range [][2]int{{10, 10}, {16, 16}, {1, 1}, {3, 16}, {16, 2}} {
		b, err := NewBoard(dim[0], dim[1])
		if err != nil {
			t.Fatal(err)
		}
		for s := range b.Squares() {
			got, err := b.Parse(b.Name(Square(s)))
			if err != nil || got != Square(s) {
				t.Fatalf("%v: %d is %q, parsed %d, %v", dim, s, b.Name(Square(s)), got, err)
			}
		}
	}
	b, _ := NewBoard(10, 10)
	if b.Name(0) != "a1" || b.Name(9) != "j1" || b.Name(10) != "a2" || b.Name(99) != "j10" {
		t.Error("names are not in board order")
	}
	for _, bad := range []string{"", "a", "a0", "a01", "k1", "a11", "A1", "a1 ", "aa", "a-1", "1a", "a100"} {
		if s, err := b.Parse(bad); err == nil {
			t.Errorf("%q parsed as %d", bad, s)
		}
	}
}

func TestBoardAndFleetLimits(t *testing.T) {
	for _, dim := range [][2]int{{0, 5}, {5, 0}, {17, 5}, {5, 17}, {-1, -1}} {
		if _, err := NewBoard(dim[0], dim[1]); err == nil {
			t.Errorf("board %v made", dim)
		}
	}
	for _, lengths := range [][]int{{}, {0}, {17}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		if _, err := NewNameless(lengths...); err == nil {
			t.Errorf("fleet %v made", lengths)
		}
	}
	if _, err := NewFleet(Ship{"tug", 2}, Ship{"tug", 3}); err == nil {
		t.Error("one class with two lengths made")
	}
}

func TestSetAgainstMap(t *testing.T) {
	b, _ := NewBoard(16, 16)
	var a Set
	in := map[Square]bool{}
	for i := range 300 {
		s := Square(i * 37)
		if i%3 == 2 {
			a.Remove(s)
			delete(in, s)
		} else {
			a.Add(s)
			in[s] = true
		}
		if a.Len() != len(in) {
			t.Fatalf("step %d: %d squares, want %d", i, a.Len(), len(in))
		}
		n := 0
		for s := range a.All() {
			if !in[s] || !a.Has(s) || a.Nth(n) != s {
				t.Fatalf("step %d: square %d", i, s)
			}
			n++
		}
	}
	for s := range b.Squares() {
		c, r := b.Column(Square(s)), b.Row(Square(s))
		want := 0
		for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if x, y := c+d[0], r+d[1]; x >= 0 && x < 16 && y >= 0 && y < 16 {
				want++
				if !b.Neighbours(Square(s)).Has(b.At(x, y)) {
					t.Fatalf("neighbours of %s", b.Name(Square(s)))
				}
			}
		}
		if b.Neighbours(Square(s)).Len() != want {
			t.Fatalf("neighbours of %s", b.Name(Square(s)))
		}
	}
}

func TestFits(t *testing.T) {
	for _, dim := range [][2]int{{10, 10}, {12, 10}, {16, 16}, {3, 7}, {1, 4}} {
		b, _ := NewBoard(dim[0], dim[1])
		free := b.All()
		for s := 3; s < b.Squares(); s += 7 {
			free.Remove(Square(s))
		}
		for length := 1; length <= MaxSide; length++ {
			for _, vertical := range []bool{false, true} {
				fits := b.Fits(free, length, vertical)
				for s := range b.Squares() {
					line := b.Line(Square(s), length, vertical)
					if want := !line.Empty() && line.Within(free); fits.Has(Square(s)) != want {
						t.Fatalf("%v length %d vertical %v at %d: %v", dim, length, vertical, s, !want)
					}
					if !line.Empty() && line.Len() != length {
						t.Fatalf("line of %d squares, want %d", line.Len(), length)
					}
				}
			}
		}
	}
}
