package lifeboats

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
	"sakusen/strategies/lifeboats/levelk"
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
		levelk.Strategy(), watched(l.leads, "watched-level0", level0.Strategy()), watched(l.leads, "watched-level1", level1.Strategy()))
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
	scores, err := l.scores(ctx, seed, blocks, first, given, others...)
	return shareOf(scores), err
}

// scores is the entrant's share of the wins of each block, five games in which
// it has every seat once. Blocks of one seed are the same chance whoever plays.
func (l *Lab) scores(ctx context.Context, seed uint64, blocks int64, first string, given param.Values, others ...arena.Entrant) ([]float64, error) {
	e, err := l.rules.NewEntrant(first, first, given)
	if err != nil {
		return nil, err
	}
	s := arena.Series{Ruleset: l.rules, Entrants: append([]arena.Entrant{e}, others...), Seed: seed, To: blocks}
	unit := float64(l.rules.Seats) * float64(arena.Scale(l.rules.Seats))
	scores := make([]float64, 0, blocks)
	_, err = l.Host.Play(ctx, s, func(r *arena.Run) error {
		for b := range r.Blocks {
			sum := int64(0)
			for rotation := range r.Seats {
				sum += r.Game(b, rotation%r.Rotations, rotation)[0] // the first entrant sits in the rotation's seat
			}
			scores = append(scores, float64(sum)/unit)
		}
		return nil
	})
	return scores, err
}

// shareOf is the mean of block scores.
func shareOf(scores []float64) Share {
	var sum, squares float64
	for _, x := range scores {
		sum += x
		squares += x * x
	}
	n := float64(len(scores))
	mean := sum / n
	return Share{mean, math.Sqrt(math.Max(0, squares/n-mean*mean) / (n - 1)), 5 * int64(len(scores))}
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
	// Players differ, and each played deals of its own: the players are the sample.
	total.Error = math.Sqrt(math.Max(0, squares/n-total.Value*total.Value) / math.Max(1, n-1))
	return total, nil
}

// LevelOne is the share of wins of one player of a level above against four
// evolved level-0 players over the given number of blocks, five games each:
// players[0] lends it its weights, and the next four play. given are parameters
// such as alive, and go before the weights.
func (l *Lab) LevelOne(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) (Share, error) {
	scores, err := l.against(ctx, strategy, blocks, given, players)
	return shareOf(scores), err
}

// against is LevelOne block by block.
func (l *Lab) against(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) ([]float64, error) {
	if err := few(players); err != nil {
		return nil, err
	}
	others, err := l.opponents(players[1:teamSize])
	if err != nil {
		return nil, err
	}
	return l.scores(ctx, l.Seed, blocks, strategy, join(players[0], given), others...)
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
