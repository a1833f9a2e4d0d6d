package study

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// judge is a way to play a batch and to say what its trials are worth: rungs, duels or pool.
// Open chooses it once.
type judge interface {
	// draw draws the next batch from the sampler, after the points that a person gave.
	draw(ctx context.Context, a *asker, view *tuner.View, named []param.Values) (entry.Ask, error)
	// playAhead starts what the batches behind the first play whatever the first tells.
	playAhead(ctx context.Context)
	// play plays a batch, writes the outcome, and returns the trials that are still to be
	// told.
	play(ctx context.Context, b *batch) ([]*tuner.Trial, error)
	// most returns the most games that a batch of n trials can take.
	most(n int) int64
	// spent returns the number of games that the search has played.
	spent() int64
	// met returns how many blocks the search has played, as far as they are different.
	met() int64
	// best returns the trial that becomes the incumbent, nil where there is none.
	best() *tuner.Trial
	// finalists returns the trials that may enter the final, the best first.
	finalists() []*tuner.Trial
}

// batch is what was asked for at once and is not told yet.
type batch struct {
	number int
	trials []*tuner.Trial // by place; some may be earlier trials
	draws  []int          // by place
	known  int            // trials that were there before it
	games  int64          // the most that it can take
	ahead  []*ahead       // by place, or by pair in duels; empty where nothing plays ahead
}

// ahead is what a trial or a pair plays before its batch has its turn.
type ahead struct {
	done     chan struct{} // closed when the others are known
	evidence []entry.Evidence
	err      error
}

// start plays something of a batch before its turn.
func (s *search) start(b *batch, play func(a *ahead)) *ahead {
	a := &ahead{done: make(chan struct{})}
	b.ahead = append(b.ahead, a)
	s.playing.Go(func() {
		defer close(a.done)
		play(a)
	})
	return a
}

// flyingGames returns the most that the batches in flight can take.
func (s *search) flyingGames() int64 {
	n := int64(0)
	for _, b := range s.flying {
		n += b.games
	}
	return n
}

// count reports how many trials and games there are.
func (c *core) count() {
	c.meter.trials(len(c.search.trials), c.log.replaying(), c.judge.spent)
}

// total returns the number of games that the search and the final have taken so far.
func (c *core) total() int64 {
	n := c.judge.spent() + c.search.proofs
	for _, f := range c.search.finals {
		for _, e := range f.Evidence {
			n += e.Games
		}
	}
	if len(c.search.finals) > 0 {
		n += c.setup.ReferenceGames(c.setup.Final.Blocks)
	}
	if c.search.defaults != nil {
		n += c.search.defaults.Evidence.Games
	}
	if c.search.answered != nil {
		for _, e := range c.search.answered.Evidence {
			n += e.Games
		}
		if len(c.search.answered.Evidence) > 0 {
			n += c.setup.ReferenceGames(c.setup.Race.AnswerBlocks(c.setup.Ruleset))
		}
	}
	return n
}

// tellOf returns the entry that closes a trial with its estimate.
func tellOf(t *tuner.Trial) entry.Tell {
	v := entry.Tell{
		Trial: t.Number, State: t.State, Reason: t.Reason, Value: numeral.Finite(t.Estimate.Value), Error: numeral.Finite(t.Estimate.Error),
		Feasible: t.Estimate.Feasible, End: t.End,
	}
	if t.State == entry.TrialComplete {
		v.End = entry.Whole
		if v.Value == nil {
			v.End = entry.Valueless
		}
	}
	for _, g := range t.Estimate.Goals {
		v.Goals = append(v.Goals, numeral.Finite(g.Value))
	}
	return v
}

// finish closes a trial in the record. A trial that is closed already stays as it is.
func (c *core) finish(v entry.Tell, trials tuner.Trials) error {
	if before, err := trials.State(v.Trial); err != nil || before.Finished() {
		return err
	}
	state := v.State
	if v.Value == nil {
		state = entry.TrialFailed
	} else if err := trials.SetValue(v.Trial, *v.Value); err != nil {
		return err
	}
	if v.Error != nil {
		if err := trials.SetNote(v.Trial, "standard_error", fmt.Sprint(*v.Error)); err != nil {
			return err
		}
	}
	if !v.Feasible {
		if err := trials.SetNote(v.Trial, "feasible", "false"); err != nil {
			return err
		}
	}
	for i, x := range v.Goals {
		if x == nil {
			continue
		}
		goals := c.setup.Objective.Goals()
		if err := trials.SetNote(v.Trial, entry.GoalNote(goals[i].Name()), fmt.Sprint(*x)); err != nil {
			return err
		}
	}
	return trials.SetState(v.Trial, state)
}

// create adds a batch's new trials to the record.
func (c *core) create(batch entry.Ask, trials tuner.Trials) error {
	for _, t := range batch.Trials {
		if t.Again {
			continue
		}
		if err := trials.Create(t.Number); err != nil {
			return err
		}
		for i := range c.setup.Tune.Params {
			d := &c.setup.Tune.Params[i]
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
