package store

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
)

// chance makes runs in which block i is always the same, whatever else is in
// the run.
type chance struct {
	seats, components, rotations int
	draw                         func(rng *rand.Rand, field int) int64
	zeroSum                      bool // two seats: the second's score is what the first's leaves of 2
}

func (c chance) run(from int64, blocks int) *arena.Run {
	r := arena.NewRun(c.seats, c.components, c.rotations, from, blocks)
	r.Blocks = blocks
	for b := range blocks {
		rng := rand.New(rand.NewPCG(uint64(from)+uint64(b), 99))
		for range c.rotations {
			r.Digests = append(r.Digests, rng.Uint64())
			for range c.seats {
				for f := range r.Width() {
					r.Values = append(r.Values, c.draw(rng, f))
				}
			}
			if last := len(r.Values) - r.Width(); c.zeroSum {
				r.Values[last] = 2 - r.Values[last-r.Width()]
			}
		}
	}
	return r
}

// likeBattleship draws what two enumerating strategies leave behind: score,
// fault, shots, hits, shots to win, and work of thirty bits over a wide range.
func likeBattleship(rng *rand.Rand, field int) int64 {
	switch field {
	case 0:
		return 2 * rng.Int64N(2)
	case 1:
		return 0
	case 2:
		return 35 + rng.Int64N(30)
	case 3:
		return 17 - int64(math.Abs(rng.NormFloat64()*3))
	case 4:
		return 35 + rng.Int64N(40)
	}
	return int64(math.Exp(17 + 2*rng.NormFloat64()))
}

func small(rng *rand.Rand, _ int) int64 { return rng.Int64N(5) }

func extreme(rng *rand.Rand, _ int) int64 {
	return []int64{math.MinInt64, math.MaxInt64, 0, -1, 1, 1 << 40, int64(rng.Uint64())}[rng.IntN(7)]
}

func TestPackUndone(t *testing.T) {
	for _, c := range []chance{
		{2, 4, 2, likeBattleship, false}, {2, 0, 1, small, false}, {2, 4, 2, extreme, false}, {5, 3, 5, small, false}, {1, 2, 1, small, false}, {3, 1, 3, extreme, false},
		{2, 2, 2, func(*rand.Rand, int) int64 { return -7 }, false},
	} {
		for _, blocks := range []int{1, 2, 8, 129} {
			r := c.run(11, blocks)
			packed := packRun(r)
			back, err := unpackRun(packed, 11, blocks)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Values, r.Values) || !slices.Equal(back.Digests, r.Digests) || back.From != 11 ||
				[3]int{back.Seats, back.Components, back.Rotations} != [3]int{c.seats, c.components, c.rotations} {
				t.Errorf("%d seats, %d blocks: unpacked differs", c.seats, blocks)
			}
			for cut := 0; cut < len(packed); cut += 1 + len(packed)/300 {
				if _, err := unpackRun(packed[:cut], 11, blocks); err == nil {
					t.Fatalf("%d of %d bytes were accepted", cut, len(packed))
				}
			}
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(packRun(chance{2, 4, 2, likeBattleship, true}.run(0, 8)), 8)
	f.Add(packRun(chance{3, 1, 3, extreme, false}.run(0, 2)), 2)
	f.Add([]byte{packFormat, 1, 0, 1}, 1)
	f.Fuzz(func(t *testing.T, packed []byte, blocks int) {
		r, err := unpackRun(packed, 0, blocks)
		if err != nil {
			return
		}
		again, err := unpackRun(packRun(r), 0, blocks)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("packed again: %v", err)
		}
	})
}

func blockKey(seed uint64) tuner.BlockKey {
	return tuner.BlockKey{Game: "dice", Rules: "r", Signatures: "one:1", Entrants: []string{"a", "b"}, Seed: seed, Phase: arena.Tune}
}

// TestBlocksMerge saves overlapping pieces in random order and compares what
// is loaded, for random spans, with a set of block numbers.
func TestBlocksMerge(t *testing.T) {
	s := openNew(t)
	blocks := s.Blocks()
	c := chance{2, 1, 2, small, false}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		key := blockKey(seed)
		have := map[int64]bool{}
		size := []int{20, 300, 5000}[seed%3]
		for range 25 {
			from, n := rng.Int64N(int64(4*size)), 1+rng.IntN(size)
			if err := blocks.Save(t.Context(), key, c.run(from, n)); err != nil {
				t.Fatal(err)
			}
			for i := range int64(n) {
				have[from+i] = true
			}
			from, to := rng.Int64N(int64(4*size)), rng.Int64N(int64(5*size))
			compareBlocks(t, blocks, key, c, from, to, have)
		}
		compareBlocks(t, blocks, key, c, 0, 1<<40, have)
	}
	var runs, stored int
	if err := s.DB().Reader().QueryRow("SELECT count(*), sum(blocks) FROM block_runs").Scan(&runs, &stored); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d blocks in %d rows", stored, runs)
}

