package studies

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A study is begun from a template, checked, run and watched, and what it exports is
// played and built on.
func TestStudyFromItsTemplate(t *testing.T) {
	dir := t.TempDir()
	if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "embedded"); !strings.Contains(out, "laboratory-hill (laboratory point)\n  A hill") {
		t.Error(out)
	}
	embedded, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "embedded", "laboratory-hill")
	if !strings.Contains(embedded, "\nname: laboratory-hill\n") {
		t.Error(embedded)
	}
	text, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "new", "laboratory", "point")
	path := filepath.Join(dir, "point.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	checked, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "check", path)
	for _, want := range []string{"Tuned         x1: 0 to 1\n", "\nSpace         too many", "\nTime          ", "\nProof         a true gain of "} {
		if !strings.Contains(checked, want) {
			t.Errorf("no %q in\n%s", want, checked)
		}
	}
	for line := range strings.Lines(checked) {
		if len(line) > 81 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
	whole, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "check", path, "--json")
	var c struct {
		Spec     struct{ Budget struct{ Games int64 } }
		Space    *int
		Forecast struct{ Proof struct{ Attempt int } }
	}
	if err := json.Unmarshal([]byte(whole), &c); err != nil || c.Spec.Budget.Games == 0 || c.Space != nil || c.Forecast.Proof.Attempt != 1 {
		t.Errorf("%v: %s", err, whole)
	}
	clitest.WriteFile(t, dir, "bad.yaml", "version: 1\nname: bad\ngame: laboratry\nbudgt: 1\n")
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "study", "check", filepath.Join(dir, "bad.yaml")); !strings.Contains(errs, "laboratory?") || !strings.Contains(errs, "budget?") {
		t.Error(errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "sakusen.db")); err == nil {
		t.Error("a check made a database")
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "tune", path, "--live") // no terminal

	result, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", path)
	if watched, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "watch", "laboratory-point"); watched != result {
		t.Errorf("watch printed\n%s tune\n%s", watched, result)
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "study", "watch", "nosuch")
	if again, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "check", "laboratory-point"); !strings.Contains(again, "\nStored        the database has") || !strings.Contains(again, "\nTuned         x1: 0 to 1\n") || strings.Contains(again, "attempt 2") {
		t.Error(again)
	}
	out := filepath.Join(dir, "out.yaml")
	clitest.Exits(t, dir, clitest.ExitDone, "export", "laboratory-point", "-o", out)
	clitest.Exits(t, dir, clitest.ExitUsage, "export", "laboratory-point", "-o", filepath.Join(dir, "nosuch", "out.yaml"))
	if written, err := os.ReadFile(out); err != nil || !strings.Contains(string(written), "entrant: point(") {
		t.Errorf("%v: %s", err, written)
	}
	for _, format := range []string{"yaml", "json"} {
		out, _ := clitest.Exits(t, dir, clitest.ExitDone, "export", "laboratory-point", "--format", format)
		best := filepath.Join(dir, "best."+format)
		if err := os.WriteFile(best, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		played, _ := clitest.Exits(t, dir, clitest.ExitDone, "match", "laboratory", "@"+best, "point", "--blocks", "20")
		if !strings.Contains(played, "\nlaboratory-point  0.") {
			t.Error(played)
		}
		if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "match", "battleship", "@"+best, "MP70"); !strings.Contains(errs, "expected a player of battleship, got one of laboratory") {
			t.Error(errs)
		}
		clitest.WriteFile(t, dir, "more.yaml", "version: 1\nname: more\ngame: laboratory\ntune: {strategy: point, fix: best."+format+", params: [{name: x1}]}\nbaseline: point\n")
		if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "check", filepath.Join(dir, "more.yaml")); !strings.Contains(out, "\nFixed         x2=0.") || strings.Contains(out, "x1=0.7") {
			t.Error(out)
		}
	}
}
