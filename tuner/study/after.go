package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// afterwards plays what the budget has left after a pass: games for the gain to quote,
// which had no part in the verdict, and games that measure what each parameter is worth.
type afterwards struct {
	core     *core
	proof    plan
	estimate *entry.Estimate // nil where nothing was played for it
	setBack  []entry.SetBack
}

// play plays it, from wherever the log ends. A verdict that is no pass has nothing to tell.
func (a *afterwards) play(ctx context.Context, winner *tuner.Trial, v *entry.Validation) error {
	a.estimate, a.setBack = nil, nil
	if winner == nil || v == nil || v.Verdict != "pass" || v.Played == nil {
		return nil
	}
	c := newChanges(a.core.setup, winner)
	whole, defaults := 0.0, 0.0 // parts of the share that the file names
	if len(c.all) > 0 {
		whole = 1
	}
	switch {
	case c.defaults == nil:
	case a.core.setup.Ruleset.Game.Outside(winner.Entrant(a.core.setup).Strategy):
		defaults = 1 // what most people have
	default:
		defaults = 0.5
	}
	blocks, games := a.share(v, whole+defaults)
	if err := a.measure(ctx, winner, v, blocks, games); err != nil {
		return err
	}
	games, err := a.againstDefaults(ctx, c, v, games, int64(defaults/max(whole+defaults, 1e-9)*float64(games)))
	if err != nil && !errors.Is(err, tuner.ErrAwaited) {
		return err
	}
	return a.setBacks(ctx, c, v, games, err) // games of both are asked for at once
}

// before returns the games of the study by now.
func (a *afterwards) before(v *entry.Validation) int64 {
	return a.core.total() + gamesOf(v) + a.games()
}

// games returns how many games were played for both.
func (a *afterwards) games() int64 {
	n := int64(0)
	if a.estimate != nil {
		n = a.estimate.Evidence.Games
	}
	for i := range a.setBack {
		n += a.setBack[i].Evidence.Games
	}
	return n
}

// share returns how many blocks are played for the estimate, and how many games measure what
// parameters are worth: together no more than the budget has left. The first has what is held
// back for it, and shares the rest with the second.
func (a *afterwards) share(v *entry.Validation, parts float64) (blocks, games int64) {
	s := a.core.setup
	left := s.Budget.Games - a.core.total() - gamesOf(v)
	if left <= 0 {
		return 0, 0
	}
	each := s.ValidationBlockGames()
	wanted := a.wanted(v)
	if parts > 0 {
		held := min(s.Validation.Held(), wanted)
		games = min(int64(parts*s.Validation.SetBack*float64(s.Budget.Games)), max((left-held*each)/2, left-wanted*each, 0))
		if games < setBackBlocks*a.setBackGames() {
			games = 0 // too few for a single parameter
		}
	}
	return min(wanted, (left-games)/each), games
}

// wanted returns how many blocks the estimate takes where there are games for all.
func (a *afterwards) wanted(v *entry.Validation) int64 {
	s := a.core.setup
	if s.Validation.Estimate == nil {
		return 0
	}
	n := max(0, s.Validation.MaxBlocks-v.Evidence.Blocks) + s.Validation.Held()
	if most := s.RulesetOf(arena.Validation).Supply(arena.Validation); most > 0 {
		n = min(n, max(0, most-v.Evidence.Blocks)) // none of them decided the verdict
	}
	return n
}

// gamesOf returns the games of a validation.
func gamesOf(v *entry.Validation) int64 {
	n := v.Evidence.Games
	for i := range v.Pool {
		n += v.Pool[i].Evidence.Games
	}
	return n
}

// measure has the winner play blocks for the estimate; rest are the games that come after it.
func (a *afterwards) measure(ctx context.Context, winner *tuner.Trial, v *entry.Validation, blocks, rest int64) error {
	if j := a.core.log; j.replaying() && j.peek() != entry.KindEstimate || !j.replaying() && blocks < 1 {
		return nil
	}
	a.core.meter.further("estimate", a.before(v), blocks*a.core.setup.ValidationBlockGames()+rest)
	got, err := step(ctx, a.core.log, entry.KindEstimate, func() (entry.Estimate, error) {
		e, err := a.proof.further(ctx, winner, v, v.Evidence.Blocks+blocks)
		e.Trial, e.Played = winner.Number, entry.NewPlayed(arena.Validation, v.Played.Seed, v.Evidence.Blocks, v.Evidence.Blocks+blocks)
		return e, err
	}, nil)
	if err == nil {
		a.estimate = &got
	}
	return err
}

// setBackBlocks are the least blocks of a parameter that is set back: of games without draws
// they tell what is worth some 70 Elo.
const setBackBlocks = 48

// setBackGames returns the games of a block of an answer against itself.
func (a *afterwards) setBackGames() int64 {
	if s := a.core.setup; s.Proved().Of == "metric" {
		return 2*s.BlockGames() + s.ReferenceGames(1)
	}
	return int64(a.core.setup.Ruleset.Seats)
}

