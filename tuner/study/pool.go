package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// pool has a batch, a generation, play itself in groups.
type pool struct{ core *core }

// poolSeries bounds the series of a pool that are played side by side: enough to
// keep workers busy, few enough for their tables to be kept.
const poolSeries = 8

func (p *pool) draw(ctx context.Context, a *asker, view *tuner.View, named []param.Values) (entry.Ask, error) {
	return a.drawSingles(ctx, view, named, true)
}

// play lets a batch play itself and tells the outcome, in one entry.
func (p *pool) play(ctx context.Context, b *batch) ([]*tuner.Trial, error) {
	batch := b.trials
	pool := len(p.core.search.pools)
	got, err := step(ctx, p.core.log, entry.KindPool, func() (entry.Pool, error) { return p.gather(ctx, batch, pool) }, p.settle)
	if err != nil {
		return nil, err
	}
	if len(got.Trials) != len(batch) {
		return nil, fmt.Errorf("the log has a pool of %d where %d are due: %w", len(got.Trials), len(batch), tuner.ErrOtherCode)
	}
	for i, t := range batch {
		one := got.Trials[i]
		if one.Trial != t.Number {
			return nil, fmt.Errorf("the log has trial %d in a pool where trial %d is due: %w", one.Trial, t.Number, tuner.ErrOtherCode)
		}
		e, err := one.Evidence(p.core.setup.Ruleset.Seats)
		if err != nil {
			return nil, err
		}
		t.Evidence, t.Estimate, t.State = []entry.Evidence{e}, p.core.setup.Estimate([]entry.Evidence{e}), entry.TrialComplete
	}
	p.core.search.pools = append(p.core.search.pools, batch)
	return nil, nil
}

// gather plays all rounds of a pool.
func (p *pool) gather(ctx context.Context, batch []*tuner.Trial, pool int) (entry.Pool, error) {
	s := p.core.setup
	type table struct {
		tuner.PoolTable
		series arena.Series
		tally  arena.Tally
		err    error
	}
	var all []*table
	for _, t := range s.PoolTables(len(batch), pool) {
		series, err := t.Series(s, func(i int) (arena.Entrant, error) { return batch[i].Entrant(s), nil })
		if err != nil {
			return entry.Pool{}, err
		}
		all = append(all, &table{PoolTable: t, series: series})
	}
	var group sync.WaitGroup
	free := make(chan struct{}, poolSeries)
	for _, t := range all {
		free <- struct{}{}
		group.Go(func() {
			t.tally, t.err = p.core.games.once.Play(ctx, t.series, func(r *arena.Run) error {
				p.core.meter.add(r)
				return nil
			})
			<-free
		})
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
	blocks := s.Evaluate.Blocks(s.Ruleset.Seats)
	from := int64(pool) * blocks
	out := entry.Pool{Played: entry.NewPlayed(arena.Tune, s.TuneSeed(), from, from+blocks)}
	for i, t := range batch {
		out.Trials = append(out.Trials, entry.NewPooled(t.Number, &evidence[i]))
	}
	return out, nil
}

// settle closes a pool's trials in the record.
func (p *pool) settle(v entry.Pool, trials tuner.Trials) error {
	for i := range v.Trials {
		one := &v.Trials[i]
		e, err := one.Evidence(p.core.setup.Ruleset.Seats)
		if err != nil {
			return err
		}
		est := p.core.setup.Estimate([]entry.Evidence{e})
		if err := p.core.finish(entry.Tell{Trial: one.Trial, State: entry.TrialComplete, Value: numeral.Finite(est.Value), Error: numeral.Finite(est.Error), Feasible: true}, trials); err != nil {
			return err
		}
	}
	return nil
}

// champion returns the individual that represents a pool in the final: the one that the sampler
// names, or else the best; nil if no trial played.
func (p *pool) champion(pool []*tuner.Trial) *tuner.Trial {
	var best *tuner.Trial
	for _, t := range pool {
		if t.Delegate {
			return t
		}
		if !math.IsNaN(t.Estimate.Value) && (best == nil || t.Estimate.Value > best.Estimate.Value) {
			best = t
		}
	}
	return best
}

// hall returns the hall of fame: the champions of n pools spread over the second half of the
// search, the last first. A score in one's own pool is relative, and a population may move
// in circles; the final, against one common opponent, shows which champion is the best. If
// the sampler names champions, pools without one are skipped.
func (p *pool) hall(n int) []*tuner.Trial {
	var all, delegates, out []*tuner.Trial
	for _, pool := range p.core.search.pools {
		if t := p.champion(pool); t != nil {
			all = append(all, t)
			if t.Delegate {
				delegates = append(delegates, t)
			}
		}
	}
	if len(delegates) > 0 {
		all = delegates
	}
	for i := range n {
		at := len(all) - 1 - i*((len(all)+1)/2)/max(1, n)
		if at < 0 {
			break
		}
		if !slices.Contains(out, all[at]) {
			out = append(out, all[at])
		}
	}
	return out
}

func (p *pool) playAhead(context.Context) {}

func (p *pool) spent() int64 {
	n := int64(0)
	for _, batch := range p.core.search.pools {
		n += p.core.setup.Evaluate.PoolGames(len(batch)) // a game is played by several trials
	}
	return n
}

func (p *pool) most(n int) int64 { return p.core.setup.Evaluate.PoolGames(n) }

func (p *pool) met() int64 { return p.core.search.met }

func (p *pool) best() *tuner.Trial {
	if n := len(p.core.search.pools); n > 0 {
		return p.champion(p.core.search.pools[n-1])
	}
	return p.core.search.best()
}

func (p *pool) finalists() []*tuner.Trial { return p.hall(max(1, p.core.setup.Final.Top)) }
