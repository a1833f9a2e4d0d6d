package study

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// duels has pairs of a batch's trials play each other.
type duels struct{ core *core }

// equalPairs bounds the pairs that are drawn for each pair of a batch: in a small space
// many pairs are two equal sets.
const equalPairs = 8

// draw draws a batch whose proposals 2i and 2i+1 play each other. A pair of equals
// would show nothing and is drawn again. A point that a person gave plays the baseline or,
// where that is not known to lie in the space, a proposal; such pairs are at most half of
// the batch.
func (d *duels) draw(ctx context.Context, a *asker, view *tuner.View, named []param.Values) (entry.Ask, error) {
	batch := entry.Ask{Drawn: d.core.search.drawn}
	number := len(d.core.search.trials)
	known := map[[sha256.Size]byte]int{} // of this batch
	room := a.room()
	add := func(pair [2]entry.Asked) {
		if pair[0].Params.Digest() == pair[1].Params.Digest() {
			return
		}
		for _, t := range pair {
			hash := t.Params.Digest()
			if before, ok := d.core.search.byValues[hash]; ok {
				t.Number, t.Again = before.Number, true
			} else if n, ok := known[hash]; ok {
				t.Number, t.Again = n, true
			} else {
				t.Number, known[hash] = number, number
				number++
			}
			batch.Trials = append(batch.Trials, t)
		}
	}
	for i := range min(len(named), (room/2+1)/2) {
		partner := d.core.setup.Tune.Params.Whole(view.Baseline)
		if view.Baseline == nil {
			drawn, ok, err := d.core.sampler.propose(ctx, view, batch.Drawn)
			if err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", d.core.setup.Sampler.Name, number, err)
			}
			if !ok {
				return batch, nil
			}
			partner = drawn
			batch.Drawn += 2 // draws are of pairs
		}
		pair := [2]entry.Asked{d.sideOf(named[i], givenDraw), d.sideOf(partner, givenDraw)}
		pair[0].Attrs = d.core.search.attrsOf(i)
		add(pair)
	}
	for n := 0; len(batch.Trials) < room && n < equalPairs*room/2; n++ {
		var pair [2]entry.Asked
		for i := range pair {
			proposed, ok, err := d.core.sampler.propose(ctx, view, batch.Drawn)
			if err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", d.core.setup.Sampler.Name, number, err)
			}
			if !ok {
				return batch, nil // half a pair has no opponent
			}
			pair[i] = d.sideOf(proposed, batch.Drawn)
			if pair[i].Attrs, err = d.core.sampler.notes(ctx, batch.Drawn); err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", d.core.setup.Sampler.Name, number, err)
			}
			batch.Drawn++
		}
		add(pair)
	}
	return batch, nil
}

// sideOf returns one side of a pair.
func (d *duels) sideOf(proposed param.Values, draw int) entry.Asked {
	s := d.core.setup
	side := entry.Asked{Draw: draw, Params: s.Tune.Params.Activate(s.Tune.Fix, proposed)}
	if len(proposed) != len(side.Params) {
		side.Proposed = proposed
	}
	return side
}

// play plays the pairs of a batch, each on blocks of its own, and writes the outcome
// of each as one entry.
func (d *duels) play(ctx context.Context, out *batch) ([]*tuner.Trial, error) {
	batch := out.trials
	if len(batch)%2 != 0 {
		return nil, fmt.Errorf("the log asks for %d trials, which are no pairs: %w", len(batch), tuner.ErrOtherCode)
	}
	type outcome struct {
		evidence entry.Evidence
		err      error
	}
	pairs := len(batch) / 2
	outcomes := make([]outcome, pairs)
	first := len(d.core.search.duels)
	logged := d.core.log.logged(entry.KindDuel)
	var group sync.WaitGroup
	for i := logged; i < pairs; i++ {
		group.Go(func() {
			if len(out.ahead) > 0 {
				<-out.ahead[i].done
				outcomes[i] = outcome{out.ahead[i].evidence[0], out.ahead[i].err}
				return
			}
			outcomes[i].evidence, outcomes[i].err = d.playDuel(ctx, out, i, first)
		})
	}
	group.Wait()
	for i := range pairs {
		a, b := batch[2*i], batch[2*i+1]
		got, err := step(ctx, d.core.log, entry.KindDuel, func() (entry.Duel, error) {
			from, to := d.duelRange(first + i)
			return entry.Duel{
				Duel: first + i, A: a.Number, B: b.Number, From: from, Evidence: outcomes[i].evidence,
				Played: entry.NewPlayed(arena.Tune, d.core.setup.TuneSeed(), from, to),
			}, outcomes[i].err
		}, d.settleDuel)
		if err != nil {
			return nil, err
		}
		if got.Duel != first+i || got.A != a.Number || got.B != b.Number {
			return nil, fmt.Errorf("the log has duel %d of trials %d and %d where duel %d of %d and %d is due: %w",
				got.Duel, got.A, got.B, first+i, a.Number, b.Number, tuner.ErrOtherCode)
		}
		for _, t := range []*tuner.Trial{a, b} {
			t.State, t.Estimate = entry.TrialComplete, tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
		}
		score := got.Evidence.Score(d.core.setup.Ruleset.Seats)
		d.core.search.duels = append(d.core.search.duels, tuner.Duel{
			A: a.Number, B: b.Number, Batch: out.number, Draw: out.draws[2*i], Score: score.Value, Noise: score.Error, Blocks: score.Blocks,
		})
		d.core.search.duelGames += got.Evidence.Games
		d.core.search.duelFaults = d.core.search.duelFaults.Plus(got.Evidence.Faults)
		d.core.count()
	}
	return nil, nil
}