// againstDefaults has the winner play against the strategy's defaults, where they are not the
// baseline, and returns the games that are left of all for what was changed. It takes its own, and
// the least that tell something before all else.
func (a *afterwards) againstDefaults(ctx context.Context, c *changes, v *entry.Validation, games, own int64) (left int64, err error) {
	j := a.core.log
	least := setBackBlocks * a.setBackGames()
	own = max(own, min(games, least))
	if first, err := next[entry.SetBack](j, entry.KindSetBack); err != nil {
		return 0, err
	} else if first != nil && !first.Defaults || first == nil && (c.defaults == nil || games < least || j.replaying()) {
		return games, nil
	}
	blocks := a.blocks(v, own)
	if !j.replaying() && blocks < setBackBlocks {
		return games, nil
	}
	a.core.meter.further("set back", a.before(v), games)
	got, err := step(ctx, j, entry.KindSetBack, func() (entry.SetBack, error) {
		out, err := a.without(ctx, c.winner, c.defaults, v.Played.Seed, a.from(v), a.from(v)+blocks)
		out.Defaults = true
		return out, err
	}, nil)
	if err == nil {
		a.setBack = append(a.setBack, got)
	}
	return games - own, err
}

// from returns the first block behind those of the verdict and the estimate.
func (a *afterwards) from(v *entry.Validation) int64 {
	if a.estimate != nil {
		return a.estimate.Played.To
	}
	return v.Evidence.Blocks
}

// blocks returns how many blocks so many games of the answer against itself are, at most those
// that the game has behind the verdict's and the estimate's.
func (a *afterwards) blocks(v *entry.Validation, games int64) int64 {
	n := games / a.setBackGames()
	if most := a.core.setup.RulesetOf(arena.Validation).Blocks; most > 0 {
		n = min(n, most-a.from(v))
	}
	return n
}

// setBacks has the winner play against itself with each of its changes set back, which share
// the games. Of a study whose games are told, awaited is that others are.
func (a *afterwards) setBacks(ctx context.Context, c *changes, v *entry.Validation, games int64, awaited error) error {
	j := a.core.log
	n := int(games / a.setBackGames() / setBackBlocks)
	due := c.joined(n)
	blocks := a.blocks(v, games/int64(max(1, len(due))))
	if first, err := next[entry.SetBack](j, entry.KindSetBack); err != nil {
		return err
	} else if first != nil { // as it was begun, whatever the budget has become
		due, blocks = c.joined(first.Of), first.Played.To-first.Played.From
	} else if j.replaying() || blocks < setBackBlocks {
		return awaited
	}
	a.core.meter.further("set back", a.before(v), blocks*a.setBackGames()*int64(len(due)))
	from := a.from(v)
	for i := range due {
		measured := func() (entry.SetBack, error) {
			out, err := a.without(ctx, c.winner, &due[i], v.Played.Seed, from, from+blocks)
			out.Of = len(due)
			return out, err
		}
		if awaited != nil { // the games of the others are asked for at once
			if _, err := measured(); err != nil && !errors.Is(err, tuner.ErrAwaited) {
				return err
			}
			continue
		}
		if j.replaying() && j.peek() != entry.KindSetBack {
			return fmt.Errorf("the log has %d of %d changes set back: %w", i, len(due), tuner.ErrOtherCode)
		}
		got, err := step(ctx, j, entry.KindSetBack, measured, nil)
		if errors.Is(err, tuner.ErrAwaited) {
			awaited = err
			continue
		}
		if err != nil {
			return err
		}
		if !slices.Equal(got.Names, due[i].names) {
			return fmt.Errorf("the log sets %v back where %v is due: %w", got.Names, due[i].names, tuner.ErrOtherCode)
		}
		a.setBack = append(a.setBack, got)
	}
	return awaited
}

// without has the winner play against itself with a change set back.
func (a *afterwards) without(ctx context.Context, winner *tuner.Trial, c *change, seed uint64, from, to int64) (entry.SetBack, error) {
	s := a.core.setup
	out := entry.SetBack{Trial: winner.Number, Names: c.names, Variant: c.values, Played: entry.NewPlayed(arena.Validation, seed, from, to)}
	if s.Proved().Of == "metric" {
		m, err := (&metricPlan{a.core}).compare(ctx, winner.Entrant(s), c.entrant, false, seed, from, to)
		if err != nil {
			return out, err
		}
		out.Evidence, out.Metric, out.Reason = m.evidence(), m.verdict(s.Proved(), deviate(m.least, tail95)*m.se), m.silent
		return out, nil
	}
	met, err := a.core.games.meet(ctx, winner.Entrant(s), &c.entrant, seed, arena.Validation, nil, from, to, nil)
	if err != nil {
		return out, err
	}
	out.Evidence = met
	out.Measure(met.Sample(s.Ruleset.Seats))
	return out, nil
}

// changes are what an answer changed, each set back to the baseline.
type changes struct {
	setup  *tuner.Setup
	winner *tuner.Trial
	now    param.Values // the answer's
	before param.Values // the baseline's
	all    []change     // the largest first
	// defaults are all parameters set to the strategy's defaults; nil where these are the answer,
	// the baseline or one of the changes.
	defaults *change
}

