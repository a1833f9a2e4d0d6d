package tuner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/rating"
)

// Study is a setup being run against its record.
type Study struct {
	Setup *Setup

	host     arena.Host
	proposer Proposer
	journal  *journal
	meter    *meter

	trials    []*Trial
	drawn     int               // proposals drawn
	byValues  map[string]*Trial // by canonical hash of the active values
	incumbent *Trial
	finals    []Finalist
	pools     [][]*Trial // batches that played themselves
	reference reference
	met       int64 // blocks 0..met of the search have been played by somebody
	batches   int   // asked
	observed  []Observation
	duels     []Duel
	duelGames int64
	answers   bool          // the sampler answers with its model
	answered  *entry.Answer // the sampler's answer
}

// Options are what a study is run with.
type Options struct {
	Host     arena.Host
	Proposer Proposer
	Record   Record
	// Progress, unless nil, is told how far the study is, at every step and every
	// so many blocks. It is called from several goroutines, one at a time.
	Progress func(Progress)
	// Hook, unless nil, is called at named points of the loop; tests kill the
	// process there.
	Hook func(point string)
}

// Open joins a setup with its record. The log so far is read, not yet replayed.
func Open(ctx context.Context, setup *Setup, o Options) (*Study, error) {
	entries, err := o.Record.Entries(ctx)
	if err != nil {
		return nil, err
	}
	if o.Hook == nil {
		o.Hook = func(string) {}
	}
	_, answers := o.Proposer.(Answerer)
	return &Study{
		Setup: setup, host: o.Host, proposer: o.Proposer, answers: answers,
		journal:  &journal{record: o.Record, entries: entries, hook: o.Hook},
		meter:    newMeter(setup.Spec, o.Progress),
		byValues: map[string]*Trial{},
	}, nil
}

// Run runs the study to its verdict, from wherever its log ends. Interrupted,
// it returns the context's error and loses nothing that the log holds.
func (st *Study) Run(ctx context.Context) (*Result, error) {
	if err := st.search(ctx); err != nil {
		return nil, err
	}
	winner, err := st.answer(ctx)
	if err != nil {
		return nil, err
	}
	if winner == nil {
		if winner, err = st.final(ctx); err != nil {
			return nil, err
		}
	}
	var verdict *entry.Validation
	if winner != nil {
		if verdict, err = st.validate(ctx, winner); err != nil {
			return nil, err
		}
	}
	if st.journal.replaying() {
		return nil, fmt.Errorf("the log goes on after its end: %w", ErrOtherCode)
	}
	r := st.result(winner, verdict)
	r.Common, err = st.common(ctx)
	return r, err
}

// search asks, races and tells batches until the budget or the space is
// exhausted.
func (st *Study) search(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, err := st.ask(ctx)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			return nil
		}
		st.meter.trials(st)
		if err := st.judge(ctx, batch); err != nil {
			return err
		}
		if err := st.promote(ctx); err != nil {
			return err
		}
	}
}

// judge has a batch play and tells what came of it.
func (st *Study) judge(ctx context.Context, batch []*Trial) error {
	if st.Setup.Evaluate != nil {
		return st.playPool(ctx, batch)
	}
	if st.Setup.Duels {
		return st.playDuels(ctx, batch)
	}
	judged := slices.Clone(batch)
	if st.incumbent != nil && !slices.Contains(judged, st.incumbent) {
		judged = append(judged, st.incumbent) // it may be re-played
	}
	before := make([][]entry.Evidence, len(judged))
	for i, t := range judged {
		before[i] = t.Evidence
	}
	if err := st.race(ctx, batch); err != nil {
		return err
	}
	for i, t := range judged {
		if len(before[i]) == 0 || t.Blocks() > before[i][0].Blocks {
			st.observe(t, before[i])
		}
	}
	return st.tell(ctx, batch)
}

// observe notes what the batch at hand has added to what is known of a trial.
func (st *Study) observe(t *Trial, before []entry.Evidence) {
	part := t.Estimate
	if len(before) > 0 {
		more := make([]entry.Evidence, len(before))
		for i := range before {
			more[i] = t.Evidence[i].Less(before[i])
		}
		part = st.Setup.Estimate(more)
	}
	st.observed = append(st.observed, Observation{
		Trial: t.Number, Batch: st.batches - 1, Value: part.Value, Noise: part.Error, Blocks: part.Blocks,
	})
}

// room is the number of trials that the rest of the budget lets us ask for.
func (st *Study) room() int {
	s := st.Setup
	n := min(s.Sampler.Batch, s.Budget.Trials-len(st.trials))
	left := s.Budget.Games - s.Reserved(st.answers) - st.searchGames()
	for n > 0 && st.batchGames(n) > left {
		n--
	}
	if s.Duels {
		n -= n % 2
	}
	return n
}

// searchGames is the number of games that the search has played.
func (st *Study) searchGames() int64 {
	n := int64(0)
	if st.Setup.Evaluate != nil {
		for _, batch := range st.pools {
			n += st.Setup.poolGames(len(batch)) // a game is played by several trials
		}
		return n
	}
	if st.Setup.Duels {
		return st.duelGames
	}
	for _, t := range st.trials {
		n += t.games()
	}
	return n + st.Setup.ReferenceGames(st.met)
}

// batchGames is the largest number of games that a batch of n can take.
func (st *Study) batchGames(n int) int64 {
	s := st.Setup
	if s.Evaluate != nil {
		return s.poolGames(n)
	}
	if s.Duels {
		return int64((n+1)/2) * s.Race.Rungs[0] * s.BlockGames()
	}
	share := s.Race.Keep
	if s.Race.Method != "halving" {
		share = 1 // nobody may be stopped
	}
	blocks := rating.HalvingBlocks(n, s.Race.Rungs, share)
	last := s.Race.Rungs[len(s.Race.Rungs)-1]
	more := last // blocks that nobody has met yet
	if !s.Race.Fresh() {
		more = max(last-st.met, s.Race.Rungs[0])
	}
	switch {
	case !s.Race.Incumbent || st.incumbent == nil:
	case s.Race.Fresh():
		blocks += s.Race.LastLook()
	default:
		blocks += s.Race.Rungs[0]
	}
	return blocks*s.BlockGames() + s.ReferenceGames(more)
}

// rank sorts trials from the best: feasible before infeasible, defined means
// before undefined ones, more rungs passed before fewer, then the better mean,
// then the lower number. It does not go by blocks: a trial that was proposed
// again has more of them and is no better.
func (st *Study) rank(trials []*Trial) {
	up := st.Setup.Maximize()
	place := map[*Trial]int{} // of several objectives
	if st.Setup.Pareto() {
		for i, p := range st.places(trials) {
			place[trials[i]] = p
		}
	}
	sort.SliceStable(trials, func(i, j int) bool {
		a, b := trials[i], trials[j]
		switch {
		case a.Estimate.Feasible != b.Estimate.Feasible:
			return a.Estimate.Feasible
		case math.IsNaN(a.Estimate.Value) != math.IsNaN(b.Estimate.Value):
			return math.IsNaN(b.Estimate.Value)
		case a.Rung != b.Rung:
			return a.Rung > b.Rung
		case st.Setup.Pareto():
			return place[a] < place[b]
		case a.Estimate.Value != b.Estimate.Value && !math.IsNaN(a.Estimate.Value):
			return (a.Estimate.Value > b.Estimate.Value) == up
		}
		return a.Number < b.Number
	})
}

// Interrupted tells whether an error of Run means that it can be resumed.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
