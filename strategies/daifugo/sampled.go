package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Sampled plays with hidden hands: it draws deals that it holds possible,
// judges its moves in each as if hands were open, and plays the move that is best
// over all of them (determinisation, or perfect-information Monte Carlo). With open
// hands there is one deal to judge, the true one.
//
//	rules.Entrant("sampled(deals=30,judge=playout)")
//
// Its weakness is known from card games with hidden hands: in every sampled deal
// everybody, the player included, seems to know all hands, so that it never plays
// to learn or to conceal.
//
// Source: M. L. Ginsberg, "GIB: Imperfect information in a computationally
// challenging game", 2001, for sampling deals; the ways to judge are ours, with S(P)
// of Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer Games",
// equation (5), for solving.

// Ways to judge the moves of one deal.
const (
	judgePlayout = "playout"
	judgeRanks   = "ranks"
	judgeGreedy  = "greedy"
)

// Sampled is the strategy's entry in the catalogue.
func Sampled() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "sampled",
		Doc:    "Draws deals that it holds possible, judges its moves in each, and plays the best over all; made for hands=hidden.",
		Source: "Ginsberg, GIB, for sampling deals; Goto, Inui, Kotani, equation (5), for solving them; playouts are ours",
		New: func(f *param.Fields, o *daifugo.Options) arena.Maker[daifugo.Player] {
			var c sampledConfig
			c.declare(f)
			return func() (daifugo.Player, error) { return c.player(o), nil }
		},
	}
}

type sampledConfig struct {
	deals, nodes, spendBelow int
	judge                    string
}

// declare binds the parameters.
func (c *sampledConfig) declare(f *param.Fields) {
	f.Int(&c.deals, "deals", 30, param.Log(1, 1000), "deals drawn for one move, deals")
	f.Choice(&c.judge, "judge", judgePlayout, []string{judgePlayout, judgeRanks, judgeGreedy},
		"how moves are judged in a deal: by the rank that is reached when everybody goes on as greedy-out; by solving it, where a move counts if no other is clearly better; or by which move greedy-out plays")
	f.When("judge", judgeRanks, func(f *param.Fields) {
		f.Int(&c.nodes, "nodes", 1000, param.Log(10, 1e6), "nodes searched for each deal, nodes")
	})
	f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8), "of the player greedy-out: it plays a card that nobody can beat once it holds at most this many others, cards")
}

// player makes a player.
func (c *sampledConfig) player(o *daifugo.Options) *sampledPlayer {
	r := o.Rules()
	pl := &sampledPlayer{sampledConfig: *c, ranks: r.Ranks}
	if c.judge == judgeRanks {
		pl.chooser = newChooser(r, searchPlan{Budget: c.nodes, Step: 2, Order: Ascending, Bits: 12, Guess: everything})
	}
	return pl
}

type sampledPlayer struct {
	sampledConfig
	ranks   int
	chooser *chooser
	moves   []daifugo.Move
	points  []int64 // by move, the more the better
}

// Choose implements daifugo.Player: hands are open, and the deal is known.
func (pl *sampledPlayer) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	if pl.begin(p.Moves(pl.moves[:0])) {
		return pl.moves[0], 0
	}
	nodes := pl.judgeDeal(p)
	return pl.best(), nodes
}

// ChooseBlind implements daifugo.Blind.
func (pl *sampledPlayer) ChooseBlind(v *daifugo.View, chance *arena.Stream) (daifugo.Move, int64) {
	if pl.begin(v.Moves(pl.moves[:0])) {
		return pl.moves[0], 0
	}
	var nodes int64
	for range pl.deals {
		p := v.Deal(chance)
		nodes += pl.judgeDeal(&p)
	}
	return pl.best(), nodes
}

// begin starts the count, and tells whether there is no choice.
func (pl *sampledPlayer) begin(moves []daifugo.Move) bool {
	pl.moves = moves
	pl.points = append(pl.points[:0], make([]int64, len(moves))...)
	return len(moves) == 1
}

// weigh is larger than any number of deals times points: what is clearly better
// goes before what greedy-out would play.
const weigh = 1 << 20

// judgeDeal adds one deal's points, and returns the nodes or moves that it took.
func (pl *sampledPlayer) judgeDeal(p *daifugo.Position) int64 {
	var nodes int64
	switch pl.judge {
	case judgePlayout:
		for i, m := range pl.moves {
			rank, played := pl.playout(*p, m)
			pl.points[i] -= weigh * int64(rank)
			nodes += played
		}
	case judgeRanks:
		pl.chooser.look(p)
		nodes = int64(pl.chooser.Nodes)
		for i := range pl.moves { // the chooser's moves are in the same order
			if keeps(pl.chooser.Values, i, p.Turn(), pl.ranks) {
				pl.points[i] += weigh
			}
		}
	}
	greedy := move(p, pl.spendBelow)
	for i, m := range pl.moves {
		if m == greedy {
			pl.points[i]++
		}
	}
	return nodes
}

// playout is the mover's rank after a move and greedy-out by everybody.
func (pl *sampledPlayer) playout(p daifugo.Position, m daifugo.Move) (rank int, moves int64) {
	seat := p.Turn()
	for p.Play(m); !p.Over() && p.Rank(seat) == 0; p.Play(move(&p, pl.spendBelow)) {
		moves++
	}
	return p.Rank(seat), moves + 1
}

// best is the move with the most points, the first of equal ones.
func (pl *sampledPlayer) best() daifugo.Move {
	at := 0
	for i := range pl.points {
		if pl.points[i] > pl.points[at] {
			at = i
		}
	}
	return pl.moves[at]
}
