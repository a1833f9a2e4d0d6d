package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/strategies"
)

// tubstapOptions reads the rules of a game over the network: of the options of
// the game tubstap, those that both ends must agree on.
func tubstapOptions(rules []string) (*tubstap.Options, error) {
	values, err := parseRules(rules)
	if err != nil {
		return nil, err
	}
	options := new(tubstap.Options)
	f, err := param.Bind(options.Declare)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		if v.Name != "antiair_infantry" {
			return nil, fmt.Errorf("--rules: expected antiair_infantry, got %s (the map travels over the network)", v.Name)
		}
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return options, nil
}

// openMap finds a map by its embedded name or its path.
func openMap(name string) (*tubstap.Map, error) {
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

// tubstapPlayer makes the player of an entrant; its name is the entrant's.
func tubstapPlayer(a *app, options *tubstap.Options, text string) (tubstap.Player, string, error) {
	game, err := a.catalogue.Game("tubstap")
	if err != nil {
		return nil, "", err
	}
	rules, err := game.OpenRules(nil)
	if err != nil {
		return nil, "", err
	}
	e, err := rules.Entrant(text)
	if err != nil {
		return nil, "", err
	}
	for _, s := range strategies.Tubstap() {
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

// playerChance is the chance of a player over the network in the n-th game.
func playerChance(seed uint64, n int) arena.Stream { return arena.NewStream(seed, uint64(n)) }

// ended is the exit code for the end of a network command.
func ended(ctx context.Context, err error, left int) error {
	if ctx.Err() == nil || err == nil {
		return err
	}
	if left == 0 {
		return nil // a server without a number of games ends when it is interrupted
	}
	return &coded{exitInterrupted, fmt.Errorf("interrupted, %d games not played", left)}
}
