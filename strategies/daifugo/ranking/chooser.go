package ranking

import "sakusen/engines/daifugo"

// Guess estimates a position that is not over: one set of ranks per seat, none
// of them empty, the ranked ones included.
type Guess func(p *daifugo.Position) Value

// SearchPlan is how a Chooser searches.
type SearchPlan struct {
	Budget int   // nodes for one move
	Step   int   // plies between two thresholds
	Order  Order // of moves
	Bits   int   // the table has 2^Bits entries
	Guess  Guess
}

// Chooser values the moves of a position by iterative deepening within a
// budget of nodes: what lies beyond the threshold is guessed, and a guess is
// treated like a value. It is for one goroutine; its table is cleared for
// every position, so that no choice depends on an earlier one.
type Chooser struct {
	plan     SearchPlan
	searcher *searcher
	Moves    []daifugo.Move
	Values   []Value // of the moves, from the last iteration that was finished
	Nodes    uint64  // searched for this position
	Solved   bool    // Values are exact: the search reached the end everywhere
}

// NewChooser makes a Chooser of positions with the given rules.
func NewChooser(r daifugo.Rules, plan SearchPlan) *Chooser {
	o := Options{Method: PruneTI, Limit: uint64(plan.Budget), Step: plan.Step, Order: plan.Order,
		Bits: plan.Bits, Replace: ReplaceSmaller, Key: CanonicalKey, Open: true}
	o.fill()
	s := newSearcher(r, o)
	s.guess = plan.Guess
	return &Chooser{plan: plan, searcher: s}
}

// Look values every move of the position. Unless one iteration at least fits
// the budget, the values are guesses at the children, which cost a node each.
func (c *Chooser) Look(p *daifugo.Position) {
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
			c.Values = append(c.Values, Ranked(&child))
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