// playDuel plays the nth duel of a batch; first is the number of the batch's first duel.
func (d *duels) playDuel(ctx context.Context, b *batch, nth, first int) (entry.Evidence, error) {
	from, to := d.duelRange(first + nth)
	series := d.duelSeries(b.trials[2*nth], b.trials[2*nth+1], from, to)
	tally, err := d.core.games.host.Play(ctx, series, func(r *arena.Run) error {
		d.core.meter.add(r)
		return nil
	})
	if err != nil {
		return entry.Evidence{}, err
	}
	return entry.NewEvidence(series, tally), nil
}

// duelSeries returns the series of a pair's blocks.
func (d *duels) duelSeries(a, b *tuner.Trial, from, to int64) arena.Series {
	s := d.core.setup
	return arena.Series{
		Ruleset: s.Ruleset, Seed: s.TuneSeed(), Phase: arena.Tune, From: from, To: to,
		Entrants: []arena.Entrant{a.Entrant(s), b.Entrant(s)},
	}
}

// duelRange returns the blocks of a duel of the study, by its number.
func (d *duels) duelRange(duel int) (from, to int64) {
	blocks := d.core.setup.Race.Rungs[0]
	return int64(duel) * blocks, int64(duel+1) * blocks
}

// settleDuel closes both trials in the record, each with its own score of the pair's games.
// A trial that was in an earlier duel keeps its first value.
func (d *duels) settleDuel(v entry.Duel, trials tuner.Trials) error {
	score := v.Evidence.Score(d.core.setup.Ruleset.Seats)
	for _, t := range []entry.Tell{
		{Trial: v.A, State: entry.TrialComplete, Value: numeral.Finite(score.Value), Error: numeral.Finite(score.Error), Feasible: true},
		{Trial: v.B, State: entry.TrialComplete, Value: numeral.Finite(1 - score.Value), Error: numeral.Finite(score.Error), Feasible: true},
	} {
		if err := d.core.finish(t, trials); err != nil {
			return err
		}
	}
	return nil
}

func (d *duels) playAhead(ctx context.Context) {
	pairs := len(d.core.search.duels)
	ctx = arena.Ahead(ctx)
	for i, b := range d.core.search.flying {
		if first := pairs; i > 0 && len(b.ahead) == 0 && !d.core.log.plays(b.known, pairs) {
			for i := range len(b.trials) / 2 {
				d.core.search.start(b, func(a *ahead) {
					var e entry.Evidence
					e, a.err = d.playDuel(ctx, b, i, first)
					a.evidence = []entry.Evidence{e}
				})
			}
		}
		pairs += len(b.trials) / 2
	}
}

func (d *duels) spent() int64 { return d.core.search.duelGames }

func (d *duels) most(n int) int64 {
	return int64((n+1)/2) * d.core.setup.Race.Rungs[0] * d.core.setup.BlockGames()
}

func (d *duels) met() int64 {
	return max(d.core.search.met, int64(len(d.core.search.duels))*d.core.setup.Race.Rungs[len(d.core.setup.Race.Rungs)-1])
}

func (d *duels) best() *tuner.Trial { return d.core.search.best() }

func (d *duels) finalists() []*tuner.Trial { return d.core.search.ranked() }
