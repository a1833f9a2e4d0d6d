package registry

import (
	"encoding/json"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/external/consent"
	"sakusen/engines/param"
)

// Go returns the game of the programs that speak GTP, nil where none is registered.
func (s *Engines) Go() *arena.Game {
	var all []consent.Strategy
	for i := range s.entries {
		if e := &s.entries[i]; e.Protocol == GTP {
			all = append(all, consent.Strategy{
				Name: e.Name, Doc: "A registered program that speaks GTP.", Source: "a program of somebody else",
				Identify: func(r *consent.Rules) (arena.Identity, error) { return registered{s, e}.identifyGo(r) },
				New:      func() arena.Config[consent.Rules, consent.Player] { return &goConfig{registered: registered{s, e}} },
			})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return arena.Enter(consent.Go(), all...)
}

// goConfig is the parameters of a program that plays go, as the registry has them.
type goConfig struct {
	registered
	values []func() json.RawMessage
}

// Declare implements arena.Config.
func (c *goConfig) Declare(f *param.Fields, _ *consent.Rules) {
	c.values = nil
	for i := range c.entry.Params {
		c.values = append(c.values, c.entry.Params[i].Declare(f))
	}
}

// Player implements arena.Config.
func (c *goConfig) Player(r *consent.Rules) (consent.Player, error) {
	p := c.goPlayer(c.values)
	if c.engines.Unkept {
		return p, nil
	}
	id, err := c.identifyGo(r)
	if err == nil && id.Recorded == "" {
		err = c.engines.trials.settings(c.entry, fmt.Sprintf("%s %d", strings.Join(p.args, "\x00"), r.Size), strings.Join(p.setup, "\n"),
			func() (string, error) { return p.again(r) })
	}
	return p, err
}

// identifyGo returns which program it is, and whether it plays the same game again.
func (r registered) identifyGo(rules *consent.Rules) (arena.Identity, error) {
	info, id, err := r.told()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	if rules.Timed() {
		id.Recorded = fmt.Sprintf("engine %s plays by the clock", r.entry.Name)
		return id, nil
	}
	p, err := r.defaultGoPlayer()
	if err != nil {
		return id, err
	}
	different, err := r.engines.trials.once(fmt.Sprintf("%s %s %d", r.entry.Name, info.Identity, rules.Size), func() (string, error) { return p.again(rules) })
	if different != "" {
		id.Recorded = "in fresh processes " + different
	}
	return id, err
}
