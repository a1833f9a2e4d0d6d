package chess

import (
	"flag"
	"testing"
)

var deep = flag.Bool("deep", false, "count positions one or two plies deeper")

// perft returns the number of lines of a number of plies.
func perft(p *Position, depth int) int64 {
	var buffer [256]Move
	moves := p.Legal(buffer[:0])
	if depth == 1 {
		return int64(len(moves))
	}
	n := int64(0)
	for _, m := range moves {
		next := *p
		next.Do(m)
		n += perft(&next, depth-1)
	}
	return n
}

// The six positions by which generators of moves are tried, with the counts that
// programs agree upon (chessprogramming.org, Perft Results).
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		fen    string
		counts []int64 // from depth 1
		short  int     // depth in short tests
	}{
		{StartFEN, []int64{20, 400, 8902, 197281, 4865609, 119060324}, 5},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []int64{48, 2039, 97862, 4085603, 193690690}, 4},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []int64{14, 191, 2812, 43238, 674624, 11030083, 178633661}, 5},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []int64{6, 264, 9467, 422333, 15833292}, 4},
		{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []int64{44, 1486, 62379, 2103487, 89941194}, 4},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []int64{46, 2079, 89890, 3894594, 164075551}, 4},
	} {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		depth := c.short
		if *deep {
			depth = len(c.counts)
		}
		for d := 1; d <= depth; d++ {
			if got := perft(&p, d); got != c.counts[d-1] {
				t.Errorf("%s: %d plies have %d lines, expected %d", c.fen, d, got, c.counts[d-1])
			}
		}
	}
}

// The key that moves keep up to date is the one worked out anew, and the FEN of
// every position reads back as the same position.
func TestKeysAndFEN(t *testing.T) {
	var walk func(p Position, depth int)
	walk = func(p Position, depth int) {
		if p.Key() != p.wholeKey() {
			t.Fatalf("%s: the key is %x, expected %x", p.FEN(), p.Key(), p.wholeKey())
		}
		if again, err := ParseFEN(p.FEN()); err != nil || again != p {
			t.Fatalf("%s reads back as %s, %v", p.FEN(), again.FEN(), err)
		}
		if depth == 0 {
			return
		}
		for _, m := range p.Legal(nil) {
			next := p
			next.Do(m)
			walk(next, depth-1)
		}
	}
	for _, fen := range []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	} {
		p, err := ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		walk(p, 2)
	}
}

func BenchmarkPerft(b *testing.B) {
	p := Start()
	n := int64(0)
	for b.Loop() {
		n += perft(&p, 4)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}

func FuzzFEN(f *testing.F) {
	f.Add(StartFEN)
	f.Add("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseFEN(text)
		if err != nil {
			return
		}
		again, err := ParseFEN(p.FEN())
		if err != nil || again != p {
			t.Errorf("%q reads as %s, and that as %s, %v", text, p.FEN(), again.FEN(), err)
		}
		for _, m := range p.Legal(nil) {
			next := p
			next.Do(m)
		}
	})
}
