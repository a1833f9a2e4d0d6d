package chess

import (
	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
)

// Random makes random moves, uniformly over the legal ones: the measure of
// all others, and a player that is always there.
//
//	rules.Entrant("random")
func Random() chess.Strategy {
	return chess.Strategy{
		Name:   "random",
		Doc:    "Makes random legal moves.",
		Source: "ours",
		New:    func() arena.Config[chess.Rules, chess.Player] { return mover{} },
	}
}

// mover is the configuration and the player.
type mover struct{}

func (mover) Declare(*param.Fields, *chess.Rules) {}

func (mover) Player(*chess.Rules) (chess.Player, error) { return mover{}, nil }

func (mover) Begin(*chess.View) error { return nil }

func (mover) Move(v *chess.View) chess.Reply {
	legal := v.Line.Legal()
	return chess.Reply{Move: legal[v.Chance.IntN(len(legal))]}
}

func (mover) End(*chess.View) {}
