package count

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/battleship"
)

// misses returns a position of the classic board with so many random misses and
// the ships of the given lengths afloat.
func misses(t testing.TB, n int, seed uint64, lengths ...int) *battleship.Knowledge {
	board, err := battleship.NewBoard(10, 10)
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := battleship.NewNameless(lengths...)
	if err != nil {
		t.Fatal(err)
	}
	k := battleship.NewKnowledge(board, fleet)
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		unknown := k.Unshot()
		k.Record(unknown.Nth(r.IntN(unknown.Len())), battleship.Miss)
	}
	return k
}

func BenchmarkCount(b *testing.B) {
	for _, bench := range []struct {
		name    string
		misses  int
		lengths []int
	}{
		{"5ships/100unshot", 0, []int{5, 4, 3, 3, 2}},
		{"5ships/90unshot", 10, []int{5, 4, 3, 3, 2}},
		{"5ships/80unshot", 20, []int{5, 4, 3, 3, 2}},
		{"5ships/70unshot", 30, []int{5, 4, 3, 3, 2}},
		{"4ships/100unshot", 0, []int{5, 4, 3, 3}},
		{"4ships/70unshot", 30, []int{5, 4, 3, 3}},
		{"4ships/70unshot/small", 30, []int{4, 3, 3, 2}},
		{"4ships/50unshot", 50, []int{5, 4, 3, 3}},
		{"3ships/60unshot", 40, []int{5, 4, 3}},
		{"3ships/40unshot", 60, []int{4, 3, 3}},
		{"2ships/40unshot", 60, []int{4, 3}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var ks []*battleship.Knowledge
			for seed := range uint64(16) {
				ks = append(ks, misses(b, bench.misses, seed, bench.lengths...))
			}
			c := New(ks[0].Board())
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c.Count(ks[i&15])
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// BenchmarkVectors counts positions of real games, most with open hits.
func BenchmarkVectors(b *testing.B) {
	var ks []*battleship.Knowledge
	for _, v := range vectors(b) {
		ks = append(ks, v.knowledge(b))
	}
	c := New(ks[0].Board())
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		c.Count(ks[i%len(ks)])
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}

// enumerate counts by plain enumeration, as fast as that can be: all combinations of
// placements on squares not shot, counted by placement and turned into squares
// once.
func enumerate(lines [][]battleship.Set, weight [][]uint64, used battleship.Set) uint64 {
	total := uint64(0)
	last := len(lines) == 1
	for i, line := range lines[0] {
		if line.Meets(used) {
			continue
		}
		n := uint64(1)
		if !last {
			n = enumerate(lines[1:], weight[1:], used.Or(line))
		}
		weight[0][i] += n
		total += n
	}
	return total
}

func enumerated(k *battleship.Knowledge) (uint64, [battleship.MaxSquares]uint64) {
	var lines [][]battleship.Set
	var weight [][]uint64
	for i := range k.Fleet().Ships() {
		var some []battleship.Set
		for _, vertical := range []bool{false, true} {
			for s := range k.Board().Fits(k.Unshot(), k.Fleet().Length(i), vertical).All() {
				some = append(some, k.Board().Line(s, k.Fleet().Length(i), vertical))
			}
		}
		lines, weight = append(lines, some), append(weight, make([]uint64, len(some)))
	}
	total := enumerate(lines, weight, battleship.Set{})
	var squares [battleship.MaxSquares]uint64
	for i := range lines {
		for j, line := range lines[i] {
			for s := range line.All() {
				squares[s] += weight[i][j]
			}
		}
	}
	return total, squares
}

// BenchmarkEnumeration counts some of the positions of BenchmarkCount plainly.
func BenchmarkEnumeration(b *testing.B) {
	for _, bench := range []struct {
		name    string
		misses  int
		lengths []int
	}{
		{"4ships/70unshot", 30, []int{5, 4, 3, 3}},
		{"4ships/70unshot/small", 30, []int{4, 3, 3, 2}},
		{"3ships/60unshot", 40, []int{5, 4, 3}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var ks []*battleship.Knowledge
			for seed := range uint64(16) {
				ks = append(ks, misses(b, bench.misses, seed, bench.lengths...))
			}
			i := 0
			for b.Loop() {
				enumerated(ks[i&15])
				i++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
