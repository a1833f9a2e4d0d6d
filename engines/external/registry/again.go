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

// playsAgain plays short games of an engine against itself from the start, each in
// a fresh process, and tells how they differ; empty where they do not. What was
// found of the same settings and limit is remembered.
func (s *Stable) playsAgain(e *Entry, info *Info, settings []uci.Setting, limit chess.Limit) (different string, err error) {
	key := fmt.Sprintf("%s %s %s %q", e.Name, info.Identity, limit, settings)
	return s.triedOnce(key, func() (string, error) {
		return again(e.Name, func() (string, error) { return s.tryGame(e, settings, limit) })
	})
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
