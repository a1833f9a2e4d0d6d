package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

func header(name string) Header {
	return Header{
		Name: name, Direction: goptuna.StudyDirectionMaximize, Game: "battleship", Strategy: "mp", Baseline: "checkerboard",
		Spec:     `{"name":"s","sampler":{"seed":"7","batch":8},"tune":{"params":[{"name":"x","high":100}]},"budget":{"trials":40}}`,
		SpecHash: strings.Repeat("ab", 32), Signatures: "random:01 mp:02", BudgetTrials: 40, BudgetGames: 40000,
	}
}

func mustCreate(t *testing.T, s *Store, name string) *Log {
	t.Helper()
	l, err := s.Studies.Create(t.Context(), header(name))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// unitAxis is a parameter of the tests: any number from 0 to 1.
var unitAxis = &tuner.Dimension{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Domain{High: 1}}}

func logEntry(kind entry.Kind, format string, args ...any) entry.Entry {
	return entry.Entry{Kind: kind, Payload: json.RawMessage(fmt.Sprintf(format, args...))}
}

func TestLogAppends(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	other := mustCreate(t, s, "other")
	err := l.Append(t.Context(), logEntry(entry.KindAsk, `{"batch":1}`), func(trials tuner.Trials) error {
		return errors.Join(trials.Create(0), trials.SetParam(0, unitAxis, "0.5"))
	})
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	err = l.Append(t.Context(), logEntry(entry.KindTell, `{"n":0}`), func(trials tuner.Trials) error {
		if err := errors.Join(trials.SetValue(0, 1), trials.SetState(0, entry.TrialComplete)); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if got, err := s.Study(l.ID()).TrialPage(t.Context(), 0, 2); err != nil || len(got) != 1 || got[0].State != goptuna.TrialStateRunning || got[0].Value != 0 {
		t.Errorf("after a refused entry: %+v %v", got, err)
	}
	if err := other.Append(t.Context(), logEntry(entry.KindAsk, `{"other":true}`), nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), logEntry(entry.KindRung, "[1, 2]"), nil); err != nil {
		t.Fatal(err)
	}
	expected := []entry.Entry{logEntry(entry.KindAsk, `{"batch":1}`), logEntry(entry.KindRung, "[1, 2]")}
	for _, st := range []*Store{s, reopen(t, s)} {
		opened, err := st.Studies.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := opened.Entries(t.Context()); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("entries %s %v", got, err)
		}
		if opened.Header() != header("one") || opened.ID() != l.ID() {
			t.Errorf("header %+v", opened.Header())
		}
		last, found, err := st.Study(l.ID()).LastEntry(t.Context(), entry.KindAsk)
		if err != nil || !found || !reflect.DeepEqual(last, expected[0]) {
			t.Errorf("last ask %s %v %v", last, found, err)
		}
		if _, found, err := st.Study(l.ID()).LastEntry(t.Context(), entry.KindFinal); err != nil || found {
			t.Errorf("last final: %v %v", found, err)
		}
	}
	for _, bad := range []entry.Entry{{}, {Kind: "ask"}, logEntry("ask", "{"), logEntry("", "{}")} {
		if err := l.Append(t.Context(), bad, nil); err == nil {
			t.Errorf("entry %+v was accepted", bad)
		}
	}
}

