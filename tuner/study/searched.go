package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// Searched is a study whose log was read and not continued: what its search has seen.
type Searched struct {
	st     *Study
	digest string
}

// errEnd ends the reading of a log.
var errEnd = errors.New("the log ends here")

// readOnly is a record, a host and a proposer that end where the log does.
type readOnly []entry.Entry

func (r readOnly) Entries(context.Context) ([]entry.Entry, error) { return r, nil }

func (readOnly) Append(context.Context, entry.Entry, func(tuner.Trials) error) error {
	return errEnd
}

func (readOnly) Attempt(context.Context, tuner.Question) (int, error) {
	return 0, errEnd
}

func (readOnly) Propose(*tuner.View, int) (param.Values, bool, error) { return nil, false, errEnd }

func (readOnly) Play(context.Context, arena.Series, func(*arena.Run) error) (arena.Tally, error) {
	return arena.Tally{}, errEnd
}

// ReadSearch reads the log of a study, which may still run. answers tells whether its
// sampler is a [tuner.Answerer]. Nothing is played and nothing is written. A log that ends
// because a block was another game when it was played again is no source: the error
// says so.
func ReadSearch(ctx context.Context, setup *tuner.Setup, log []entry.Entry, answers bool) (*Searched, error) {
	if d, err := entry.Last[entry.Different](log, entry.KindDifferent); err != nil || d != nil {
		return nil, errors.Join(err, fmt.Errorf("study %s ended because a block was another game when it was played again", setup.Name))
	}
	st, err := Open(ctx, setup, Options{Host: readOnly(nil), Proposer: readOnly(nil), Record: readOnly(log)})
	if err != nil {
		return nil, err
	}
	st.sampler.answers = answers
	if _, _, err := st.run(ctx); err != nil && !errors.Is(err, errEnd) {
		return nil, fmt.Errorf("study %s: %w", setup.Name, err)
	}
	return &Searched{st: st, digest: entry.Digest(log)}, nil
}

// Begun returns what this study takes over of an earlier search, which must not differ from it
// (see Differs): the points that it could play itself.
func (x *Searched) Begun(s *tuner.Setup) *entry.Begun {
	st := x.st
	b := &entry.Begun{Study: st.setup.Name, Digest: x.digest, Batches: st.search.begun.batches + st.search.batches, Blocks: st.search.begun.blocks + st.judge.met(), Trials: []entry.BegunTrial{}}
	trials := append(slices.Clip(st.search.begun.trials), st.search.trials...)
	observed, duels := st.search.begun.withObserved(st.search.observed), st.search.begun.withDuels(st.search.duels)
	seen := make([]bool, len(trials)) // in some game
	for _, o := range observed {
		seen[o.Trial] = true
	}
	for _, d := range duels {
		seen[d.A], seen[d.B] = true, true
	}
	at := make([]int, len(trials)) // place among those taken over, -1 for none
	for i, t := range trials {
		at[i] = -1
		if !seen[i] {
			continue
		}
		active, proposed, ok := adopt(s, t, t.Entrant(st.setup))
		if !ok {
			b.Dropped++
			continue
		}
		p := entry.BegunTrial{Params: active, Infeasible: !t.Estimate.Feasible, Blocks: t.Blocks(), Games: t.Games()}
		if len(proposed) != len(active) {
			p.Proposed = proposed
		}
		if !s.Duels {
			p.Value, p.Error = numeral.Finite(t.Estimate.Value), numeral.Finite(t.Estimate.Error)
			b.Games += p.Games
		}
		at[i] = len(b.Trials)
		b.Trials = append(b.Trials, p)
	}
	b.Points = len(b.Trials)
	for _, o := range observed {
		if at[o.Trial] >= 0 {
			b.Observed = append(b.Observed, entry.BegunRow{Trial: at[o.Trial], Batch: o.Batch + st.search.begun.batches, Value: numeral.Finite(o.Value), Error: numeral.Finite(o.Noise), Blocks: o.Blocks})
		}
	}
	for _, d := range duels {
		if at[d.A] >= 0 && at[d.B] >= 0 {
			b.Duels = append(b.Duels, entry.BegunDuel{A: at[d.A], B: at[d.B], Batch: d.Batch + st.search.begun.batches, Score: numeral.Finite(d.Score), Error: numeral.Finite(d.Noise), Blocks: d.Blocks})
			b.Games += d.Blocks * s.BlockGames()
		}
	}
	return b
}

// adopt returns a trial of another study as a point of this one's space; ok is false where this
// study cannot play it: a value lies outside a range, or is fixed otherwise. played is what the trial
// played there.
func adopt(s *tuner.Setup, t *tuner.Trial, played arena.Entrant) (active, proposed param.Values, ok bool) {
	space, fixed, whole := s.Tune.Params, s.Tune.Fix, t.Whole()
	for i := range space {
		d := &space[i]
		text, ok := played.Params.Get(d.Name)
		if text = d.Searched(text); !ok {
			text, _ = whole.Get(d.Name) // it is not active
		}
		if !d.Holds(text) {
			if ok {
				return nil, nil, false
			}
			text = s.Usual(d)
		}
		proposed = append(proposed, param.Value{Name: d.Name, Text: text})
	}
	active = space.Activate(fixed, proposed)
	e, err := s.Candidate(-1, active)
	return active, proposed, err == nil && e.Canonical() == played.Canonical()
}
