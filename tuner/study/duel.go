package study

import (
	"context"
	"fmt"
	"math"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// equalPairs bounds the pairs that are drawn for each pair of a batch: in a small space
// many pairs are two equal sets.
const equalPairs = 8

// proposePairs draws a batch whose proposals 2i and 2i+1 play each other. A pair of equals
// would show nothing and is drawn again. A point that somebody gave plays the baseline or,
// where that is not known to lie in the space, a proposal; such pairs are at most half of
// the batch.
func (st *Study) proposePairs(ctx context.Context, view *tuner.View, named []param.Values) (entry.Ask, error) {
	batch := entry.Ask{Drawn: st.drawn}
	number := len(st.trials)
	known := map[string]int{} // of this batch
	room := st.room()
	add := func(pair [2]entry.Asked) {
		if pair[0].Params.Hash() == pair[1].Params.Hash() {
			return
		}
		for _, t := range pair {
			hash := t.Params.Hash()
			if before, ok := st.byValues[hash]; ok {
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
		partner := st.Setup.Tune.Params.Whole(view.Baseline)
		if view.Baseline == nil {
			drawn, ok, err := propose(ctx, st, view, batch.Drawn)
			if err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", st.Setup.Sampler.Name, number, err)
			}
			if !ok {
				return batch, nil
			}
			partner = drawn
			batch.Drawn += 2 // draws are of pairs
		}
		pair := [2]entry.Asked{st.sideOf(named[i], givenDraw), st.sideOf(partner, givenDraw)}
		pair[0].Attrs = attrsOf(st, i)
		add(pair)
	}
	for n := 0; len(batch.Trials) < room && n < equalPairs*room/2; n++ {
		var pair [2]entry.Asked
		for i := range pair {
			proposed, ok, err := propose(ctx, st, view, batch.Drawn)
			if err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", st.Setup.Sampler.Name, number, err)
			}
			if !ok {
				return batch, nil // half a pair has nobody to meet
			}
			pair[i] = st.sideOf(proposed, batch.Drawn)
			if pair[i].Attrs, err = notesOf(ctx, st, batch.Drawn); err != nil {
				return batch, fmt.Errorf("sampler %s: trial %d: %w", st.Setup.Sampler.Name, number, err)
			}
			batch.Drawn++
		}
		add(pair)
	}
	return batch, nil
}

// sideOf is one side of a pair.
func (st *Study) sideOf(proposed param.Values, draw int) entry.Asked {
	s := st.Setup
	side := entry.Asked{Draw: draw, Params: s.Tune.Params.Activate(s.Tune.Fix, proposed)}
	if len(proposed) != len(side.Params) {
		side.Proposed = proposed
	}
	return side
}

// duelSeries is the series of a pair's blocks.
func (st *Study) duelSeries(a, b *tuner.Trial, from, to int64) arena.Series {
	s := st.Setup
	return arena.Series{
		Ruleset: s.Ruleset, Seed: s.TuneSeed(), Phase: arena.Tune, From: from, To: to,
		Entrants: []arena.Entrant{a.Entrant, b.Entrant},
	}
}

// duelRange returns the blocks of a duel of the study, by its number.
func (st *Study) duelRange(duel int) (from, to int64) {
	blocks := st.Setup.Race.Rungs[0]
	return int64(duel) * blocks, int64(duel+1) * blocks
}

// playDuel plays the nth duel of a batch; first is the number of the batch's first duel.
func playDuel(ctx context.Context, st *Study, b *batch, nth, first int) (entry.Evidence, error) {
	from, to := st.duelRange(first + nth)
	tally, err := st.host.Play(ctx, st.duelSeries(b.trials[2*nth], b.trials[2*nth+1], from, to), func(r *arena.Run) error {
		st.meter.add(r)
		return nil
	})
	if err != nil {
		return entry.Evidence{}, err
	}
	return entry.NewEvidence(tally), nil
}

// playDuels plays the pairs of a batch, each on blocks of its own, and writes the outcome
// of each as one entry.
func (st *Study) playDuels(ctx context.Context, out *batch) error {
	batch := out.trials
	if len(batch)%2 != 0 {
		return fmt.Errorf("the log asks for %d trials, which are no pairs: %w", len(batch), tuner.ErrOtherCode)
	}
	type outcome struct {
		evidence entry.Evidence
		err      error
	}
	pairs := len(batch) / 2
	outcomes := make([]outcome, pairs)
	first := len(st.duels)
	logged := st.journal.logged(entry.KindDuel)
	var group sync.WaitGroup
	for i := logged; i < pairs; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if len(out.ahead) > 0 {
				<-out.ahead[i].done
				outcomes[i] = outcome{out.ahead[i].evidence[0], out.ahead[i].err}
				return
			}
			outcomes[i].evidence, outcomes[i].err = playDuel(ctx, st, out, i, first)
		}()
	}
	group.Wait()
	for i := range pairs {
		a, b := batch[2*i], batch[2*i+1]
		got, err := step(ctx, st.journal, entry.KindDuel, func() (entry.Duel, error) {
			from, to := st.duelRange(first + i)
			return entry.Duel{
				Duel: first + i, A: a.Number, B: b.Number, From: from, Evidence: outcomes[i].evidence,
				Played: entry.NewPlayed(arena.Tune, st.Setup.TuneSeed(), from, to),
			}, outcomes[i].err
		}, st.settleDuel)
		if err != nil {
			return err
		}
		if got.Duel != first+i || got.A != a.Number || got.B != b.Number {
			return fmt.Errorf("the log has duel %d of trials %d and %d where duel %d of %d and %d is due: %w",
				got.Duel, got.A, got.B, first+i, a.Number, b.Number, tuner.ErrOtherCode)
		}
		for _, t := range []*tuner.Trial{a, b} {
			t.State, t.Estimate = entry.TrialComplete, tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
		}
		score := got.Evidence.Score(st.Setup.Ruleset.Seats)
		st.duels = append(st.duels, tuner.Duel{
			A: a.Number, B: b.Number, Batch: out.number, Draw: out.draws[2*i], Score: score.Value, Noise: score.Error, Blocks: score.Blocks,
		})
		st.duelGames += got.Evidence.Games
		st.count()
	}
	return nil
}

// settleDuel closes both trials in the record, each with its own score of the pair's games.
// A trial that was in an earlier duel keeps its first value.
func (st *Study) settleDuel(v entry.Duel, trials tuner.Trials) error {
	score := v.Evidence.Score(st.Setup.Ruleset.Seats)
	for _, t := range []entry.Tell{
		{Trial: v.A, State: entry.TrialComplete, Value: numeral.Finite(score.Value), Error: numeral.Finite(score.Error), Feasible: true},
		{Trial: v.B, State: entry.TrialComplete, Value: numeral.Finite(1 - score.Value), Error: numeral.Finite(score.Error), Feasible: true},
	} {
		if err := st.finish(t, trials); err != nil {
			return err
		}
	}
	return nil
}