func TestLogIsAppendOnly(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	for i := range 3 {
		if err := l.Append(t.Context(), logEntry(entry.KindRung, "%d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{
		"UPDATE entries SET payload = '0'", "DELETE FROM entries", "DELETE FROM entries WHERE seq = 3",
		"INSERT INTO entries VALUES (1, 7, 'rung', '0', 0, x'00')", "INSERT OR REPLACE INTO entries VALUES (1, 2, 'rung', '0', 0, x'00')",
	} {
		err := s.DB().Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(statement)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "study log entries are ") {
			t.Errorf("%s: %v, expected a refusal", statement, err)
		}
	}
}

func TestDeleteCascades(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	err := l.Append(t.Context(), logEntry(entry.KindAsk, `{}`), func(trials tuner.Trials) error {
		return errors.Join(trials.Create(0), trials.SetParam(0, unitAxis, "0.5"), trials.SetNote(0, "k", "v"), trials.Report(0, 1, 1))
	})
	if err == nil {
		err = s.DB().Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO sakusen_study_attrs (study_id, owner, key, value, sum) VALUES (?, 'user', 'k', 'v', 0)", l.ID())
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := tuner.Question{Game: "battleship", Strategy: "mp", Baseline: "checkerboard"}
	if n, err := l.Attempt(t.Context(), asked); err != nil || n != 1 {
		t.Fatalf("attempt %d %v", n, err)
	}
	if err := s.Studies.Delete(l.ID()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"sakusen_studies", "study_records", "sakusen_study_attrs", "entries", "sakusen_trials", "sakusen_trial_params", "sakusen_trial_attrs", "sakusen_trial_values"} {
		var n int
		if err := s.DB().Reader().QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d rows left (%v)", table, n, err)
		}
	}
	if _, err := s.Studies.Open(t.Context(), "one"); !errors.Is(err, ErrStudyNotFound) {
		t.Errorf("open: %v", err)
	}
	if err := l.Append(t.Context(), logEntry(entry.KindAsk, `{}`), nil); err == nil {
		t.Error("an entry was appended to a deleted study")
	}
	again := mustCreate(t, s, "one")
	if n, err := again.Attempt(t.Context(), asked); err != nil || n != 2 {
		t.Errorf("attempt %d %v: deleting a study must not bring its attempts back", n, err)
	}
	if report, err := s.DB().Check(t.Context()); err != nil || !report.OK() {
		t.Errorf("check %+v %v", report, err)
	}
}

func TestResume(t *testing.T) {
	s := openNew(t)
	if _, created, err := s.Studies.Resume(t.Context(), header("one"), Source{}, 0); err != nil || !created {
		t.Fatal(created, err)
	}
	if _, created, err := s.Studies.Resume(t.Context(), header("one"), Source{}, 0); err != nil || created {
		t.Fatal(created, err)
	}
	spec := header("one")
	spec.SpecHash = strings.Repeat("cd", 32)
	spec.Spec = `{"name":"s","sampler":{"seed":"8"},"tune":{"params":[{"name":"x","high":90}]},"budget":{"trials":50}}`
	_, _, err := s.Studies.Resume(t.Context(), spec, Source{}, 0)
	other, ok := errors.AsType[*ConflictError](err)
	if !ok {
		t.Fatalf("%v, expected a ConflictError", err)
	}
	expected := "study \"one\" exists with another spec (abababababab, given cdcdcdcdcdcd)"
	if other.Error() != expected {
		t.Errorf("message\n%s\nexpected\n%s", other, expected)
	}
	code := header("one")
	code.Signatures = "random:01 mp:03"
	_, _, err = s.Studies.Resume(t.Context(), code, Source{}, 0)
	if _, ok := errors.AsType[*ConflictError](err); !ok || err.Error() != `study "one" was made by other code, or with another entry of an engine, as with fresh: true; put that back, or run the study under a new name: signatures random:01 mp:02, now random:01 mp:03` {
		t.Errorf("%v, expected a ConflictError", err)
	}
	larger := header("one")
	larger.BudgetTrials, larger.Spec = 50, "grown"
	if l, created, err := s.Studies.Resume(t.Context(), larger, Source{}, 0); err != nil || created || l.Header() != larger {
		t.Errorf("larger budget: %v %v", created, err)
	}
	if d, err := s.Studies.Details(t.Context(), "one"); err != nil || d.BudgetTrials != 50 || d.Spec != "grown" {
		t.Errorf("details %+v %v", d, err)
	}
	_, _, err = s.Studies.Resume(t.Context(), header("one"), Source{}, 0)
	if _, ok := errors.AsType[*ConflictError](err); !ok || err.Error() != `study "one": budget.trials: expected at least the present 50, got 40: a budget only grows; with a smaller one, give the study another name` {
		t.Errorf("%v, expected a ConflictError", err)
	}
	if _, err := s.Studies.Create(t.Context(), header("one")); !errors.Is(err, goptunadb.ErrStudyExists) {
		t.Errorf("created twice: %v", err)
	}
}

func TestAttemptsAreCounted(t *testing.T) {
	s := openNew(t)
	a, b := mustCreate(t, s, "a"), mustCreate(t, s, "b")
	next := func(l *Log, strategy string, expected int) {
		t.Helper()
		n, err := l.Attempt(t.Context(), tuner.Question{Game: "battleship", Strategy: strategy, Baseline: "CB"})
		if err != nil || n != expected {
			t.Errorf("attempt %d %v, expected %d", n, err, expected)
		}
	}
	next(a, "mp", 1)
	next(a, "mp", 1) // asked again after a kill
	next(b, "mp", 2)
	next(a, "la", 1) // the log has no entry yet, but another strategy is another count
	if err := a.Append(t.Context(), logEntry(entry.KindAttempt, `{"attempt":1}`), nil); err != nil {
		t.Fatal(err)
	}
	next(a, "mp", 3) // the first one is in the log: this is a further validation
	next(a, "mp", 3)
	if n, err := s.NextAttempt(t.Context(), tuner.Question{Game: "battleship", Strategy: "mp", Baseline: "CB"}); err != nil || n != 4 {
		t.Errorf("%+v, %v: expected the fourth", n, err)
	}
}

func TestListings(t *testing.T) {
	s := openNew(t)
	for i := range 5 {
		l := mustCreate(t, s, fmt.Sprint("study ", i))
		err := l.Append(t.Context(), logEntry(entry.KindAsk, "{}"), func(trials tuner.Trials) error {
			for n := range 2 * i {
				err := trials.Create(n)
				if err == nil && n%2 == 0 {
					err = errors.Join(trials.SetValue(n, 1), trials.SetState(n, entry.TrialComplete))
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err := errors.Join(err, l.SetState(t.Context(), tuner.Running, ""), l.SetGames(t.Context(), int64(100*i))); err != nil {
			t.Fatal(err)
		}
		if i == 4 {
			if err := l.Finish(t.Context(), json.RawMessage(`{"verdict":"pass"}`)); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.SetState(t.Context(), "resting", ""); err == nil {
			t.Error("a state that does not exist was set")
		}
	}
	err := s.db.Change(t.Context(), "", func(c *sqlitedb.Change) error {
		_, err := goptunadb.CreateStudy(c, "no record", goptuna.StudyDirectionMinimize) // by goptuna alone
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	after := 0
	for {
		page, err := s.Studies.Find(t.Context(), Filter{Both: true, Sort: "oldest", Beyond: after, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, l := range page {
			names = append(names, fmt.Sprintf("%s %s %d %d %d", l.Name, l.State, l.Trials, l.Games, l.BudgetTrials))
			after = l.ID
		}
	}
	expected := []string{"study 0 running 0 0 40", "study 1 running 2 100 40", "study 2 running 4 200 40", "study 3 running 6 300 40", "study 4 done 8 400 40", "no record foreign 0 0 0"}
	if !reflect.DeepEqual(names, expected) {
		t.Errorf("%q", names)
	}
	d, err := s.Studies.Details(t.Context(), "study 4")
	if err != nil || string(d.Result) != `{"verdict":"pass"}` || !d.Finished || d.Entries != 1 || d.Spec != header("").Spec {
		t.Errorf("%+v %v", d, err)
	}
	if _, err := s.Studies.Details(t.Context(), "study 5"); !errors.Is(err, ErrStudyNotFound) {
		t.Errorf("details of nobody: %v", err)
	}
	var numbers []int
	for from := 0; ; {
		page, err := s.Study(d.ID).TrialPage(t.Context(), from, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		all, err := s.Study(d.ID).TrialPage(t.Context(), 0, 1000)
		if err != nil || !reflect.DeepEqual(page, all[from:from+len(page)]) {
			t.Errorf("page from %d differs (%v)", from, err)
		}
		for _, trial := range page {
			numbers = append(numbers, trial.Number)
		}
		from = page[len(page)-1].Number + 1
	}
	if !reflect.DeepEqual(numbers, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("pages %v", numbers)
	}
}

// A study that its process left behind is Running in the file, but nobody
// writes it.
func TestInterruptedIsTold(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	l := mustCreate(t, s, "one")
	if err := l.SetState(t.Context(), tuner.Running, ""); err != nil {
		t.Fatal(err)
	}
	r := reopen(t, s)
	if d, err := r.Studies.Details(t.Context(), "one"); err != nil || d.Interrupted {
		t.Errorf("while it runs: %+v %v", d, err)
	}
	if err := s.DB().Close(); err != nil {
		t.Fatal(err)
	}
	if d, err := r.Studies.Details(t.Context(), "one"); err != nil || !d.Interrupted || d.State != tuner.Running {
		t.Errorf("afterwards: %+v %v", d, err)
	}
	// Another writer, which has come since, runs it only when it has gone on with it.
	lock := s.DB().Path() + ".lock"
	openAt(t, s.DB().Path(), sqlitedb.Options{})
	if err := os.Chtimes(lock, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if d, err := r.Studies.Details(t.Context(), "one"); err != nil || !d.Interrupted {
		t.Errorf("beside another writer: %+v %v", d, err)
	}
	if err := os.Chtimes(lock, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if list, err := r.Studies.Find(t.Context(), Filter{Both: true, Limit: 9}); err != nil || len(list) != 1 || list[0].Interrupted {
		t.Errorf("while the other writer runs it: %+v %v", list, err)
	}
}

func TestReadOnlyStore(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	r := reopen(t, s)
	opened, err := r.Studies.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	_, err1 := r.Studies.Create(t.Context(), header("two"))
	_, err2 := opened.Attempt(t.Context(), tuner.Question{Game: "g", Strategy: "s", Baseline: "b"})
	for i, err := range []error{err1, err2, opened.Append(t.Context(), logEntry("ask", "{}"), nil), r.Studies.Delete(l.ID()),
		opened.SetState(t.Context(), tuner.Paused, ""), r.Blocks().Save(t.Context(), blockKey(1), diceRun(0, 1, 0))} {
		if !errors.Is(err, sqlitedb.ErrReadOnlyHandle) {
			t.Errorf("%d: %v, expected ErrReadOnlyHandle", i, err)
		}
	}
	// What another handle writes is read at once.
	if all, err := r.Study(l.ID()).TrialPage(t.Context(), 0, 10); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	if err := l.Append(t.Context(), logEntry("ask", "{}"), func(trials tuner.Trials) error { return trials.Create(0) }); err != nil {
		t.Fatal(err)
	}
	if d, err := r.Studies.Details(t.Context(), "one"); err != nil || d.Trials != 1 {
		t.Errorf("details %+v %v", d, err)
	}
	if all, err := r.Study(l.ID()).TrialPage(t.Context(), 0, 10); err != nil || len(all) != 1 {
		t.Errorf("%d trials, %v", len(all), err)
	}
}

// A study that was made without a file gets it with the next
// submission, and keeps its urgency.
func TestResumeFile(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	for _, text := range []string{"a: 1", "b: 2"} {
		if _, created, err := s.Studies.Resume(t.Context(), header("one"), Source{"x.yaml", text}, 7); err != nil || created {
			t.Fatal(created, err)
		}
		if src, err := s.Study(l.ID()).Source(t.Context()); err != nil || src != (Source{"x.yaml", "a: 1"}) {
			t.Errorf("%+v %v", src, err)
		}
	}
	if w, err := s.Studies.Waiting(t.Context()); err != nil || len(w) != 1 || w[0].Priority != 0 {
		t.Errorf("%+v %v", w, err)
	}
}

// A log that grew behind the back of its owner gets nothing from him: what he
// would add does not follow what is there.
func TestSecondWriterOfALog(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	mine, err := s.Studies.Create(t.Context(), Header{Name: "s"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Studies.Open(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	add := func(l *Log) error {
		return l.Append(t.Context(), entry.Entry{Kind: "ask", Payload: []byte(`{}`)}, nil)
	}
	if err := errors.Join(add(mine), add(other)); err != nil {
		t.Fatal(err)
	}
	if wrong, ok := errors.AsType[*otherWriterError](add(mine)); !ok || wrong.Want != 1 || wrong.Have != 2 {
		t.Errorf("%v", wrong)
	}
	if all, err := other.Entries(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%d entries, %v", len(all), err)
	}
	if _, err := mine.Entries(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := add(mine); err != nil {
		t.Errorf("after reading the log again: %v", err)
	}
}
