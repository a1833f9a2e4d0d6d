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
	"sakusen/tuner/stats"
)

// rungs judges the trials of a batch on shared blocks against the baseline and the pool:
// at each rung the weak are stopped.
type rungs struct {
	core  *core
	ahead map[*tuner.Trial]*ahead // first rungs that are played before their batch has its turn
}

func (r *rungs) draw(ctx context.Context, a *asker, view *tuner.View, named []param.Values) (entry.Ask, error) {
	return a.drawSingles(ctx, view, named, false)
}

func (r *rungs) play(ctx context.Context, b *batch) ([]*tuner.Trial, error) {
	judged := slices.Clone(b.trials)
	if in := r.core.search.incumbent; in != nil && !slices.Contains(judged, in) {
		judged = append(judged, in) // it may be re-played
	}
	before := make([][]entry.Evidence, len(judged))
	for i, t := range judged {
		before[i] = t.Evidence
	}
	if err := r.race(ctx, b); err != nil {
		return nil, err
	}
	for i, t := range judged {
		if len(before[i]) == 0 || t.Blocks() > before[i][0].Blocks {
			r.core.search.observe(t, b.number, before[i])
		}
	}
	return b.trials, nil
}

// race judges a batch on rungs of shared blocks. At each rung every trial that is still in
// plays the same blocks, and the better share goes on (Karnin, Koren and Somekh 2013,
// inside a batch). Halving is a rule for spending games; it claims no error rate. The test against
// the incumbent then stops those that are behind it; see challenge. A parameter set that
// was tried before is not raced again: its trial plays a first rung's blocks more, and so
// does the incumbent.
func (r *rungs) race(ctx context.Context, b *batch) error {
	var in, again []*tuner.Trial
	for _, t := range b.trials {
		if t.State == entry.TrialRunning {
			in = append(in, t)
		} else {
			again = append(again, t)
		}
	}
	rungs := r.core.setup.Race.Rungs
	first := r.firstBlock(b)
	incumbent := r.core.search.incumbent
	if !r.core.setup.Race.Incumbent {
		incumbent = nil
	}
	if incumbent != nil && !r.core.setup.Race.Fresh() && !slices.Contains(again, incumbent) {
		again = append(again, incumbent) // played again, so that luck which made it the incumbent loses its weight
	}
	replayed := int64(0) // blocks of this batch that the incumbent has met, if fresh
	if slices.Contains(again, incumbent) {
		replayed = rungs[0]
	}
	if err := r.climb(ctx, again, -1, first, func(*tuner.Trial) int64 { return rungs[0] }); err != nil {
		return err
	}
	for i, blocks := range rungs {
		if err := r.climb(ctx, in, i, first, func(t *tuner.Trial) int64 { return blocks - t.Blocks() }); err != nil {
			return err
		}
		for _, t := range in {
			t.Rung = i + 1
		}
		if i == len(rungs)-1 || r.core.setup.Race.Method == "none" {
			continue
		}
		var err error
		if in, err = r.halve(in, blocks); err != nil {
			return err
		}
		if !r.challenged(incumbent, in, blocks) {
			continue
		}
		if r.core.setup.Race.Fresh() {
			some := func(*tuner.Trial) int64 { return blocks - replayed }
			if err := r.climb(ctx, []*tuner.Trial{incumbent}, -1, first+replayed, some); err != nil {
				return err
			}
			replayed = blocks
		}
		if in, err = r.challenge(ctx, incumbent, in, i, first); err != nil {
			return err
		}
	}
	for _, t := range in {
		t.State = entry.TrialComplete
	}
	return nil
}

// halve stops the worse share of the trials and returns the others in number
// order. Infeasible trials lose to all others.
func (r *rungs) halve(in []*tuner.Trial, blocks int64) ([]*tuner.Trial, error) {
	standings := make([]stats.Standing, len(in))
	scores := r.core.search.scores(in)
	for i, t := range in {
		standings[i] = stats.Standing{Trial: t.Number, Score: scores[i]}
	}
	kept, err := stats.Halve(standings, r.core.setup.Race.Keep)
	if err != nil {
		return nil, err
	}
	var out []*tuner.Trial
	for _, t := range in {
		if slices.Contains(kept, t.Number) {
			out = append(out, t)
			continue
		}
		t.State, t.End = entry.TrialPruned, entry.Halved
		t.Reason = fmt.Sprintf("not among the better %g of its batch at %d blocks", r.core.setup.Race.Keep, blocks)
		if !t.Estimate.Feasible {
			beyond(t, blocks)
		}
	}
	return out, nil
}

