package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// benchSpace is the space of the benchmarks: four parameters of four kinds.
var benchSpace = []struct {
	axis *tuner.Dimension
	draw func(*rand.Rand) string
}{
	{&tuner.Dimension{Param: param.Param{Name: "start_squares", Kind: param.Int, Domain: param.Grid(10, 100, 10)}}, func(r *rand.Rand) string { return fmt.Sprint(10 * (1 + r.IntN(10))) }},
	{&tuner.Dimension{Param: param.Param{Name: "weight", Kind: param.Float, Domain: param.Range(0, 1)}}, func(r *rand.Rand) string { return fmt.Sprint(r.Float64()) }},
	{&tuner.Dimension{Param: param.Param{Name: "depth", Kind: param.Int, Domain: param.Range(1, 8)}}, func(r *rand.Rand) string { return fmt.Sprint(1 + r.IntN(8)) }},
	{&tuner.Dimension{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"random", "packed", "spread"}}}, func(r *rand.Rand) string { return []string{"random", "packed", "spread"}[r.IntN(3)] }},
}

func ask(t tuner.Trials, number int, rng *rand.Rand) error {
	err := t.Create(number)
	for _, p := range benchSpace {
		err = errors.Join(err, t.SetParam(number, p.axis, p.draw(rng)))
	}
	return err
}

func tell(t tuner.Trials, number int, rng *rand.Rand) error {
	_, err := t.State(number)
	return errors.Join(err, t.SetValue(number, rng.Float64()), t.SetState(number, entry.TrialComplete))
}

// BenchmarkAskTell writes the trials of whole studies as the loop does, asked in batches of
// eight and told one by one, each in a transaction. It reports the time of a trial on average
// and over the last tenth of the study.
func BenchmarkAskTell(b *testing.B) {
	for _, trials := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("batch=8/trials=%d", trials), func(b *testing.B) { benchStudy(b, trials, 8) })
	}
}

func benchStudy(b *testing.B, trials, batch int) {
	var total, late time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		s := openAt(b, filepath.Join(b.TempDir(), "x.db"), sqlitedb.Options{})
		l, err := s.Studies.Create(b.Context(), Header{Name: "bench"})
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		begin := time.Now()
		for done := 0; done < trials; done += batch {
			from := time.Now()
			if err := benchBatch(b, l, done, min(done+batch, trials), rng); err != nil {
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

func benchBatch(b *testing.B, l *Log, first, end int, rng *rand.Rand) error {
	write := func(do func(tuner.Trials) error) error {
		return l.db.ChangeReplayable(b.Context(), "batch", func(c *sqlitedb.Change) error { return do(goptunadb.NewWriter(c, l.id, l.axes)) })
	}
	err := write(func(t tuner.Trials) (err error) {
		for n := first; n < end; n++ {
			err = errors.Join(err, ask(t, n, rng))
		}
		return err
	})
	for n := first; n < end; n++ {
		err = errors.Join(err, write(func(t tuner.Trials) error { return tell(t, n, rng) }))
	}
	return err
}

// BenchmarkListing lists twenty studies of 5 000 trials and reads one page.
func BenchmarkListing(b *testing.B) {
	s := openNew(b)
	rng := rand.New(rand.NewPCG(1, 1))
	var last *Log
	for i := range 20 {
		l, err := s.Studies.Create(b.Context(), Header{Name: fmt.Sprint(i)})
		if err != nil {
			b.Fatal(err)
		}
		last = l
		err = l.Append(b.Context(), logEntry(entry.KindAsk, "{}"), func(t tuner.Trials) (err error) {
			for n := range 5000 {
				err = errors.Join(err, ask(t, n, rng))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Studies.Find(b.Context(), Filter{Both: true, Sort: "oldest", Limit: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("show", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Studies.Details(b.Context(), "7"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("page of 100 trials", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Study(last.ID()).TrialPage(b.Context(), 4000, 100); err != nil {
				b.Fatal(err)
			}
		}
	})
}
