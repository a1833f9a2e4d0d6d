// Package greedyout hurries out by the oldest rule of the game: hold the cards
// nobody can beat until they carry you home. With one beatable card left it
// plays the unbeatable ones first, one trick each, and that card last;
// until then it sheds the lowest card it may, and rather passes than spends an
// unbeatable card on a trick, unless few beatable cards are left.
//
//	rules.Entrant("greedy-out(spend_below=2)")
//
// Source: ours.
package greedyout

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "greedy-out",
		Doc:    "Sheds low cards and holds the unbeatable ones until they carry it home.",
		Source: "ours",
		New:    func() arena.Config[daifugo.Options, daifugo.Player] { return &config{} },
	}
}

type config struct{ spendBelow int }

func (c *config) Declare(f *param.Fields, _ *daifugo.Options) {
	f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8),
		"it plays a card that nobody can beat once it holds at most this many others, cards")
}

func (c *config) Player(*daifugo.Options) (daifugo.Player, error) { return player{*c}, nil }

type player struct{ config }

func (pl player) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	return Move(p, pl.spendBelow), 0
}

// Move is the rule as a function; spendBelow is in cards.
func Move(p *daifugo.Position, spendBelow int) daifugo.Move {
	seat := p.Turn()
	hand, playable := p.Hand(seat), p.Playable()
	if playable == 0 {
		return daifugo.Pass
	}
	safe := hand.Above(bar(p, seat) - 1) // nobody else holds a higher card
	beatable := hand &^ safe
	spend := playable & safe
	if beatable.Len() <= 1 && spend != 0 {
		return daifugo.Move(spend.Lowest())
	}
	if shed := playable &^ safe; shed != 0 {
		return daifugo.Move(shed.Lowest())
	}
	if beatable.Len() > spendBelow && p.MayPass() {
		return daifugo.Pass
	}
	return daifugo.Move(spend.Lowest())
}

// bar is the highest kind anybody else holds, at least 1.
func bar(p *daifugo.Position, seat int) int {
	high := 1
	for i := range p.Rules().Seats {
		if i != seat {
			high = max(high, p.Hand(i).Highest())
		}
	}
	return high
}
