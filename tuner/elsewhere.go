package tuner

import (
	"context"
	"errors"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
)

// elsewhere.go is about studies whose games somebody else plays: the search and the
// proof are here, and what is to be played is asked for. Such a study runs until
// games are missing, and again from its log when they have been told.

// ErrAwaited says that a study cannot go on before games that are played elsewhere
// have been told.
var ErrAwaited = errors.New("results of games that are played elsewhere are awaited")

// AwaitedMessage is the message of a running study that waits for such results.
const AwaitedMessage = "waits for results of games that are played elsewhere"

// Elsewhere tells whether somebody else plays the study's games: its file declares
// the parameters of a program that nobody here runs.
func (s *Spec) Elsewhere() bool { return len(s.Tune.Declare) > 0 }

// Declaration is the game of a study whose games are played elsewhere.
func (s *Spec) Declaration() *elsewhere.Declaration {
	return &elsewhere.Declaration{Study: s.Name, Strategy: s.Tune.Strategy, Params: s.Tune.Declare, Others: s.Tune.Others, Metrics: s.Tune.Metrics}
}

// GameOf is the game of a spec: of these, or the one that its file declares.
func GameOf(s *Spec, games arena.Catalogue) (*arena.Game, error) {
	if s.Elsewhere() {
		return s.Declaration().Game(nil)
	}
	return games.Game(s.Game)
}

// Awaited is a host of games that are played elsewhere: it plays nothing and notes
// what is missing.
type Awaited struct {
	mu      sync.Mutex
	missing []arena.Series
}

// Play implements arena.Host.
func (a *Awaited) Play(_ context.Context, s arena.Series, _ func(*arena.Run) error) (arena.Tally, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.missing = append(a.missing, s)
	return arena.Tally{}, ErrAwaited
}

// Missing is what the study needs to go on, in no particular order.
func (a *Awaited) Missing() []arena.Series {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.missing
}
