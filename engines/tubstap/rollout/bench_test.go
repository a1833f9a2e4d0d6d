package rollout_test

import (
	"syscall"
	"testing"
	"time"

	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/narrow"
	"sakusen/engines/tubstap/rollout"
	"sakusen/engines/tubstap/wide"
)

func userTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

// BenchmarkPlayout is one playout of the program's kind from the start.
func BenchmarkPlayout(b *testing.B) {
	for _, name := range []string{"paper12b", "paper10a", "own02"} {
		m, err := tubstap.EmbeddedMap(name)
		if err != nil {
			b.Fatal(err)
		}
		s := m.Start(tubstap.Rules{})
		for _, board := range []struct {
			name string
			rollout.Board
		}{{"narrow", narrow.New(s, rollout.Reference())}, {"wide", wide.New(s, rollout.Reference())}, {"plain", rollout.NewPlain(s, rollout.Reference())}} {
			b.Run(name+"/"+board.name, func(b *testing.B) {
				c := rollout.Chance{State: 1}
				start := userTime(b)
				for b.Loop() {
					board.Reset()
					board.Playout(&c)
				}
				b.ReportMetric(float64(b.N)/(userTime(b)-start).Seconds(), "playouts/user-s")
			})
		}
	}
}
