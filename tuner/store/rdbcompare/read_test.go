package rdbcompare

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// theirs opens a database of ours with goptuna's own storage, as its dashboard does.
func theirs(t testing.TB, path string) (*rdb.Storage, *gorm.DB) {
	t.Helper()
	db, err := gorm.Open(sqlite.Open(path), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	return rdb.NewStorage(db), db
}

// every makes a study with every distribution, state and attribute through our storage.
func every(t testing.TB, s goptuna.Storage, name string) int {
	t.Helper()
	study, err := s.CreateNewStudy(name)
	err = errors.Join(err, s.SetStudyDirection(study, goptuna.StudyDirectionMaximize),
		s.SetStudyUserAttr(study, "note", "作戦\n<&>"), s.SetStudySystemAttr(study, "k", "v"))
	for n := range 8 {
		trial, err2 := s.CreateNewTrial(study)
		x := float64(n)
		err = errors.Join(err, err2,
			s.SetTrialParam(trial, "uniform", x/7, goptuna.UniformDistribution{Low: -1, High: 1}),
			s.SetTrialParam(trial, "log", 1+x, goptuna.LogUniformDistribution{Low: 1e-5, High: 1e5}),
			s.SetTrialParam(trial, "int", x-4, goptuna.IntUniformDistribution{Low: -5, High: 1 << 53}),
			s.SetTrialParam(trial, "step", 10*x, goptuna.StepIntUniformDistribution{Low: 0, High: 100, Step: 10}),
			s.SetTrialParam(trial, "discrete", x/4, goptuna.DiscreteUniformDistribution{Low: 0, High: 2, Q: 0.25}),
			s.SetTrialParam(trial, "choice", float64(n%3), goptuna.CategoricalDistribution{Choices: []string{"random", "packed", "<&>"}}),
			s.SetTrialIntermediateValue(trial, 16, x/2), s.SetTrialIntermediateValue(trial, 64, x),
			s.SetTrialUserAttr(trial, "standard_error", fmt.Sprint(x)), s.SetTrialSystemAttr(trial, "batch", "0"))
		if n > 0 { // the first runs
			err = errors.Join(err, s.SetTrialValue(trial, -(x-5)*(x-5)), s.SetTrialState(trial, goptuna.TrialState(n%4)))
		}
	}
	_, err2 := s.CloneTrial(study, goptuna.FrozenTrial{State: goptuna.TrialStateWaiting}) // which was never begun
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return study
}

// coarse returns a trial with its times to the millisecond, as the views have them; a trial that
// was never begun was begun in 1970.
func coarse(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	at := func(x time.Time) time.Time { return time.UnixMilli(x.UnixMilli()).UTC() }
	if t.DatetimeStart.IsZero() {
		t.DatetimeStart = time.UnixMilli(0)
	}
	if t.DatetimeStart = at(t.DatetimeStart); !t.DatetimeComplete.IsZero() {
		t.DatetimeComplete = at(t.DatetimeComplete)
	}
	return t
}

// same compares what both storages say of a study.
func same(t testing.TB, ours, theirs goptuna.Storage, name string) {
	t.Helper()
	read := func(s goptuna.Storage) (all []any) {
		study, err := goptuna.LoadStudy(name, goptuna.StudyOptionStorage(s), goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		trials, err := study.GetTrials()
		for i := range trials {
			trials[i] = coarse(trials[i])
			one, err2 := s.GetTrial(trials[i].ID)
			if err = errors.Join(err, err2); !reflect.DeepEqual(coarse(one), trials[i]) {
				t.Errorf("%T: trial %d is %+v, in the list %+v", s, i, one, trials[i])
			}
		}
		best, err1 := s.GetBestTrial(study.ID)
		value, err2 := study.GetBestValue()
		params, err3 := study.GetBestParams()
		user, err4 := s.GetStudyUserAttrs(study.ID)
		system, err5 := s.GetStudySystemAttrs(study.ID)
		if err := errors.Join(err, err1, err2, err3, err4, err5); err != nil {
			t.Fatalf("%T: %v", s, err)
		}
		return []any{study.ID, study.Direction(), trials, coarse(best), value, params, user, system}
	}
	a, b := read(ours), read(theirs)
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			t.Errorf("study %s: ours %+v\ntheirs %+v", name, a[i], b[i])
		}
	}
}

// Goptuna's rdb.v2 reads a database of ours while it is written, and can neither change
// nor migrate it.
func TestGoptunaReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sakusen.db")
	ours, err := goptunadb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close() })
	rdbStorage, db := theirs(t, path)
	for i, name := range []string{"one", "two"} {
		study := every(t, ours, name)
		same(t, ours, rdbStorage, "one")
		same(t, ours, rdbStorage, name)
		summaries, err := rdbStorage.GetAllStudySummaries()
		if err != nil || len(summaries) != i+1 || summaries[i].BestTrial.Number != 5 {
			t.Errorf("summaries %+v, %v", summaries, err)
		}
		_, err1 := rdbStorage.CreateNewStudy("theirs")
		_, err2 := rdbStorage.CreateNewTrial(study)
		for i, err := range []error{err1, err2, rdbStorage.DeleteStudy(study), rdbStorage.SetTrialValue(1, 5), rdb.RunAutoMigrate(db)} {
			if err == nil {
				t.Errorf("%d: rdb.v2 has written", i)
			}
		}
	}
	same(t, ours, rdbStorage, "two")
	if found, err := sqlitedb.OpenReadOnly(t.Context(), path); err != nil {
		t.Error(err)
	} else if c, err := found.Check(t.Context()); err != nil || len(c.Integrity)+len(c.ForeignKeys) > 0 {
		t.Errorf("%+v, %v", c, err)
	} else if err := found.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkRead measures what a trial costs to read where a study has many of them, with
// six parameters: by our storage from the file, and by rdb.v2.
func BenchmarkRead(b *testing.B) {
	for _, trials := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("trials=%d", trials), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "sakusen.db")
			s, err := goptunadb.Open(b.Context(), path)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			study := every(b, s, "one")
			base, err := s.GetBestTrial(study)
			for range trials - 9 {
				_, err2 := s.CloneTrial(study, base)
				err = errors.Join(err, err2)
			}
			if err != nil {
				b.Fatal(err)
			}
			read := func(s goptuna.Storage) float64 {
				begin := time.Now()
				if all, err := s.GetAllTrials(study); err != nil || len(all) != trials {
					b.Fatal(len(all), err)
				}
				return time.Since(begin).Seconds() * 1e3 / float64(trials)
			}
			for b.Loop() {
				ours, err := goptunadb.OpenReadOnly(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				rdbStorage, _ := theirs(b, path)
				b.ReportMetric(read(ours), "ours-ms/trial")
				b.ReportMetric(read(rdbStorage), "rdb-ms/trial")
				ours.Close()
			}
		})
	}
}
