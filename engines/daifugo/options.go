package daifugo

import (
	"fmt"

	"sakusen/engines/param"
)

// Deals of the played game.
const (
	Uneven = "uneven" // every kind to every seat by the toss of a coin
	Even   = "even"   // the same number of cards for everybody, kinds at random
)

// Options are the rules of the played game.
type Options struct {
	Players int    // 3..6
	Cards   int    // kinds of card
	Ranks   int    // rank kinds; 0: as many as players
	Deal    string // Uneven or Even
	Hand    int    // cards for each seat of an even deal
	Hands   string // OpenHands or HiddenHands; "": OpenHands
}

func (o *Options) declare(f *param.Fields) {
	f.Int(&o.Players, "players", 4, param.Range(3, 6), "players")
	f.Int(&o.Cards, "cards", 6, param.Range(2, 8), "kinds of card; nobody holds two of a kind")
	f.Int(&o.Ranks, "ranks", 0, param.Range(0, 6), "number of ranks that are told apart; the last one means that place or a worse one; 0: as many as players")
	f.Choice(&o.Deal, "deal", Uneven, []string{Uneven, Even}, "how the hands are dealt: each player gets each kind of card with a chance of one half, or everybody gets the same number of cards")
	f.When("deal", Even, func(f *param.Fields) {
		f.Int(&o.Hand, "hand", 3, param.Range(1, 8), "cards dealt to each player, cards")
	})
	f.Choice(&o.Hands, "hands", OpenHands, []string{OpenHands, HiddenHands}, "whether everybody sees all hands, or the own hand, the number of the others' cards and what was played", param.Later())
}

func (o *Options) check() error {
	if o.Deal == Even && o.Hand > o.Cards {
		return fmt.Errorf("hand: expected at most the %d kinds of card, got %d", o.Cards, o.Hand)
	}
	if o.Ranks == 1 {
		return fmt.Errorf("ranks: expected 0, or 2 to %d (the number of players), got 1", o.Players)
	}
	return o.Rules().Validate()
}

// Rules that the game is played by.
func (o *Options) Rules() Rules {
	r := Rules{Seats: o.Players, Cards: o.Cards, Ranks: o.Ranks}
	if r.Ranks == 0 {
		r.Ranks = r.Seats
	}
	return r
}
