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

// playsAgain plays short games of an engine against itself from the start, each in
// a fresh process, and tells how they differ; empty where they do not. What was
// found of the same settings and limit is remembered.
func (s *Stable) playsAgain(e *Entry, info *Info, settings []uci.Setting, limit chess.Limit) (different string, err error) {
	key := fmt.Sprintf("%s %s %s %q", e.Name, info.Identity, limit, settings)
	s.trying.Lock() // what several tables ask at the same time is found out once
	defer s.trying.Unlock()
	s.mu.Lock()
	known, ok := s.tried[key]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	var first string
	for i := range triedGames {
		game, err := s.tryGame(e, settings, limit)
		if err != nil {
			return "", fmt.Errorf("engine %s, in a game on trial: %w", e.Name, err)
		}
		if i == 0 {
			first = game
		} else if game != first {
			different = fmt.Sprintf("engine %s does not play the same twice: %s", e.Name, parting(first, game))
			break
		}
	}
	s.mu.Lock()
	s.tried[key] = different
	s.mu.Unlock()
	return different, nil
}

// parting is where two games part.
func parting(a, b string) string {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("ply %d was %s, and then %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("one game had %d plies, and then %d", len(x), len(y))
}

// tryGame is the moves and scores of a game in a process of its own.
func (s *Stable) tryGame(e *Entry, settings []uci.Setting, limit chess.Limit) (string, error) {
	engine, err := s.start(e)
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
