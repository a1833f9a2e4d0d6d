package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// What SQLite's check does not see, since the page makes sense, Check does; and
// stored blocks come a page at a time.
func TestCheck(t *testing.T) {
	s := openNew(t)
	log := mustCreate(t, s, "first")
	if err := log.Append(t.Context(), tuner.Entry{Kind: tuner.KindAttempt, Payload: json.RawMessage(`{"seed":"7"}`)}, nil); err != nil {
		t.Fatal(err)
	}
	c := chance{2, 1, 2, small, false}
	for seed := range uint64(5) {
		if err := s.Blocks().Save(t.Context(), blockKey(seed), c.run(0, 30)); err != nil {
			t.Fatal(err)
		}
	}
	if complaints, err := s.Check(t.Context()); err != nil || len(complaints) != 0 {
		t.Fatalf("a sound file: %v %q", err, complaints)
	}
	key := blockKey(3)
	for after, n := int64(0), 0; ; n++ {
		page, err := s.Blocks().Page(t.Context(), Scope{Game: key.Game, Seeds: []uint64{1, 3}, Phases: []arena.Phase{key.Phase}}, after, 1)
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
		if page, err := s.Blocks().Page(t.Context(), none, 0, 1); err != nil || len(page) != 0 {
			t.Errorf("%+v holds %d runs (%v), want none in other phases", none, len(page), err)
		}
	}
	if err := s.DB().Write(t.Context(), func(tx *sql.Tx) error {
		for _, damage := range []string{
			"UPDATE block_runs SET packed = substr(packed, 1, 9) WHERE run_id = 2",
			"UPDATE study_records SET spec = substr(spec, 2) || '{'",
			"DROP TRIGGER entries_never_change", "UPDATE entries SET payload = '{\"seed\":'",
		} {
			if _, err := tx.Exec(damage); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	complaints, err := s.Check(t.Context())
	all := strings.Join(complaints, "\n")
	for _, want := range []string{"blocks: run 2", "study first: log entry 1", "study first: its spec"} {
		if err != nil || !strings.Contains(all, want) {
			t.Errorf("%v, %q, want %q", err, all, want)
		}
	}
}