func compareBlocks(t *testing.T, blocks *Blocks, key tuner.BlockKey, c chance, from, to int64, have map[int64]bool) {
	t.Helper()
	runs, err := blocks.Load(t.Context(), key, from, to)
	if err != nil {
		t.Fatal(err)
	}
	expected := 0
	for i := range have {
		if i >= from && i < to {
			expected++
		}
	}
	at := from
	for _, r := range runs {
		if r.From < at || r.From+int64(r.Blocks) > to {
			t.Fatalf("run %d+%d after %d, to %d", r.From, r.Blocks, at, to)
		}
		at = r.From + int64(r.Blocks)
		expected -= r.Blocks
		fresh := c.run(r.From, r.Blocks)
		if !slices.Equal(r.Values, fresh.Values) || !slices.Equal(r.Digests, fresh.Digests) {
			t.Fatalf("run %d+%d differs", r.From, r.Blocks)
		}
		for i := r.From; i < at; i++ {
			if !have[i] {
				t.Fatalf("block %d was never saved", i)
			}
		}
	}
	if expected != 0 {
		t.Fatalf("%d blocks of %d..%d are missing", expected, from, to)
	}
}

func TestBlockKeysAreApart(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	if err := s.Blocks().Save(t.Context(), blockKey(math.MaxUint64), c.run(0, 8)); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func(*tuner.BlockKey){
		"game": func(k *tuner.BlockKey) { k.Game += "x" }, "rules": func(k *tuner.BlockKey) { k.Rules += "x" },
		"signatures": func(k *tuner.BlockKey) { k.Signatures += "x" }, "seed": func(k *tuner.BlockKey) { k.Seed-- },
		"phase": func(k *tuner.BlockKey) { k.Phase++ }, "order": func(k *tuner.BlockKey) { k.Entrants = []string{"b", "a"} },
		"joined": func(k *tuner.BlockKey) { k.Entrants = []string{"a\nb"} }, "entrant": func(k *tuner.BlockKey) { k.Entrants = []string{"a", "c"} },
	} {
		key := blockKey(math.MaxUint64)
		if runs, err := s.Blocks().Load(t.Context(), key, 0, 8); err != nil || len(runs) != 1 {
			t.Fatalf("same key: %d runs, %v", len(runs), err)
		}
		edit(&key)
		if runs, err := s.Blocks().Load(t.Context(), key, 0, 8); err != nil || len(runs) != 0 {
			t.Errorf("another %s: %d runs, %v", name, len(runs), err)
		}
	}
}

func TestImpureBlockIsRefused(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	if err := s.Blocks().Save(t.Context(), blockKey(1), c.run(0, 8)); err != nil {
		t.Fatal(err)
	}
	other := c.run(4, 8)
	other.Digests[5]++ // of block 6
	err := s.Blocks().Save(t.Context(), blockKey(1), other)
	if impure, ok := errors.AsType[*ImpureError](err); !ok || impure.Block != 6 {
		t.Fatalf("%v, expected an ImpureError of block 6", err)
	}
	if n, err := s.Blocks().Count(t.Context()); err != nil || n != 8 {
		t.Errorf("%d blocks (%v), expected 8", n, err)
	}
	if err := s.Blocks().Save(t.Context(), blockKey(1), chance{2, 2, 2, small, false}.run(0, 8)); err == nil {
		t.Error("a run of another shape was accepted")
	}
}

func TestPruneBlocks(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	for seed := range uint64(3) {
		if err := s.Blocks().Save(t.Context(), blockKey(seed), c.run(0, 8)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Blocks().Prune(t.Context(), s.clock().Add(-1e12)); err != nil || n != 0 {
		t.Errorf("pruned %d young blocks (%v)", n, err)
	}
	if n, err := s.Blocks().Prune(t.Context(), s.clock().Add(1e12)); err != nil || n != 24 {
		t.Errorf("pruned %d blocks (%v), expected 24", n, err)
	}
	var left int
	if err := s.DB().Reader().QueryRow("SELECT (SELECT count(*) FROM block_runs) + (SELECT count(*) FROM block_contexts)").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows left (%v)", left, err)
	}
}

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

// TestMillionBlocks measures what a million blocks take, as one long match
// and as 7 813 trials of 128 blocks raced over rungs: of battleship, and of
// numbers that are harder to pack (no two depend on each other, and each
// player's work takes thirty bits).
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
			if err := s.Blocks().Save(t.Context(), key, maker(int64(at), n)); err != nil {
				t.Fatal(err)
			}
			at += n
			done += n
		}
	}
	n, err := s.Blocks().Count(t.Context())
	if err != nil || n < int64(total) {
		t.Fatalf("%d blocks (%v), expected %d", n, err, total)
	}
	path := s.DB().Path()
	if err := s.DB().Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func BenchmarkPack(b *testing.B) {
	r := chance{2, 4, 2, likeBattleship, true}.run(0, maxBlocks)
	packed := packRun(r)
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			packRun(r)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
	b.Run("unpack", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpackRun(packed, 0, r.Blocks); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
	b.Run("save", func(b *testing.B) {
		s := openAt(b, filepath.Join(b.TempDir(), "x.db"), Options{})
		seed := uint64(0)
		for b.Loop() {
			seed++
			if err := s.Blocks().Save(b.Context(), blockKey(seed), r); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
}
