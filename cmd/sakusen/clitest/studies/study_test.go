package studies

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// A study is run, shown, listed, exported in every form, and printed again.
func TestStudyFromEndToEnd(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	first, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json")
	again, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json")
	if first != again {
		t.Errorf("a finished study prints\n%s\nand then\n%s", first, again)
	}
	var r struct {
		Study, State, Sampler string
		Trials                int
		Best                  struct{ Params map[string]string }
		Validation            struct {
			Verdict string
			CI95    *[2]float64
			Attempt int
		}
		Digest string
	}
	if err := json.Unmarshal([]byte(first), &r); err != nil {
		t.Fatal(err)
	}
	if r.Study != "small" || r.State != "done" || r.Validation.Verdict != "pass" || r.Validation.CI95 == nil ||
		r.Validation.Attempt != 1 || len(r.Digest) != 64 {
		t.Errorf("%s", first)
	}
	other, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json", "--seed", "18446744073709551615", "--db", "other.db")
	if strings.Contains(other, r.Digest) {
		t.Error("another seed gives the same digest")
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "tune", "small.yaml", "--seed", "4") // the study exists with another
	if list, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "list"); !strings.Contains(list, "small") || !strings.Contains(list, "done") {
		t.Error(list)
	}
	show, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small", "--json")
	var shown struct {
		Trial  []struct{ State string }
		Result struct{ Digest string }
	}
	if err := json.Unmarshal([]byte(show), &shown); err != nil || len(shown.Trial) != r.Trials || shown.Result.Digest != r.Digest {
		t.Errorf("%v %s", err, show)
	}
	for format, want := range map[string]string{
		"yaml": "study: ", "json": `{"study":"small"`, "go": "const (", "env": "PLACE_KIND='", "csv": "parameter,kind,value,verdict,gain_elo,gain_elo_from,gain_elo_to,tested_above_elo,tested_hoped_elo,alpha\n",
		"optuna": `"name":"CategoricalDistribution"`, "optuna-sqlite": "SQLite format 3\x00",
	} {
		if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--format", format); !strings.Contains(out, want) {
			t.Errorf("export --format %s: no %q in\n%s", format, want, out)
		}
	}
	plain, _ := clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--format", "json")
	if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--json"); out != plain {
		t.Errorf("export --json prints\n%s--format json\n%s", out, plain)
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "export", "small", "--json", "--format", "csv")
	clitest.Exits(t, dir, clitest.ExitUsage, "export", "small", "--format", "xml")
	clitest.Exits(t, dir, clitest.ExitUsage, "export", "smal")
	out, _ := clitest.Exits(t, dir, clitest.ExitDone, "db", "check", "--json")
	if c := clitest.Decode[service.Check](t, out); !c.OK || c.Integrity == nil || c.ForeignKeys == nil || c.Schema["store"] == 0 {
		t.Error(out)
	}
	out, _ = clitest.Exits(t, dir, clitest.ExitDone, "db", "backup", "copy.db", "--json")
	clitest.Decode[map[string]string](t, out)
	clitest.Exits(t, dir, clitest.ExitUsage, "db", "backup", "copy.db") // is there already
	clitest.Exits(t, dir, clitest.ExitUsage, "db", "backup", "")
	clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--db", "copy.db")
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "study", "delete", "small"); !strings.Contains(errs, "--yes") {
		t.Errorf("without a terminal: %s", errs)
	}
	clitest.Exits(t, dir, clitest.ExitDone, "study", "delete", "small", "--yes")
	clitest.Exits(t, dir, clitest.ExitUsage, "study", "show", "small")
	// The blocks stay, and so does the count of attempts: it is the second now.
	second, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json")
	if !strings.Contains(second, `"attempt":2`) {
		t.Errorf("the attempt of a deleted study is forgotten: %s", second)
	}
}

