package chess

import (
	"slices"
	"strings"
	"testing"
)

func position(t *testing.T, fen string) Position {
	t.Helper()
	p, err := ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSAN(t *testing.T) {
	for _, c := range []struct{ fen, uci, san string }{
		{StartFEN, "g1f3", "Nf3"},
		{StartFEN, "e2e4", "e4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"},
		{"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", "c3e4", "Nce4"},
		{"4k3/8/8/2N5/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"},
		{"4k3/8/8/2Q5/8/2Q3Q1/8/7K w - - 0 1", "c3e3", "Qc3e3+"},
		{"3qk3/8/8/b7/8/2N5/3N4/4K3 w - - 0 1", "d2e4", "Nde4"},
		{"4k3/8/8/1b6/8/2N5/4N3/5K2 w - - 0 1", "c3d5", "Nd5"}, // not Ncd5: the other is pinned
		{"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"},
	} {
		p := position(t, c.fen)
		m, ok := ParseMove(c.uci)
		if !ok || !slices.Contains(p.Legal(nil), m) {
			t.Errorf("%s: %s is not legal", c.fen, c.uci)
			continue
		}
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s: %s is %s, expected %s", c.fen, c.uci, got, c.san)
		}
		if got, err := p.parseSAN(c.san); err != nil || got != m {
			t.Errorf("%s: %s reads as %s, %v", c.fen, c.san, got, err)
		}
	}
	p := Start()
	for _, bad := range []string{"", "e5", "Nd4", "O-O", "x", "Qz9", "e4=Q", "☆f3", "N"} {
		if m, err := p.parseSAN(bad); err == nil {
			t.Errorf("%q reads as %s", bad, m)
		}
	}
}

// Every legal move is read back from its texts.
func TestTextsReadBack(t *testing.T) {
	for index := range uint64(20) {
		p := Start()
		for _, m := range Opening(7, index, 16) {
			for _, l := range p.Legal(nil) {
				if got, err := p.parseSAN(p.SAN(l)); err != nil || got != l {
					t.Fatalf("%s: %s reads back as %s, %v", p.FEN(), p.SAN(l), got, err)
				}
				if got, ok := ParseMove(l.String()); !ok || got != l {
					t.Fatalf("%s reads back as %s", l, got)
				}
			}
			p.Do(m)
		}
	}
	for _, bad := range []string{"", "0000", "e2e2", "e2", "e7e8k", "e7e8p", "e7e8Q", "e9e8", "e2e4e5"} {
		if m, ok := ParseMove(bad); ok {
			t.Errorf("%q reads as %s", bad, m)
		}
	}
}

func TestBadFEN(t *testing.T) {
	for fen, want := range map[string]string{
		"":                          "expected 4 to 6 fields",
		"8/8/8/8/8/8/8/8 w - -":     "expected one king of white, got 0",
		"kk6/8/8/8/8/8/8/K7 w - -":  "expected one king of black, got 2",
		"k6P/8/8/8/8/8/8/K7 w - -":  "no pawn on the first or last rank",
		"kR6/8/8/8/8/8/8/K7 w - -":  "who is not to move, not in check",
		"k7/8/8/8/8/8/8/K7 x - -":   "expected w or b",
		"k7/8/8/8/8/8/8/K7 w K -":   "castling right K",
		"k7/8/8/8/8/8/8/K7 w Z -":   "castling rights",
		"k7/8/8/8/8/8/8/K7 w - e3":  "the square that a pawn has jumped",
		"k7/8/8/8/8/8/K7 w - -":     "8 ranks",
		"k9/8/8/8/8/8/8/K7 w - -":   "rank 8",
		"k7/8/8/8/8/8/8/K7 w - - x": "a count of moves",
	} {
		if _, err := ParseFEN(fen); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %s, got %v", fen, want, err)
		}
	}
}

// lineOf plays moves in algebraic notation.
func lineOf(t *testing.T, fen, moves string) *Line {
	t.Helper()
	l := &Line{}
	l.Reset(position(t, fen))
	for text := range strings.FieldsSeq(moves) {
		if e := l.Ending(); e != Open {
			t.Fatalf("%s: %s before %s", moves, e, text)
		}
		m, err := l.Now().parseSAN(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Do(m)
	}
	return l
}

func TestEndings(t *testing.T) {
	for _, c := range []struct {
		fen, moves string
		want       Ending
	}{
		{StartFEN, "", Open},
		{StartFEN, "f3 e5 g4 Qh4", checkmate},
		{"7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "Qg6", stalemate},
		{StartFEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", Open},
		{StartFEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", repetition},
		// The first position has a capture in passing that the later ones lack.
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", Open},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", repetition},
		// The right to castle is lost by the first moves.
		{"4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", Open},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 99 80", "Ke2", fiftyMoves},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 99 80", "a3", Open},
		{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "Ra8", checkmate},
		{"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "Kxd2", material},
		{"4k3/8/8/8/8/8/3p4/4K1N1 w - - 0 1", "Kxd2", material},
		{"4k3/8/8/8/8/8/3p4/4KNN1 w - - 0 1", "Kxd2", Open},
		{"2b1k3/8/8/8/8/8/3p4/4KB2 w - - 0 1", "Kxd2", material},
		{"2b1k3/8/8/8/8/8/3p4/4K1B1 w - - 0 1", "Kxd2", Open},
		{"4k3/8/8/8/8/8/3p4/4K2R w - - 0 1", "Kxd2", Open},
	} {
		if got := lineOf(t, c.fen, c.moves).Ending(); got != c.want {
			t.Errorf("%s %s: %s, expected %s", c.fen, c.moves, got, c.want)
		}
	}
}

func TestOpenings(t *testing.T) {
	seen := map[uint64]bool{}
	const n = 200
	for index := range uint64(n) {
		moves := Opening(1, index, 8)
		l := Line{}
		l.Reset(Start())
		for _, m := range moves {
			if !l.IsLegal(m) {
				t.Fatalf("opening %d: %s is not legal in %s", index, m, l.Now().FEN())
			}
			l.Do(m)
		}
		if len(moves) != 8 || l.Ending() != Open {
			t.Errorf("opening %d has %d plies and is %s", index, len(moves), l.Ending())
		}
		seen[l.Now().Key()] = true
	}
	if len(seen) < n {
		t.Errorf("%d openings have %d positions", n, len(seen))
	}
	a, b := Opening(1, 3, 8), Opening(2, 3, 8)
	same := true
	for i := range a {
		same = same && a[i] == b[i]
	}
	if same {
		t.Error("two seeds give the same opening")
	}
}

func BenchmarkOpening(b *testing.B) {
	i := uint64(0)
	for b.Loop() {
		Opening(1, i, 8)
		i++
	}
}
