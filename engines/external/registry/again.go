package registry

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// again.go finds out whether an engine plays the same twice. Fixed nodes and one
// thread are not enough: Stockfish's option Skill Level draws moves by the clock.

// triedGames and triedPlies are how many games, each in a process of its own, are
// compared, and over how many plies.
const triedGames, triedPlies = 3, 16

// playsAgain plays short games of an engine against itself, each in a new process, and
// returns an error that says how they differ. The result for the same settings and limit is
// remembered.
func (s *Stable) playsAgain(e *Entry, settings []uci.Setting, limit chess.Limit) error {
	key := fmt.Sprintf("%s %s %q", e.Name, limit, settings)
	s.mu.Lock()
	known, ok := s.tried[key]
	s.mu.Unlock()
	if ok {
		return known
	}
	var first string
	var found error
	for i := range triedGames {
		game, err := s.tryGame(e, settings, limit)
		if err != nil {
			return fmt.Errorf("engine %s, in a game on trial: %w", e.Name, err)
		}
		if i == 0 {
			first = game
		} else if game != first {
			found = fmt.Errorf("engine %s does not play the same twice: %s and %s in fresh processes; such games are recorded, and only a match that keeps nothing may play them", e.Name, first, game)
			break
		}
	}
	s.mu.Lock()
	s.tried[key] = found
	s.mu.Unlock()
	return found
}

// tryGame is the moves and scores of a game in a process of its own.
func (s *Stable) tryGame(e *Entry, settings []uci.Setting, limit chess.Limit) (string, error) {
	fresh := Entry{Name: e.Name, Protocol: e.Protocol, Command: e.Command, Directory: e.Directory, Environment: e.Environment, Fresh: true}
	engine, err := s.start(&fresh)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	if err := engine.NewGame(settings); err != nil {
		return "", err
	}
	var line chess.Line
	line.Reset(chess.Start())
	var told []string
	p := player{}
	for range triedPlies {
		a, err := engine.Go(p.position(&line), uci.Go{Nodes: limit.Nodes, Depth: limit.Depth})
		if err != nil {
			return "", err
		}
		m, ok := chess.ParseMove(a.Best)
		if !ok || !line.IsLegal(m) {
			return "", errors.New("expected a legal move, got " + a.Said)
		}
		told = append(told, fmt.Sprintf("%s %d", m, a.Score))
		if line.Do(m); line.Ending() != chess.Open {
			break
		}
	}
	return strings.Join(told, ", "), nil
}
