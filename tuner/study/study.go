package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

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
	// Replayer, unless nil, plays blocks again before the verdict.
	Replayer tuner.Replayer
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

// Study is a setup being run against its record.
type Study struct {
	*core
	asker    *asker
	chooser  *chooser
	proof    *proof
	after    *afterwards
	explains tuner.Explainer // of a search whose proposer has no model
	begun    func(context.Context) (*entry.Begun, error)
	whole    tuner.Budget // of a study that goes on after a verdict: the budget of all
}

// core is what a study runs with and has seen, which each of its parts has.
type core struct {
	setup   *tuner.Setup
	log     *journal
	games   *games
	search  *search
	sampler *consultant
	judge   judge
	meter   *meter
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
	st := &Study{explains: o.Explainer, begun: o.Begun, core: &core{
		log:   &journal{record: o.Record, entries: slices.Clone(entries), hook: o.Hook},
		meter: newMeter(setup, answers, o.Progress),
	}}
	if st.setup, st.whole, err = begin(setup, entries); err != nil {
		return nil, err
	}
	if st.games, err = newGames(st.setup, o, st.meter); err != nil {
		return nil, err
	}
	st.search = newSearch(st.setup)
	st.sampler = &consultant{setup: st.setup, proposer: o.Proposer, answers: answers, hook: o.Hook, left: left{done: make(chan struct{})}}
	switch {
	case setup.Evaluate != nil:
		st.judge = &pool{st.core}
	case setup.Duels:
		st.judge = &duels{core: st.core}
	default:
		st.judge = &rungs{core: st.core, ahead: map[*tuner.Trial]*ahead{}}
	}
	st.asker, st.chooser, st.proof = &asker{core: st.core}, &chooser{st.core}, newProof(st.core, o.Replayer)
	st.after, st.log.caught = &afterwards{core: st.core, proof: st.proof.plan}, st.count
	return st, nil
}

// Run runs the study to its verdict, from wherever its log ends: new or resumed, its steps
// are the same (see step). Interrupted, it returns the context's error and loses nothing
// that the log holds.
func (st *Study) Run(ctx context.Context) (*tuner.Result, error) {
	winner, verdict, err := st.run(ctx)
	if err != nil {
		return nil, err
	}
	if st.log.replaying() {
		return nil, fmt.Errorf("the log goes on after its end: %w", tuner.ErrOtherCode)
	}
	return st.result(ctx, winner, verdict)
}

// run runs the study to its last verdict: search, answer, proof, what is played after a pass,
// and again where it was given a larger budget after a verdict. Winner and verdict are nil where it has none.
func (st *Study) run(ctx context.Context) (winner *tuner.Trial, verdict *entry.Validation, err error) {
	if err := st.takeOver(ctx); err != nil {
		return nil, nil, err
	}
	for more := true; more; {
		if err := st.searchAll(ctx); err != nil {
			return nil, nil, err
		}
		if winner, err = st.chooser.winner(ctx); err != nil {
			return nil, nil, err
		}
		if verdict = nil; winner != nil {
			if verdict, err = st.proof.prove(ctx, winner); err != nil {
				return nil, nil, err
			}
		}
		if err := st.after.play(ctx, winner, verdict); err != nil {
			return nil, nil, err
		}
		if more, err = st.goesOn(ctx, verdict); err != nil {
			return nil, nil, err
		}
	}
	return winner, verdict, nil
}

// searchAll asks for batches, judges them and tells their values until the budget or the
// space is used up. As many batches as the file's flight are out at a time.
func (st *Study) searchAll(ctx context.Context) error {
	defer st.search.playing.Wait()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		for len(st.search.flying) < st.setup.Sampler.InFlight() {
			b, err := st.asker.ask(ctx)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			st.search.flying = append(st.search.flying, b)
			st.count()
		}
		if len(st.search.flying) == 0 {
			return nil
		}
		first := st.search.flying[0]
		st.judge.playAhead(ctx)
		open, err := st.judge.play(ctx, first)
		if err != nil {
			return err
		}
		if err := st.tell(ctx, open); err != nil {
			return err
		}
		st.search.flying = st.search.flying[1:]
		if err := st.promote(ctx); err != nil {
			return err
		}
	}
}

// tell closes a batch's trials in number order.
func (st *Study) tell(ctx context.Context, batch []*tuner.Trial) error {
	batch = append([]*tuner.Trial(nil), batch...)
	sort.Slice(batch, func(i, j int) bool { return batch[i].Number < batch[j].Number })
	for _, t := range batch {
		got, err := step(ctx, st.log, entry.KindTell, func() (entry.Tell, error) {
			return tellOf(t), nil
		}, st.finish)
		if err != nil {
			return err
		}
		if got.Trial != t.Number || got.State != t.State {
			return fmt.Errorf("the log tells trial %d as %s where trial %d is %s: %w", got.Trial, got.State, t.Number, t.State, tuner.ErrOtherCode)
		}
		st.count()
	}
	return nil
}

// promote makes the best trial the incumbent and writes the change. Where the
// answer is a model's there is no incumbent: its trials are too short to rank.
func (st *Study) promote(ctx context.Context) error {
	if st.sampler.answers {
		return nil
	}
	best := st.judge.best()
	if best == nil || best == st.search.incumbent {
		return nil
	}
	got, err := step(ctx, st.log, entry.KindIncumbent, func() (entry.Incumbent, error) {
		b := st.search.bound(best)
		if math.IsInf(b, 0) {
			b = best.Estimate.Value // one block has no interval
		}
		return entry.Incumbent{Trial: best.Number, Blocks: best.Blocks(), Value: best.Estimate.Value, Bound: b}, nil
	}, nil)
	if err != nil {
		return err
	}
	if got.Trial != best.Number {
		return fmt.Errorf("the log promotes trial %d where trial %d is best: %w", got.Trial, best.Number, tuner.ErrOtherCode)
	}
	st.search.incumbent = best
	st.meter.incumbent(best)
	return nil
}

// Played returns the number of games of a study that were played or found so far, with those of a
// batch that is not told yet.
func (st *Study) Played() int64 { return max(st.total(), st.meter.total()) }
