package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Random plays any legal move, each as likely as another: the bottom
// of every scale of Daifugo players.
//
//	rules.Entrant("random")
//
// Source: ours.
func Random() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "random",
		Doc:    "Plays any legal move, each as likely as another.",
		Source: "ours",
		New: func(*param.Fields, *daifugo.Options) arena.Maker[daifugo.Player] {
			return arena.Made[daifugo.Player](randomPlayer{})
		},
	}
}

type randomPlayer struct{}

func (randomPlayer) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	moves := p.Moves(buffer[:0])
	return moves[chance.IntN(len(moves))], 0
}

// Lowest always plays the lowest card it may, and passes only when it
// has none: the habit of beginners, and a fast one at shedding cards.
//
//	rules.Entrant("lowest-first")
//
// Source: ours; the order of moves is the paper's (small cards first, pass
// last), of which this takes the first.
func Lowest() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "lowest-first",
		Doc:    "Plays the lowest card it may, and passes only when it has none.",
		Source: "ours; the first move in the order of Goto, Inui, Kotani, section 4.2",
		New: func(*param.Fields, *daifugo.Options) arena.Maker[daifugo.Player] {
			return arena.Made[daifugo.Player](lowestPlayer{})
		},
	}
}

type lowestPlayer struct{}

func (lowestPlayer) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	return daifugo.Move(p.Playable().Lowest()), 0 // of no card the lowest is 0, which is Pass
}

// GreedyOut hurries out by the oldest rule of the game: hold the cards
// that no other player can beat, as long as they are enough to finish. With one beatable
// card left it plays the unbeatable ones first, one trick each, and that card last. Until
// then it sheds the lowest card it may, and rather passes than spends an unbeatable card on
// a trick, unless few beatable cards are left.
//
//	rules.Entrant("greedy-out(spend_below=2)")
//
// Source: ours.
func GreedyOut() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "greedy-out",
		Doc:    "Sheds low cards and holds the unbeatable ones until they carry it home.",
		Source: "ours",
		New: func(f *param.Fields, _ *daifugo.Options) arena.Maker[daifugo.Player] {
			c := &greedyoutPlayer{}
			f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8),
				"it plays a card that nobody can beat once it holds at most this many others, cards")
			return arena.Made[daifugo.Player](c)
		},
	}
}

type greedyoutPlayer struct{ spendBelow int }

func (pl greedyoutPlayer) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	return move(p, pl.spendBelow), 0
}

// move returns the rule as a function; spendBelow is in cards.
func move(p *daifugo.Position, spendBelow int) daifugo.Move {
	seat := p.Turn()
	hand, playable := p.Hand(seat), p.Playable()
	if playable == 0 {
		return daifugo.Pass
	}
	safe := hand.Above(bar(p, seat) - 1) // no other player holds a higher card
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

// bar returns the highest kind that another player holds, at least 1.
func bar(p *daifugo.Position, seat int) int {
	high := 1
	for i := range p.Rules().Seats {
		if i != seat {
			high = max(high, p.Hand(i).Highest())
		}
	}
	return high
}
