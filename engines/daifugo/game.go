package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Player chooses moves. It sees the whole position: hands are open. See Blind for
// hidden ones.
type Player interface {
	// Choose returns a legal move of the mover's, and the nodes it searched to
	// find it. chance is the seat's own stream, the same throughout a game.
	Choose(p *Position, chance *arena.Stream) (m Move, nodes int64)
}

// Components that the referee counts for each seat.
const (
	finishingRank = iota
	movesMade
	nodesSearched
)

// Purposes of the streams.
const (
	dealing arena.Purpose = iota
	choosing
	guessing // of the deal that a player of open hands takes for the truth
)

// Game is what the arena is told about the played game.
func Game() arena.Definition[Options, Player] {
	return arena.Definition[Options, Player]{
		Name:        "daifugo",
		Doc:         "Simplified Daifugo with randomly dealt hands, open or hidden; who is rid of all cards first wins.",
		Source:      "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, section 4.1; the random deal is ours",
		Declare:     func(o *Options, f *param.Fields) { o.declare(f) },
		Check:       (*Options).check,
		Seats:       func(o *Options) int { return o.Players },
		SeatsOption: "players",
		FreshChance: true, // a deal is the game, and few cards have few deals
		Components:  []string{"rank", "moves", "nodes"},
		Metrics: []arena.Metric{
			{Name: "rank", Doc: "finishing rank, 1 is first, ranks", Of: "rank", Lower: true},
			{Name: "nodes_per_move", Doc: "nodes searched for a move, nodes", Of: "nodes", Per: "moves", Lower: true},
		},
		Referee: func(o *Options) (arena.Referee[Player], error) {
			return newReferee(o), nil
		},
	}
}
