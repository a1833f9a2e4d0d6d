package lifeboats

import (
	"context"
	"fmt"
	"math"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
	strategies "sakusen/strategies/lifeboats"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// lab plays the measurements, all under one ruleset and seed.
type lab struct {
	Host  arena.Host
	Seed  uint64
	rules *arena.Ruleset
	leads *leads
}

// NewLab opens the game of five players.
func NewLab(host arena.Host, seed uint64) (*lab, error) {
	l := &lab{Host: host, Seed: seed, leads: &leads{}}
	game := arena.Enter(lifeboats.Game(), strategies.Random(), strategies.Level0(), strategies.Level1(), strategies.Adaptive(),
		strategies.LevelK(), watched(l.leads, "watched-level0", strategies.Level0()), watched(l.leads, "watched-level1", strategies.Level1()))
	rules, errs := game.Open(nil)
	if len(errs) > 0 {
		return nil, fmt.Errorf("lifeboats: %w", errs[0])
	}
	l.rules = rules
	return l, nil
}

// share is a mean score with its standard error over blocks.
type share struct {
	Value, Error float64
	Games        int64
}

// Of returns the share as wins out of a number of games.
func (s share) Of(games float64) float64 { return s.Value * games }

// play plays one entrant against others and returns its share of wins; a tie
// shares a win.
func (l *lab) play(ctx context.Context, seed uint64, blocks int64, first string, given param.Values, others ...arena.Entrant) (share, error) {
	scores, err := l.scores(ctx, seed, blocks, first, given, others...)
	return shareOf(scores), err
}

// scores returns the entrant's share of the wins of each block, five games in which
// it has every seat once. Blocks of one seed are the same chance for all entrants.
func (l *lab) scores(ctx context.Context, seed uint64, blocks int64, first string, given param.Values, others ...arena.Entrant) ([]float64, error) {
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

// shareOf returns the mean of block scores.
func shareOf(scores []float64) share {
	var sum, squares float64
	for _, x := range scores {
		sum += x
		squares += x * x
	}
	n := float64(len(scores))
	mean := sum / n
	return share{mean, math.Sqrt(math.Max(0, squares/n-mean*mean) / (n - 1)), 5 * int64(len(scores))}
}

// Wins returns the mean share of wins of players against four random voters, 500
// games each: figure 1.
func (l *lab) Wins(ctx context.Context, players []param.Values) (share, error) {
	voter, err := l.rules.Entrant("random")
	if err != nil {
		return share{}, err
	}
	var sum, squares float64
	total := share{}
	for i, p := range players {
		s, err := l.play(ctx, l.Seed+uint64(i), 100, "level0", p, voter, voter, voter, voter)
		if err != nil {
			return share{}, err
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

// LevelOne returns the share of wins of one player of a level above against four
// evolved level-0 players over the given number of blocks, five games each:
// players[0] lends it its weights, and the next four play. given are parameters
// such as alive, and go before the weights.
func (l *lab) LevelOne(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) (share, error) {
	scores, err := l.against(ctx, strategy, blocks, given, players)
	return shareOf(scores), err
}

// against returns what LevelOne returns, block by block.
func (l *lab) against(ctx context.Context, strategy string, blocks int64, given param.Values, players []param.Values) ([]float64, error) {
	if err := few(players); err != nil {
		return nil, err
	}
	others, err := l.opponents(players[1:teamSize])
	if err != nil {
		return nil, err
	}
	return l.scores(ctx, l.Seed, blocks, strategy, join(players[0], given), others...)
}

func (l *lab) opponents(players []param.Values) ([]arena.Entrant, error) {
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

// labSeed is the seed of all measurements when no other is asked for.
const labSeed = 77

// seeded returns labSeed as an experiment has it.
func seeded() *uint64 {
	seed := uint64(labSeed)
	return &seed
}

// labOf makes a lab that tells how far an experiment of so many blocks is. Games
// are always played, never looked up, as some of the players are watched.
func labOf(o experiment.Options, blocks int64) (*lab, error) {
	return NewLab(&counter{Host: o.Host, of: blocks, tell: o.Progress}, *o.Seed)
}

// onTeams runs an experiment on the embedded teams: so many series of each, of a fifth as many
// blocks as there are to be games, but at least so many.
func onTeams(least int64, series int, run func(ctx context.Context, lab *lab, teams [][]param.Values, blocks int64, add func(experiment.Row)) error) func(context.Context, experiment.Options, func(experiment.Row)) error {
	return func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
		teams, err := Evolved()
		if err != nil {
			return err
		}
		blocks := max(least, o.Games/5)
		lab, err := labOf(o, int64(series*len(teams))*blocks)
		if err != nil {
			return err
		}
		return run(ctx, lab, teams, blocks, add)
	}
}

// onEvolutions runs an experiment on evolutions as a study file describes them; beside, unless
// nil, returns the blocks that it plays besides them, by the runs and their generations.
func onEvolutions(of string, beside func(runs, generations int) int, run func(ctx context.Context, lab *lab, h *history, add func(experiment.Row)) error) func(context.Context, experiment.Options, func(experiment.Row)) error {
	return func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
		blocks := historyBlocks(o.Games)
		if beside != nil {
			blocks += int64(beside(scale(o.Games)))
		}
		lab, err := labOf(o, blocks)
		if err != nil {
			return err
		}
		h, err := evolve(ctx, o, lab, of)
		if err != nil {
			return err
		}
		return run(ctx, lab, h, add)
	}
}

// studySeed returns the seed of an evolution, counted from 0: 1 and up under the
// seed labSeed, and far from those under any other.
func studySeed(o experiment.Options, run int) uint64 {
	return (*o.Seed-labSeed)<<20 + uint64(run) + 1
}

// counter counts the blocks that are played.
type counter struct {
	arena.Host
	tell func(blocks, of, games int64)

	mu         sync.Mutex
	blocks, of int64
}

// Play implements arena.Host.
func (c *counter) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	return c.Host.Play(ctx, s, func(r *arena.Run) error {
		c.count(r)
		if observe == nil {
			return nil
		}
		return observe(r)
	})
}

func (c *counter) count(r *arena.Run) {
	if c.tell == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blocks += int64(r.Blocks)
	c.tell(c.blocks, max(c.of, c.blocks), int64(r.Blocks*r.Rotations))
}

// fixedLevels returns the ways to vote that adaptive switches between.
func fixedLevels() []struct {
	label, strategy string
	given           param.Values
} {
	alive := func(a string) param.Values { return param.Values{{Name: "alive", Text: a}} }
	return []struct {
		label, strategy string
		given           param.Values
	}{
		{"level 0", "level0", nil},
		{"level 1, strict", "level1", alive("strict")},
		{"level 1, tie", "level1", alive("tie")},
		{"level 1, expected", "level1", alive("expected")},
	}
}

// switching returns adaptive beside the levels that it switches between.
func switching() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-adaptive",
		Doc: "Wins, of 10 000 games, of adaptive, level 0 and level 1 against four evolved level-0 players, and their differences on the same " +
			"blocks; teams of several evolutions (games are of each player and team).",
		Source: paper + ", section 5 (announced, no values)", Games: 10000, Seed: seeded(), Fresh: true,
		Run: onTeams(1, len(fixedLevels())+1, func(ctx context.Context, lab *lab, teams [][]param.Values, blocks int64, add func(experiment.Row)) error {
			all := func(strategy string, given param.Values) ([]float64, error) {
				var out []float64
				for _, team := range teams {
					scores, err := lab.against(ctx, strategy, blocks, given, team)
					if err != nil {
						return nil, err
					}
					out = append(out, scores...)
				}
				return out, nil
			}
			switching, err := all("adaptive", nil)
			if err != nil {
				return err
			}
			add(blockwise("adaptive", switching))
			for _, level := range fixedLevels() {
				scores, err := all(level.strategy, level.given)
				if err != nil {
					return err
				}
				add(blockwise(level.label, scores))
				for i := range scores {
					scores[i] = switching[i] - scores[i]
				}
				row := blockwise("adaptive less "+level.label, scores)
				add(experiment.Stated(row, "above 0", row.CI, 0, 1))
			}
			return nil
		}),
	}
}

// blockwise returns a row of wins of 10000 with the blocks as its sample.
func blockwise(label string, scores []float64) experiment.Row {
	s := shareOf(scores)
	return experiment.Row{
		Label: label, Metric: "wins of 10000", Measured: experiment.Number(stats.Known(s.Of(10000))),
		CI: stats.Around(s.Of(10000), stats.Deviate95*s.Error*10000),
	}
}
