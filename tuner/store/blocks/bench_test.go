package blocks

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkSave stores results of jobs of so many blocks, one transaction each, as a number of
// workers deliver them. results/s is what one database takes.
func BenchmarkSave(b *testing.B) {
	for _, blocks := range []int{1, 50, 500} {
		for _, workers := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("blocks=%d/workers=%d", blocks, workers), func(b *testing.B) {
				s, c := openNew(b), chance{2, 1, 2, small, false}
				var at atomic.Int64
				const each = 500 // results of a round
				n := 0
				for b.Loop() {
					var group sync.WaitGroup
					for w := range workers {
						group.Go(func() {
							for range each / workers {
								if err := s.Save(b.Context(), blockKey(uint64(w)), c.run(at.Add(1)*int64(blocks), blocks)); err != nil {
									b.Error(err)
								}
							}
						})
					}
					group.Wait()
					n += each / workers * workers
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "results/s")
			})
		}
	}
}
