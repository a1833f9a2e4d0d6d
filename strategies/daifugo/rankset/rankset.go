// Package rankset plays by possible ranks: it searches by iterative deepening
// within a budget of nodes, guesses the ranks beyond, and plays a move of
// S(P), the moves that no other is clearly better than. Where S(P) has several
// a tie rule chooses.
//
//	rules.Entrant("rankset(nodes=2000,tie=mean)")
//
// Place in the flow: the search is strategies/daifugo/ranking's Chooser; this
// package adds the guess and the choice. Given nodes enough it plays on exact
// values.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", equation (5) for S(P); the guess and the tie rules are ours.
package rankset

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
	"sakusen/strategies/daifugo/ranking"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "rankset",
		Doc:    "Searches possible ranks by iterative deepening, guesses beyond, and plays a move that no other is clearly better than.",
		Source: "Goto, Inui, Kotani, equation (5); the guess and the tie rules are ours",
		New:    func() arena.Config[daifugo.Options, daifugo.Player] { return &config{} },
	}
}

type config struct {
	nodes, step, bits int
	order, tie, then  string
	spendBelow        int
	guess             guess
}

// orders of moves, as the parameter has them.
func orders() []string {
	return []string{string(ranking.Ascending), string(ranking.Descending), string(ranking.PassFirst)}
}

func (c *config) Declare(f *param.Fields, _ *daifugo.Options) {
	f.Int(&c.nodes, "nodes", 1000, param.Log(10, 1e6), "nodes searched for one move, nodes")
	f.Int(&c.step, "step", 2, param.Range(1, 8), "plies between two thresholds, plies")
	f.Int(&c.bits, "bits", 10, param.Range(4, 18), "log2 of the transposition table's entries, bits")
	f.Choice(&c.order, "order", string(ranking.Ascending), orders(), "order in which moves are searched: small cards first, pass last; high cards first, pass last; pass first")
	f.Choice(&c.tie, "tie", tieMean, ties(), "choice among the moves that may all be best, by the ranks they can lead to: any, the best mean rank, the best rank possible, or the best worst rank")
	f.Choice(&c.then, "then", thenGreedy, thens(), "choice among moves that are still equal: the first in order, the one that greedy-out plays or else the first, or any")
	f.When("then", thenGreedy, func(f *param.Fields) {
		f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8), "of the player greedy-out: it plays a card that nobody can beat once it holds at most this many others, cards")
	})
	f.Group("guess", c.guess.declare)
}

func (c *config) Player(o *daifugo.Options) (daifugo.Player, error) {
	plan := ranking.SearchPlan{Budget: c.nodes, Step: c.step, Order: ranking.Order(c.order), Bits: c.bits, Guess: c.guess.rule()}
	r := o.Rules()
	return &player{ranks: r.Ranks, tie: c.tie, then: c.then, spendBelow: c.spendBelow, chooser: ranking.NewChooser(r, plan)}, nil
}

type player struct {
	ranks      int
	tie, then  string
	spendBelow int
	chooser    *ranking.Chooser
}

// Choose implements daifugo.Player. If there is only one move, no nodes are searched.
func (pl *player) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	if moves := p.Moves(buffer[:0]); len(moves) == 1 {
		return moves[0], 0
	}
	c := pl.chooser
	c.Look(p)
	var kept [daifugo.MaxCards + 1]int
	n := 0
	for i := range c.Moves {
		if ranking.Kept(c.Values, i, p.Turn(), pl.ranks) {
			kept[n] = i
			n++
		}
	}
	at := pl.choose(kept[:n], p, chance)
	return c.Moves[at], int64(c.Nodes)
}
