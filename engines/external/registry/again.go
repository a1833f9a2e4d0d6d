package registry

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// playsAgain returns how short games of an engine against itself from the start differ,
// each in a fresh process; empty where they do not. What was
// found of the same settings and limit is remembered.
func (r registered) playsAgain(info *Info, settings []uci.Setting, limit chess.Limit) (different string, err error) {
	key := fmt.Sprintf("%s %s %s %q", r.entry.Name, info.Identity, limit, settings)
	return r.engines.trials.once(key, func() (string, error) {
		return again(r.entry.Name, func() (string, error) { return r.tryGame(settings, limit) })
	})
}

// tryGame returns the moves and scores of a game in a process of its own.
func (r registered) tryGame(settings []uci.Setting, limit chess.Limit) (string, error) {
	engine, err := r.engines.pool.start(r.entry)
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
