//go:build unix

package arena

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"
)

// answering is a machine that answers after a while with nothing that was played.
type answering struct{ after time.Duration }

func (answering) Has(*Needs) bool { return false }

func (a answering) Play(ctx context.Context, s *Series, from int64, n int) (*Run, error) {
	select {
	case <-time.After(a.after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r := NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), s.Ruleset.Seats, from, n)
	r.Digests, r.Values, r.Blocks = r.Digests[:cap(r.Digests)], r.Values[:cap(r.Values)], n
	return r, nil
}

func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)*1e-6
}

// BenchmarkDispatch hands out single blocks, in batches of four for each slot, to slots elsewhere
// that answer after 50 ms. dispatches/s is what is reached of 20 a second for each slot; cpu-us is
// the processor time of the pool for each.
func BenchmarkDispatch(b *testing.B) {
	for _, slots := range []int{20, 200, 2000} {
		b.Run(fmt.Sprint("slots=", slots), func(b *testing.B) {
			pool := NewOpenPool(0)
			defer pool.Attach(answering{50 * time.Millisecond}, slots, 0)()
			s := lotSeries(b, time.Millisecond, 0)
			handed, start := int64(0), processor()
			for b.Loop() {
				s.From, s.To = s.To, s.To+int64(4*slots)
				if _, err := pool.Play(b.Context(), s, nil); err != nil {
					b.Fatal(err)
				}
				handed += s.To - s.From
			}
			b.ReportMetric(float64(handed)/b.Elapsed().Seconds(), "dispatches/s")
			b.ReportMetric((processor()-start)*1e6/float64(handed), "cpu-us/dispatch")
		})
	}
}
