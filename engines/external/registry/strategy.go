package registry

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
	"sakusen/engines/param"
)

// Strategies returns the engines as strategies of chess, for arena.Join. A program is
// started when its parameters, its identity or its play is asked for.
func (s *Engines) Strategies() []chess.Strategy {
	var all []chess.Strategy
	for i := range s.entries {
		e := &s.entries[i]
		if !e.playsChess() {
			continue
		}
		all = append(all, chess.Strategy{
			Name:     e.Name,
			Doc:      fmt.Sprintf("A registered engine that speaks %s.", e.Speaks()),
			Source:   "a program of somebody else",
			Identify: func(r *chess.Rules) (arena.Identity, error) { return registered{s, e}.identify(r.Limit()) },
			New:      func() arena.Config[chess.Rules, chess.Player] { return &config{registered: registered{s, e}} },
		})
	}
	return all
}

// config is an engine's options as parameters.
type config struct {
	registered
	info   *Info
	values []func() uci.Setting
}

// Declare implements arena.Config. It shakes hands with the engine, since what it
// offers are its parameters.
func (c *config) Declare(f *param.Fields, _ *chess.Rules) {
	var err error
	if c.info, err = c.engines.Describe(c.entry.Name); err != nil {
		f.Refuse(err)
		return
	}
	c.values = nil
	for _, o := range c.info.Params {
		doc := "option of the engine"
		var more []param.Option
		if convention(o.Name) {
			more = append(more, param.Fixed())
		}
		switch o.Type {
		case "spin":
			v, def, domain := new(int), int(0), param.Whole(o.Min, o.Max)
			fmt.Sscan(o.Default, &def) // the handshake has checked it
			if float64(def) < domain.Low || float64(def) > domain.High {
				continue // it stays as the engine has it
			}
			f.Int(v, o.Name, def, domain, doc, more...)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "check":
			v := new(bool)
			f.Bool(v, o.Name, o.Default == "true", doc, more...)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "combo":
			v := new(string)
			f.Choice(v, o.Name, o.Default, o.Vars, doc, more...)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: *v} })
		}
	}
}

// convention reports that an option is no way to play: a study tunes it only where its
// file names it.
func convention(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"hash", "thread", "log", "ponder", "book", "debug", "overhead", "cache", "tablebase", "syzygy", "random", "skill", "elo"},
		func(word string) bool { return strings.Contains(name, word) })
}

// settings returns all options that are set.
func (c *config) settings() []uci.Setting {
	set := slices.Clone(c.info.Set)
	for _, value := range c.values {
		set = append(set, value())
	}
	return set
}

// Player implements arena.Config.
func (c *config) Player(rules *chess.Rules) (chess.Player, error) {
	p := &player{registered: c.registered, settings: c.settings()}
	if c.engines.Unkept {
		return p, nil
	}
	id, err := c.identify(rules.Limit())
	if err == nil && id.Recorded == "" {
		err = c.tryOut(c.info, p.settings, rules.Limit())
	}
	return p, err
}
