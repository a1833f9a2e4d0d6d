package daifugo

import (
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// RankSet plays by possible ranks: it searches by iterative deepening
// within a budget of nodes, guesses the ranks beyond, and plays a move of
// S(P), the moves that no other is clearly better than. Where S(P) has several
// a tie rule chooses.
//
//	rules.Entrant("rankset(nodes=2000,tie=mean)")
//
// Place in the flow: the search is strategies/daifugo's Chooser; this
// package adds the guess and the choice. Given nodes enough it plays on exact
// values.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", equation (5) for S(P); the guess and the tie rules are ours.
func RankSet() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "rankset",
		Doc:    "Searches possible ranks by iterative deepening, guesses beyond, and plays a move that no other is clearly better than.",
		Source: "Goto, Inui, Kotani, equation (5); the guess and the tie rules are ours",
		New: func(f *param.Fields, o *daifugo.Options) arena.Maker[daifugo.Player] {
			var c ranksetConfig
			f.Int(&c.nodes, "nodes", 1000, param.Log(10, 1e6), "nodes searched for one move, nodes")
			f.Int(&c.step, "step", 2, param.Range(1, 8), "plies between two thresholds, plies")
			f.Int(&c.bits, "bits", 10, param.Range(4, 18), "log2 of the transposition table's entries, bits")
			f.Choice(&c.order, "order", string(Ascending), orders(), "order in which moves are searched: small cards first, pass last; high cards first, pass last; pass first")
			f.Choice(&c.tie, "tie", tieMean, ties(), "choice among the moves that may all be best, by the ranks they can lead to: any, the best mean rank, the best rank possible, or the best worst rank")
			f.Choice(&c.then, "then", thenGreedy, thens(), "choice among moves that are still equal: the first in order, the one that greedy-out plays or else the first, or any")
			f.When("then", thenGreedy, func(f *param.Fields) {
				f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8), "of the player greedy-out: it plays a card that nobody can beat once it holds at most this many others, cards")
			})
			f.Group("guess", c.guess.declare)
			return func() (daifugo.Player, error) {
				r, plan := o.Rules(), searchPlan{Budget: c.nodes, Step: c.step, Order: order(c.order), Bits: c.bits, Guess: c.guess.rule()}
				return &ranksetPlayer{ranks: r.Ranks, tie: c.tie, then: c.then, spendBelow: c.spendBelow, chooser: newChooser(r, plan)}, nil
			}
		},
	}
}

type ranksetConfig struct {
	nodes, step, bits int
	order, tie, then  string
	spendBelow        int
	guess             guess
}

// orders lists the orders of moves, by the values of the parameter.
func orders() []string {
	return []string{string(Ascending), string(descending), string(passFirst)}
}

type ranksetPlayer struct {
	ranks      int
	tie, then  string
	spendBelow int
	chooser    *chooser
}

// Choose implements daifugo.Player. If there is only one move, no nodes are searched.
func (pl *ranksetPlayer) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	if moves := p.Moves(buffer[:0]); len(moves) == 1 {
		return moves[0], 0
	}
	c := pl.chooser
	c.look(p)
	var kept [daifugo.MaxCards + 1]int
	n := 0
	for i := range c.Moves {
		if keeps(c.Values, i, p.Turn(), pl.ranks) {
			kept[n] = i
			n++
		}
	}
	at := pl.choose(kept[:n], p, chance)
	return c.Moves[at], int64(c.Nodes)
}

// Kinds of guess.
const (
	guessOpen  = "open"
	guessHands = "hands"
)

// guess is the value that the search assumes for a position beyond the threshold. The cautious
// guess is that every player can still get every open rank. It is the default, because a wrong
// guess drops good moves for certain. Against three players of greedyout, on 400 blocks with 1
// 000 nodes a move, it finishes 2.47th on average (2.5 is par), and with a guess from the hands
// 2.59th.
//
// The guess from the hands says who goes out when: every unfinished seat gets the number of
// tricks that it still needs, by weights, and the seats with the fewest go out first. It
// uses integers only, so that every machine guesses the same.
type guess struct {
	kind               string
	high, lead, spread int
}

