package tubstap

import (
	"syscall"
	"testing"
	"time"

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
			s := muctSearch{MuctSettings: MuctProgram()}
			state := m.Start(tubstap.Rules{})
			seed := uint64(0)
			start := userTime(b)
			for b.Loop() {
				seed++
				s.runFrom(state, seed)
			}
			b.ReportMetric(float64(s.Simulations*b.N)/(userTime(b)-start).Seconds(), "simulations/user-s")
		})
	}
}

// userTime returns the processor time the process has spent outside the kernel.
func userTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
