package blocks

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/store/sqlitedb"
)

// paged returns a page as a slice.
func paged(t *testing.T, b *Cache, scope Scope, after int64, limit int) (page []StoredRun, err error) {
	for s, err := range b.Page(t.Context(), scope, after, limit) {
		if err != nil {
			return nil, err
		}
		page = append(page, s)
	}
	return page, nil
}

// Stored runs come a page at a time; a run that cannot be read is named.
func TestPages(t *testing.T) {
	s := openNew(t)
	c := chance{2, 1, 2, small, false}
	for seed := range uint64(5) {
		if err := s.Save(t.Context(), blockKey(seed), c.run(0, 30)); err != nil {
			t.Fatal(err)
		}
	}
	key := blockKey(3)
	for after, n := int64(0), 0; ; n++ {
		page, err := paged(t, s, Scope{Game: key.Game, Seeds: []uint64{1, 3}, Phases: []arena.Phase{key.Phase}}, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			if n != 2 {
				t.Errorf("%d pages, want 2", n)
			}
			break
		}
		p := page[0]
		if p.Seed != []uint64{1, 3}[n] || p.Run.Blocks != 30 || p.Phase != key.Phase || !bytes.Equal(p.Entrants, entrantsHash(key.Entrants)) {
			t.Errorf("page %d: %+v", n, p)
		}
		after = p.ID
	}
	for _, none := range []Scope{{Game: key.Game, Seeds: []uint64{1, 3}, Phases: []arena.Phase{key.Phase + 1}}, {Game: key.Game, Seeds: []uint64{1, 3}}} {
		if page, err := paged(t, s, none, 0, 1); err != nil || len(page) != 0 {
			t.Errorf("%+v holds %d runs (%v), want none in other phases", none, len(page), err)
		}
	}
	if err := s.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE block_runs SET packed = substr(packed, 1, 9)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if broken, err := s.Check(t.Context(), 2); err != nil || len(broken) != 3 || broken[2] != "blocks: 5 runs in all cannot be read" {
		t.Errorf("%q, %v", broken, err)
	}
}

// What a worker played is known by phase, compared with what others played of
// the same series, and dropped without touching theirs.
func TestWorkers(t *testing.T) {
	s := openNew(t)
	fair := chance{2, 0, 2, func(*rand.Rand, int) int64 { return 0 }, true}
	save := func(key uint64, phase arena.Phase, from int64, n int, worker string) {
		t.Helper()
		k := blockKey(key)
		k.Phase = phase
		run := fair.run(from, n)
		for b := range n {
			for rotation := range 2 {
				mine := int64(b+rotation) % 2 * 2 // a sound worker sees one win each
				if worker == "liar" {
					mine = 2 * int64(1-rotation)
				}
				if worker == "liar" && rotation == 1 {
					mine = 2
				}
				run.Game(b, rotation, rotation)[0], run.Game(b, rotation, 1-rotation)[0] = mine, 2-mine
			}
		}
		run.Worker = worker
		if err := s.Save(t.Context(), k, run); err != nil {
			t.Fatal(err)
		}
	}
	save(1, arena.Tune, 0, 40, "")
	save(1, arena.Tune, 40, 20, "w1")
	save(1, arena.Tune, 60, 20, "w1") // joins the credit before it
	save(1, arena.Tune, 80, 40, "liar")
	save(1, arena.Match, 0, 50, "posted")
	var credits int
	if err := s.db.Reader().QueryRow("SELECT count(*) FROM block_credits").Scan(&credits); err != nil || credits != 3 {
		t.Errorf("%d credits (%v), want one for each worker", credits, err)
	}
	study := Scope{Game: "dice", Seeds: []uint64{1}, Phases: []arena.Phase{arena.Tune, arena.Final, arena.Validation}}
	for worker, want := range map[string]int64{"w1": 40, "liar": 40, "posted": 0, "nobody": 0} {
		if n, err := s.PlayedBy(t.Context(), worker, study); err != nil || n != want {
			t.Errorf("%s played %d blocks of the study (%v), want %d", worker, n, err, want)
		}
	}
	workers, err := s.Workers(t.Context(), study)
	if err != nil || len(workers) != 2 || workers[0].Name != "liar" || !workers[0].Suspicious {
		t.Fatalf("%+v, %v", workers, err)
	}
	if all, err := s.Workers(t.Context(), Scope{}); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	err = s.db.Change(t.Context(), "", func(c *sqlitedb.Change) error {
		if n, err := Played(c, "liar", study); err != nil || n != 40 {
			t.Errorf("inside a change: %d, %v", n, err)
		}
		n, err := Drop(c, "liar")
		if n != 40 {
			t.Errorf("%d blocks dropped, want 40", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	left := int64(0)
	runs, err := loaded(t, s, blockKey(1), 0, 1000)
	for _, r := range runs {
		left += int64(r.Blocks)
		if r.From+int64(r.Blocks) > 80 {
			t.Errorf("run %d+%d is left of those that were dropped", r.From, r.Blocks)
		}
	}
	if err != nil || left != 80 {
		t.Errorf("%d blocks left (%v), want 80", left, err)
	}
	if workers, err := s.Workers(t.Context(), study); err != nil || len(workers) != 1 || workers[0].Suspicious {
		t.Errorf("%+v, %v", workers, err)
	}
}
