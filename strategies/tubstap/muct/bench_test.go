package muct

import (
	"testing"

	"sakusen/engines/tubstap"
)

// BenchmarkSearch is a decision of the program's search with the paper's
// 20 000 simulations from the start.
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"paper12b", "paper10a", "own02"} {
		b.Run(name, func(b *testing.B) {
			m, err := tubstap.EmbeddedMap(name)
			if err != nil {
				b.Fatal(err)
			}
			s := Search{Settings: Program}
			state := m.Start(tubstap.Rules{})
			seed := uint64(0)
			for b.Loop() {
				seed++
				s.Run(state, seed)
			}
			b.ReportMetric(float64(s.Simulations*b.N)/b.Elapsed().Seconds(), "simulations/s")
		})
	}
}
