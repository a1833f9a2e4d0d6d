package sqlitedb

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sakusen/tuner/build"
)

func TestMigrateForwardWithCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "one")
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatalf("migrating twice: %v", err)
	}
	db.Close()
	if got := names(t, filepath.Dir(path)); got != "x.db" {
		t.Errorf("a new file was copied: %s", got)
	}

	var told []string
	db, err := Open(t.Context(), path, Options{Note: func(text string) { told = append(told, text) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Migrate(t.Context(), "words", series2...); err != nil {
		t.Fatal(err)
	}
	other := "CREATE TABLE numbers (n INTEGER)"
	if err := db.Migrate(t.Context(), "numbers", other); err != nil {
		t.Fatal(err)
	}
	// A room that is new to the file changes nothing that is there.
	if got := names(t, filepath.Dir(path)); strings.Contains(got, "before-numbers") {
		t.Errorf("a file that got a new series was copied: %s", got)
	}
	if len(told) != 1 || !strings.Contains(told[0], "before-words-2") {
		t.Errorf("told %q, expected the one copy", told)
	}
	report, err := db.Check(t.Context())
	if err != nil || !report.OK() {
		t.Fatalf("check: %+v %v", report, err)
	}
	if expected := []migrationState{{"numbers", 1}, {"words", 2}}; !reflect.DeepEqual(report.Series, expected) {
		t.Errorf("series %v, expected %v", report.Series, expected)
	}
	db.Close()

	before, err := OpenReadOnly(t.Context(), path+".before-words-2")
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if version, err := before.Version(t.Context(), "words"); err != nil || version != 1 {
		t.Errorf("the copy has version %d (%v), expected 1", version, err)
	}
	if got := words(t, before); len(got) != 1 {
		t.Errorf("the copy has %q", got)
	}
	older, ok := errors.AsType[*SchemaError](before.Migrate(t.Context(), "words", series2...))
	if !ok || older.Have != 1 || older.Know != 2 {
		t.Errorf("reading an older file: %+v", older)
	}
	if older, ok := errors.AsType[*SchemaError](before.Migrate(t.Context(), "numbers", other)); !ok || older.Have != 0 {
		t.Errorf("reading a file without the series: %+v", older)
	}
}

func TestMigrateRefusesNewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series2...); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, open := range []func() (*DB, error){
		func() (*DB, error) { return Open(t.Context(), path, Options{}) },
		func() (*DB, error) { return OpenReadOnly(t.Context(), path) },
	} {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		db, err := open()
		if err != nil {
			t.Fatal(err)
		}
		err = db.Migrate(t.Context(), "words", series1...)
		db.Close()
		newer, ok := errors.AsType[*SchemaError](err)
		if !ok || newer.Have != 2 || newer.Know != 1 {
			t.Fatalf("%v, expected a SchemaError", err)
		}
		if !strings.HasSuffix(err.Error(), "written by a newer version of this program, sakusen "+build.Version+": words schema is version 2, expected at most 1") {
			t.Errorf("message %q", err)
		}
		after, err := os.ReadFile(path)
		if err != nil || string(after) != string(before) {
			t.Errorf("the file changed (%v)", err)
		}
	}
	if got := names(t, filepath.Dir(path)); strings.Contains(got, "lock") || strings.Contains(got, "before") {
		t.Errorf("left behind: %s", got)
	}
}

func TestMigrateIsOneTransaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	broken := append(series2[:2:2], "CREATE TABLE fine (x); CREATE TABEL wrong (x);")
	if err := db.Migrate(t.Context(), "words", broken...); err == nil || !strings.Contains(err.Error(), "step 3") {
		t.Fatalf("%v, expected an error that names the step", err)
	}
	if version, err := db.Version(t.Context(), "words"); err != nil || version != 1 {
		t.Errorf("version %d (%v), expected 1", version, err)
	}
	orphan := append(series2[:2:2], "INSERT INTO uses VALUES (77)")
	if err := db.Migrate(t.Context(), "words", orphan...); err == nil || !strings.Contains(err.Error(), "uses") {
		t.Fatalf("%v, expected a foreign key error", err)
	}
	var on int
	if err := db.writer.QueryRow("PRAGMA foreign_keys").Scan(&on); err != nil || on != 1 {
		t.Errorf("foreign keys are %d after a failed migration", on)
	}
	if err := db.Migrate(t.Context(), "words", series2...); err != nil {
		t.Fatal(err)
	}
}

