package cli

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// smallStudy ends in a fraction of a second with a pass.
const smallStudy = `version: 1
name: small
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height, low: 2, high: 3}]
baseline: R
sampler: {seed: 3, batch: 4}
race: {rungs: [4, 8]}
budget: {trials: 8, games: 900}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 100], max_blocks: 60}
`

// writeFile puts a file into a directory.
func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exits runs the program and wants an exit code.
func exits(t *testing.T, dir string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	out, errs, err := program(t, dir, nil, args...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != code {
		t.Errorf("sakusen %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, errs)
	}
	return out, errs
}

// A study is run, shown, listed, exported in every form, and printed again.
func TestStudyFromEndToEnd(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "small.yaml", smallStudy)
	first, _ := exits(t, dir, exitDone, "tune", "small.yaml", "--json")
	again, _ := exits(t, dir, exitDone, "tune", "small.yaml", "--json")
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
	other, _ := exits(t, dir, exitDone, "tune", "small.yaml", "--json", "--seed", "18446744073709551615", "--db", "other.db")
	if strings.Contains(other, r.Digest) {
		t.Error("another seed gives the same digest")
	}
	exits(t, dir, exitUsage, "tune", "small.yaml", "--seed", "4") // the study exists with another
	if list, _ := exits(t, dir, exitDone, "study", "list"); !strings.Contains(list, "small") || !strings.Contains(list, "done") {
		t.Error(list)
	}
	show, _ := exits(t, dir, exitDone, "study", "show", "small", "--json")
	var shown struct {
		Trial  []struct{ State string }
		Result struct{ Digest string }
	}
	if err := json.Unmarshal([]byte(show), &shown); err != nil || len(shown.Trial) != r.Trials || shown.Result.Digest != r.Digest {
		t.Errorf("%v %s", err, show)
	}
	for format, want := range map[string]string{
		"yaml": "study: ", "json": `{"study":"small"`, "go": "const (", "env": "PLACE_KIND='", "csv": "parameter,kind,value,verdict,gain_elo_low,gain_elo_high,alpha\n",
		"optuna": `"name":"CategoricalDistribution"`,
	} {
		if out, _ := exits(t, dir, exitDone, "export", "small", "--format", format); !strings.Contains(out, want) {
			t.Errorf("export --format %s: no %q in\n%s", format, want, out)
		}
	}
	plain, _ := exits(t, dir, exitDone, "export", "small", "--format", "json")
	if out, _ := exits(t, dir, exitDone, "export", "small", "--json"); out != plain {
		t.Errorf("export --json prints\n%s--format json\n%s", out, plain)
	}
	exits(t, dir, exitUsage, "export", "small", "--json", "--format", "csv")
	exits(t, dir, exitUsage, "export", "small", "--format", "xml")
	exits(t, dir, exitUsage, "export", "smal")
	out, _ := exits(t, dir, exitDone, "db", "check", "--json")
	if c := decode[service.Check](t, out); !c.OK || c.Integrity == nil || c.ForeignKeys == nil || c.Schema["store"] == 0 {
		t.Error(out)
	}
	out, _ = exits(t, dir, exitDone, "db", "backup", "copy.db", "--json")
	decode[map[string]string](t, out)
	exits(t, dir, exitUsage, "db", "backup", "copy.db") // is there already
	exits(t, dir, exitUsage, "db", "backup", "")
	exits(t, dir, exitDone, "export", "small", "--db", "copy.db")
	exits(t, dir, exitDone, "study", "delete", "small")
	exits(t, dir, exitUsage, "study", "show", "small")
	// The blocks stay, and so does the count of attempts: it is the second now.
	second, _ := exits(t, dir, exitDone, "tune", "small.yaml", "--json")
	if !strings.Contains(second, `"attempt":2`) {
		t.Errorf("the attempt of a deleted study is forgotten: %s", second)
	}
}

// A study that cannot be proved is not exported unless forced.
func TestExportNeedsAPass(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(smallStudy, "baseline: R\n", "baseline: MP100\n", 1)
	writeFile(t, dir, "small.yaml", text)
	exits(t, dir, exitNegative, "tune", "small.yaml")
	if out, errs := exits(t, dir, exitNegative, "export", "small"); out != "" || !strings.Contains(errs, "the validation is failed, so nothing is exported") {
		t.Errorf("%s%s", out, errs)
	}
	exits(t, dir, exitDone, "export", "small", "--force")
}

// What a study file gets wrong is all said at once, and nothing is written.
func TestBadStudyFile(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(smallStudy, "strategy: neighbour", "strategy: neigbour", 1)
	writeFile(t, dir, "bad.yaml", strings.Replace(text, "trials: 8", "trials: none", 1))
	_, errs := exits(t, dir, exitUsage, "tune", "bad.yaml")
	want := `sakusen: bad.yaml:5:13: tune.strategy: expected a strategy of battleship, got "neigbour" (did you mean neighbour?)
bad.yaml:10:18: budget.trials: expected an integer in 1..10000000, got none
`
	if errs != want {
		t.Errorf("got  %s\nwant %s", errs, want)
	}
	exits(t, dir, exitUsage, "tune", "none.yaml")
	exits(t, dir, exitUsage, "tune", "no-such-study")
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("something was written: %v", files)
	}
}

// A changed spec, a smaller budget and other code are refused with what
// differs; a larger budget is not.
func TestResumeRefusals(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "small.yaml", smallStudy)
	// Interrupted in the middle, so that there is something to resume.
	if _, _, err := program(t, dir, []string{killAt + "=tell.committed:2"}, "tune", "small.yaml"); err == nil {
		t.Fatal("it was to be killed")
	}
	if list, _ := exits(t, dir, exitDone, "study", "list"); !strings.Contains(list, "running (interrupted)") {
		t.Error(list)
	}
	_, errs := exits(t, dir, exitNothing, "export", "small")
	if !strings.Contains(errs, "it has no result to export") {
		t.Error(errs)
	}
	writeFile(t, dir, "other.yaml", strings.Replace(smallStudy, "seed: 3", "seed: 4", 1))
	if _, errs := exits(t, dir, exitUsage, "tune", "other.yaml"); !strings.Contains(errs, `study "small" exists with another spec`) || !strings.Contains(errs, "sampler.seed") {
		t.Error(errs)
	}
	writeFile(t, dir, "less.yaml", strings.Replace(smallStudy, "games: 900", "games: 800", 1))
	if _, errs := exits(t, dir, exitUsage, "tune", "less.yaml"); !strings.Contains(errs, "a budget only grows") {
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
	if _, errs := exits(t, dir, exitUsage, "tune", "small.yaml"); !strings.Contains(errs, "newer version of this program") {
		t.Error(errs)
	}
	if _, errs := exits(t, dir, exitUsage, "study", "list"); !strings.Contains(errs, "newer version of this program") {
		t.Error(errs)
	}
}
