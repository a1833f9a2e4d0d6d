package battleship

import (
	"math/rand/v2"
	"testing"
)

// hidden is a fleet at random places, the answers to shots at it.
type hidden struct {
	lines []Set
	shot  Set
}

func hide(b *Board, f *Fleet, r *rand.Rand) *hidden {
	h := &hidden{}
	for {
		var used Set
		h.lines = h.lines[:0]
		for i := range f.Ships() {
			vertical := r.IntN(2) == 1
			starts := b.Starts(f.Length(i), vertical)
			if starts.Empty() {
				vertical = !vertical
				starts = b.Starts(f.Length(i), vertical)
			}
			line := b.Line(starts.Nth(r.IntN(starts.Len())), f.Length(i), vertical)
			if line.Meets(used) {
				break
			}
			used = used.Or(line)
			h.lines = append(h.lines, line)
		}
		if len(h.lines) == f.Ships() {
			return h
		}
	}
}

func (h *hidden) fire(at Square) Answer {
	h.shot.Add(at)
	for i, line := range h.lines {
		if line.Has(at) {
			if line.Within(h.shot) {
				return Sunk(i)
			}
			return Hit
		}
	}
	return Miss
}

// TestKnowledgeSlowly plays random games on several boards and compares what
// follows from the answers with a plain reading of the rules.
func TestKnowledgeSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range [][2]int{{10, 10}, {8, 8}, {12, 10}, {16, 16}, {5, 16}, {16, 4}} {
		b, err := NewBoard(dim[0], dim[1])
		if err != nil {
			t.Fatal(err)
		}
		f := Classic()
		k := NewKnowledge(b, f)
		for range 30 {
			h := hide(b, f, r)
			k.Reset(b, f)
			for !k.Over() {
				unknown := k.Unknown()
				at := unknown.Nth(r.IntN(unknown.Len()))
				k.Record(at, h.fire(at))
				checkKnowledge(t, k, h)
			}
		}
	}
}

func checkKnowledge(t *testing.T, k *Knowledge, h *hidden) {
	t.Helper()
	b := k.Board()
	for i := range k.Sinkings() {
		s := k.Sinking(i)
		if s.Settled && b.Covers(k.Fleet(), s.Place) != h.lines[s.Ship] {
			t.Fatalf("ship %d settled at %v, is elsewhere", s.Ship, s.Place)
		}
	}
	if k.Over() {
		return
	}
	if !k.Unknown().Within(k.UnknownLate()) {
		t.Fatalf("unknown late: got %v, unknown are %v", k.UnknownLate(), k.Unknown())
	}
	walls := k.Walls()
	for s := range b.Squares() {
		best := 0
		for _, d := range [][2]int{{1, 0}, {0, 1}} {
			run := 0
			for _, sign := range []int{-1, 1} {
				c, r := b.Column(Square(s)), b.Row(Square(s))
				for c >= 0 && c < b.Width() && r >= 0 && r < b.Height() && !walls.Has(b.At(c, r)) {
					run++
					c, r = c+sign*d[0], r+sign*d[1]
				}
			}
			best = max(best, run-1)
		}
		want := best >= k.Shortest() && !k.Shots().Has(Square(s))
		if k.Unknown().Has(Square(s)) != want {
			t.Fatalf("square %s unknown: got %v, want %v", b.Name(Square(s)), !want, want)
		}
		if !want && !k.Shots().Has(Square(s)) {
			for _, line := range h.lines {
				if line.Has(Square(s)) {
					t.Fatalf("square %s holds a ship and counts as trivially empty", b.Name(Square(s)))
				}
			}
		}
	}
}

func TestAmbiguousSinking(t *testing.T) {
	b, _ := NewBoard(10, 10)
	k := NewKnowledge(b, Classic())
	at := func(name string) Square {
		s, err := b.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	k.Record(at("a1"), Hit)
	k.Record(at("b1"), Hit)
	k.Record(at("d1"), Hit)
	k.Record(at("c1"), Sunk(2)) // a1-c1 or b1-d1
	if k.Loose() != 1 || k.Open().Len() != 4 || k.Settled().Len() != 0 {
		t.Fatalf("loose %d, open %d", k.Loose(), k.Open().Len())
	}
	k.Record(at("d2"), Sunk(4)) // d1-d2, so the cruiser lies on a1-c1
	if k.Loose() != 0 || k.Open().Len() != 0 || k.Settled().Len() != 5 {
		t.Fatalf("loose %d, open %d, settled %d", k.Loose(), k.Open().Len(), k.Settled().Len())
	}
	if k.Afloat() != 3 || k.Shortest() != 3 || k.Longest() != 5 || k.IsAfloat(2) || !k.IsAfloat(3) {
		t.Fatal("ships afloat")
	}
}

// TestUnknownLate: a destroyer at a1 and b1 leaves two squares of a column and
// of a row beside it to ships of three, from the next miss on.
func TestUnknownLate(t *testing.T) {
	b, err := NewBoard(10, 10)
	if err != nil {
		t.Fatal(err)
	}
	k := NewKnowledge(b, Classic())
	for _, c := range []struct {
		at           string
		answer       Answer
		prompt, late bool // whether a2 is unknown
	}{
		{"a4", Miss, true, true},
		{"c2", Miss, true, true},
		{"a1", Hit, true, true},
		{"b1", Sunk(4), false, true},
		{"f6", Hit, false, true},
		{"j10", Miss, false, false},
	} {
		at, err := b.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		k.Record(at, c.answer)
		if prompt, late := k.Unknown().Has(b.At(0, 1)), k.UnknownLate().Has(b.At(0, 1)); prompt != c.prompt || late != c.late {
			t.Errorf("after %s: a2 unknown %v, late %v, want %v and %v", c.at, prompt, late, c.prompt, c.late)
		}
	}
}

func TestAlikeShipsSinkInOrder(t *testing.T) {
	b, _ := NewBoard(6, 6)
	f, err := NewNameless(2, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	k := NewKnowledge(b, f)
	k.Record(0, Hit)
	k.Record(1, Sunk(1))
	if k.IsAfloat(0) || !k.IsAfloat(1) || k.Sinking(0).Ship != 0 {
		t.Fatal("the first of the ships alike must count as sunk")
	}
	k.Record(20, Hit)
	k.Record(21, Sunk(1))
	if k.Afloat() != 1 || k.Sinking(1).Ship != 1 {
		t.Fatal("then the second")
	}
}

func BenchmarkRecord(b *testing.B) {
	board, _ := NewBoard(10, 10)
	f := Classic()
	r := rand.New(rand.NewPCG(3, 4))
	type shot struct {
		at Square
		a  Answer
	}
	var games [64][]shot
	for i := range games {
		h := hide(board, f, r)
		k := NewKnowledge(board, f)
		for !k.Over() {
			u := k.Unknown()
			at := u.Nth(r.IntN(u.Len()))
			a := h.fire(at)
			k.Record(at, a)
			games[i] = append(games[i], shot{at, a})
		}
	}
	k := NewKnowledge(board, f)
	b.ReportAllocs()
	shots, i := 0, 0
	for b.Loop() {
		k.Reset(board, f)
		for _, s := range games[i&63] {
			k.Record(s.at, s.a)
		}
		shots += len(games[i&63])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(shots), "ns/shot")
}
