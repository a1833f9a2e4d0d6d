package study

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Options are what a study is run with.
type Options struct {
	Host     arena.Host
	Proposer tuner.Proposer
	Record   tuner.Record
	// Blocks, unless nil, stores what Host plays, and is asked before anything is played.
	Blocks tuner.Blocks
	// Witness, unless nil, plays blocks again before the verdict.
	Witness tuner.Witness
	// Explainer, unless nil, says what is known of each parameter where the proposer has no
	// model that does.
	Explainer tuner.Explainer
	// Begun is what a study that begins with the games of another takes over; it is
	// called once, before anything else of the study.
	Begun func(context.Context) (*entry.Begun, error)
	// Progress, unless nil, is called with the study's progress at every step and every few
	// blocks. It is called from several goroutines, one at a time.
	Progress func(tuner.Progress)
	// Hook, unless nil, is called at named points of the loop; tests kill the
	// process there.
	Hook func(point string)
}

// Open joins a setup with its record. The log so far is read, not yet replayed.
func Open(ctx context.Context, setup *tuner.Setup, o Options) (*Study, error) {
	entries, err := o.Record.Entries(ctx)
	if err != nil {
		return nil, err
	}
	if o.Hook == nil {
		o.Hook = func(string) {}
	}
	_, answers := o.Proposer.(tuner.Answerer)
	host := o.Host
	if o.Blocks != nil {
		host = &tuner.CachedHost{Host: o.Host, Blocks: o.Blocks}
	}
	st := &Study{
		Setup: setup, host: host, once: o.Host, witness: o.Witness, proposer: o.Proposer, answers: answers, explains: o.Explainer,
		journal:  &journal{record: o.Record, entries: entries, hook: o.Hook},
		meter:    newMeter(setup, answers, o.Progress),
		left:     left{done: make(chan struct{})},
		byValues: map[string]*tuner.Trial{}, played: map[*tuner.Trial][]stretch{}, ahead: map[*tuner.Trial]*ahead{}, begun: earlier{read: o.Begun},
	}
	if setup.Elsewhere() {
		st.once = st.host // what was told is kept, and told once
	}
	if st.recorded, err = setup.Ruleset.Recorded(setup.Strategies()...); st.recorded != "" {
		st.witness = nil // what it would play again is no longer the same game
	}
	return st, errors.Join(err, begin(st))
}

// Run runs the study to its verdict, from wherever its log ends. Interrupted,
// it returns the context's error and loses nothing that the log holds.
func (st *Study) Run(ctx context.Context) (*tuner.Result, error) {
	end, err := allParts(ctx, st)
	if err != nil {
		return nil, err
	}
	if st.journal.replaying() {
		return nil, fmt.Errorf("the log goes on after its end: %w", tuner.ErrOtherCode)
	}
	r := st.result(end.winner, end.verdict)
	if r.Parameters, err = known(ctx, st, end.winner); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		r.Advice = append(r.Advice, tuner.Advice{Level: tuner.Warning, Text: fmt.Sprintf("sampler %s says nothing of the parameters: %v", st.Setup.Sampler.Name, err)})
		r.Notes = notes(r.Advice)
	}
	if r.Common, err = st.common(ctx); err != nil {
		return nil, err
	}
	r.Worth = worth(st.Setup, r.Common, end.verdict)
	r.Rivals, err = rivals(ctx, st, end.winner)
	return r, err
}

// ended is what a study came to; both are nil where there is no winner.
type ended struct {
	winner  *tuner.Trial
	verdict *entry.Validation
}

// allParts runs the study with all its parts, to the last verdict.
func allParts(ctx context.Context, st *Study) (end ended, err error) {
	if err := takeOver(ctx, st); err != nil {
		return end, err
	}
	for {
		if end.winner, end.verdict, err = part(ctx, st); err != nil {
			return end, err
		}
		if more, err := goesOn(ctx, st, end.verdict); !more || err != nil {
			return end, err
		}
	}
}

// part runs the study from a search to its verdict, nil where there is no winner.
func part(ctx context.Context, st *Study) (*tuner.Trial, *entry.Validation, error) {
	if err := st.search(ctx); err != nil {
		return nil, nil, err
	}
	winner, err := st.answer(ctx)
	if err != nil {
		return nil, nil, err
	}
	if winner == nil {
		if winner, err = st.final(ctx); err != nil {
			return nil, nil, err
		}
	}
	if winner == nil {
		return nil, nil, nil
	}
	verdict, err := st.validate(ctx, winner)
	return winner, verdict, err
}

// search asks for batches, races them and tells their values until the budget or the space
// is used up. As many batches as the file's flight are out at a time.
func (st *Study) search(ctx context.Context) error {
	defer st.playing.Wait()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		for len(st.flying) < st.Setup.Sampler.InFlight() {
			b, err := st.ask(ctx)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			st.flying = append(st.flying, b)
			st.count()
		}
		if len(st.flying) == 0 {
			return nil
		}
		playAhead(ctx, st)
		if err := st.judge(ctx, st.flying[0]); err != nil {
			return err
		}
		st.flying = st.flying[1:]
		if err := st.promote(ctx); err != nil {
			return err
		}
	}
}

// judge lets a batch play and writes the result.
func (st *Study) judge(ctx context.Context, b *batch) error {
	if st.Setup.Evaluate != nil {
		return st.playPool(ctx, b.trials)
	}
	if st.Setup.Duels {
		return st.playDuels(ctx, b)
	}
	batch := b.trials
	judged := slices.Clone(batch)
	if st.incumbent != nil && !slices.Contains(judged, st.incumbent) {
		judged = append(judged, st.incumbent) // it may be re-played
	}
	before := make([][]entry.Evidence, len(judged))
	for i, t := range judged {
		before[i] = t.Evidence
	}
	if err := st.race(ctx, b); err != nil {
		return err
	}
	for i, t := range judged {
		if len(before[i]) == 0 || t.Blocks() > before[i][0].Blocks {
			st.observe(t, b.number, before[i])
		}
	}
	return st.tell(ctx, batch)
}

// observe notes what a batch has added to the evidence of a trial.
func (st *Study) observe(t *tuner.Trial, batch int, before []entry.Evidence) {
	part := t.Estimate
	if len(before) > 0 {
		more := make([]entry.Evidence, len(before))
		for i := range before {
			more[i] = t.Evidence[i].Less(before[i])
		}
		part = st.Setup.Estimate(more)
	}
	st.observed = append(st.observed, tuner.Observation{
		Trial: t.Number, Batch: batch, Value: part.Value, Noise: part.Error, Blocks: part.Blocks,
	})
}
