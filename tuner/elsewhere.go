package tuner

import (
	"context"
	"errors"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
)

// ErrAwaited says that a study cannot go on before games that are played elsewhere
// have been told.
var ErrAwaited = errors.New("results of games that are played elsewhere are awaited")

// AwaitedMessage is the message of a running study that waits for such results.
const AwaitedMessage = "waits for results of games that are played elsewhere"

// InterruptedMessage is the message of a study that was interrupted while a command ran it.
const InterruptedMessage = "interrupted"

// Elsewhere reports whether another program plays the study's games, which are asked for and
// told: its file declares the parameters of a program that is not run here. Such a study runs
// until games are missing, and again from its log when they have been told.
func (s *Spec) Elsewhere() bool { return len(s.Tune.Declare) > 0 }

// Declaration returns the game of a study whose games are played elsewhere.
func (s *Spec) Declaration() *elsewhere.Declaration {
	return &elsewhere.Declaration{Study: s.Name, Strategy: s.Tune.Strategy, Params: s.Tune.Declare, Others: s.Tune.Others, Metrics: s.Tune.Metrics}
}

// GameOf returns the game of a spec: of these, or the one that its file declares.
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

// Missing returns what the study needs to go on, in no particular order.
func (a *Awaited) Missing() []arena.Series {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.missing
}
