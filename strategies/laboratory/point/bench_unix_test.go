//go:build unix

package point_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"sakusen/engines/arena"
)

// processor returns the processor time of this process, seconds.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)*1e-6
}

// BenchmarkBlocks plays series of pairs, the arena's bookkeeping and the tally
// with them. blocks/cpu-s is what one core does, whatever else is busy.
func BenchmarkBlocks(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			s := against(b, opened(b), "point(x1=0.2)", "point", 0)
			pool := arena.NewPool(workers)
			start, blocks := processor(), int64(0)
			for b.Loop() {
				s.From, s.To = s.To, s.To+100_000
				tally, err := pool.Play(context.Background(), s, nil)
				if err != nil {
					b.Fatal(err)
				}
				blocks += tally.Blocks
			}
			b.ReportMetric(float64(blocks)/b.Elapsed().Seconds(), "blocks/s")
			b.ReportMetric(float64(blocks)/(processor()-start), "blocks/cpu-s")
		})
	}
}
