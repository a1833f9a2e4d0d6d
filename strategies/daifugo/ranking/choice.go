package ranking

import "sakusen/engines/daifugo"

// Choice folds the children of one position into its value, equations (3) to
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
type Choice struct {
	upTo   [daifugo.MaxRanks]Value // upTo[a]: union of the larger sets with best <= a; 0 at a = 0
	least  Value                   // union of the children with the smallest single rank
	single int8                    // that rank, or none
	span   int8                    // smallest worst rank among the larger sets, or none
}

const none = daifugo.MaxRanks + 1

// NewChoice has no children yet.
func NewChoice() Choice { return Choice{single: none, span: none} }

// Add takes one more child: its value, and in it the set of the mover.
func (c *Choice) Add(v Value, mover Set) {
	best := int8(mover.Best())
	if mover&(mover-1) == 0 {
		switch {
		case best < c.single:
			c.single, c.least = best, v
		case best == c.single:
			c.least |= v
		}
		return
	}
	if worst := int8(mover.Worst()); worst < c.span {
		c.span = worst
	}
	// Sets whose best rank is span or worse can never be chosen now.
	for a := best; a < c.span; a++ {
		c.upTo[a] |= v
	}
}

// Value is the union of the children kept so far; 0 when there are none.
func (c *Choice) Value() Value {
	if c.single < c.span {
		return c.upTo[c.single-1] | c.least
	}
	if c.span == none {
		return 0
	}
	return c.upTo[c.span-1]
}

// Settled tells whether prune may stop: the mover has one rank, the best still
// open, and everybody else, as first has it, can be anything below. No larger
// set ends in the best open rank, so none can drop the mover's.
func (c *Choice) Settled(first Value) bool { return c.least == first && c.single != none }

// Plus is the Value there would be after Add of one more child, which stays
// out.
func (c *Choice) Plus(v Value, mover Set) Value {
	best := int8(mover.Best())
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
	span = min(span, int8(mover.Worst()))
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
