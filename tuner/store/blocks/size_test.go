package blocks

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
)

var millionBlocks = flag.Bool("million-blocks", false, "measure the file size of a million two-seat blocks (half a minute)")

// resampled makes runs of blocks that were really played, MP70 against MP50 at
// battleship with its four components, drawn again and again with transcript
// digests of their own.
func resampled(t *testing.T) func(from int64, blocks int) *arena.Run {
	rules, errs := strategies.Catalogue()[0].Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	a, err1 := rules.Entrant("MP70")
	b, err2 := rules.Entrant("MP50")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	series := arena.Series{Ruleset: rules, Entrants: []arena.Entrant{a, b}, Seed: 1, To: 600}
	played := arena.NewRun(2, len(rules.Components), 2, 0, 600)
	if _, err := arena.NewPool(2).Play(t.Context(), series, func(r *arena.Run) error { played.Join(r); return nil }); err != nil {
		t.Fatal(err)
	}
	return func(from int64, blocks int) *arena.Run {
		r := arena.NewRun(2, played.Components, 2, from, blocks)
		rng := rand.New(rand.NewPCG(uint64(from), 5))
		for range blocks {
			at := rng.Int64N(int64(played.Blocks))
			r.Join(played.Slice(at, at+1))
		}
		for i := range r.Digests {
			r.Digests[i] = rng.Uint64()
		}
		return r
	}
}

// TestMillionBlocks measures the size of a million blocks, as one long match and as 7 813
// trials of 128 blocks raced over rungs. They are of battleship, and of numbers that are harder
// to pack (no two depend on each other, and each player's work takes thirty bits).
func TestMillionBlocks(t *testing.T) {
	total := 20_000
	makers := map[string]func(int64, int) *arena.Run{"hard": chance{2, 4, 2, likeBattleship, true}.run}
	if *millionBlocks {
		total = 1_000_000
		makers["battleship"] = resampled(t)
	}
	for name, maker := range makers {
		one := millionSize(t, total, total, []int{maxBlocks}, maker)
		raced := millionSize(t, total, 128, []int{8, 8, 16, 32, 64}, maker)
		t.Logf("%s: %d blocks take %.1f MB as one match, %.1f MB as trials of 128 blocks", name, total, float64(one)/1e6, float64(raced)/1e6)
		if name == "battleship" && max(one, raced) > 40_000_000 {
			t.Errorf("a million blocks take more than 40 MB")
		}
	}
}

// millionSize saves blocks, each series so many blocks long and saved in
// pieces as rungs says, and returns the size of the file in bytes.
func millionSize(t *testing.T, total, each int, rungs []int, maker func(int64, int) *arena.Run) int64 {
	t.Helper()
	s := openNew(t)
	for done, series := 0, 0; done < total; series++ {
		key := blockKey(1)
		key.Entrants = []string{fmt.Sprint(series), "baseline"}
		for at, i := 0, 0; at < each; i++ {
			n := min(rungs[i%len(rungs)], each-at)
			if err := s.Save(t.Context(), key, maker(int64(at), n)); err != nil {
				t.Fatal(err)
			}
			at += n
			done += n
		}
	}
	n, err := s.Count(t.Context())
	if err != nil || n < int64(total) {
		t.Fatalf("%d blocks (%v), expected %d", n, err, total)
	}
	path := s.db.Path()
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
