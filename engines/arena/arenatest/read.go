package arenatest

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// nothing is the context of what is not to be interrupted.
var nothing = context.Background()

// readBlocks is the number of blocks within which a changed value must change a game.
const readBlocks = 8

// read: each parameter of the strategies tried, and each option of the rules, at
// its ends and at its choices, can be played without a fault and changes some
// game; a warning where it does not.
func (c *battery) read(t T) {
	ctx, stop := context.WithTimeout(nothing, c.patience)
	defer stop()
	tried := map[string]bool{}
	for _, e := range c.entrants {
		if tried[e.Strategy] {
			continue
		}
		tried[e.Strategy] = true
		space, err := c.rules.Space(e.Strategy)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range space {
			c.parameter(ctx, t, e, p)
		}
	}
}

// parameter tries the values of one parameter, the rest as the entrant has it.
func (c *battery) parameter(ctx context.Context, t T, e arena.Entrant, p param.Param) {
	given := e.Params
	for _, w := range p.When {
		given = given.With(w.Name, w.Value)
	}
	digests := map[uint64]bool{}
	var values []string
	for _, v := range append(extremes(p), p.Default) {
		if slices.Contains(values, v) {
			continue
		}
		entrant, err := c.rules.NewEntrant(e.Strategy, e.Strategy, given.With(p.Name, v))
		if err != nil {
			continue // it does not go with what else the entrant has
		}
		tally, ok := c.tryOut(ctx, t, entrant)
		if !ok {
			continue
		}
		values = append(values, v)
		digests[tally.Digest] = true
	}
	if len(values) > 1 && len(digests) == 1 && !slices.Contains(c.Quiet, p.Name) {
		t.Logf("warning: %s: the values %v of %s give the same games in %d blocks: is the parameter read?", e.Strategy, values, p.Name, readBlocks)
	}
}

// extremes are the values of a parameter that are furthest apart. Of a parameter on a
// logarithmic scale, such as a budget, it is the lower end alone.
func extremes(p param.Param) []string {
	switch {
	case p.Kind == param.Bool:
		return []string{"false", "true"}
	case p.Kind == param.Choice:
		return p.Choices
	case p.Domain.Log:
		return []string{number(p.Domain.Low)}
	}
	return []string{number(p.Domain.Low), number(p.Domain.Top())}
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// tryOut plays an entrant against itself, or against the first one, and tells of
// faults and panics; false where it cannot be played.
func (c *battery) tryOut(ctx context.Context, t T, e arena.Entrant) (arena.Tally, bool) {
	s := c.series(0)
	s.To = min(readBlocks, max(c.Blocks, 2))
	s.Entrants[0] = e
	if ctx.Err() != nil {
		return arena.Tally{}, false
	}
	tally, err := arena.NewPool(1).Play(ctx, s, c.legal)
	var panicked *arena.PanicError
	var unfit *arena.UnfitError
	switch {
	case err == nil:
		return tally, true
	case errors.Is(err, context.DeadlineExceeded):
		t.Logf("%s with rules %s: the time is up; this and what follows is not tried", e.Canonical(), c.rules.Rules)
	case errors.As(err, &panicked):
		t.Errorf("%s with rules %s: %v", e.Canonical(), c.rules.Rules, err)
	case errors.As(err, &unfit):
	default:
		t.Logf("warning: %s with rules %s cannot be played: %v", e.Canonical(), c.rules.Rules, err)
	}
	return tally, false
}

// readRules: each option of the rules, at its ends and its choices, can be opened
// and played, and changes some game; a warning where it does not. The option that
// sets the number of players is left out, as entrants go with it.
func (c *battery) readRules(t T) {
	ctx, stop := context.WithTimeout(nothing, c.patience)
	defer stop()
	game := c.rules.Game
	options, err := game.RulesOptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range options {
		if p.Name == game.SeatsOption {
			continue
		}
		given := c.Rules
		for _, w := range p.When {
			given = given.With(w.Name, w.Value)
		}
		digests := map[uint64]bool{}
		var values []string
		for _, v := range append(extremes(p), p.Default) {
			rules, errs := game.Open(given.With(p.Name, v))
			if slices.Contains(values, v) || len(errs) > 0 || rules.Seats != c.rules.Seats {
				continue // it does not go with the other options
			}
			other := &battery{Options: c.Options, rules: rules}
			for _, text := range c.Entrants {
				if e, err := rules.Entrant(text); err == nil {
					other.entrants = append(other.entrants, e)
				}
			}
			if len(other.entrants) == 0 {
				continue
			}
			tally, ok := other.tryOut(ctx, t, other.entrants[0])
			if !ok {
				continue
			}
			values = append(values, v)
			digests[tally.Digest] = true
		}
		if len(values) > 1 && len(digests) == 1 && !slices.Contains(c.Quiet, p.Name) {
			t.Logf("warning: the values %v of the rules' option %s give the same games in %d blocks: is it read?", values, p.Name, readBlocks)
		}
	}
}
