package registry

import (
	"encoding/json"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/external/consent"
	"sakusen/engines/param"
)

// Go is the game of the programs that speak GTP, nil where none is registered.
func (s *Stable) Go() *arena.Game {
	var all []consent.Strategy
	for i := range s.entries {
		if e := &s.entries[i]; e.Protocol == GTP {
			all = append(all, consent.Strategy{
				Name: e.Name, Doc: "A registered program that speaks GTP.", Source: "a program of somebody else",
				Identify: func(r *consent.Rules) (arena.Identity, error) { return identifyGo(s, e, r) },
				New:      func() arena.Config[consent.Rules, consent.Player] { return &goConfig{stable: s, entry: e} },
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
	stable *Stable
	entry  *Entry
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
	p := goPlayerOf(c.stable, c.entry, c.values)
	if c.stable.Unkept {
		return p, nil
	}
	id, err := identifyGo(c.stable, c.entry, r)
	if err == nil && id.Recorded == "" {
		err = c.stable.tryOutWith(c.entry, fmt.Sprintf("%s %d", strings.Join(p.args, "\x00"), r.Size), strings.Join(p.setup, "\n"),
			func() (string, error) { return p.again(r) })
	}
	return p, err
}

// identifyGo tells which program it is, and whether it plays the same game again.
func identifyGo(s *Stable, e *Entry, r *consent.Rules) (arena.Identity, error) {
	info, err := s.Describe(e.Name)
	if err != nil {
		return arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: e.way()}
	if e.Recorded {
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", e.Name)
		return id, nil
	}
	if r.Timed() {
		id.Recorded = fmt.Sprintf("engine %s plays by the clock", e.Name)
		return id, nil
	}
	p, err := defaultGoPlayer(s, e)
	if err != nil {
		return id, err
	}
	different, err := s.triedOnce(fmt.Sprintf("%s %s %d", e.Name, info.Identity, r.Size), func() (string, error) { return p.again(r) })
	if different != "" {
		id.Recorded = "in fresh processes " + different
	}
	return id, err
}
