package rdbcompare

import (
	"errors"
	"fmt"
	"path/filepath"
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

func openOurs(b *testing.B) goptuna.Storage {
	db, err := sqlitedb.Open(b.Context(), filepath.Join(b.TempDir(), "ours.db"), sqlitedb.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	s, err := goptunadb.New(b.Context(), db)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// The settings in which rdb.v2 is measured: those of goptuna's own tests, and
// with the journal mode and the durability of ours, so that it is not the
// disk that is compared.
const (
	stock = ""
	tuned = "?_journal_mode=WAL&_synchronous=NORMAL&_busy_timeout=10000"
)

func openRDB(b *testing.B, settings string) goptuna.Storage {
	path := filepath.Join(b.TempDir(), "rdb.db") + settings
	db, err := gorm.Open(sqlite.Open(path), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		b.Fatal(err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		b.Fatal(err)
	}
	raw, err := db.DB()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { raw.Close() })
	return rdb.NewStorage(db)
}

func suggest(trial goptuna.Trial) (float64, error) {
	_, err1 := trial.SuggestStepInt("start_squares", 10, 100, 10)
	w, err2 := trial.SuggestFloat("weight", 0, 1)
	_, err3 := trial.SuggestInt("depth", 1, 8)
	_, err4 := trial.SuggestCategorical("kind", []string{"random", "packed", "spread"})
	return w, errors.Join(err1, err2, err3, err4)
}

// optimize runs goptuna's own loop, which asks for all trials before each one.
func optimize(study *goptuna.Study, trials int) error { return study.Optimize(suggest, trials) }

// askTell runs our loop: no more calls than the trial needs.
func askTell(study *goptuna.Study, trials int) error {
	for range trials {
		id, err := study.Storage.CreateNewTrial(study.ID)
		if err != nil {
			return err
		}
		value, err := suggest(goptuna.Trial{Study: study, ID: id})
		if err := errors.Join(err, study.Storage.SetTrialValue(id, value), study.Storage.SetTrialState(id, goptuna.TrialStateComplete)); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkStudy runs a whole study of uniform random trials first on ours,
// then on rdb.v2 in both settings, and reports the cost of a trial on each and
// how many times faster ours is.
func BenchmarkStudy(b *testing.B) {
	for _, loop := range []struct {
		name string
		run  func(*goptuna.Study, int) error
	}{{"optimize", optimize}, {"asktell", askTell}} {
		for _, trials := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/trials=%d", loop.name, trials), func(b *testing.B) {
				var ours, theirs, best time.Duration
				rounds := 0
				for b.Loop() {
					rounds++
					ours += timeStudy(b, openOurs(b), loop.run, trials)
					theirs += timeStudy(b, openRDB(b, stock), loop.run, trials)
					best += timeStudy(b, openRDB(b, tuned), loop.run, trials)
				}
				n := float64(rounds * trials)
				b.ReportMetric(ours.Seconds()*1e3/n, "ours-ms/trial")
				b.ReportMetric(theirs.Seconds()*1e3/n, "rdb-ms/trial")
				b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times")
				b.ReportMetric(best.Seconds()*1e3/n, "tuned-rdb-ms/trial")
				b.ReportMetric(best.Seconds()/ours.Seconds(), "times-tuned")
			})
		}
	}
}

func timeStudy(b *testing.B, s goptuna.Storage, run func(*goptuna.Study, int) error, trials int) time.Duration {
	study, err := goptuna.CreateStudy("compare", goptuna.StudyOptionStorage(s),
		goptuna.StudyOptionSampler(goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(1))),
		goptuna.StudyOptionLogger(&goptuna.StdLogger{Level: goptuna.LoggerLevelError}))
	if err != nil {
		b.Fatal(err)
	}
	begin := time.Now()
	if err := run(study, trials); err != nil {
		b.Fatal(err)
	}
	return time.Since(begin)
}
