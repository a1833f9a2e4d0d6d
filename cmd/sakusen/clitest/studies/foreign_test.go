package studies

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// keptByHand returns a database in which a program keeps a study with Goptuna's API.
func keptByHand(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := goptunadb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	study, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(s), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize),
		goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(1))))
	if err != nil {
		t.Fatal(err)
	}
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		x, err1 := trial.SuggestFloat("x", -1, 1)
		n, err2 := trial.SuggestStepInt("squares", 10, 40, 10)
		_, err3 := trial.SuggestCategorical("kind", []string{"random", "packed"})
		return float64(n) - x*x, errors.Join(err1, err2, err3, trial.SetUserAttr("seen", "yes"))
	}, 6)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A study that a program keeps with Goptuna's API is listed, shown, exported and deleted
// like any other, and marked; what needs a log refuses it.
func TestForeignStudies(t *testing.T) {
	const name = "by hand/1"
	db := keptByHand(t, name)
	run := func(code int, want string, args ...string) string {
		t.Helper()
		p := clitest.Launch(t, "", append(args, "--db", db)...)
		if p.Code != code || !strings.Contains(p.Out+p.Err, want) {
			t.Errorf("%q: exit code %d, want %d with %q:\n%s%s", args, p.Code, code, want, p.Out, p.Err)
		}
		return p.Out
	}
	run(0, name+"  foreign", "study", "list")
	type trial struct {
		State  string
		Value  float64
		Params map[string]string
		Values map[string]any
	}
	type study struct {
		Study, State string
		Foreign      bool
		Trials       int
		Spec         any
		Best         struct {
			Trial int
			Value float64
		}
		Trial []trial
	}
	list := clitest.Decode[struct{ Studies []study }](t, run(0, "", "study", "list", "--json")).Studies
	if len(list) != 1 || !list[0].Foreign || list[0].State != "foreign" || list[0].Trials != 6 {
		t.Errorf("%+v", list)
	}
	shown := clitest.Decode[study](t, run(0, "", "study", "show", name, "--json"))
	if !shown.Foreign || shown.Spec != nil || len(shown.Trial) != 6 {
		t.Fatalf("%+v", shown)
	}
	best := shown.Trial[shown.Best.Trial]
	for _, x := range shown.Trial {
		if x.State != "complete" || len(x.Params) != 3 || x.Value > best.Value || best.Value != shown.Best.Value {
			t.Errorf("%+v beside %+v", x, best)
		}
	}
	run(0, "squares="+best.Params["squares"], "study", "show", name)
	run(1, "--force", "export", name)
	run(0, "\n  squares: "+best.Params["squares"]+"\n", "export", name, "--force")
	exported := clitest.Decode[struct {
		Foreign   bool
		Params    map[string]string
		Values    map[string]any
		Objective struct{ Claimed float64 }
	}](t, run(0, "", "export", name, "--force", "--json"))
	if !exported.Foreign || exported.Params["kind"] != best.Params["kind"] || exported.Values["squares"] != best.Values["squares"] || exported.Objective.Claimed != best.Value {
		t.Errorf("%+v, %+v", exported, best)
	}
	for format, want := range map[string]string{
		"go": "package byhand1", "env": "SQUARES='", "csv": "squares,int,", "uci": "setoption name squares value ",
		"optuna": `"distributions":{"kind":{"name":"CategoricalDistribution"`, "optuna-sqlite": "SQLite format 3",
	} {
		run(0, want, "export", name, "--force", "--format", format)
	}
	run(clitest.ExitNothing, "no front", "export", name, "--force", "--front")
	for _, args := range [][]string{
		{"study", "resume", name}, {"study", "pause", name}, {"study", "stop", name}, {"study", "watch", name},
		{"export", name, "--format", "study"}, {"study", "try", name, "x=0"},
	} {
		run(2, "Goptuna's API", args...)
	}
	run(0, "", "db", "check")
	run(0, "deleted", "study", "delete", name, "--yes")
	run(2, "no study named", "study", "show", name)
}

// A study file does not take the name of a foreign study.
func TestForeignName(t *testing.T) {
	db := keptByHand(t, "boats")
	p := clitest.Launch(t, "", "tune", clitest.WriteNew(t, "boats.yaml", evolvingBoats), "--db", db)
	if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "Goptuna's API") {
		t.Errorf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
}

// The name of a foreign study, which may be any text, stays in a comment of what is exported,
// and is never taken for that of a former log; a form that it does not fit refuses it.
func TestForeignNamesOfAnyText(t *testing.T) {
	const name = "one@1\nrm -rf ~"
	db := keptByHand(t, name)
	for format, head := range map[string]string{"env": "# ", "uci": "# ", "go": "// "} {
		p := clitest.Launch(t, "", "export", name, "--force", "--format", format, "--db", db)
		if p.Code != 0 || !strings.HasPrefix(p.Out, head+`Study one@1\u000arm -rf ~ of`) || strings.Contains(p.Out, "\nrm") {
			t.Errorf("%s: exit code %d:\n%s%s", format, p.Code, p.Out, p.Err)
		}
	}
	if p := clitest.Launch(t, "", "study", "resume", name, "--db", db); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "Goptuna's API") {
		t.Errorf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
	p := clitest.Launch(t, "", "export", "7", "--force", "--format", "go", "--db", keptByHand(t, "7"))
	if p.Code != clitest.ExitUsage || p.Out != "" || !strings.Contains(p.Err, "expected a name that can be that of a package") {
		t.Errorf("exit code %d, %s%s", p.Code, p.Out, p.Err)
	}
}

// Trials that are not what was written are not exported.
func TestForeignDamaged(t *testing.T) {
	path := keptByHand(t, "boats")
	spoil(t, path, "UPDATE sakusen_trials SET value = 1000 WHERE number = 3")
	for _, format := range []string{"yaml", "json", "env", "csv", "optuna"} {
		p := clitest.Launch(t, "", "export", "boats", "--force", "--format", format, "--db", path)
		if p.Code != clitest.ExitInternal || p.Out != "" || !strings.Contains(p.Err, "trial 3 of study 1") {
			t.Errorf("%s: exit code %d:\n%s%s", format, p.Code, p.Out, p.Err)
		}
	}
}

// A list says that a study's best trial cannot be read.
func TestForeignListDamaged(t *testing.T) {
	path := keptByHand(t, "boats")
	spoil(t, path, "UPDATE sakusen_axes SET distribution = '{' WHERE name = 'squares'")
	for _, args := range [][]string{{"study", "list"}, {"study", "list", "--json"}, {"study", "show", "boats"}} {
		p := clitest.Launch(t, "", append(args, "--db", path)...)
		if p.Code != clitest.ExitInternal || !strings.Contains(p.Err, `study "boats": distribution "{"`) {
			t.Errorf("%q: exit code %d:\n%s%s", args, p.Code, p.Out, p.Err)
		}
	}
}

// spoil changes a database by other means than the program's.
func spoil(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(statement)
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
