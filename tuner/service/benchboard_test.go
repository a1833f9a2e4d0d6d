package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/tuner/store/sqlitedb"
)

// benchmarksOf returns two benchmarks of two runs, of which B took twice the time in the last.
func benchmarksOf(t *testing.T) *Benchmarks {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "b.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	b, err := OpenBenchmarks(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	b.branch = "main"
	for run := range 2 {
		b.record(t, run)
	}
	return b
}

func (b *Benchmarks) record(t *testing.T, run int) {
	t.Helper()
	var text strings.Builder
	for k := range 12 {
		fmt.Fprintf(&text, "BenchmarkA 10 1%02d ns/op\nBenchmarkB 10 %d ns/op\n", k, 100*(1+run)+k)
	}
	if _, err := b.Record(t.Context(), []BenchRun{{Text: "pkg: p\n" + text.String(), Origin: ledger.Origin{Commit: fmt.Sprint(run), Branch: "main"}}}, ""); err != nil {
		t.Fatal(err)
	}
}

// While much is compared, a page shows the benchmarks by their names, or as they stood before,
// and says so.
func TestBoardWhileMuchIsCompared(t *testing.T) {
	b := benchmarksOf(t)
	b.kept.begun, b.kept.many = t.Context(), 1
	c := &comparing{named: make(chan struct{}), done: make(chan struct{})} // which does not end
	names, err := b.Standings(b.usual("", "")).Listed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := &ranking{series: names}
	r.order()
	close(c.named)
	b.kept.busy, b.kept.kept, b.kept.names = map[string]*comparing{"": c}, map[string]*ranking{}, r
	lines := func() (out string, pending bool) {
		t.Helper()
		board, err := b.Board(t.Context(), BoardQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range board.Lines {
			out += l.Name + " " + l.Verdict.Word() + ", "
		}
		return out, board.Pending
	}
	if got, pending := lines(); got != "A Not compared, B Not compared, " || !pending {
		t.Errorf("at first %q, %v", got, pending)
	}
	delete(b.kept.busy, "")
	close(c.done)
	b.kept.many = 0
	if got, pending := lines(); got != "B Worse, A Level, " || pending {
		t.Errorf("compared %q, %v", got, pending)
	}
	b.record(t, 2)
	b.kept.many = 1
	b.kept.busy[""] = &comparing{named: make(chan struct{}), done: make(chan struct{})}
	if got, pending := lines(); got != "B Worse, A Level, " || !pending {
		t.Errorf("as before %q, %v", got, pending)
	}
	if m, err := b.Measured(t.Context(), "p.B sec/op", "", ""); err != nil || len(m.Runs) != 3 {
		t.Errorf("%+v, %v", m, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := b.Series(ctx, "", 0, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("of somebody who has gone: %v", err)
	}
}

// How series stand is compared once in each state of the records, and anew where the records
// or the baseline differ.
func TestBoardFollowsTheRecords(t *testing.T) {
	b := benchmarksOf(t)
	get := func(against string) *ranking {
		t.Helper()
		r, pending, err := b.ranked(t.Context(), against, false)
		if err != nil || pending {
			t.Fatal(err, pending)
		}
		return r
	}
	first := get("")
	if get("") != first {
		t.Error("compared twice")
	}
	if _, err := b.SetBaseline(t.Context(), "old", "run:2"); err != nil {
		t.Fatal(err)
	}
	second := get("")
	if second == first || get("old") == second || get("old").series[1].Standing.Against != 2 {
		t.Errorf("with a baseline: %+v", get("old").series[1].Standing)
	}
	b.record(t, 5)
	if third := get(""); third.series[1].Standing.Run != 3 || third.places[0].verdict != "worse" {
		t.Errorf("after another run: %+v", third.series[1].Standing)
	}
	if _, err := b.Accept(t.Context(), BenchAccept{Series: "p.B sec/op", Source: "latest", Reason: "so"}); err != nil {
		t.Fatal(err)
	}
	if fourth := get(""); fourth.series[1].Standing.Against != 3 {
		t.Errorf("after it was accepted: %+v", fourth.series[1].Standing)
	}
	if _, _, err := b.ranked(t.Context(), "none", false); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("against a baseline that is not there: %v", err)
	}
	for i := range 10 {
		if _, err := b.SetBaseline(t.Context(), fmt.Sprint("b", i), "run:1"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		get(fmt.Sprint("b", i))
	}
	if n := len(b.kept.kept); n > mostRankings {
		t.Errorf("%d rankings are kept", n)
	}
}
