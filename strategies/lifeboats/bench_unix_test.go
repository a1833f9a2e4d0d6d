//go:build unix

package lifeboats_test

import (
	"context"
	"strings"
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

// BenchmarkGames plays whole series on one worker, the arena's bookkeeping with
// them. games/cpu-s is what one core does, whatever else is busy.
func BenchmarkGames(b *testing.B) {
	for _, c := range []struct{ name, entrant string }{
		{"random", "random"},
		{"level0,X=2", "level0(X=2)"},
		{"level0,X=2.37", "level0(X=2.37)"},
		{"level1,strict", "level1(X=2)"},
		{"level1,expected", "level1(X=2,alive=expected)"},
		{"level1,own", "level1(X=2,predict=own)"},
	} {
		b.Run(strings.ReplaceAll(c.name, " ", ""), func(b *testing.B) {
			b.ReportAllocs()
			s := seated(b, c.entrant, c.entrant, c.entrant, c.entrant, c.entrant)
			pool := arena.NewPool(1)
			start, games := processor(), int64(0)
			for b.Loop() {
				s.From, s.To = s.To, s.To+4000 // mirror blocks: one game each
				tally, err := pool.Play(context.Background(), s, nil)
				if err != nil {
					b.Fatal(err)
				}
				games += tally.Games
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(games)/(processor()-start), "games/cpu-s")
		})
	}
}
