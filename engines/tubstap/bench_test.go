package tubstap

import (
	"syscall"
	"testing"
	"time"
)

func userTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

// BenchmarkActions lists A(s,u) of every unit of the side to move at a start.
func BenchmarkActions(b *testing.B) {
	for _, name := range []string{"paper12b", "paper10a", "own02"} {
		b.Run(name, func(b *testing.B) {
			s := mustMap(b, name).Start(Rules{})
			var list []Action
			actions := 0
			start := userTime(b)
			for b.Loop() {
				for id := range s.Units() {
					if s.Movable(id) {
						list = s.AppendActions(list[:0], id)
						actions += len(list)
					}
				}
			}
			b.ReportMetric(float64(actions)/(userTime(b)-start).Seconds(), "actions/user-s")
		})
	}
}

// BenchmarkDo does one action in a copy of the position.
func BenchmarkDo(b *testing.B) {
	s := mustMap(b, "paper12b").Start(Rules{})
	list := s.AppendAll(nil, 9)
	c := s.Clone()
	i := 0
	for b.Loop() {
		c.CopyFrom(s)
		c.Do(list[i%len(list)])
		i++
	}
}
