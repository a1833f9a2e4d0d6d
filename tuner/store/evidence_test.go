package store

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// tamper changes a database behind the program's back.
func tamper(t *testing.T, s *Store, statements ...string) {
	t.Helper()
	if err := s.DB().Write(t.Context(), func(tx *sql.Tx) error {
		for _, text := range statements {
			if _, err := tx.Exec(text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Whatever is edited in what a study has shown is named by the check, and a log
// that was edited is not gone on with.
func TestEditedEvidenceIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		edit   []string
		want   string
		resume bool // the study can still be gone on with
	}{
		"an entry":          {[]string{"DROP TRIGGER entries_never_change", "UPDATE entries SET payload = '{\"trial\":9}' WHERE seq = 3"}, "log entry 3 is not what was written", false},
		"a dropped trigger": {[]string{"DROP TRIGGER entries_never_go"}, "trigger entries_never_go is gone", true},
		"another trigger":   {[]string{"DROP TRIGGER entries_never_go", "CREATE TRIGGER entries_never_go BEFORE DELETE ON entries BEGIN SELECT 1; END"}, "entries_never_go was changed", true},
		"a trigger more":    {[]string{"CREATE TRIGGER sly AFTER INSERT ON entries BEGIN SELECT 1; END"}, "trigger sly on entries is not ours", true},
		"the last entry":    {[]string{"DROP TRIGGER entries_never_go", "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)"}, "not the last one that was written", false},
		"all entries":       {[]string{"DROP TRIGGER entries_never_go", "DELETE FROM entries"}, "not the last one that was written", false},
		"another spec":      {[]string{"UPDATE study_records SET spec_sha256 = replace(spec_sha256, 'a', 'c')"}, "log entry 1 is not what was written", false},
		"the attempts":      {[]string{"DELETE FROM validation_attempts"}, "no longer counted", true},
		"a migration":       {[]string{"UPDATE sakusen_schema SET sha256 = 'x' WHERE version = 1", "UPDATE sakusen_schema SET sum = seal(series, version, sha256, program, applied)"}, "migration 1 of store", true},
		"a result": {[]string{`UPDATE study_records SET result = '{"digest":"00","validation":{"verdict":"pass"}}'`},
			"digest: stored 00", false},
		"a baseline":   {[]string{"UPDATE study_records SET baseline = 'other'"}, "its row is not what was written", false},
		"a study file": {[]string{"UPDATE study_records SET source = 'x'"}, "its row is not what was written", false},
		"an attempt":   {[]string{"UPDATE validation_attempts SET winner = 'mp(x=2)'"}, "validation attempt 1 of study one is not what was written", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			l := mustCreate(t, s, "one")
			for i := range 4 {
				if err := l.Append(t.Context(), logEntry(entry.KindAsk, `{"drawn":%d}`, i), nil); err != nil {
					t.Fatal(err)
				}
			}
			n, err := l.Attempt(t.Context(), tuner.Question{Game: "battleship", Strategy: "mp", Baseline: "checkerboard", Winner: "mp(x=1)"})
			if err == nil {
				err = l.Append(t.Context(), logEntry(entry.KindAttempt, `{"attempt":%d}`, n), nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			if found, err := s.Check(t.Context()); err != nil || len(found) > 0 {
				t.Fatalf("a sound file: %v %q", err, found)
			}
			tamper(t, s, c.edit...)
			found, err := s.Check(t.Context())
			if err != nil || !strings.Contains(strings.Join(found, "\n"), c.want) {
				t.Errorf("%v %q, want %q", err, found, c.want)
			}
			again, err := s.Studies.Open(t.Context(), "one")
			if err == nil {
				_, err = again.Entries(t.Context())
			}
			if sqlitedb.Damaged(err) == c.resume {
				t.Errorf("to go on with it: %v", err)
			}
		})
	}
}

// One bit of stored blocks, of a log or of its chain that turns over is found by
// the check, and no reader takes it for what was played.
func TestEveryFlippedBitOfEvidenceIsFound(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	for i := range 10 {
		if err := l.Append(t.Context(), logEntry(entry.KindAsk, `{"drawn":%d,"trials":[1,2,3]}`, i), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Blocks().Save(t.Context(), blockKey(uint64(i)), diceRun(0, 40, 0)); err != nil {
			t.Fatal(err)
		}
	}
	tamper(t, s, "DROP TRIGGER entries_never_change")
	rng := rand.New(rand.NewPCG(7, 7))
	flip := func(table, column string, where string) func() {
		var old []byte
		row := "SELECT CAST(" + column + " AS BLOB) FROM " + table + " WHERE " + where
		if err := s.DB().Reader().QueryRow(row).Scan(&old); err != nil {
			t.Fatal(err)
		}
		bad := append([]byte{}, old...)
		at := rng.IntN(8 * len(bad))
		bad[at/8] ^= 1 << (at % 8)
		set := func(text []byte) {
			var value any = text
			if column == "payload" {
				value = string(text)
			}
			if err := s.DB().Write(t.Context(), func(tx *sql.Tx) error {
				_, err := tx.Exec("UPDATE "+table+" SET "+column+" = ? WHERE "+where, value)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		set(bad)
		return func() { set(old) }
	}
	for i := range 200 {
		n := 1 + rng.IntN(10)
		var back func()
		switch i % 4 {
		case 0, 1:
			back = flip("block_runs", "packed", fmt.Sprintf("run_id = (SELECT run_id FROM block_runs ORDER BY run_id LIMIT 1 OFFSET %d)", n-1))
			refused := 0
			for seed := range uint64(10) {
				if _, err := loaded(t.Context(), s.Blocks(), blockKey(seed), 0, 40); sqlitedb.Damaged(err) {
					refused++
				}
			}
			if refused != 1 {
				t.Errorf("flip %d: %d of 10 series are refused", i, refused)
			}
		case 2:
			back = flip("entries", "payload", fmt.Sprintf("seq = %d", n))
		case 3:
			back = flip("entries", "chain", fmt.Sprintf("seq = %d", n))
		}
		found, err := s.Check(t.Context())
		complaints := 0
		for _, text := range found {
			if !strings.Contains(text, "trigger entries_never_change") {
				complaints++
			}
		}
		if err != nil || complaints == 0 {
			t.Errorf("flip %d is not found: %v", i, err)
		}
		back()
	}
}

// Blocks that a client has posted are never met where the program asks for its
// own, and do not keep its own from being stored.
func TestPostedBlocksStandApart(t *testing.T) {
	s := openNew(t)
	key := blockKey(1)
	key.Phase = arena.Match
	apart := key
	apart.Posted = true
	if err := s.Blocks().Save(t.Context(), apart, diceRun(0, 40, 1)); err != nil {
		t.Fatal(err)
	}
	if runs, err := loaded(t.Context(), s.Blocks(), key, 0, 40); err != nil || len(runs) > 0 {
		t.Errorf("%d posted runs are taken for our own, %v", len(runs), err)
	}
	if err := s.Blocks().Save(t.Context(), key, diceRun(0, 40, 0)); err != nil {
		t.Errorf("our own blocks beside posted ones: %v", err)
	}
	for _, k := range []struct {
		posted bool
		least  int64
	}{{false, 0}, {true, 1}} {
		key.Posted = k.posted
		runs, err := loaded(t.Context(), s.Blocks(), key, 0, 40)
		if err != nil || len(runs) != 1 || fmt.Sprint(runs[0].Values) != fmt.Sprint(diceRun(0, 40, k.least).Values) {
			t.Errorf("posted %v: %d runs, %v", k.posted, len(runs), err)
		}
	}
}

// However often a worker's blocks are dropped: another winner is another attempt,
// and the same one keeps its number.
func TestDropNeverGivesASecondWinnerTheSameAttempt(t *testing.T) {
	s := openNew(t)
	mustCreate(t, s, "one")
	seen := map[int]string{}
	for i := range 25 {
		run := diceRun(0, 10, 0)
		run.Worker = "w"
		key := blockKey(uint64(100 + i))
		if err := s.Blocks().Save(t.Context(), key, run); err != nil {
			t.Fatal(err)
		}
		l, err := s.Studies.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		winner := fmt.Sprintf("mp(x=%d)", i/2) // each one twice
		a, err := l.Attempt(t.Context(), tuner.Question{Game: "battleship", Strategy: "mp", Baseline: "checkerboard", Winner: winner})
		if err != nil {
			t.Fatal(err)
		}
		n := a
		if before, ok := seen[n]; ok && before != winner || n != 1+i/2 {
			t.Errorf("%s is proved in attempt %d, which was that of %q", winner, n, before)
		}
		seen[n] = winner
		if err := l.Append(t.Context(), logEntry(entry.KindAttempt, `{"attempt":%d}`, n), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DropWorker(t.Context(), "one", "w", blocks.Scope{Game: "dice", Seeds: []uint64{key.Seed}, Phases: []arena.Phase{arena.Tune}}); err != nil {
			t.Fatal(err)
		}
	}
}

// An attempt without a verdict goes on where false games had chosen its winner, and they can be
// played again; one with a verdict, and one of games that differ each time, stay counted.
func TestAttemptsOfFalseGames(t *testing.T) {
	for _, c := range []struct {
		exact, verdict bool
		want           int
	}{{true, false, 1}, {true, true, 2}, {false, false, 2}} {
		s := openNew(t)
		l := mustCreate(t, s, "one")
		prove := func(winner string) int {
			t.Helper()
			a, err := l.Attempt(t.Context(), tuner.Question{Game: "battleship", Strategy: "mp", Baseline: "checkerboard", Winner: winner})
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Append(t.Context(), logEntry(entry.KindAttempt, `{"attempt":%d}`, a), nil); err != nil {
				t.Fatal(err)
			}
			return a
		}
		if n := prove("false"); n != 1 {
			t.Fatalf("the first attempt is number %d", n)
		}
		if c.verdict {
			if err := l.Append(t.Context(), logEntry(entry.KindValidation, `{"attempt":1,"verdict":"fail"}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.DropEverywhere(t.Context(), "w", []Anew{{Study: "one", State: tuner.Queued, Exact: c.exact}}, nil); err != nil {
			t.Fatal(err)
		}
		var err error
		if l, err = s.Studies.Open(t.Context(), "one"); err != nil {
			t.Fatal(err)
		}
		if n := prove("true"); n != c.want {
			t.Errorf("%+v: attempt %d", c, n)
		}
		if complaints, err := s.Check(t.Context()); err != nil || len(complaints) > 0 {
			t.Errorf("%+v: %q, %v", c, complaints, err)
		}
	}
}

// A former log takes a name that is free: another program's study may be called as one.
func TestDropTakesAFreeName(t *testing.T) {
	s := openNew(t)
	mustCreate(t, s, "one")
	err := s.db.Change(t.Context(), "foreign", func(c *sqlitedb.Change) error {
		_, err := goptunadb.CreateStudy(c, "one@2", goptuna.StudyDirectionMinimize)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"one@1", "one@3"} {
		run := diceRun(0, 10, 0)
		run.Worker = "w"
		key := blockKey(uint64(100 + i))
		if err := s.Blocks().Save(t.Context(), key, run); err != nil {
			t.Fatal(err)
		}
		d, err := s.DropWorker(t.Context(), "one", "w", blocks.Scope{Game: "dice", Seeds: []uint64{key.Seed}, Phases: []arena.Phase{arena.Tune}})
		if err != nil || d.Archived != want {
			t.Errorf("kept as %q, expected %q: %v", d.Archived, want, err)
		}
	}
}

// A study that begins anew because a worker's blocks went has the points and the note that
// people gave it before.
func TestDropKeepsWhatPeopleGave(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	point := param.Values{{Name: "x", Text: ".25"}}
	if _, err := s.Study(l.ID()).Give(t.Context(), point); err != nil {
		t.Fatal(err)
	}
	if err := s.Study(l.ID()).SetNote(t.Context(), "mind the gap"); err != nil {
		t.Fatal(err)
	}
	run := diceRun(0, 10, 0)
	run.Worker = "w"
	key := blockKey(100)
	if err := s.Blocks().Save(t.Context(), key, run); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DropWorker(t.Context(), "one", "w", blocks.Scope{Game: "dice", Seeds: []uint64{key.Seed}, Phases: []arena.Phase{arena.Tune}}); err != nil {
		t.Fatal(err)
	}
	anew, err := s.Studies.Open(t.Context(), "one")
	if err != nil || anew.ID() == l.ID() {
		t.Fatal(anew, err)
	}
	given, err := anew.Given(t.Context())
	note, failed := s.Study(anew.ID()).Note(t.Context())
	if err != nil || failed != nil || len(given) != 1 || !slices.Equal(given[0], point) || note != "mind the gap" {
		t.Errorf("points %v, note %q, %v %v", given, note, err, failed)
	}
}
