package count

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/battleship"
)

// open returns a position of the classic board with so many random misses and
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
