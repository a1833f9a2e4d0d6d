package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

var update = flag.Bool("update", false, "write the golden dump anew")

// dumpStudy is a small study, some of whose trials are stopped.
const dumpStudy = `version: 1
name: raced
game: laboratory
rules:
  - {name: dimensions, value: 1}
tune: {strategy: point}
baseline: point
sampler: {name: quasi, seed: 3}
race: {rungs: [8, 24]}
final: {top: 1, blocks: 20}
validation: {max_blocks: 40, estimate: 0}
budget: {trials: 4, games: 150}
`

// runDumped runs the study in a store.
func runDumped(t *testing.T, s *Store) *tuner.Result {
	t.Helper()
	setup, err := studyfile.Read("raced.yaml", []byte(dumpStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := json.Marshal(setup.Spec)
	if err != nil {
		t.Fatal(err)
	}
	h := Header{
		Name: setup.Name, Direction: goptuna.StudyDirectionMaximize, Game: "laboratory", Strategy: "point", Baseline: setup.BaselineEntrant.Canonical(),
		Spec: string(spec), SpecHash: setup.Hash(), Signatures: "laboratory:1 point:1", BudgetTrials: 4, BudgetGames: 150,
	}
	log, _, err := s.Studies.Resume(t.Context(), h, Source{Name: "raced.yaml", Text: dumpStudy}, 0)
	if err != nil {
		t.Fatal(err)
	}
	proposer, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.Open(t.Context(), setup, study.Options{Host: arena.NewPool(2), Proposer: proposer, Record: log})
	if err != nil {
		t.Fatal(err)
	}
	r, err := study.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Finish(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	return r
}

// dumpedDigest returns the digest of the entries of a dumped study.
func dumpedDigest(t *testing.T, text []byte) (of, told string) {
	t.Helper()
	var d struct {
		Log    []entry.Entry
		Digest string
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return entry.Digest(d.Log), d.Digest
}

// A study is dumped as the golden text, with the digest of its result.
func TestDump(t *testing.T) {
	clock := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	s := openAt(t, filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{Now: func() time.Time { clock = clock.Add(time.Second); return clock }})
	r := runDumped(t, s)
	var out bytes.Buffer
	if n, damaged, err := reopen(t, s).Dump(t.Context(), &out, "raced"); err != nil || damaged != nil || n != 1 {
		t.Fatalf("%d studies, %v, %v", n, damaged, err)
	}
	if of, told := dumpedDigest(t, out.Bytes()); of != r.Digest || told != r.Digest {
		t.Errorf("the entries have the digest %s, the dump says %s, the result %s", of, told, r.Digest)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, out.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(got.String(), `"sakusen `+build.Version+`"`, `"sakusen VERSION"`, 1)
	const golden = "testdata/dump.json"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || text != string(want) {
		t.Errorf("%s: %v (write it with -update): got\n%s", golden, err, text)
	}
}

// meddler appends to a log while it is being written out.
type meddler struct {
	bytes.Buffer
	do func()
}

func (m *meddler) Write(text []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.Buffer.Write(text)
}

// A dump is one moment of a study that continues, and all studies are dumped with
// those of goptuna.
func TestDumpBesideAWriter(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "long")
	const entries = 3000
	add := func() error {
		return l.Append(t.Context(), logEntry(entry.KindCompare, `{"pad":%q}`, strings.Repeat("x", 50)), nil)
	}
	for range entries {
		if err := add(); err != nil {
			t.Fatal(err)
		}
	}
	foreign, err := goptunadb.New(t.Context(), s.DB())
	if err != nil {
		t.Fatal(err)
	}
	study, err := goptuna.CreateStudy("by-hand", goptuna.StudyOptionStorage(foreign))
	if err == nil {
		err = study.Optimize(func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := meddler{do: func() {
		if err := add(); err != nil {
			t.Error(err)
		}
	}}
	if n, damaged, err := s.Dump(t.Context(), &out, ""); err != nil || damaged != nil || n != 2 {
		t.Fatalf("%d studies, %v, %v", n, damaged, err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	if len(lines) != 3 || strings.Count(lines[0], `"seq":`) != entries {
		t.Fatalf("%d lines, the first with %d entries", len(lines), strings.Count(lines[0], `"seq":`))
	}
	if of, told := dumpedDigest(t, []byte(lines[0])); of != told {
		t.Errorf("the entries have the digest %s, the dump says %s", of, told)
	}
	if strings.Count(lines[1], `"number":`) != 2 || strings.Contains(lines[1], `"log"`) || !strings.Contains(lines[1], `"distributions":{"x":[{`) {
		t.Errorf("goptuna's study: %s", lines[1])
	}
}

// A study that is not what was written is named and left out whole, and the others are
// dumped; asked for alone, it is an error.
func TestDumpOfDamage(t *testing.T) {
	for name, c := range map[string]struct {
		edit []string
		want string
	}{
		"an entry":       {[]string{"DROP TRIGGER entries_never_change", "UPDATE entries SET payload = '7' WHERE seq = 2 AND study_id = 1"}, "log entry 2 is not"},
		"the last entry": {[]string{"DROP TRIGGER entries_never_go", "DELETE FROM entries WHERE seq = 3 AND study_id = 1"}, "the log ends with entry 2"},
		"all entries":    {[]string{"DROP TRIGGER entries_never_go", "DELETE FROM entries WHERE study_id = 1"}, "the log ends with entry 0"},
		"a value":        {[]string{"UPDATE sakusen_trials SET value = 9 WHERE study_id = 1 AND number = 1"}, "trial 1 of study 1 is not"},
		"a parameter":    {[]string{"UPDATE sakusen_trial_params SET value = 0.75 WHERE trial_id = 1"}, "a parameter of the trial with id 1 is not"},
		"an attribute":   {[]string{"UPDATE sakusen_study_attrs SET value = 'b' WHERE study_id = 1"}, "attribute k of study 1 is not"},
		"a spec":         {[]string{"UPDATE study_records SET spec = '{}' WHERE study_id = 1"}, "its row is not"},
		"a result":       {[]string{"UPDATE study_records SET result = '{}' WHERE study_id = 1"}, "its row is not"},
		"no trial 0":     {[]string{"DELETE FROM sakusen_trials WHERE study_id = 1 AND number = 0"}, "trial 0 of study 1 is missing"},
		"a gap":          {[]string{"DELETE FROM sakusen_trials WHERE study_id = 1 AND number = 1"}, "trial 1 of study 1 is missing"},
		"no spec":        {[]string{"UPDATE study_records SET spec = '{' WHERE study_id = 1"}, "its row is not"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			for _, study := range []string{"one", "two"} {
				l := mustCreate(t, s, study)
				for i := range 3 {
					err := l.Append(t.Context(), logEntry(entry.KindAsk, "%d", i), func(trials tuner.Trials) error {
						return errors.Join(trials.Create(i), trials.SetParam(i, unitAxis, "0.5"), trials.SetValue(i, 1))
					})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			tamper(t, s, "INSERT INTO sakusen_study_attrs VALUES (1, 'user', 'k', 'a', seal(1, 'user', 'k', 'a'))")
			if n, damaged, err := s.Dump(t.Context(), &bytes.Buffer{}, ""); n != 2 || damaged != nil || err != nil {
				t.Fatalf("sound: %d studies, %v, %v", n, damaged, err)
			}
			tamper(t, s, c.edit...)
			told := func(err error) bool {
				return sqlitedb.Damaged(err) && strings.Contains(err.Error(), `study "one"`) && strings.Contains(err.Error(), c.want) && strings.Contains(err.Error(), s.DB().Path())
			}
			var out bytes.Buffer
			n, damaged, err := s.Dump(t.Context(), &out, "")
			if n != 1 || err != nil || !told(damaged) {
				t.Errorf("%d studies, %v, %v; want %q", n, damaged, err, c.want)
			}
			var left struct{ Study string }
			if err := json.Unmarshal(out.Bytes(), &left); err != nil || left.Study != "two" {
				t.Errorf("%v: %s", err, &out)
			}
			out.Reset()
			if n, _, err := s.Dump(t.Context(), &out, "one"); n != 0 || !told(err) || out.Len() > 0 {
				t.Errorf("alone: %d studies, %v: %s", n, err, &out)
			}
		})
	}
}

// A trial that is gone from between the others, or before them, is named by what reads the
// trials and by the check.
func TestMissingTrial(t *testing.T) {
	for number := range 2 {
		s := openNew(t)
		l := mustCreate(t, s, "one")
		err := l.Append(t.Context(), logEntry(entry.KindAsk, "{}"), func(trials tuner.Trials) error {
			return errors.Join(trials.Create(0), trials.Create(1), trials.Create(2), trials.SetParam(2, unitAxis, "0.5"))
		})
		if err != nil {
			t.Fatal(err)
		}
		tamper(t, s, fmt.Sprint("DELETE FROM sakusen_trials WHERE number = ", number))
		if _, err := s.Study(l.ID()).TrialPage(t.Context(), 0, 9); !sqlitedb.Damaged(err) || !strings.Contains(err.Error(), fmt.Sprintf("trial %d of study 1 is missing", number)) {
			t.Errorf("%v", err)
		}
		if found, err := s.Check(t.Context()); err != nil || !strings.Contains(strings.Join(found, "\n"), "study one: it has 2 trials, expected 3") {
			t.Errorf("%v %q", err, found)
		}
	}
}

// A dump takes one connection, so that more dumps than there are connections go on side by side.
func TestDumpsSideBySide(t *testing.T) {
	s := openNew(t)
	mustCreate(t, s, "one")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if n, damaged, err := s.Dump(t.Context(), io.Discard, ""); n != 1 || damaged != nil || err != nil {
				t.Errorf("%d studies, %v, %v", n, damaged, err)
			}
		})
	}
	all.Wait()
}