// A file of another format is refused by name, and nothing in it changes.
func TestOtherFormats(t *testing.T) {
	for _, c := range []struct {
		change string
		want   []string
	}{
		{"PRAGMA user_version = 0; DROP TABLE sakusen_schema; CREATE TABLE sakusen_schema (series, version, file, sha256, applied); INSERT INTO sakusen_schema VALUES ('store', 9, '0009_sums.sql', '', 1)",
			[]string{"its tables have no format number", "reads format 1"}},
		{"PRAGMA user_version = 2; UPDATE sakusen_schema SET program = '0.2.0'",
			[]string{"format 2, written by sakusen 0.2.0; sakusen " + build.Version + " reads format 1", `"sakusen db dump" of the version that wrote the file`}},
		{"PRAGMA user_version = 7; DROP TABLE sakusen_schema", []string{"format 7, written by another version of sakusen"}},
	} {
		path := filepath.Join(t.TempDir(), "x.db")
		db := mustOpen(t, path)
		if err := db.Migrate(t.Context(), "words", series1...); err != nil {
			t.Fatal(err)
		}
		if err := db.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(c.change)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []func() (*DB, error){
			func() (*DB, error) { return Open(t.Context(), path, Options{}) },
			func() (*DB, error) { return OpenReadOnly(t.Context(), path) },
		} {
			_, err := open()
			if _, ok := errors.AsType[*FormatError](err); !ok {
				t.Fatalf("%s: %v, expected a FormatError", c.change, err)
			}
			for _, want := range append(c.want, path) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("message %q, expected %q in it", err, want)
				}
			}
			after, err := os.ReadFile(path)
			if err != nil || string(after) != string(before) {
				t.Errorf("the file changed (%v)", err)
			}
		}
		if got := names(t, filepath.Dir(path)); strings.Contains(got, "lock") || strings.Contains(got, "before") {
			t.Errorf("left behind: %s", got)
		}
	}
}

func TestBackupOfALiveDatabase(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, filepath.Join(dir, "x.db"))
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "one")
	copied := filepath.Join(dir, "copy?.db")
	if err := db.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "two")
	if err := db.Backup(t.Context(), copied); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	if err := db.Backup(t.Context(), filepath.Join(dir, "no", "copy.db")); err == nil {
		t.Error("into a directory that is not there")
	}
	second := mustOpen(t, copied) // a copy is a database to go on with
	if got := words(t, second); len(got) != 1 {
		t.Errorf("copy has %q", got)
	}
	if err := second.Migrate(t.Context(), "words", series2...); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); strings.Contains(got, ".sakusen-copy") {
		t.Errorf("left behind: %s", got)
	}
}

func TestCheckFindsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := mustOpen(t, path)
	if err := db.Migrate(t.Context(), "words", series2...); err != nil {
		t.Fatal(err)
	}
	addWord(t, db, "marmalade")
	db.Close()
	raw, err := sql.Open("sqlite3", dsn(path, "mode=rw&_foreign_keys=off"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("INSERT INTO uses VALUES (99)"); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The word stands in the table and in its index: change one of them.
	content[bytes.Index(content, []byte("marmalade"))+4] = 'e'
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	read, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	report, err := read.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || len(report.ForeignKeys) != 1 || len(report.Integrity) == 0 {
		t.Errorf("report %+v, expected a broken reference and a failed check", report)
	}
}

func TestMigrationPoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	var points []string
	note := Options{Point: func(name string) { points = append(points, name) }}
	for _, steps := range [][]string{series1, series2} {
		db, err := Open(t.Context(), path, note)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Migrate(t.Context(), "words", steps...); err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	got := strings.Join(points, " ")
	if got != "migration.step migration.done migration.begin migration.copied migration.step migration.done" {
		t.Errorf("points %s", got)
	}
}

// A damaged name of a series hides its tables from who asks for them: it is named instead.
func TestDamagedSeries(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"))
	if err := db.Migrate(t.Context(), "words", series1...); err != nil {
		t.Fatal(err)
	}
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE sakusen_schema SET series = 'wordr'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.Version(t.Context(), "words"); !Damaged(err) {
		t.Errorf("version %d, %v, expected damage", n, err)
	}
	if r, err := db.Check(t.Context()); err != nil || r.OK() {
		t.Errorf("check: %+v %v", r, err)
	}
}
