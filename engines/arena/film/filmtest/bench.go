package filmtest

import (
	"context"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
)

// BenchmarkFrames films one game again and again and reports the time and the
// bytes of a frame.
func BenchmarkFrames(b *testing.B, scene film.Scene, s arena.Series) {
	one, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	for _, f := range one.Frames {
		bytes += len(f.SVG)
	}
	for b.Loop() {
		if _, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(one.Frames)), "µs/frame")
	b.ReportMetric(float64(bytes)/float64(len(one.Frames)), "bytes/frame")
}