// change is an answer with some of its parameters set back.
type change struct {
	names   []string // that are set back together
	values  param.Values
	entrant arena.Entrant
	size    float64 // the largest of them, as a share of its range
}

// newChanges returns what the answer changed: one parameter each, or several that go together
// since one of them decides whether the others count, or since one may not lie below another.
// A change that is the whole difference to the baseline is left out: it is worth the gain.
func newChanges(s *tuner.Setup, winner *tuner.Trial) *changes {
	c := &changes{setup: s, winner: winner, now: winner.Params.Values(), before: baselineValues(s)}
	space := s.Tune.Params
	seen := map[string]bool{winner.Entrant(s).Canonical(): true}
	if s.Baseline != "" {
		seen[s.BaselineEntrant.Canonical()] = true
	}
	for i := range space {
		now, has := c.now.Get(space[i].Name)
		was, had := c.before.Get(space[i].Name)
		if !has || !had || space[i].Played(was) == space[i].Played(now) {
			continue
		}
		if one, ok := c.setBack(space[i].Name); ok && !seen[one.entrant.Canonical()] {
			seen[one.entrant.Canonical()] = true
			c.all = append(c.all, one)
		}
	}
	slices.SortStableFunc(c.all, func(a, b change) int { return cmp.Compare(b.size, a.size) })
	values := space.Defaults(s.Tune.Fix)
	if e, err := s.Candidate(-1, values); err == nil && s.Baseline != "" && !seen[e.Canonical()] {
		c.defaults = &change{values: values, entrant: e}
		for i := range space {
			now, has := c.now.Get(space[i].Name)
			if then, still := values.Get(space[i].Name); has != still || space[i].Played(now) != space[i].Played(then) {
				c.defaults.names = append(c.defaults.names, space[i].Name)
			}
		}
	}
	return c
}

// baselineValues returns the values of the tuned parameters in the baseline; where that is
// another strategy, or there is none, the defaults.
func baselineValues(s *tuner.Setup) param.Values {
	var out param.Values
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		text, ok := d.Default, true
		if s.Baseline != "" && s.BaselineEntrant.Strategy == s.Tune.Strategy {
			text, ok = s.BaselineEntrant.Params.Get(d.Name)
			text = d.Searched(text)
		}
		if ok {
			out = append(out, param.Value{Name: d.Name, Text: text})
		}
	}
	return out
}

// joined returns at most n changes: the largest by themselves, and all others as one.
func (c *changes) joined(n int) []change {
	if n >= len(c.all) {
		return c.all
	}
	if n < 2 {
		return c.all[:max(0, n)]
	}
	var rest []string
	for _, one := range c.all[n-1:] {
		rest = append(rest, one.names...)
	}
	out := slices.Clone(c.all[:n-1])
	if one, ok := c.setBack(rest...); ok {
		out = append(out, one)
	}
	return out
}

// setBack returns the answer with these parameters set back, and what goes with them; ok is
// false where that cannot be played.
func (c *changes) setBack(names ...string) (one change, ok bool) {
	s := c.setup
	for range len(s.Tune.Params) {
		values := slices.Clone(c.now)
		for i := range s.Tune.Params {
			name := s.Tune.Params[i].Name
			was, had := c.before.Get(name)
			at := slices.IndexFunc(values, func(v param.Value) bool { return v.Name == name })
			switch {
			case at >= 0 && had && slices.Contains(names, name):
				values[at].Text = was
			case at < 0 && had: // it counts again where its condition is set back
				values = append(values, param.Value{Name: name, Text: was})
			}
		}
		ordered := s.Tune.Params.Ordered(s.Tune.Fix, values)
		more := false
		for i, v := range ordered { // a number below another one: both are set back
			if v != values[i] && !slices.Contains(names, v.Name) {
				names, more = append(slices.Clone(names), v.Name), true
			}
		}
		if more {
			continue
		}
		one.values = s.Tune.Params.Activate(s.Tune.Fix, ordered)
		break
	}
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		now, has := c.now.Get(d.Name)
		then, still := one.values.Get(d.Name)
		if has == still && now == then && !slices.Contains(names, d.Name) {
			continue
		}
		one.names = append(one.names, d.Name)
		one.size = max(one.size, apart(d, now, then))
	}
	var err error
	one.entrant, err = s.Candidate(-1, one.values)
	return one, err == nil && len(one.values) > 0
}

// apart returns how far two values lie apart, as a share of the range; 1 of choices and
// switches, and where one of them does not count.
func apart(d *tuner.Dimension, a, b string) float64 {
	if d.Kind != param.Int && d.Kind != param.Float || a == "" || b == "" {
		return 1
	}
	x, y, low, high := d.Number(a), d.Number(b), d.Domain.Low, d.Domain.High
	if d.Domain.Log && min(x, y, low) > 0 {
		x, y, low, high = math.Log(x), math.Log(y), math.Log(low), math.Log(high)
	}
	if share := math.Abs(x-y) / (high - low); share >= 0 && !math.IsInf(share, 0) {
		return share
	}
	return 1 // it has one value
}
