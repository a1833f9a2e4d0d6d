package study

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// asker asks the sampler for batches.
type asker struct {
	core   *core
	points []tuner.Told // of all trials told so far, without values, for samplers that see all of them
}

// ask asks for the next batch and writes it to the record; an empty batch is nil and is
// not written: it ends the search when the batches in flight are told.
func (a *asker) ask(ctx context.Context) (*batch, error) {
	j := a.core.log
	if j.replaying() && j.peek() != entry.KindAsk {
		return nil, nil // nothing more was asked for here
	}
	if !j.replaying() {
		batch, err := a.propose(ctx)
		if err != nil || len(batch.Trials) == 0 {
			return nil, err
		}
		a.core.meter.phase("tune", 0)
		asked, err := step(ctx, j, entry.KindAsk, func() (entry.Ask, error) { return batch, nil }, a.core.create)
		if err != nil {
			return nil, err
		}
		return a.seat(asked)
	}
	logged, err := step[entry.Ask](ctx, j, entry.KindAsk, nil, nil)
	if err != nil {
		return nil, err
	}
	if p, ok := a.core.sampler.proposer.(tuner.Stateful); ok && p.Stateful() {
		// The sampler's state is a function of all calls so far: it is asked again, and
		// must answer as it did before.
		again, err := a.propose(ctx)
		if err != nil {
			return nil, err
		}
		for i := range min(len(again.Trials), len(logged.Trials)) {
			if x, y := again.Trials[i].Params.String(), logged.Trials[i].Params.String(); x != y {
				return nil, fmt.Errorf("sampler %s proposes %s where the log has %s: %w", a.core.setup.Sampler.Name, x, y, tuner.ErrOtherCode)
			}
		}
	}
	return a.seat(logged)
}

// seat turns an asked batch into trials.
func (a *asker) seat(asked entry.Ask) (*batch, error) {
	b, err := a.core.search.seat(asked)
	if err == nil {
		b.games = a.core.judge.most(len(b.trials))
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
	return a.core.judge.draw(ctx, a, view, named)
}

// drawSingles draws a batch whose trials are judged one by one, after the points that a
// person gave: they have at most half of a batch. A finite space is exhausted when every
// parameter set has been tried. individual says that every proposal is a trial of its own.
func (a *asker) drawSingles(ctx context.Context, view *tuner.View, named []param.Values, individual bool) (entry.Ask, error) {
	var batch entry.Ask
	seen := map[[sha256.Size]byte]bool{}
	number := len(a.core.search.trials)
	batch.Drawn = a.core.search.drawn
	add := func(proposed param.Values, draw int, attrs param.Values) {
		active := a.core.setup.Tune.Params.Activate(a.core.setup.Tune.Fix, proposed)
		hash := active.Digest()
		if seen[hash] && !individual {
			return // twice in one batch is one candidate
		}
		seen[hash] = true
		t := entry.Asked{Number: number, Draw: draw, Params: active, Attrs: attrs}
		if len(proposed) != len(active) {
			t.Proposed = proposed
		}
		if before, ok := a.core.search.byValues[hash]; ok && !individual {
			t.Number, t.Again = before.Number, true
		} else {
			number++
		}
		batch.Trials = append(batch.Trials, t)
	}
	room := a.room()
	for i := range room {
		if i < min(len(named), (room+1)/2) {
			add(named[i], givenDraw, a.core.search.attrsOf(i))
			continue
		}
		proposed, ok, err := a.fresh(ctx, view, &batch.Drawn, seen)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", a.core.setup.Sampler.Name, number, err)
		}
		if !ok {
			break
		}
		draw := batch.Drawn - 1
		attrs, err := a.core.sampler.notes(ctx, draw)
		if err != nil {
			return batch, fmt.Errorf("sampler %s: trial %d: %w", a.core.setup.Sampler.Name, number, err)
		}
		add(proposed, draw, attrs)
	}
	if number == len(a.core.search.trials) && (!a.core.sampler.answers && a.core.search.exhausted() || a.core.search.worn(&batch)) {
		return entry.Ask{}, nil
	}
	return batch, nil
}

// room returns the number of trials for which the rest of the budget is enough.
func (a *asker) room() int {
	s := a.core.setup
	n := min(s.Sampler.Batch, s.Budget.Trials-len(a.core.search.trials))
	left := s.Budget.Games - s.Reserved(a.core.sampler.answers) - a.core.judge.spent() - a.core.search.proofs - a.core.search.flyingGames()
	for n > 0 && a.core.judge.most(n) > left {
		n--
	}
	if most := s.Ruleset.Blocks; most > 0 && s.Race.Fresh() && int64(a.core.search.batches+1)*s.Race.Rungs[len(s.Race.Rungs)-1] > most {
		return 0 // the game has no blocks for another batch
	}
	if s.Duels {
		n -= n % 2
	}
	return n
}

