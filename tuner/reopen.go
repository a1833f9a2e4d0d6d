package tuner

import (
	"encoding/json"
	"errors"
	"fmt"

	"sakusen/engines/arena"
)

// Reopen reads a spec as a record keeps it, in JSON, and opens its game: enough
// to look at what a study has played, whatever has become of its file. It is
// not checked as a study file is and must not be run.
func Reopen(text []byte, games arena.Catalogue) (*Spec, error) {
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("stored spec: %w", err)
	}
	if len(s.Race.Rungs) == 0 {
		return nil, errors.New("stored spec: it has no rungs")
	}
	game, err := games.Game(s.Game)
	if err != nil {
		return nil, fmt.Errorf("stored spec: %w", err)
	}
	rs, errs := game.Open(s.Rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("stored spec: rules: %w", errors.Join(errs...))
	}
	s.ruleset = rs
	if s.Baseline != "" {
		if s.baseline, err = rs.Entrant(s.Baseline); err != nil {
			return nil, fmt.Errorf("stored spec: baseline: %w", err)
		}
	}
	for _, text := range s.Pool {
		e, err := rs.Entrant(text)
		if err != nil {
			return nil, fmt.Errorf("stored spec: pool: %w", err)
		}
		s.pool = append(s.pool, e)
	}
	if s.Evaluate != nil {
		if s.filler, err = rs.Entrant(s.Evaluate.Filler); err != nil {
			return nil, fmt.Errorf("stored spec: filler: %w", err)
		}
	}
	return s, nil
}
