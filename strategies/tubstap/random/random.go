// Package random plays TUBSTAP at random: an unmoved unit, then one of its
// legal actions, both uniformly. It is the floor for every other player.
package random

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// player plays at random. The zero value is ready.
type player struct {
	chance *arena.Stream
	list   []tubstap.Action
}

// Turn implements tubstap.Player.
func (p *player) Turn(_ *tubstap.State, chance *arena.Stream) { p.chance = chance }

// Act implements tubstap.Player.
func (p *player) Act(s *tubstap.State) tubstap.Action {
	k := p.chance.IntN(s.Unmoved(s.Mover()))
	id := s.FirstUnmoved()
	for ; k > 0; k-- {
		id++
		for !s.Movable(id) {
			id++
		}
	}
	p.list = s.AppendAll(p.list[:0], id)
	return p.list[p.chance.IntN(len(p.list))]
}

type config struct{}

func (config) Declare(*param.Fields, *tubstap.Options) {}

func (config) Player(*tubstap.Options) (tubstap.Player, error) { return new(player), nil }

// Strategy is the catalogue's entry.
func Strategy() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "random", Doc: "A random unmoved unit does one of its legal actions.", Source: "ours",
		New: func() arena.Config[tubstap.Options, tubstap.Player] { return config{} },
	}
}
