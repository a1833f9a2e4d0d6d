package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
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

// A file holds the digests of the migrations that made its tables, and SQLite keeps their text
// with the comments. So after any change of a migration Check takes each existing file for
// damaged. A change of the tables is one more migration, and comments do not change.
func TestMigrationsStay(t *testing.T) {
	for file, want := range map[string]string{
		"goptunadb/schema.sql":          "d1be82cc67de764e0733b7acf6d7a71815b86e68d19eeaafc8d38ff85ebdef73",
		"goptunadb/views.sql":           "f0186e0d836c889c461a88c7e7b902a9d14f4968d86d6cb143572bffa893a0a5",
		"schemaspeeds.sql":              "6821365666c2894ef27b1b3297b3da62706f7fa2158378817ad8191645303609",
		"schemaasks.sql":                "7779c858490059a15c7d448728b18944e7f1158b6dbb8abe1cc114a0baa352d4",
		"blocks/schemagames.sql":        "7a87bb57055f2e4ed2f45c7da92b6139f577f2f7d9d760a9d00446ca87049668",
		"../../bench/ledger/schema.sql": "ada760bb730d86906771971f5570da41ed0b06b83f6f9455f2e2d2941211ef64",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
			t.Errorf("%s was changed (sha256 %s): files that it has made count as damaged", file, got)
		}
	}
}
