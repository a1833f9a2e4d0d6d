package tuner

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"sakusen/engines/arena"
)

// Bounds of what is kept of games that cannot be played again: the first games of
// each pairing, in the search and in its final and validation, and the length of a
// text, bytes.
const (
	keptInSearch = 4
	keptInProof  = 200
	keptText     = 64 << 10
)

// KeptGame is a game as it was played, in the words of its game (of chess PGN).
type KeptGame struct {
	Block    int64
	Rotation int
	Text     string
}

// GameKeeper is [Blocks] that keep games too.
type GameKeeper interface {
	Blocks
	// SaveGames is Save with texts of games of the run, in order, while the series has fewer
	// than KeptGames.
	SaveGames(ctx context.Context, key BlockKey, run *arena.Run, games []KeptGame) error
	// Game is the text of a game, empty where none was kept.
	Game(ctx context.Context, key BlockKey, block int64, rotation int) (string, error)
}

// KeptGames is the number of games of a pairing that are kept, those that end first,
// where they cannot be played again.
func KeptGames(phase arena.Phase) int {
	switch phase {
	case arena.Tune:
		return keptInSearch
	case arena.Final, arena.Validation:
		return keptInProof
	}
	return 0
}

// noting collects the texts of games while they are played.
type noting struct {
	mu    sync.Mutex
	games []KeptGame
}

// note has the games of a series noted that are to be kept; nil where none are.
func note(blocks Blocks, s *arena.Series) (*noting, error) {
	_, keeps := blocks.(GameKeeper)
	if !keeps || s.Ruleset.Game.Record == nil || s.Watch != nil || KeptGames(s.Phase) == 0 {
		return nil, nil
	}
	var strategies []string
	for _, e := range s.Entrants {
		strategies = append(strategies, e.Strategy)
	}
	if why, err := s.Ruleset.Recorded(strategies...); err != nil || why == "" {
		return nil, err
	}
	n, record, entrants, to := &noting{}, s.Ruleset.Game.Record, s.Entrants, s.From+int64(KeptGames(s.Phase))
	s.Watch = func(block int64, rotation int) func(any) {
		if block >= to {
			return nil
		}
		seats := make([]string, len(entrants))
		for e, one := range entrants {
			seats[(e+rotation)%len(seats)] = one.Name
		}
		see, text := record(seats)
		done := false
		return func(event any) {
			if see(event); done {
				return
			}
			whole := text()
			if done = whole != ""; done && len(whole) <= keptText {
				n.mu.Lock()
				defer n.mu.Unlock()
				n.games = append(n.games, KeptGame{block, rotation, whole})
			}
		}
	}
	return n, nil
}

// save stores a run with those of its games that were noted; n may be nil.
func (n *noting) save(ctx context.Context, blocks Blocks, key BlockKey, run *arena.Run) error {
	if n == nil {
		return blocks.Save(ctx, key, run)
	}
	n.mu.Lock()
	games := slices.Clone(n.games)
	n.mu.Unlock()
	games = slices.DeleteFunc(games, func(g KeptGame) bool { return g.Block < run.From || g.Block >= run.From+int64(run.Blocks) })
	slices.SortFunc(games, func(a, b KeptGame) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Rotation, b.Rotation))
	})
	return blocks.(GameKeeper).SaveGames(ctx, key, run, games)
}
