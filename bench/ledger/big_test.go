package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sakusen/bench"
)

// million opens a database with a million samples: 100 series of 1 000 runs with 10 values.
func million(b *testing.B) *Ledger {
	b.Helper()
	l := open(b)
	for run := range 1000 {
		var text strings.Builder
		for i := range 100 {
			for k := range 10 {
				fmt.Fprintf(&text, "BenchmarkB%d 1 %d ns/op\n", i, 1000+run%7+k)
			}
		}
		if _, _, err := l.Record(context.Background(), read(b, text.String(), bench.ReadOptions{}), Origin{Commit: fmt.Sprint("c", run), Branch: "main"}); err != nil {
			b.Fatal(err)
		}
	}
	return l
}

func BenchmarkMillion(b *testing.B) {
	l := million(b)
	ctx := context.Background()
	b.Run("history", func(b *testing.B) {
		for b.Loop() {
			h, err := l.Histories(ctx, HistoryQuery{Branch: "main"})
			if err != nil || len(h) != 100 || len(h[0].Runs) != 1000 {
				b.Fatal(len(h), err)
			}
		}
		b.ReportMetric(1e6, "samples/op")
	})
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			old, err := l.Run(ctx, 1)
			if err != nil {
				b.Fatal(err)
			}
			latest, err := l.Latest(ctx)
			if err != nil {
				b.Fatal(err)
			}
			run, err := l.Run(ctx, latest.ID)
			if err != nil {
				b.Fatal(err)
			}
			if c := bench.Compare(old, run, bench.Options{}); c.Paired != 100 {
				b.Fatal(c.Paired)
			}
		}
		b.ReportMetric(2000, "samples/op")
	})
}
