// Package lowest always plays the lowest card it may, and passes only when it
// has none: the habit of beginners, and a fast one at shedding cards.
//
//	rules.Entrant("lowest-first")
//
// Source: ours; the order of moves is the paper's (small cards first, pass
// last), of which this takes the first.
package lowest

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "lowest-first",
		Doc:    "Plays the lowest card it may, and passes only when it has none.",
		Source: "ours; the first move in the order of Goto, Inui, Kotani, section 4.2",
		New:    func() arena.Config[daifugo.Options, daifugo.Player] { return config{} },
	}
}

type config struct{}

func (config) Declare(*param.Fields, *daifugo.Options)         {}
func (config) Player(*daifugo.Options) (daifugo.Player, error) { return player{}, nil }

type player struct{}

func (player) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	return daifugo.Move(p.Playable().Lowest()), 0 // of no card the lowest is 0, which is Pass
}