// view returns what the proposer may know now.
func (a *asker) view() (*tuner.View, error) {
	s := a.core.setup
	whole := s.Tune.Params
	space, still := whole.Searched(s.Tune.Fix)
	v := &tuner.View{
		Space: space, Fixed: still, Maximize: s.Maximize() || s.Pareto(),
		Baseline: s.BaselinePoint(), Left: a.core.sampler.left.done, Observed: a.core.search.begun.withObserved(a.core.search.observed), Duels: a.core.search.begun.withDuels(a.core.search.duels),
		Begun: len(a.core.search.begun.trials),
		Plan: tuner.Plan{
			Games: s.Budget.Games - s.Reserved(a.core.sampler.answers) - a.core.search.proofs, Played: a.core.judge.spent(), Trials: s.Budget.Trials,
			BlockGames: s.BlockGames(), Blocks: s.Race.Rungs[len(s.Race.Rungs)-1], Batch: s.Sampler.Batch, Duels: s.Duels,
		},
	}
	if s.Objective.Of == "score" {
		v.Seats = s.Ruleset.Seats
		v.Pinned = v.Baseline != nil && len(s.Opponents()) == 1 && s.Evaluate == nil
	}
	if len(space) < len(whole) {
		v.Baseline = whole.Shown(v.Baseline)
	}
	begun, told := a.core.search.begun.trials, a.core.search.told()
	if p, ok := a.core.sampler.proposer.(tuner.ByRow); ok && p.ByRow() {
		v.Trial = func(at int) tuner.Told {
			if at < len(begun) {
				return a.point(at, begun[at])
			}
			return a.point(at, told[at-len(begun)])
		}
	} else {
		trials := append(slices.Clip(begun), told...)
		shrunk, err := a.core.search.learned(trials)
		if err != nil {
			return nil, err
		}
		for at := len(a.points); at < len(trials); at++ {
			a.points = append(a.points, a.point(at, trials[at]))
		}
		v.Told = slices.Clone(a.points[:len(trials)])
		for i, t := range trials {
			if a.core.setup.Evaluate != nil {
				shrunk[i] = t.Estimate.Value // compared inside its pool only
			}
			x := &v.Told[i]
			x.Draw, x.Value, x.Noise, x.Blocks = t.Draw, shrunk[i], t.Estimate.Error, t.Blocks()
		}
	}
	return v, nil
}

// point returns a trial as proposers see it, without values.
func (a *asker) point(at int, t *tuner.Trial) tuner.Told {
	whole := a.core.setup.Tune.Params
	x := tuner.Told{Number: at, Draw: t.Draw, Batch: t.Batch, Params: whole.Shown(t.Params.Values()), Value: math.NaN(), Noise: math.NaN()}
	x.Proposed = whole.Shown(t.Whole())
	return x
}

// given returns the points that are still to be tried: those of the study file first.
func (a *asker) given(ctx context.Context) ([]param.Values, error) {
	all := a.core.setup.Begin
	if r, ok := a.core.log.record.(tuner.Receiver); ok {
		more, err := r.Given(ctx)
		if err != nil {
			return nil, err
		}
		all = append(slices.Clip(all), more...)
	}
	return all[min(a.core.search.tried, len(all)):], nil
}

// drawsAgain is how often a sampler may propose anew in a finite space before the study
// picks an untried parameter set itself.
const drawsAgain = 4

// fresh returns the next proposal. In a finite space, where the answer is the best trial, a
// parameter set that already has a trial would only add a few blocks to it, and a sampler
// that learns from trials may propose it for ever. So the sampler is asked again, and after
// a few draws a parameter set that was not proposed yet takes its place. If there is none,
// the proposal is repeated.
func (a *asker) fresh(ctx context.Context, view *tuner.View, drawn *int, batch map[[sha256.Size]byte]bool) (param.Values, bool, error) {
	space, fixed := a.core.setup.Tune.Params, a.core.setup.Tune.Fix
	known := func(v param.Values) bool {
		hash := space.Activate(fixed, v).Digest()
		return batch[hash] || a.core.search.byValues[hash] != nil
	}
	p, ok := a.core.sampler.proposer.(tuner.Stateful)
	generations := ok && p.Stateful() // its draws are the members of a generation
	finite := !generations && !a.core.sampler.answers && a.core.setup.Evaluate == nil && a.core.search.members() > len(a.core.search.byValues)+len(batch)
	for n := 0; ; n++ {
		v, ok, err := a.core.sampler.propose(ctx, view, *drawn)
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

// untried returns a parameter set of a finite space that is not known, nil if all are. The
// search for it begins at a place that depends on draw.
func (a *asker) untried(draw int, known func(param.Values) bool) param.Values {
	space := a.core.setup.Tune.Params
	size := space.Size()
	s := arena.NewStream(a.core.setup.Sampler.Seed, uint64(draw))
	from := s.IntN(size)
	for i := range size {
		if v := space.Ordered(a.core.setup.Tune.Fix, space.Member((from+i)%size)); !known(v) {
			return v
		}
	}
	return nil
}
