package asked

import (
	"encoding/json"

	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
)

// Daifugo is a player of Daifugo, whose hands are open.
func Daifugo(p Program, params json.RawMessage) daifugo.Player {
	return &chooser{program: p, params: params}
}

type chooser struct {
	program Program
	params  json.RawMessage
}

// Choose implements daifugo.Player. A program that fails plays a card that nobody has,
// which loses.
func (c *chooser) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	hands := [][]int{}
	for seat := range p.Rules().Seats {
		hands = append(hands, append([]int{}, p.Hand(seat).Kinds()...))
	}
	legal := []int{}
	for _, m := range p.Moves(nil) {
		legal = append(legal, int(m))
	}
	request := map[string]any{"do": "choose", "hands": hands, "seat": p.Turn(), "table": p.Table(), "last": p.Last(), "legal": legal}
	var answer struct{ Card *int }
	if ask(c.program, c.params, chance.Uint64(), request, &answer) != nil || answer.Card == nil || *answer.Card < 0 || *answer.Card > 255 {
		return 255, 0
	}
	return daifugo.Move(*answer.Card), 0
}
