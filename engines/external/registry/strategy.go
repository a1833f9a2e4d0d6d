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

// Strategies are engines as strategies of chess, for arena.Join. Each is shaken
// hands with, since what it offers are its parameters.
func (s *Stable) Strategies(names ...string) ([]chess.Strategy, error) {
	var all []chess.Strategy
	for _, name := range names {
		info, err := s.Describe(name)
		if err != nil {
			return nil, err
		}
		e, err := s.entry(name)
		if err != nil {
			return nil, err
		}
		all = append(all, chess.Strategy{
			Name:     name,
			Doc:      fmt.Sprintf("The registered engine %s.", info.Title),
			Source:   "a program of somebody else",
			Identity: info.Identity,
			New:      func() arena.Config[chess.Rules, chess.Player] { return &config{stable: s, entry: e, info: info} },
		})
	}
	return all, nil
}

// Join is a game with the engines that entrants name, as "toga" or "toga(Hash=1)".
// Engines play chess; another game is returned as it is.
func (s *Stable) Join(game *arena.Game, entrants []string) (*arena.Game, error) {
	if game.Name != chess.Name {
		return game, nil
	}
	var names []string
	for _, text := range entrants {
		name, _, _ := strings.Cut(text, "(")
		name = strings.TrimSpace(name)
		if slices.Contains(s.Names(), name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return game, nil
	}
	strategies, err := s.Strategies(names...)
	if err != nil {
		return nil, err
	}
	return arena.Join(game, strategies...)
}

// config is an engine's options as parameters.
type config struct {
	stable *Stable
	entry  *Entry
	info   *Info
	values []func() uci.Setting
}

// Declare implements arena.Config.
func (c *config) Declare(f *param.Fields, _ *chess.Rules) {
	c.values = nil
	for _, o := range c.info.Params {
		doc := "option of the engine"
		switch o.Type {
		case "spin":
			v, def := new(int), int(0)
			fmt.Sscan(o.Default, &def) // the handshake has checked it
			f.Int(v, o.Name, def, param.Range(float64(o.Min), float64(o.Max)), doc)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "check":
			v := new(bool)
			f.Bool(v, o.Name, o.Default == "true", doc)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "combo":
			v := new(string)
			f.Choice(v, o.Name, o.Default, o.Vars, doc)
			c.values = append(c.values, func() uci.Setting { return uci.Setting{Name: o.Name, Value: *v} })
		}
	}
}

// Player implements arena.Config.
func (c *config) Player(rules *chess.Rules) (chess.Player, error) {
	if !c.stable.Recorded && (!rules.Limit().Exact() || c.info.Class != Exact) {
		return nil, fmt.Errorf("engine %s: expected one thread and a limit in nodes or depth, got %d and %s: such games cannot be played again, and only a match that keeps nothing may play them",
			c.info.Name, c.info.Threads, rules.Limit())
	}
	p := &player{stable: c.stable, entry: c.entry}
	p.settings = append(p.settings, c.info.Set...)
	for _, value := range c.values {
		p.settings = append(p.settings, value())
	}
	if !c.stable.Recorded {
		if err := c.stable.playsAgain(c.entry, p.settings, rules.Limit()); err != nil {
			return nil, err
		}
	}
	return p, nil
}