// A study that cannot be proved is not exported unless forced.
func TestExportNeedsAPass(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(clitest.SmallStudy, "baseline: R\n", "baseline: MP100\n", 1)
	clitest.WriteFile(t, dir, "small.yaml", text)
	clitest.Exits(t, dir, clitest.ExitNegative, "tune", "small.yaml")
	if out, errs := clitest.Exits(t, dir, clitest.ExitNegative, "export", "small"); out != "" || !strings.Contains(errs, "the validation failed, so nothing is exported") {
		t.Errorf("%s%s", out, errs)
	}
	clitest.Exits(t, dir, clitest.ExitDone, "export", "small", "--force")
}

// What a study file gets wrong is all said at once, and nothing is written.
func TestBadStudyFile(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(clitest.SmallStudy, "strategy: neighbour", "strategy: neigbour", 1)
	clitest.WriteFile(t, dir, "bad.yaml", strings.Replace(text, "trials: 8", "trials: none", 1))
	_, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "bad.yaml")
	want := `sakusen: bad.yaml:5:13: tune.strategy: expected a strategy of battleship, got "neigbour" (did you mean neighbour?)
bad.yaml:10:18: budget.trials: expected an integer in 1..10000000, got none
`
	if errs != want {
		t.Errorf("got  %s\nwant %s", errs, want)
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "tune", "none.yaml")
	clitest.Exits(t, dir, clitest.ExitUsage, "tune", "no-such-study")
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("something was written: %v", files)
	}
}

// A changed spec, a smaller budget and other code are refused with what
// differs; a larger budget is not.
func TestResumeRefusals(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	// Interrupted in the middle, so that there is something to resume.
	if _, _, err := clitest.Program(t, dir, []string{clitest.KillAt + "=tell.committed:2"}, "tune", "small.yaml"); err == nil {
		t.Fatal("it was to be killed")
	}
	if list, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "list"); !strings.Contains(list, "interrupted") {
		t.Error(list)
	}
	_, errs := clitest.Exits(t, dir, clitest.ExitNothing, "export", "small")
	if !strings.Contains(errs, "it has no result to export") {
		t.Error(errs)
	}
	clitest.WriteFile(t, dir, "other.yaml", strings.Replace(clitest.SmallStudy, "seed: 3", "seed: 4", 1))
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "other.yaml"); !strings.Contains(errs, `study "small" exists with another spec`) || !strings.Contains(errs, "sampler.seed") {
		t.Error(errs)
	}
	clitest.WriteFile(t, dir, "less.yaml", strings.Replace(clitest.SmallStudy, "games: 900", "games: 800", 1))
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "less.yaml"); !strings.Contains(errs, "a budget only grows") {
		t.Error(errs)
	}
	db, err := sqlitedb.Open(t.Context(), filepath.Join(dir, "sakusen.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE sakusen_schema SET version = version + 90 WHERE series = 'store' AND version = (SELECT max(version) FROM sakusen_schema WHERE series = 'store')")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "small.yaml"); !strings.Contains(errs, "newer version of this program") {
		t.Error(errs)
	}
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "study", "list"); !strings.Contains(errs, "newer version of this program") {
		t.Error(errs)
	}
}