// firstBlock returns the first block of a batch: 0 if all batches share their blocks, otherwise
// the first that no earlier batch has played.
func (r *rungs) firstBlock(b *batch) int64 {
	if !r.core.setup.Race.Fresh() {
		return 0
	}
	return int64(b.number) * r.core.setup.Race.Rungs[len(r.core.setup.Race.Rungs)-1]
}

// climb lets trials play more blocks, side by side, and writes their evidence in number
// order. n is the rung's index, -1 for more blocks of an earlier trial. first is the
// batch's first block. On shared blocks an earlier trial continues after its last one.
func (r *rungs) climb(ctx context.Context, trials []*tuner.Trial, n int, first int64, more func(*tuner.Trial) int64) error {
	type answer struct {
		evidence []entry.Evidence
		err      error
	}
	if most := r.core.setup.Ruleset.Blocks; most > 0 && n < 0 && !r.core.setup.Race.Fresh() { // at some time it has met all there are
		asked := more
		more = func(t *tuner.Trial) int64 { return min(asked(t), most-t.Blocks()) }
		trials = slices.DeleteFunc(slices.Clone(trials), func(t *tuner.Trial) bool { return more(t) < 1 })
	}
	answers, starts := make([]answer, len(trials)), make([]int64, len(trials))
	logged := r.core.log.logged(entry.KindRung)
	var group sync.WaitGroup
	for i, t := range trials {
		from := first
		if n >= 0 || !r.core.setup.Race.Fresh() {
			from += t.Blocks()
		}
		starts[i] = from
		r.core.search.met = max(r.core.search.met, from+more(t))
		if i < logged {
			continue // its entry is in the log
		}
		group.Go(func() {
			if a := r.ahead[t]; a != nil && n == 0 {
				<-a.done
				answers[i] = answer{a.evidence, a.err}
				return
			}
			e, err := r.core.games.play(ctx, t.Entrant(r.core.setup), t.Evidence, r.core.search.played[t], r.core.setup.TuneSeed(), arena.Tune, from, from+more(t))
			answers[i] = answer{e, err}
		})
	}
	group.Wait()
	for i, t := range trials {
		got, err := step(ctx, r.core.log, entry.KindRung, func() (entry.Rung, error) {
			return entry.Rung{
				Trial: t.Number, Rung: n, Blocks: t.Blocks() + more(t), Evidence: answers[i].evidence,
				Played: entry.NewPlayed(arena.Tune, r.core.setup.TuneSeed(), starts[i], starts[i]+more(t)),
			}, answers[i].err
		}, r.report)
		if err != nil {
			return err
		}
		if got.Trial != t.Number || got.Rung != n {
			return fmt.Errorf("the log has rung %d of trial %d where rung %d of trial %d is due: %w",
				got.Rung, got.Trial, n, t.Number, tuner.ErrOtherCode)
		}
		r.core.search.played[t] = append(r.core.search.played[t], stretch{starts[i], starts[i] + more(t)})
		r.core.search.rungGames -= t.Games()
		t.Evidence = got.Evidence
		r.core.search.rungGames += t.Games()
		t.Estimate = r.core.setup.Estimate(t.Evidence)
		r.core.count()
	}
	return nil
}

// report writes a rung's value to the record. The record of a finished trial is closed, so
// its further blocks are in the log only.
func (r *rungs) report(v entry.Rung, trials tuner.Trials) error {
	est := r.core.setup.Estimate(v.Evidence)
	if v.Rung < 0 || math.IsNaN(est.Value) {
		return nil
	}
	return trials.Report(v.Trial, v.Blocks, est.Value)
}

// beyond marks a trial as stopped because it is outside a limit.
func beyond(t *tuner.Trial, blocks int64) {
	t.State, t.End = entry.TrialPruned, entry.Beyond
	t.Reason = fmt.Sprintf("outside the limits at %d blocks", blocks)
}

// challenged reports whether at this rung there is a trial to compare with the incumbent, and
// enough blocks for it.
func (r *rungs) challenged(incumbent *tuner.Trial, in []*tuner.Trial, blocks int64) bool {
	return incumbent != nil && len(in) > 0 && blocks >= stats.FewBlocks
}

