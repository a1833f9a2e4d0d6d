package daifugo

import (
	"sakusen/engines/daifugo"
)

// guessed estimates a position that is not over: one set of ranks per seat, none
// of them empty, the ranked ones included.
type guessed func(p *daifugo.Position) Value

// searchPlan is how a Chooser searches.
type searchPlan struct {
	Budget int   // nodes for one move
	Step   int   // plies between two thresholds
	Order  order // of moves
	Bits   int   // the table has 2^Bits entries
	Guess  guessed
}

// chooser values the moves of a position by iterative deepening within a
// budget of nodes: what lies beyond the threshold is guessed, and a guess is
// treated like a value. It is for one goroutine; its table is cleared for
// every position, so that no choice depends on an earlier one.
type chooser struct {
	plan     searchPlan
	searcher *searcher
	Moves    []daifugo.Move
	Values   []Value // of the moves, from the last iteration that was finished
	Nodes    uint64  // searched for this position
	Solved   bool    // Values are exact: the search reached the end everywhere
}

// newChooser makes a Chooser of positions with the given rules.
func newChooser(r daifugo.Rules, plan searchPlan) *chooser {
	o := Options{Method: pruneTI, Limit: uint64(plan.Budget), Step: plan.Step, Order: plan.Order,
		Bits: plan.Bits, Replace: replaceSmaller, Key: canonicalKey, Open: true}
	o.fill()
	s := newSearcher(r, o)
	s.guess = plan.Guess
	return &chooser{plan: plan, searcher: s}
}

// look values every move of the position. Unless one iteration at least fits
// the budget, the values are guesses at the children, which cost a node each.
func (c *chooser) look(p *daifugo.Position) {
	s := c.searcher
	s.restart()
	var buffer [daifugo.MaxCards + 1]daifugo.Move
	c.Moves = append(c.Moves[:0], s.moves(p, buffer[:0])...)
	c.Values = c.Values[:0]
	c.Solved = true
	var child daifugo.Position
	for _, m := range c.Moves {
		child = *p
		child.Play(m)
		if child.Over() {
			c.Values = append(c.Values, ranked(&child))
			continue
		}
		c.Solved = false
		c.Values = append(c.Values, s.guess(&child))
	}
	s.nodes = uint64(len(c.Moves))
	var values [daifugo.MaxCards + 1]Value
	for s.threshold = 1 + s.Step; !c.Solved; s.threshold += s.Step {
		solved := true
		for i, m := range c.Moves {
			child = *p
			child.Play(m)
			v, known := s.visit(&child, 2)
			if s.over {
				c.Nodes = uint64(c.plan.Budget)
				return
			}
			values[i], solved = v, solved && known
		}
		copy(c.Values, values[:])
		c.Solved = solved
	}
	c.Nodes = s.nodes
}

// choice folds the children of one position into its value, equations (3) to
// (7) of the paper, without keeping the children.
//
// A child with set X for the mover is dropped when another has Y != X and
// worst(Y) <= best(X). With m the smallest worst rank of any child, that keeps
// exactly the X with best(X) < m, and {m} unless a larger set also ends in m.
// So it is enough to remember, for children with more than one rank for the
// mover, the union by best rank and the smallest worst rank, and for those
// with a single rank the smallest one and its union. Trying each pair of
// children instead took eight times as long per node.
//
// The zero Choice is not ready: start from NewChoice.
type choice struct {
	upTo   [daifugo.MaxRanks]Value // upTo[a]: union of the larger sets with best <= a; 0 at a = 0
	least  Value                   // union of the children with the smallest single rank
	single int8                    // that rank, or none
	span   int8                    // smallest worst rank among the larger sets, or none
}

const none = daifugo.MaxRanks + 1

// newChoice has no children yet.
func newChoice() choice { return choice{single: none, span: none} }

// Add takes one more child: its value, and in it the set of the mover.
func (c *choice) Add(v Value, mover set) {
	best := int8(mover.best())
	if mover&(mover-1) == 0 {
		switch {
		case best < c.single:
			c.single, c.least = best, v
		case best == c.single:
			c.least |= v
		}
		return
	}
	if worst := int8(mover.worst()); worst < c.span {
		c.span = worst
	}
	// Sets whose best rank is span or worse can never be chosen now.
	for a := best; a < c.span; a++ {
		c.upTo[a] |= v
	}
}

// value returns the union of the children kept so far; 0 when there are none.
func (c *choice) value() Value {
	if c.single < c.span {
		return c.upTo[c.single-1] | c.least
	}
	if c.span == none {
		return 0
	}
	return c.upTo[c.span-1]
}

// settled reports whether prune may stop: the mover has one rank, the best still
// open, and every other player, as first has it, can be anything below. No larger set ends
// in the best open rank, so none can drop the mover's.
func (c *choice) settled(first Value) bool { return c.least == first && c.single != none }

// plus returns the Value there would be after Add of one more child, which stays
// out.
func (c *choice) plus(v Value, mover set) Value {
	best := int8(mover.best())
	single, span, least := c.single, c.span, c.least
	if mover&(mover-1) == 0 {
		switch {
		case best < single:
			single, least = best, v
		case best == single:
			least |= v
		}
		if single < span {
			return c.upTo[single-1] | least
		}
		return c.upTo[span-1]
	}
	span = min(span, int8(mover.worst()))
	ends := min(single, span)
	kept := c.upTo[ends-1]
	if best < ends {
		kept |= v
	}
	if single < span {
		kept |= least
	}
	return kept
}

// analysis is the value of a position and the moves that may be chosen in it.
type analysis struct {
	Value Value
	Best  []daifugo.Move // S(P), in the paper's order; none after the end
	// Moves are all legal moves in the paper's order, Values those of the
	// positions that they lead to.
	Moves  []daifugo.Move
	Values []Value
	Nodes  uint64
	Over   bool // the limit was passed: there is no answer
}

// analyse finds a position's value and its set S(P) of moves that no other
// move of the mover's is clearly better than. It searches every move to the
// end of the game, sharing one table of similar positions; limit is in nodes,
// 0 for none.
func analyse(p daifugo.Position, limit uint64) analysis {
	o := Options{Method: pruneTT, Limit: limit, Key: canonicalKey, Open: true}
	o.fill()
	s := newSearcher(p.Rules(), o)
	s.count(1)
	if p.Over() {
		return analysis{Value: ranked(&p), Nodes: s.nodes}
	}
	moves := p.Moves(nil)
	values := make([]Value, len(moves))
	for i, m := range moves {
		child := p
		child.Play(m)
		values[i], _ = s.visit(&child, 2)
		if s.over {
			return analysis{Nodes: s.nodes, Over: true}
		}
	}
	a := analysis{Moves: moves, Values: values, Nodes: s.nodes}
	mover := p.Turn()
	for i, v := range values {
		if keeps(values, i, mover, s.rules.Ranks) {
			a.Value |= v
			a.Best = append(a.Best, moves[i])
		}
	}
	return a
}

// keeps reports, by equations (5) and (7), whether the i-th child belongs to S(P): no other
// child's set for the mover differs from its own and has a worst rank no worse than its best.
func keeps(children []Value, i, mover, ranks int) bool {
	x := children[i].at(mover, ranks)
	for _, c := range children {
		if y := c.at(mover, ranks); y != x && y.worst() <= x.best() {
			return false
		}
	}
	return true
}
