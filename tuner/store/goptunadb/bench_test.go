package goptunadb

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/sqlitedb"
)

// benchSpace is the space of the benchmarks: four parameters of four kinds.
var benchSpace = []struct {
	name string
	dist any
	draw func(*rand.Rand) float64
}{
	{"start_squares", goptuna.StepIntUniformDistribution{Low: 10, High: 100, Step: 10}, func(r *rand.Rand) float64 { return float64(10 * (1 + r.IntN(10))) }},
	{"weight", goptuna.UniformDistribution{Low: 0, High: 1}, (*rand.Rand).Float64},
	{"depth", goptuna.IntUniformDistribution{Low: 1, High: 8}, func(r *rand.Rand) float64 { return float64(1 + r.IntN(8)) }},
	{"kind", goptuna.CategoricalDistribution{Choices: []string{"random", "packed", "spread"}}, func(r *rand.Rand) float64 { return float64(r.IntN(3)) }},
}

func ask(s goptuna.Storage, study int, rng *rand.Rand) (int, error) {
	id, err := s.CreateNewTrial(study)
	if err != nil {
		return id, err
	}
	for _, p := range benchSpace {
		if _, err := s.GetTrial(id); err != nil { // as goptuna's Suggest does
			return id, err
		}
		if err := s.SetTrialParam(id, p.name, p.draw(rng), p.dist); err != nil {
			return id, err
		}
	}
	return id, nil
}

func tell(s goptuna.Storage, id int, rng *rand.Rand) error {
	return errors.Join(s.SetTrialValue(id, rng.Float64()), s.SetTrialState(id, goptuna.TrialStateComplete))
}

// BenchmarkAskTell runs whole studies with a uniform sampler, each call being a
// transaction of its own, and reports what a trial costs on average and what it
// costs over the last tenth of the study.
func BenchmarkAskTell(b *testing.B) {
	for _, trials := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("calls/trials=%d", trials), func(b *testing.B) { benchStudy(b, trials) })
	}
}

func benchStudy(b *testing.B, trials int) {
	var total, late time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		s := openNew(b)
		study, err := s.CreateNewStudy("bench")
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		begin := time.Now()
		for done := range trials {
			from := time.Now()
			id, err := ask(s, study, rng)
			if err := errors.Join(err, tell(s, id, rng)); err != nil {
				b.Fatal(err)
			}
			if done >= trials-trials/10 {
				late += time.Since(from)
			}
		}
		total += time.Since(begin)
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
	b.ReportMetric(total.Seconds()*1e3/float64(rounds*trials), "ms/trial")
	b.ReportMetric(late.Seconds()*1e3/float64(rounds*(trials/10)), "late-ms/trial")
}

// BenchmarkGetAllTrials asks for all of 1 000 trials when all are finished, and
// when one behind them is not.
func BenchmarkGetAllTrials(b *testing.B) {
	s := openNew(b)
	study, err := s.CreateNewStudy("bench")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		id, err := ask(s, study, rng)
		if err := errors.Join(err, tell(s, id, rng)); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"finished", "one running"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.GetAllTrials(study); err != nil {
					b.Fatal(err)
				}
			}
		})
		if _, err := ask(s, study, rng); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBest finds the best of 100 000 trials, as each line of a list does.
func BenchmarkBest(b *testing.B) {
	s := openNew(b)
	study, err := s.CreateNewStudy("bench")
	if err != nil {
		b.Fatal(err)
	}
	err = s.studies.write(func(c *sqlitedb.Change) error {
		_, err := c.Exec(`WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			INSERT INTO sakusen_trials (study_id, number, state, value) SELECT ?, i, 1, i * 7919 % 100003 + 0.5 FROM n`, study)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if best, err := s.GetBestTrial(study); err != nil || best.Value != 0.5 {
			b.Fatal(best, err)
		}
	}
}
