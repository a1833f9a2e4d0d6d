// Package random plays any legal move, each as likely as another: the bottom
// of every scale of Daifugo players.
//
//	rules.Entrant("random")
//
// Source: ours.
package random

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "random",
		Doc:    "Plays any legal move, each as likely as another.",
		Source: "ours",
		New:    func() arena.Config[daifugo.Options, daifugo.Player] { return config{} },
	}
}

type config struct{}

func (config) Declare(*param.Fields, *daifugo.Options)         {}
func (config) Player(*daifugo.Options) (daifugo.Player, error) { return player{}, nil }

type player struct{}

func (player) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	moves := p.Moves(buffer[:0])
	return moves[chance.IntN(len(moves))], 0
}
