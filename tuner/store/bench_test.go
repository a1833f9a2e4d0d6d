package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
)

// The space of the benchmarks: four parameters of four kinds.
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

// BenchmarkAskTell runs whole studies with a uniform sampler and reports what
// a trial costs on average and what it costs over the last tenth of the
// study: with each call a transaction of its own, and with batches of eight.
func BenchmarkAskTell(b *testing.B) {
	for _, trials := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("calls/trials=%d", trials), func(b *testing.B) { benchStudy(b, trials, 1) })
		b.Run(fmt.Sprintf("batch=8/trials=%d", trials), func(b *testing.B) { benchStudy(b, trials, 8) })
	}
}

func benchStudy(b *testing.B, trials, batch int) {
	var total, late time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		s := openAt(b, filepath.Join(b.TempDir(), "x.db"), Options{})
		study, err := s.CreateNewStudy("bench")
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		session := s.Session()
		begin := time.Now()
		for done := 0; done < trials; done += batch {
			from := time.Now()
			if err := benchBatch(b, session, study, min(batch, trials-done), rng); err != nil {
				b.Fatal(err)
			}
			if done >= trials-trials/10 {
				late += time.Since(from)
			}
		}
		total += time.Since(begin)
		b.StopTimer()
		s.DB().Close()
		b.StartTimer()
	}
	b.ReportMetric(total.Seconds()*1e3/float64(rounds*trials), "ms/trial")
	b.ReportMetric(late.Seconds()*1e3/float64(rounds*(trials/10)), "late-ms/trial")
}

func benchBatch(b *testing.B, s *Session, study, size int, rng *rand.Rand) error {
	if size == 1 {
		id, err := ask(s, study, rng)
		if err != nil {
			return err
		}
		return tell(s, id, rng)
	}
	var ids []int
	err := s.Batch(b.Context(), func() error {
		for range size {
			id, err := ask(s, study, rng)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.Batch(b.Context(), func() error { return tell(s, id, rng) }); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkGetAllTrials asks for all trials when none has changed, and when
// one has.
func BenchmarkGetAllTrials(b *testing.B) {
	s := openNew(b)
	study, err := s.CreateNewStudy("bench")
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	session := s.Session()
	err = session.Batch(b.Context(), func() error {
		for range 5000 {
			if _, err := ask(session, study, rng); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.GetAllTrials(study); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		st := s.studies[study]
		number := st.trials.len() - 1
		for b.Loop() {
			st.trials.set(number, st.trials.at(number))
			if _, err := s.GetAllTrials(study); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("finished", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Finished(study); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkListing lists twenty studies of 5 000 trials and reads one page.
func BenchmarkListing(b *testing.B) {
	s := openNew(b)
	rng := rand.New(rand.NewPCG(1, 1))
	var last *Log
	for i := range 20 {
		l, err := s.CreateStudy(b.Context(), Header{Name: fmt.Sprint(i)})
		if err != nil {
			b.Fatal(err)
		}
		last = l
		err = l.Session().Batch(b.Context(), func() error {
			for range 5000 {
				if _, err := ask(l.Session(), l.ID(), rng); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Studies(b.Context(), 0, 50); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("show", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Details(b.Context(), "7"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("page of 100 trials", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.TrialPage(b.Context(), last.ID(), 4000, 100); err != nil {
				b.Fatal(err)
			}
		}
	})
}
