package store

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"sakusen/tuner/entry"
)

// What SQLite's check does not see, since the page makes sense, Check does.
func TestCheck(t *testing.T) {
	s := openNew(t)
	log := mustCreate(t, s, "first")
	if err := log.Append(t.Context(), entry.Entry{Kind: entry.KindAttempt, Payload: json.RawMessage(`{"seed":"7"}`)}, nil); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		if err := s.Blocks().Save(t.Context(), blockKey(seed), diceRun(0, 30, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if complaints, err := s.Check(t.Context()); err != nil || len(complaints) != 0 {
		t.Fatalf("a sound file: %v %q", err, complaints)
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
	for _, want := range []string{"blocks: run 2", "study first: log entry 1", "study first: its row"} {
		if err != nil || !strings.Contains(all, want) {
			t.Errorf("%v, %q, want %q", err, all, want)
		}
	}
}
