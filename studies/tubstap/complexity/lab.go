package complexity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/tuner/stats"
)

// Seed of all chance: one for all thresholds, so that they meet the same
// blocks and their differences are known better than their scores.
const Seed = 2017

// Lab plays on one map with one budget.
type Lab struct {
	Simulations int64
	Seed        uint64 // of all chance
	rules       *arena.Ruleset
	muct        arena.Entrant
	single      arena.Entrant
	field       *tubstap.Map
}

// Named are the rules of a map named so.
func Named(name string) param.Values { return param.Values{{Name: "map", Text: name}} }

// NewLab opens the game under rules. simulations are those of every search, for
// each unit action.
func NewLab(game *arena.Game, rules param.Values, simulations int64) (*Lab, error) {
	rs, errs := game.Open(rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("tubstap: %w", errors.Join(errs...))
	}
	var o tubstap.Options
	fields, err := param.Bind(o.Declare)
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(rules); len(errs) > 0 {
		return nil, fmt.Errorf("tubstap: %w", errors.Join(errs...))
	}
	l := &Lab{Simulations: simulations, Seed: Seed, rules: rs}
	if l.field, err = o.Map(); err != nil {
		return nil, err
	}
	if l.single, err = rs.NewEntrant("single", "single", nil); err != nil {
		return nil, err
	}
	l.muct, err = rs.NewEntrant("muct", "muct", param.Values{l.budget("simulations")})
	return l, err
}

func (l *Lab) budget(name string) param.Value {
	return param.Value{Name: name, Text: strconv.FormatInt(l.Simulations, 10)}
}

// Start is the first position.
func (l *Lab) Start() *tubstap.State { return l.field.Start(tubstap.Rules{}) }

// Switch is switch with the given values and the lab's budget.
func (l *Lab) Switch(values param.Values) (arena.Entrant, error) {
	return l.rules.NewEntrant("switch", "switch", append(slices.Clone(values), l.budget("muct.simulations")))
}

// Score is the result of a player against M-UCT with the same budget.
type Score struct {
	Blocks stats.Blocks
	Games  int64
	Wins   int64
	Draws  int64
	Losses int64
}

// Estimate is the win rate, a draw counted as half a win, with its interval by
// blocks.
func (s Score) Estimate() stats.Estimate { return s.Blocks.Estimate() }

// String tells wins, draws and losses.
func (s Score) String() string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", s.Wins, s.Draws, s.Losses)
}

// meet plays blocks of a player against M-UCT in a phase.
func (l *Lab) meet(ctx context.Context, host arena.Host, player arena.Entrant, phase arena.Phase, blocks int64, tell func(games int64)) (Score, error) {
	return l.MeetOther(ctx, host, player, l.muct, phase, blocks, tell)
}

// meet plays a series of two and scores the first.
func meet(ctx context.Context, host arena.Host, s arena.Series, tell func(games int64)) (Score, error) {
	tally, err := host.Play(ctx, s, func(r *arena.Run) error {
		if tell != nil {
			tell(int64(r.Blocks * r.Rotations))
		}
		return nil
	})
	if err != nil {
		return Score{}, err
	}
	e := tally.Entrants[0]
	return Score{Blocks: stats.Rotated(tally.Seats, e.Scores), Games: tally.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses}, nil
}
