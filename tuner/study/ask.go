package study

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// ask asks for the next batch and writes it to the record; an empty batch is nil and is
// not written: it ends the search when the batches in flight are told.
func (st *Study) ask(ctx context.Context) (*batch, error) {
	j := st.journal
	if j.replaying() && j.peek() != entry.KindAsk {
		return nil, nil // nothing more was asked for here
	}
	if !j.replaying() {
		batch, err := st.propose(ctx)
		if err != nil || len(batch.Trials) == 0 {
			return nil, err
		}
		st.meter.phase("tune")
		return st.seat(step(ctx, j, entry.KindAsk, func() (entry.Ask, error) { return batch, nil }, st.create))
	}
	logged, err := step[entry.Ask](ctx, j, entry.KindAsk, nil, nil)
	if err != nil {
		return nil, err
	}
	if p, ok := st.proposer.(tuner.Stateful); ok && p.Stateful() {
		// The sampler's state is a function of all calls so far: it is asked again, and
		// must answer as it did before.
		again, err := st.propose(ctx)
		if err != nil {
			return nil, err
		}
		for i := range min(len(again.Trials), len(logged.Trials)) {
			if x, y := again.Trials[i].Params.String(), logged.Trials[i].Params.String(); x != y {
				return nil, fmt.Errorf("sampler %s proposes %s where the log has %s: %w", st.Setup.Sampler.Name, x, y, tuner.ErrOtherCode)
			}
		}
	}
	return st.seat(logged, nil)
}

// propose draws a batch from the proposer, after the points that somebody gave: they have
// at most half of a batch. A finite space is exhausted when every parameter set has been
// tried.
func (st *Study) propose(ctx context.Context) (entry.Ask, error) {
	var batch entry.Ask
	view, err := st.view()
	if err != nil {
		return batch, err
	}
	named, err := given(ctx, st)
	if err != nil {
		return batch, err
	}
	if st.Setup.Duels {
		return st.proposePairs(ctx, view, named)
	}
	seen := map[string]bool{}
	number := len(st.trials)
	batch.Drawn = st.drawn
	add := func(proposed param.Values, draw int, attrs param.Values) {
		active := st.Setup.Tune.Params.Activate(st.Setup.Tune.Fix, proposed)
		hash := active.Hash()
		individual := st.Setup.Evaluate != nil // in a pool every proposal is a trial of its own
		if seen[hash] && !individual {
			return // twice in one batch is one candidate
		}
		seen[hash] = true
		t := entry.Asked{Number: number, Draw: draw, Params: active, Attrs: attrs}
		if len(proposed) != len(active) {
			t.Proposed = proposed
		}
		if before, ok := st.byValues[hash]; ok && !individual {
			t.Number, t.Again = before.Number, true
		} else {
			number++
		}
		batch.Trials = append(batch.Trials, t)
	}
	room := st.room()
	for i := range room {
		if i < min(len(named), (room+1)/2) {
			add(named[i], givenDraw, attrsOf(st, i))
			continue
		}
		proposed, ok, err := st.fresh(ctx, view, &batch.Drawn, seen)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", st.Setup.Sampler.Name, number, err)
		}
		if !ok {
			break
		}
		draw := batch.Drawn - 1
		attrs, err := notesOf(ctx, st, draw)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", st.Setup.Sampler.Name, number, err)
		}
		add(proposed, draw, attrs)
	}
	if number == len(st.trials) && !st.answers && st.exhausted() {
		return entry.Ask{}, nil
	}
	return batch, nil
}

// exhausted tells whether every parameter set of a finite space has a trial.
func (st *Study) exhausted() bool {
	n := st.members()
	return n > 0 && len(st.byValues) >= n
}

// create adds a batch's new trials to the record.
func (st *Study) create(batch entry.Ask, trials tuner.Trials) error {
	for _, t := range batch.Trials {
		if t.Again {
			continue
		}
		if err := trials.Create(t.Number); err != nil {
			return err
		}
		for i := range st.Setup.Tune.Params {
			d := &st.Setup.Tune.Params[i]
			text, ok := t.Params.Get(d.Name)
			if !ok {
				continue
			}
			if err := trials.SetParam(t.Number, d, text); err != nil {
				return err
			}
		}
		for _, a := range t.Attrs {
			if err := trials.SetAttr(t.Number, a.Name, a.Text); err != nil {
				return err
			}
		}
		if len(t.Proposed) > 0 {
			if err := trials.SetAttr(t.Number, "proposed", t.Proposed.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// seat turns an asked batch into trials.
func (st *Study) seat(asked entry.Ask, err error) (*batch, error) {
	if err != nil {
		return nil, err
	}
	out := &batch{number: st.batches, known: len(st.trials)}
	st.drawn = asked.Drawn
	st.batches++
	for _, a := range asked.Trials {
		out.draws = append(out.draws, a.Draw)
		markAsked(st, &a)
		if a.Again {
			if a.Number >= len(st.trials) {
				return nil, fmt.Errorf("the log extends trial %d, which does not exist: %w", a.Number, tuner.ErrOtherCode)
			}
			out.trials = append(out.trials, st.trials[a.Number])
			continue
		}
		if a.Number != len(st.trials) {
			return nil, fmt.Errorf("the log asks for trial %d after %d trials: %w", a.Number, len(st.trials), tuner.ErrOtherCode)
		}
		e, err := st.Setup.Candidate(a.Number, a.Params)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", a.Number, err, tuner.ErrOtherCode)
		}
		t := &tuner.Trial{Number: a.Number, Draw: a.Draw, Batch: out.number, Params: a.Params, Proposed: a.Proposed, Entrant: e, State: entry.TrialRunning}
		_, t.Delegate = a.Attrs.Get(tuner.AttrDelegate)
		if t.Proposed == nil {
			t.Proposed = a.Params
		}
		st.trials = append(st.trials, t)
		st.byValues[a.Params.Hash()] = t
		out.trials = append(out.trials, t)
	}
	out.games = st.batchGames(len(out.trials))
	return out, nil
}