// challenge stops the trials that are significantly behind the incumbent on shared blocks.
// stats.Challenge is the test, with its error over all looks; its power is greatest at the
// last look. first is the batch's first block.
func (r *rungs) challenge(ctx context.Context, incumbent *tuner.Trial, in []*tuner.Trial, n int, first int64) ([]*tuner.Trial, error) {
	s := r.core.setup
	test, err := stats.NewChallenge(s.Race.Alpha, s.Race.LastLook())
	if err != nil {
		return nil, err
	}
	got, err := step(ctx, r.core.log, entry.KindCompare, func() (entry.Compare, error) { return r.compare(ctx, incumbent, in, n, first) }, nil)
	if err != nil {
		return nil, err
	}
	if got.Incumbent != incumbent.Number || got.Rung != n || len(got.Trials) != len(in) {
		return nil, fmt.Errorf("the log compares %d trials with trial %d at rung %d where %d trials with trial %d at rung %d are due: %w",
			len(got.Trials), got.Incumbent, got.Rung, len(in), incumbent.Number, n, tuner.ErrOtherCode)
	}
	var out []*tuner.Trial
	for i, t := range in {
		c := got.Trials[i]
		if c.Trial != t.Number {
			return nil, fmt.Errorf("the log compares trial %d where trial %d is due: %w", c.Trial, t.Number, tuner.ErrOtherCode)
		}
		look, err := test.Judge(c.Paired)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w: %w", t.Number, err, tuner.ErrOtherCode)
		}
		if !look.Stop {
			out = append(out, t)
			continue
		}
		t.State, t.End = entry.TrialPruned, entry.Behind
		t.Reason = fmt.Sprintf("behind the incumbent, trial %d: %s (alpha %g over all looks)", incumbent.Number, look.Reason, s.Race.Alpha)
	}
	return out, nil
}

// compare computes the differences on the shared blocks.
func (r *rungs) compare(ctx context.Context, incumbent *tuner.Trial, in []*tuner.Trial, n int, first int64) (entry.Compare, error) {
	blocks := r.core.setup.Race.Rungs[n]
	out := entry.Compare{Incumbent: incumbent.Number, Rung: n}
	best, err := r.core.games.values(ctx, arena.Tune, incumbent, first, blocks)
	if err != nil {
		return out, err
	}
	for _, t := range in {
		values, err := r.core.games.values(ctx, arena.Tune, t, first, blocks)
		if err != nil {
			return out, err
		}
		p, err := stats.NewPaired(values, best)
		if err != nil {
			return out, fmt.Errorf("trial %d: %w", t.Number, err)
		}
		out.Trials = append(out.Trials, entry.Compared{Trial: t.Number, Paired: p.Of(min(distinct(t, blocks), distinct(incumbent, blocks)))})
	}
	return out, nil
}

// distinct returns how many of a trial's blocks count as evidence. It is taken from the
// opponent against whom the fewest different games were played.
func distinct(t *tuner.Trial, blocks int64) int64 {
	share := 1.0
	for i := range t.Evidence {
		if e := &t.Evidence[i]; e.Blocks > 0 {
			share = min(share, float64(e.Effective())/float64(e.Blocks))
		}
	}
	return max(1, int64(share*float64(blocks)))
}

func (r *rungs) playAhead(ctx context.Context) {
	ctx = arena.Ahead(ctx)
	for i, b := range r.core.search.flying {
		if i == 0 || len(b.ahead) > 0 || r.core.log.plays(b.known, 0) {
			continue
		}
		from := r.firstBlock(b)
		to := from + r.core.setup.Race.Rungs[0]
		for _, t := range b.trials {
			if t.Number < b.known {
				continue // goes on from blocks that may not have been played yet
			}
			r.ahead[t] = r.core.search.start(b, func(a *ahead) {
				a.evidence, a.err = r.core.games.play(ctx, t.Entrant(r.core.setup), nil, nil, r.core.setup.TuneSeed(), arena.Tune, from, to)
			})
		}
	}
}

func (r *rungs) spent() int64 {
	return r.core.search.rungGames + r.core.setup.ReferenceGames(r.core.search.met)
}

func (r *rungs) most(n int) int64 {
	s := r.core.setup
	share := s.Race.Keep
	if s.Race.Method != "halving" {
		share = 1 // none may be stopped
	}
	blocks := stats.HalvingBlocks(n, s.Race.Rungs, share)
	last := s.Race.Rungs[len(s.Race.Rungs)-1]
	more := last // blocks that no trial has met yet
	if !s.Race.Fresh() {
		more = max(last-r.core.search.met, s.Race.Rungs[0])
	}
	switch {
	case !s.Race.Incumbent || r.core.search.incumbent == nil && s.Sampler.InFlight() == 1:
	case s.Race.Fresh():
		blocks += s.Race.LastLook()
	default:
		blocks += s.Race.Rungs[0]
	}
	return blocks*s.BlockGames() + s.ReferenceGames(more)
}

func (r *rungs) met() int64 { return r.core.search.met }

func (r *rungs) best() *tuner.Trial { return r.core.search.best() }

func (r *rungs) finalists() []*tuner.Trial { return r.core.search.ranked() }