// A database of another format is refused, and says which version of the program reads it.
func TestOtherFormatIsRefused(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	path := filepath.Join(dir, "sakusen.db")
	for _, c := range []struct{ change, want string }{
		{"PRAGMA user_version = 2; UPDATE sakusen_schema SET program = '0.7.0'", "sakusen.db: format 2, written by sakusen 0.7.0; sakusen " + build.Version + " reads format 1"},
		{"PRAGMA user_version = 0", "sakusen.db: its tables have no format number"},
	} {
		db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.New(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if err := db.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(c.change)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		db.Close()
		for _, args := range [][]string{{"tune", "small.yaml"}, {"study", "list"}, {"db", "check"}, {"db", "backup", "b.db"}, {"db", "dump"}, {"serve", "--listen", "127.0.0.1:0"}} {
			if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, args...); !strings.Contains(errs, c.want) {
				t.Errorf("%s: %s", args, errs)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A study is written as JSON, whose entries have the digest of the study's result.
func TestDump(t *testing.T) {
	dir := t.TempDir()
	clitest.Exits(t, dir, clitest.ExitUsage, "db", "dump")
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--quiet")
	whole, _ := clitest.Exits(t, dir, clitest.ExitDone, "db", "dump")
	clitest.Exits(t, dir, clitest.ExitDone, "db", "dump", "small", "-o", "small.json")
	one, err := os.ReadFile(filepath.Join(dir, "small.json"))
	if err != nil || whole != string(one) {
		t.Fatalf("one study of one: %v\n%s\nall:\n%s", err, one, whole)
	}
	d := clitest.Decode[struct {
		Format                int
		Program, Study, State string
		Source, Digest        string
		Trials                []struct{ Params map[string]any }
		Log                   []entry.Entry
		Result                tuner.Result
	}](t, whole)
	if d.Format != 1 || d.Program != "sakusen "+build.Version || d.Study != "small" || d.State != "done" || d.Source != clitest.SmallStudy ||
		len(d.Trials) != d.Result.Trials || len(d.Trials[0].Params) == 0 || d.Digest != d.Result.Digest || entry.Digest(d.Log) != d.Digest {
		t.Errorf("%+v", d)
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "db", "dump", "smal")
	clitest.Exits(t, dir, clitest.ExitUsage, "db", "dump", "small", "small")
	// A damaged study is left out of all, and replaces no file.
	clitest.WriteFile(t, dir, "other.yaml", strings.Replace(clitest.SmallStudy, "name: small", "name: other", 1))
	clitest.Exits(t, dir, clitest.ExitDone, "tune", "other.yaml", "--quiet")
	plain, err := sql.Open("sqlite3", "file://"+filepath.Join(dir, "sakusen.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = plain.Exec("UPDATE study_records SET source = 'x' WHERE study_id = (SELECT study_id FROM sakusen_studies WHERE name = 'other')")
	if err := errors.Join(err, plain.Close()); err != nil {
		t.Fatal(err)
	}
	_, errs := clitest.Exits(t, dir, clitest.ExitInternal, "db", "dump", "-o", "all.jsonl")
	if left, err := os.ReadFile(filepath.Join(dir, "all.jsonl")); err != nil || string(left) != whole || !strings.Contains(errs, "study other: its row is not what was written") {
		t.Errorf("beside a damaged study: %v %s%s", err, left, errs)
	}
	if out, errs := clitest.Exits(t, dir, clitest.ExitInternal, "db", "dump"); out != whole || !strings.Contains(errs, "study other: its row") {
		t.Errorf("beside a damaged study: %s%s", out, errs)
	}
	clitest.Exits(t, dir, clitest.ExitInternal, "db", "dump", "other", "-o", "small.json")
	if kept, err := os.ReadFile(filepath.Join(dir, "small.json")); err != nil || string(kept) != whole {
		t.Errorf("a damaged study has replaced a file: %v %s", err, kept)
	}
	clitest.Exits(t, dir, clitest.ExitDone, "study", "delete", "small", "--yes")
	clitest.Exits(t, dir, clitest.ExitDone, "study", "delete", "other", "--yes")
	if _, errs := clitest.Exits(t, dir, clitest.ExitNothing, "db", "dump"); !strings.Contains(errs, "it has no study") {
		t.Error(errs)
	}
}

// A name is looked up among the files, in the program and in the database, and the message says so;
// a file with mistakes is not passed over for the study of its name in the database.
func TestNamesOfStudies(t *testing.T) {
	dir := t.TempDir()
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "lon"); !strings.Contains(errs, filepath.Join("studies", "lon.yaml")) || strings.Contains(errs, "database") {
		t.Errorf("without a database: %s", errs)
	}
	clitest.Exits(t, dir, clitest.ExitDone, "tune", "laboratory-hill", "--quiet")
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "lon"); !strings.Contains(errs, "the database has none of this name either") {
		t.Errorf("with a database: %s", errs)
	}
	if err := os.Mkdir(filepath.Join(dir, "studies"), 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.WriteFile(t, filepath.Join(dir, "studies"), "laboratory-hill.yaml", "version: 1\nfoo")
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "laboratory-hill"); !strings.Contains(errs, "laboratory-hill.yaml:2:") {
		t.Errorf("a file with mistakes: %s", errs)
	}
}
