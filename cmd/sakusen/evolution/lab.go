package evolution

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/adaptive"
	"sakusen/strategies/lifeboats/level0"
	"sakusen/strategies/lifeboats/level1"
	"sakusen/strategies/lifeboats/random"
)

// Lab plays the measurements, all under one ruleset and seed.
type Lab struct {
	Host  arena.Host
	Seed  uint64
	rules *arena.Ruleset
	leads *leads
}

// NewLab opens the game of five players.
func NewLab(host arena.Host, seed uint64) (*Lab, error) {
	l := &Lab{Host: host, Seed: seed, leads: &leads{}}
	game := arena.Enter(lifeboats.Game(), random.Strategy(), level0.Strategy(), level1.Strategy(), adaptive.Strategy(),
		watched(l.leads, "watched-level0", level0.Strategy()), watched(l.leads, "watched-level1", level1.Strategy()))
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		return nil, fmt.Errorf("lifeboats: %w", errs[0])
	}
	l.rules = rules
	return l, nil
}

// Share is a mean score with its standard error over blocks.
type Share struct {
	Value, Error float64
	Games        int64
}

// Of is the share as wins out of a number of games.
func (s Share) Of(games float64) float64 { return s.Value * games }

// play plays one entrant against others and returns its share of wins; a tie
// shares a win.
func (l *Lab) play(ctx context.Context, seed uint64, blocks int64, first string, given param.Values, others ...arena.Entrant) (Share, error) {
	e, err := l.rules.NewEntrant(first, first, given)
	if err != nil {
		return Share{}, err
	}
	s := arena.Series{Ruleset: l.rules, Entrants: append([]arena.Entrant{e}, others...), Seed: seed, To: blocks}
	tally, err := l.Host.Play(ctx, s, nil)
	if err != nil {
		return Share{}, err
	}
	unit := float64(tally.Seats) * float64(arena.Scale(tally.Seats))
	var sum, squares float64
	for score, n := range tally.Entrants[0].Scores {
		x := float64(score) / unit
		sum += x * float64(n)
		squares += x * x * float64(n)
	}
	n := float64(tally.Blocks)
	mean := sum / n
	return Share{mean, math.Sqrt(math.Max(0, squares/n-mean*mean) / (n - 1)), tally.Games}, nil
}

// Wins is the mean share of wins of players against four random voters, 500
// games each: figure 1.
func (l *Lab) Wins(ctx context.Context, players []param.Values) (Share, error) {
	voter, err := l.rules.Entrant("random")
	if err != nil {
		return Share{}, err
	}
	var sum, squares float64
	total := Share{}
	for i, p := range players {
		s, err := l.play(ctx, l.Seed+uint64(i), 100, "level0", p, voter, voter, voter, voter)
		if err != nil {
			return Share{}, err
		}
		sum += s.Value
		squares += s.Value * s.Value
		total.Games += s.Games
	}
	n := float64(len(players))
	total.Value = sum / n
	// Players differ, and each met deals of its own: the players are the sample.
	total.Error = math.Sqrt(math.Max(0, squares/n-total.Value*total.Value) / math.Max(1, n-1))
	return total, nil
}

// LevelOne is the share of wins of one player of a level above against four
// evolved level-0 players over 10 000 games: players[0] lends it its weights, and
// the next four play. given are parameters such as alive.
func (l *Lab) LevelOne(ctx context.Context, strategy string, given param.Values, players []param.Values) (Share, error) {
	if len(players) < 5 {
		return Share{}, fmt.Errorf("level 1 against level 0: expected five evolved players, got %d", len(players))
	}
	others, err := l.opponents(players[1:5])
	if err != nil {
		return Share{}, err
	}
	return l.play(ctx, l.Seed, 2000, strategy, append(append(param.Values(nil), players[0]...), given...), others...)
}

func (l *Lab) opponents(players []param.Values) ([]arena.Entrant, error) {
	var out []arena.Entrant
	for i, p := range players {
		e, err := l.rules.NewEntrant(fmt.Sprintf("evolved %d", i+1), "level0", p)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
