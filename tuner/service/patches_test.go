package service_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
)

// tweak is a test of a patch of some seconds.
const tweak = `version: 1
name: tweak
game: battleship
test: {new: MP70, base: RNB}
stages:
  - {bounds: [0, 20]}
  - {bounds: [0, 40], max_games: 4000}
`

// A test of a patch is queued once, played and shown; another database, and none, find the same.
func TestPatches(t *testing.T) {
	s, ctx := open(t), t.Context()
	all := s.Patches()
	_, _, err := all.Submit(ctx, service.PatchRequest{File: "name: tweak\n"}, 0, false)
	refuses(t, err, service.Invalid)
	if id, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 0, true); err != nil || id != 0 || created {
		t.Errorf("a check: %d, %v, %v", id, created, err)
	}
	id, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 2, false)
	if err != nil || !created {
		t.Fatalf("%d, %v, %v", id, created, err)
	}
	if again, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 0, false); err != nil || again != id || created {
		t.Errorf("the same again: %d, %v, %v", again, created, err)
	}
	if r, err := all.Report(ctx, id); r != nil || err != nil {
		t.Errorf("before a game: %+v, %v", r, err)
	}
	_, err = s.Tournaments().Show(ctx, id)
	refuses(t, err, service.NotFound) // another kind's
	must(t, only(s.Queue().Pause(ctx, all.Key(id))))
	must(t, only(s.Queue().Resume(ctx, all.Key(id))))
	serve(t, s, daemon.JobKey(daemon.Test, id))
	d, err := all.Show(ctx, id)
	if err != nil || d.State != "done" || d.Priority != 2 || service.JobPath(daemon.Test, id) != "/tests/1" {
		t.Fatalf("%+v, %v", d, err)
	}
	r, err := all.Report(ctx, id)
	if err != nil || r.Verdict != contest.PatchPasses || r.Replayed == nil || d.Games != r.Games {
		t.Fatalf("%+v, %v", r, err)
	}
	f, err := contest.ReadPatch("tweak.yaml", []byte(tweak), strategies.Catalogue())
	must(t, err)
	must(t, f.Play(ctx, contest.PatchOptions{Host: arena.NewPool(2)}))
	alone, err := f.Report()
	must(t, err)
	alone.Replayed = r.Replayed
	if a, _ := json.Marshal(alone); string(a) != string(d.Result) {
		t.Errorf("alone it found\n%s\nin the queue\n%s", a, d.Result)
	}
}

// Tests of patches that were made when jobs could be tournaments and experiments alone get
// their table when the file is opened, and no number is given twice.
func TestJobsOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	openAt := func() (*service.Service, *sqlitedb.DB) {
		db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
		must(t, err)
		s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue(), Experiments: figure, Pool: arena.NewPool(1), Settings: service.Settings{Workers: 1, Commit: "test"}})
		must(t, err)
		return s, db
	}
	s, db := openAt()
	for want := 1; want <= 2; want++ {
		if id, _, err := s.Tournaments().Submit(t.Context(), service.TournamentRequest{File: cup, Blocks: int64(want)}, 0, false); err != nil || id != want {
			t.Fatalf("%d, %v", id, err)
		}
	}
	must(t, only(s.Queue().Stop(t.Context(), s.Tournaments().Key(2))))
	must(t, s.Queue().Delete(t.Context(), s.Tournaments().Key(2)))
	must(t, db.Change(t.Context(), "back", func(c *sqlitedb.Change) error { // to the table as it was
		for _, text := range []string{
			"CREATE TABLE was (job_id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK (kind IN ('tournament', 'experiment')), name TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL DEFAULT '', priority INTEGER NOT NULL DEFAULT 0, blocks INTEGER NOT NULL DEFAULT 0, blocks_of INTEGER NOT NULL DEFAULT 0, games INTEGER NOT NULL DEFAULT 0, partial TEXT, result TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL, sum INTEGER NOT NULL DEFAULT 0) STRICT",
			"INSERT INTO was SELECT * FROM jobs", "UPDATE sqlite_sequence SET seq = 2 WHERE name = 'was'", "DROP TABLE jobs", "ALTER TABLE was RENAME TO jobs",
			"DELETE FROM sakusen_schema WHERE series = 'store' AND version = 2",
		} {
			if _, err := c.Exec(text); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, db.Close())
	s, db = openAt()
	defer db.Close()
	if id, _, err := s.Patches().Submit(t.Context(), service.PatchRequest{File: tweak}, 0, false); err != nil || id != 3 {
		t.Errorf("a test in a file of before: %d, %v", id, err)
	}
	if d, err := s.Tournaments().Show(t.Context(), 1); err != nil || d.Name != "cup" {
		t.Errorf("%+v, %v", d, err)
	}
	report, err := db.Check(t.Context())
	if err != nil || len(report.Integrity) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}
