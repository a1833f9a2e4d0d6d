package study

import (
	"context"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// asker asks the sampler for batches.
type asker struct{ *core }

// ask asks for the next batch and writes it to the record; an empty batch is nil and is
// not written: it ends the search when the batches in flight are told.
func (a *asker) ask(ctx context.Context) (*batch, error) {
	j := a.log
	if j.replaying() && j.peek() != entry.KindAsk {
		return nil, nil // nothing more was asked for here
	}
	if !j.replaying() {
		batch, err := a.propose(ctx)
		if err != nil || len(batch.Trials) == 0 {
			return nil, err
		}
		a.meter.phase("tune")
		asked, err := step(ctx, j, entry.KindAsk, func() (entry.Ask, error) { return batch, nil }, a.create)
		if err != nil {
			return nil, err
		}
		return a.seat(asked)
	}
	logged, err := step[entry.Ask](ctx, j, entry.KindAsk, nil, nil)
	if err != nil {
		return nil, err
	}
	if p, ok := a.sampler.proposer.(tuner.Stateful); ok && p.Stateful() {
		// The sampler's state is a function of all calls so far: it is asked again, and
		// must answer as it did before.
		again, err := a.propose(ctx)
		if err != nil {
			return nil, err
		}
		for i := range min(len(again.Trials), len(logged.Trials)) {
			if x, y := again.Trials[i].Params.String(), logged.Trials[i].Params.String(); x != y {
				return nil, fmt.Errorf("sampler %s proposes %s where the log has %s: %w", a.setup.Sampler.Name, x, y, tuner.ErrOtherCode)
			}
		}
	}
	return a.seat(logged)
}

// seat turns an asked batch into trials.
func (a *asker) seat(asked entry.Ask) (*batch, error) {
	b, err := a.search.seat(asked)
	if err == nil {
		b.games = a.judge.most(len(b.trials))
	}
	return b, err
}

// propose draws a batch, empty where the budget or the space is used up.
func (a *asker) propose(ctx context.Context) (entry.Ask, error) {
	view, err := a.view()
	if err != nil {
		return entry.Ask{}, err
	}
	named, err := a.given(ctx)
	if err != nil {
		return entry.Ask{}, err
	}
	return a.judge.draw(ctx, a, view, named)
}

// drawSingles draws a batch whose trials are judged one by one, after the points that somebody gave: they have
// at most half of a batch. A finite space is exhausted when every parameter set has been
// tried.
// individual says that every proposal is a trial of its own.
func (a *asker) drawSingles(ctx context.Context, view *tuner.View, named []param.Values, individual bool) (entry.Ask, error) {
	var batch entry.Ask
	seen := map[string]bool{}
	number := len(a.search.trials)
	batch.Drawn = a.search.drawn
	add := func(proposed param.Values, draw int, attrs param.Values) {
		active := a.setup.Tune.Params.Activate(a.setup.Tune.Fix, proposed)
		hash := active.Hash()
		if seen[hash] && !individual {
			return // twice in one batch is one candidate
		}
		seen[hash] = true
		t := entry.Asked{Number: number, Draw: draw, Params: active, Attrs: attrs}
		if len(proposed) != len(active) {
			t.Proposed = proposed
		}
		if before, ok := a.search.byValues[hash]; ok && !individual {
			t.Number, t.Again = before.Number, true
		} else {
			number++
		}
		batch.Trials = append(batch.Trials, t)
	}
	room := a.room()
	for i := range room {
		if i < min(len(named), (room+1)/2) {
			add(named[i], givenDraw, a.search.attrsOf(i))
			continue
		}
		proposed, ok, err := a.fresh(ctx, view, &batch.Drawn, seen)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", a.setup.Sampler.Name, number, err)
		}
		if !ok {
			break
		}
		draw := batch.Drawn - 1
		attrs, err := a.sampler.notes(ctx, draw)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", a.setup.Sampler.Name, number, err)
		}
		add(proposed, draw, attrs)
	}
	if number == len(a.search.trials) && !a.sampler.answers && a.search.exhausted() {
		return entry.Ask{}, nil
	}
	return batch, nil
}

// room returns the number of trials for which the rest of the budget is enough.
func (a *asker) room() int {
	s := a.setup
	n := min(s.Sampler.Batch, s.Budget.Trials-len(a.search.trials))
	left := s.Budget.Games - s.Reserved(a.sampler.answers) - a.judge.spent() - a.search.proofs - a.search.flyingGames()
	for n > 0 && a.judge.most(n) > left {
		n--
	}
	if s.Duels {
		n -= n % 2
	}
	return n
}

