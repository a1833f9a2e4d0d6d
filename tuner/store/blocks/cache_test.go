package blocks

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// openNew returns a cache in a new database, with the tables of the store.
func openNew(t testing.TB) *Cache {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := goptunadb.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return New(db)
}

// loaded returns what a cache holds of a series.
func loaded(t testing.TB, b *Cache, key tuner.BlockKey, from, to int64) (runs []*arena.Run, err error) {
	for r, err := range b.Load(t.Context(), key, from, to) {
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

func blockKey(seed uint64) tuner.BlockKey {
	return tuner.BlockKey{Game: "dice", Rules: "r", Signatures: "one:1", Entrants: []string{"a", "b"}, Seed: seed, Phase: arena.Tune}
}

// TestBlocksMerge saves overlapping pieces in random order and compares what
// is loaded, for random spans, with a set of block numbers.
func TestBlocksMerge(t *testing.T) {
	s := openNew(t)
	blocks := s
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
	if err := s.db.Reader().QueryRow("SELECT count(*), sum(blocks) FROM block_runs").Scan(&runs, &stored); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d blocks in %d rows", stored, runs)
}

func compareBlocks(t *testing.T, blocks *Cache, key tuner.BlockKey, c chance, from, to int64, have map[int64]bool) {
	t.Helper()
	runs, err := loaded(t, blocks, key, from, to)
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

// A long series is read a row at a time: no more than one is in memory.
func TestLongSeriesIsReadRowByRow(t *testing.T) {
	s, key, c := openNew(t), blockKey(1), chance{2, 4, 2, small, false}
	const rows = 25
	for i := range int64(rows) {
		if err := s.Save(t.Context(), key, c.run(i*maxBlocks, maxBlocks)); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, largest, n := heap(), int64(0), 0
	for run, err := range s.Load(t.Context(), key, 100, rows*maxBlocks) {
		if err != nil || run.Blocks < maxBlocks-100 {
			t.Fatal(run, err)
		}
		if n++; n%5 == 0 {
			largest = max(largest, heap())
		}
	}
	if most := int64(3 * 8 * maxBlocks * 2 * (1 + 2*6)); n != rows || largest-before > most {
		t.Errorf("%d runs, the heap grew by %d bytes, expected at most %d", n, largest-before, most)
	}
}

func TestBlockKeysAreApart(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	if err := s.Save(t.Context(), blockKey(math.MaxUint64), c.run(0, 8)); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func(*tuner.BlockKey){
		"game": func(k *tuner.BlockKey) { k.Game += "x" }, "rules": func(k *tuner.BlockKey) { k.Rules += "x" },
		"signatures": func(k *tuner.BlockKey) { k.Signatures += "x" }, "seed": func(k *tuner.BlockKey) { k.Seed-- },
		"phase": func(k *tuner.BlockKey) { k.Phase++ }, "order": func(k *tuner.BlockKey) { k.Entrants = []string{"b", "a"} },
		"joined": func(k *tuner.BlockKey) { k.Entrants = []string{"a\nb"} }, "entrant": func(k *tuner.BlockKey) { k.Entrants = []string{"a", "c"} },
	} {
		key := blockKey(math.MaxUint64)
		if runs, err := loaded(t, s, key, 0, 8); err != nil || len(runs) != 1 {
			t.Fatalf("same key: %d runs, %v", len(runs), err)
		}
		edit(&key)
		if runs, err := loaded(t, s, key, 0, 8); err != nil || len(runs) != 0 {
			t.Errorf("another %s: %d runs, %v", name, len(runs), err)
		}
	}
}

func TestImpureBlockIsRefused(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	if err := s.Save(t.Context(), blockKey(1), c.run(0, 8)); err != nil {
		t.Fatal(err)
	}
	other := c.run(4, 8)
	other.Digests[5]++ // of block 6
	err := s.Save(t.Context(), blockKey(1), other)
	if impure, ok := errors.AsType[*ImpureError](err); !ok || impure.Block != 6 {
		t.Fatalf("%v, expected an ImpureError of block 6", err)
	}
	if n, err := s.Count(t.Context()); err != nil || n != 8 {
		t.Errorf("%d blocks (%v), expected 8", n, err)
	}
	if err := s.Save(t.Context(), blockKey(1), chance{2, 2, 2, small, false}.run(0, 8)); err == nil {
		t.Error("a run of another shape was accepted")
	}
}

func TestPruneBlocks(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	for seed := range uint64(3) {
		if err := s.Save(t.Context(), blockKey(seed), c.run(0, 8)); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := s.Prune(t.Context(), s.db.Now().Add(-1e12), false); err != nil || p != (Pruned{}) {
		t.Errorf("pruned %+v of young blocks (%v)", p, err)
	}
	for _, dry := range []bool{true, false} {
		if p, err := s.Prune(t.Context(), s.db.Now().Add(1e12), dry); err != nil || p != (Pruned{Series: 3, Runs: 3, Blocks: 24}) {
			t.Errorf("pruned %+v (%v), expected 24 blocks", p, err)
		}
	}
	var left int
	if err := s.db.Reader().QueryRow("SELECT (SELECT count(*) FROM block_runs) + (SELECT count(*) FROM block_contexts)").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows left (%v)", left, err)
	}
}
