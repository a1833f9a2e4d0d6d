package tubstapnet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// ReadOptions reads the rules of a game over the network.
func ReadOptions(rules param.Values) (*tubstap.Options, error) {
	for _, v := range rules {
		if v.Name != "antiair_infantry" {
			return nil, fmt.Errorf("--rules: expected antiair_infantry, got %s (the map travels over the network)", v.Name)
		}
	}
	options := new(tubstap.Options)
	f, err := param.Bind(options.Declare)
	if err != nil {
		return nil, err
	}
	if _, errs := f.Assign(rules); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return options, nil
}

// OpenMap finds a map by its embedded name or its path.
func OpenMap(name string) (*tubstap.Map, error) {
	m, err := tubstap.EmbeddedMap(name)
	if err == nil {
		return m, nil
	}
	if _, missing := os.Stat(name); missing != nil {
		return nil, fmt.Errorf("%w, and there is no file of that name", err)
	}
	if m, err = tubstap.ReadMap(name, os.ReadFile); err != nil {
		return nil, err
	}
	m.Name = filepath.Base(name)
	return m, m.Check()
}

// NewPlayer makes the player of an entrant of the game tubstap, one of some
// strategies, and tells the entrant's name.
func NewPlayer(game *arena.Game, strategies []tubstap.Strategy, options *tubstap.Options, entrant string) (tubstap.Player, string, error) {
	rules, err := game.OpenRules(nil)
	if err != nil {
		return nil, "", err
	}
	e, err := rules.Entrant(entrant)
	if err != nil {
		return nil, "", err
	}
	for _, s := range strategies {
		if s.Name != e.Strategy {
			continue
		}
		c := s.New()
		f, err := param.Bind(func(f *param.Fields) { c.Declare(f, options) })
		if err != nil {
			return nil, "", err
		}
		if _, errs := f.Assign(e.Params); len(errs) > 0 {
			return nil, "", errors.Join(errs...)
		}
		p, err := c.Player(options)
		return p, e.Name, err
	}
	return nil, "", fmt.Errorf("tubstap has no strategy %q", e.Strategy)
}
