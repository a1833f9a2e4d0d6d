package daifugo

import (
	"testing"

	"sakusen/engines/daifugo"
)

// The plain tree of 3 players, 4 kinds, 3 ranks: 1 778 308 nodes, exactly.
func BenchmarkFull(b *testing.B) {
	benchmark(b, daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3}, Options{Method: full})
}

func BenchmarkPruneTT(b *testing.B) {
	benchmark(b, daifugo.Rules{Seats: 3, Cards: 5, Ranks: 3}, Options{Method: pruneTT})
}

func BenchmarkPruneIDTT(b *testing.B) {
	benchmark(b, daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3}, Options{Method: pruneTI})
}

func benchmark(b *testing.B, r daifugo.Rules, o Options) {
	p, err := daifugo.New(r)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var nodes uint64
	for b.Loop() {
		nodes = Search(p, o).Nodes
	}
	b.ReportMetric(float64(nodes), "nodes/op")
	b.ReportMetric(float64(nodes)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
}
