package tuner

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// poolSeries bounds the series of a pool that are played side by side: enough to
// keep workers busy, few enough for their tables to be kept.
const poolSeries = 8

// PoolTable is a group of a pool at its table, for one round.
type PoolTable struct {
	Members  []int // indexes into the pool, the individuals that are scored first
	Scored   int   // so many of them are
	From, To int64 // the round's blocks
}

// PoolTables draws the groups of a pool of n individuals, round by round; pool
// counts the pools of the study from 0. The last group of a pool that does not
// divide evenly takes in others, who are not scored there.
func (s *Setup) PoolTables(n, pool int) []PoolTable {
	blocks := s.Evaluate.Games / int64(s.Ruleset.Seats)
	var tables []PoolTable
	for round := range s.Evaluate.Rounds {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		chance := arena.NewStream(s.TuneSeed()^0x706F6F6C, uint64(pool)<<32|uint64(round))
		chance.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		from := int64(pool*s.Evaluate.Rounds+round) * blocks
		for at := 0; at < n; at += s.Evaluate.Group {
			group := slices.Clone(order[at:min(n, at+s.Evaluate.Group)])
			t := PoolTable{Scored: len(group), From: from, To: from + blocks}
			for i := 0; len(group) < s.Evaluate.Group && i < at; i++ {
				group = append(group, order[i])
			}
			t.Members = group
			tables = append(tables, t)
		}
	}
	return tables
}

// Series is what is played at a table of a pool: its members, and fillers in the
// seats that are left.
func (t *PoolTable) Series(s *Setup, member func(i int) (arena.Entrant, error)) (arena.Series, error) {
	series := arena.Series{Ruleset: s.Ruleset, Seed: s.TuneSeed(), Phase: arena.Tune, From: t.From, To: t.To}
	for _, m := range t.Members {
		e, err := member(m)
		if err != nil {
			return series, err
		}
		series.Entrants = append(series.Entrants, e)
	}
	for len(series.Entrants) < s.Ruleset.Seats {
		series.Entrants = append(series.Entrants, s.FillerEntrant)
	}
	return series, nil
}

// playPool lets a batch play itself and tells the outcome, in one entry.
func (st *Study) playPool(ctx context.Context, batch []*Trial) error {
	pool := len(st.pools)
	got, err := step(ctx, st.journal, entry.KindPool, func() (entry.Pool, error) { return st.gather(ctx, batch, pool) }, st.settle)
	if err != nil {
		return err
	}
	if len(got.Trials) != len(batch) {
		return fmt.Errorf("the log has a pool of %d where %d are due: %w", len(got.Trials), len(batch), ErrOtherCode)
	}
	for i, t := range batch {
		p := got.Trials[i]
		if p.Trial != t.Number {
			return fmt.Errorf("the log has trial %d in a pool where trial %d is due: %w", p.Trial, t.Number, ErrOtherCode)
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
func (st *Study) gather(ctx context.Context, batch []*Trial, pool int) (entry.Pool, error) {
	s := st.Setup
	type table struct {
		PoolTable
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
func (st *Study) settle(v entry.Pool, trials Trials) error {
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