func (g *guess) declare(f *param.Fields) {
	f.Choice(&g.kind, "kind", guessOpen, []string{guessOpen, guessHands}, "what the search assumes of positions that it does not search: everybody can still get every open rank, or an order estimated from the hands")
	f.When("kind", guessHands, func(f *param.Fields) {
		f.Int(&g.high, "high", 60, param.Range(0, 200), "how many cards left to play are made good by one card that nobody else can beat, percent of a card")
		f.Int(&g.lead, "lead", 50, param.Range(0, 200), "how many cards left to play are made good by being the next to lead, percent of a card")
		f.Int(&g.spread, "spread", 25, param.Range(0, 200), "difference below which two players are taken for equal, percent of a card")
	})
}

// rule returns the guess as the search takes it.
func (g *guess) rule() guessed {
	if g.kind == guessOpen {
		return everything
	}
	return g.value
}

// value returns the guess from the hands.
func (g *guess) value(p *daifugo.Position) Value {
	r := p.Rules()
	v := ranked(p)
	if p.Over() {
		return v
	}
	var need [daifugo.MaxSeats]int
	for i := range r.Seats {
		if p.Rank(i) == 0 {
			need[i] = g.need(p, i)
		}
	}
	for i := range r.Seats {
		if p.Rank(i) != 0 {
			continue
		}
		ahead, level := 0, 0
		for j := range r.Seats {
			if j == i || p.Rank(j) != 0 {
				continue
			}
			switch d := need[j] - need[i]; {
			case d < -g.spread:
				ahead++
			case d <= g.spread:
				level++
			}
		}
		best := min(p.Out()+1+ahead, r.Ranks)
		worst := min(best+level, r.Ranks)
		for k := best; k <= worst; k++ {
			v = v.With(i, k, r.Ranks)
		}
	}
	return v
}

// need returns the cards to be shed, in percent of a card, less what high cards and
// the lead are worth. A card counts as high by the share of the others' cards
// that are below it.
func (g *guess) need(p *daifugo.Position, seat int) int {
	hand := p.Hand(seat)
	n := 100 * hand.Len()
	others, below := 0, 0
	for j := range p.Rules().Seats {
		other := p.Hand(j)
		if j == seat || other == 0 {
			continue
		}
		others += other.Len()
		for h := hand; h != 0; h &= h - 1 {
			below += other.Len() - other.Above(h.Lowest()-1).Len()
		}
	}
	if others > 0 {
		n -= g.high * below / others
	}
	if leads(p, seat) {
		n -= g.lead
	}
	return n
}

// leads reports whether the seat would lead if all players passed from here on.
func leads(p *daifugo.Position, seat int) bool {
	next := p.Turn()
	if p.MayPass() {
		next = p.Last()
	}
	for p.Hand(next) == 0 {
		next = (next + 1) % p.Rules().Seats
	}
	return next == seat
}

// Tie rules: what is preferred among the sets of ranks of S(P).
const (
	tieAny   = "any"
	tieMean  = "mean"
	tieBest  = "best"
	tieWorst = "worst"
)

func ties() []string { return []string{tieAny, tieMean, tieBest, tieWorst} }

// What is preferred among moves that the tie rule cannot tell apart, which is
// most of them: in most positions every player can still get every rank.
const (
	thenFirst  = "first"
	thenGreedy = "greedy"
	thenRandom = "random"
)

func thens() []string { return []string{thenFirst, thenGreedy, thenRandom} }

// unit makes the mean of up to eight ranks an integer.
const unit = 840

// key returns what the tie rule minimises over the mover's set.
func (pl *ranksetPlayer) key(s set) int {
	switch pl.tie {
	case tieMean:
		sum := 0
		for t := s; t != 0; t &= t - 1 {
			sum += t.best()
		}
		return sum * unit / bits.OnesCount8(uint8(s))
	case tieBest:
		return s.best()*unit + s.worst()
	case tieWorst:
		return s.worst()*unit + s.best()
	}
	return 0
}

// choose picks one of the kept moves, by index.
func (pl *ranksetPlayer) choose(kept []int, p *daifugo.Position, chance *arena.Stream) int {
	least, n := 0, 0
	for _, i := range kept {
		k := pl.key(pl.chooser.Values[i].at(p.Turn(), pl.ranks))
		if n == 0 || k < least {
			least, n = k, 0
		}
		if k == least {
			kept[n] = i
			n++
		}
	}
	switch pl.then {
	case thenRandom:
		return kept[chance.IntN(n)]
	case thenGreedy:
		greedy := move(p, pl.spendBelow)
		for _, i := range kept[:n] {
			if pl.chooser.Moves[i] == greedy {
				return i
			}
		}
	}
	return kept[0]
}
