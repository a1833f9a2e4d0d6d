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
		New:    func(*param.Fields, *chess.Rules) arena.Maker[chess.Player] { return arena.Made[chess.Player](mover{}) },
	}
}

type mover struct{}

func (mover) Begin(*chess.View) error { return nil }

func (mover) Move(v *chess.View) chess.Reply {
	legal := v.Line.Legal()
	return chess.Reply{Move: legal[v.Chance.IntN(len(legal))]}
}

func (mover) End(*chess.View) {}