// view is what the proposer may know now.
func (a *asker) view() (*tuner.View, error) {
	s := a.setup
	whole := s.Tune.Params
	space, still := whole.Searched(s.Tune.Fix)
	v := &tuner.View{
		Space: space, Fixed: still, Maximize: s.Maximize() || s.Pareto(),
		Baseline: s.BaselinePoint(), Left: a.sampler.left.done, Observed: a.search.begun.withObserved(a.search.observed), Duels: a.search.begun.withDuels(a.search.duels),
		Begun: len(a.search.begun.trials),
		Plan: tuner.Plan{
			Games: s.Budget.Games - s.Reserved(a.sampler.answers) - a.search.proofs, Played: a.judge.spent(), Begun: a.search.begun.games, Trials: s.Budget.Trials,
			BlockGames: s.BlockGames(), Blocks: s.Race.Rungs[len(s.Race.Rungs)-1], Batch: s.Sampler.Batch, Flight: s.Sampler.InFlight(), Duels: s.Duels,
		},
	}
	if s.Objective.Of == "score" {
		v.Seats = s.Ruleset.Seats
		v.Pinned = v.Baseline != nil && len(s.Opponents()) == 1 && s.Evaluate == nil
	}
	trials := append(slices.Clip(a.search.begun.trials), a.search.told()...)
	shrunk, err := a.search.learned(trials)
	if err != nil {
		return nil, err
	}
	for i, t := range trials {
		if a.setup.Evaluate != nil {
			shrunk[i] = t.Estimate.Value // compared inside its pool only
		}
		v.Told = append(v.Told, tuner.Told{
			Number: i, Draw: t.Draw, Batch: t.Batch, Params: t.Params, Proposed: t.Proposed,
			Value: shrunk[i], Noise: t.Estimate.Error, Blocks: t.Blocks(),
		})
	}
	if len(space) < len(whole) {
		v.Baseline = whole.Shown(v.Baseline)
		for i := range v.Told {
			t := &v.Told[i]
			t.Params, t.Proposed = whole.Shown(t.Params), whole.Shown(t.Proposed)
		}
	}
	for _, b := range a.search.flying {
		v.Out = append(v.Out, tuner.Out{Batch: b.number, Draws: b.draws})
	}
	return v, nil
}

// given is the points that are still to be tried: those of the study file first.
func (a *asker) given(ctx context.Context) ([]param.Values, error) {
	all := a.setup.Begin
	if r, ok := a.log.record.(tuner.Receiver); ok {
		more, err := r.Given(ctx)
		if err != nil {
			return nil, err
		}
		all = append(slices.Clip(all), more...)
	}
	return all[min(a.search.tried, len(all)):], nil
}

// drawsAgain is how often a sampler may propose anew in a finite space before the study
// picks an untried parameter set itself.
const drawsAgain = 4

// fresh is the next proposal. In a finite space, where the answer is the best trial, a
// parameter set that already has a trial would only add a few blocks to it, and a sampler
// that learns from trials may propose it for ever. So the sampler is asked again, and after
// a few draws a parameter set that nobody has proposed takes its place. If there is none,
// the proposal is repeated.
func (a *asker) fresh(ctx context.Context, view *tuner.View, drawn *int, batch map[string]bool) (param.Values, bool, error) {
	space, fixed := a.setup.Tune.Params, a.setup.Tune.Fix
	known := func(v param.Values) bool {
		hash := space.Activate(fixed, v).Hash()
		return batch[hash] || a.search.byValues[hash] != nil
	}
	p, ok := a.sampler.proposer.(tuner.Stateful)
	generations := ok && p.Stateful() // its draws are the members of a generation
	finite := !generations && !a.sampler.answers && a.setup.Evaluate == nil && a.search.members() > len(a.search.byValues)+len(batch)
	for n := 0; ; n++ {
		v, ok, err := a.sampler.propose(ctx, view, *drawn)
		if err != nil || !ok {
			return nil, false, err
		}
		*drawn++
		switch {
		case !finite || !known(v):
			return v, true, nil
		case n == drawsAgain:
			if other := a.untried(*drawn, known); other != nil {
				v = other
			}
			return v, true, nil
		}
	}
}

// untried is a parameter set of a finite space that is not known, nil if all are. The
// search for it begins at a place that depends on draw.
func (a *asker) untried(draw int, known func(param.Values) bool) param.Values {
	space := a.setup.Tune.Params
	size := space.Size()
	s := arena.NewStream(a.setup.Sampler.Seed, uint64(draw))
	from := s.IntN(size)
	for i := range size {
		if v := space.Ordered(a.setup.Tune.Fix, space.Member((from+i)%size)); !known(v) {
			return v
		}
	}
	return nil
}
