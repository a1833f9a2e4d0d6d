package study

import (
	"context"
	"fmt"

	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// poolSeries bounds the series of a pool that are played side by side: enough to
// keep workers busy, few enough for their tables to be kept.
const poolSeries = 8

// playPool lets a batch play itself and tells the outcome, in one entry.
func (st *Study) playPool(ctx context.Context, batch []*tuner.Trial) error {
	pool := len(st.pools)
	got, err := step(ctx, st.journal, entry.KindPool, func() (entry.Pool, error) { return st.gather(ctx, batch, pool) }, st.settle)
	if err != nil {
		return err
	}
	if len(got.Trials) != len(batch) {
		return fmt.Errorf("the log has a pool of %d where %d are due: %w", len(got.Trials), len(batch), tuner.ErrOtherCode)
	}
	for i, t := range batch {
		p := got.Trials[i]
		if p.Trial != t.Number {
			return fmt.Errorf("the log has trial %d in a pool where trial %d is due: %w", p.Trial, t.Number, tuner.ErrOtherCode)
		}
		e, err := p.Evidence(st.Setup.Ruleset.Seats)
		if err != nil {
			return err
		}
		t.Evidence, t.Estimate, t.State = []entry.Evidence{e}, st.Setup.Estimate([]entry.Evidence{e}), entry.TrialComplete
	}
	st.pools = append(st.pools, batch)
	return nil
}

// gather plays all rounds of a pool.
func (st *Study) gather(ctx context.Context, batch []*tuner.Trial, pool int) (entry.Pool, error) {
	s := st.Setup
	type table struct {
		tuner.PoolTable
		series arena.Series
		tally  arena.Tally
		err    error
	}
	var all []*table
	for _, t := range s.PoolTables(len(batch), pool) {
		series, err := t.Series(s, func(i int) (arena.Entrant, error) { return batch[i].Entrant, nil })
		if err != nil {
			return entry.Pool{}, err
		}
		all = append(all, &table{PoolTable: t, series: series})
	}
	var group sync.WaitGroup
	free := make(chan struct{}, poolSeries)
	for _, t := range all {
		free <- struct{}{}
		group.Add(1)
		go func() {
			defer group.Done()
			t.tally, t.err = st.once.Play(ctx, t.series, func(r *arena.Run) error {
				st.meter.add(r)
				return nil
			})
			<-free
		}()
	}
	group.Wait()
	evidence := make([]entry.Evidence, len(batch))
	for i := range evidence {
		evidence[i].Scores = make([]int64, int64(s.Ruleset.Seats)*arena.Scale(s.Ruleset.Seats)+1)
	}
	for _, t := range all {
		if t.err != nil {
			return entry.Pool{}, t.err
		}
		for i, m := range t.Members[:t.Scored] {
			e := &evidence[m]
			e.Blocks += t.tally.Blocks
			e.Games += t.tally.Games
			e.Digest += t.tally.Digest
			for score, n := range t.tally.Entrants[i].Scores {
				e.Scores[score] += n
			}
		}
	}
	blocks := s.PoolBlocks()
	from := int64(pool) * blocks
	out := entry.Pool{Played: entry.NewPlayed(arena.Tune, s.TuneSeed(), from, from+blocks)}
	for i, t := range batch {
		out.Trials = append(out.Trials, entry.NewPooled(t.Number, &evidence[i]))
	}
	return out, nil
}

// settle closes a pool's trials in the record.
func (st *Study) settle(v entry.Pool, trials tuner.Trials) error {
	for i := range v.Trials {
		p := &v.Trials[i]
		e, err := p.Evidence(st.Setup.Ruleset.Seats)
		if err != nil {
			return err
		}
		est := st.Setup.Estimate([]entry.Evidence{e})
		if err := st.finish(entry.Tell{Trial: p.Trial, State: entry.TrialComplete, Value: numeral.Finite(est.Value), Error: numeral.Finite(est.Error), Feasible: true}, trials); err != nil {
			return err
		}
	}
	return nil
}
