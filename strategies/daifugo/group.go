package daifugo

import (
	"math/bits"

	"sakusen/engines/daifugo"
)

// word is what one value is stored in: the smallest type with Seats x Ranks
// bits.
type word interface{ uint16 | uint32 | uint64 }

// shape is what all groups of one rule set share.
type shape struct {
	daifugo.Rules
	rank  []uint16 // of a hand among those with as many cards
	width int      // bits in a value
	whole Value
	hands uint64 // bits in all hands
	one   uint64 // bits in one hand
}

func newShape(r daifugo.Rules) shape {
	return shape{
		Rules: r, rank: rankHands(r.Cards), width: r.Seats * r.Ranks,
		whole: ^Value(0) >> (64 - r.Seats*r.Ranks),
		hands: 1<<(r.Seats*r.Cards) - 1, one: 1<<r.Cards - 1,
	}
}

// turned is the hands as the given seat sees them, itself in the low bits.
func (s *shape) turned(hands uint64, seat int) uint64 {
	by := seat * s.Cards
	return hands>>by | hands<<(s.Seats*s.Cards-by)&s.hands
}

// rotate moves a value seen from the given seat to seat 0's numbering.
func (s *shape) rotate(v Value, seat int) Value {
	by := seat * s.Ranks
	return v<<by&s.whole | v>>(s.width-by)
}

// unrotate is the inverse of rotate.
func (s *shape) unrotate(v Value, seat int) Value {
	by := seat * s.Ranks
	return v>>by | v<<(s.width-by)&s.whole
}

// group is the work on one set of hands: every seat's children are looked up
// once in the layer below, and all entries of the group are made of them.
type group[W word] struct {
	shape
	below   *layout // nil under the lowest layer
	values  []W
	empties int                                            // seats without cards
	hand    [daifugo.MaxSeats]daifugo.Hand                 // by seat
	choice  [daifugo.MaxSeats][daifugo.MaxCards + 1]choice // of a seat's n highest cards
	lead    [daifugo.MaxSeats]Value                        // value when the seat leads
}

// load takes the hands, and looks up what every seat's cards lead to. It tells
// whether there is anything to do: a set of hands with Ranks-1 empty ones ends
// the game.
func (g *group[W]) load(hands uint64) bool {
	g.empties = 0
	for i := range g.Seats {
		g.hand[i] = daifugo.Hand(hands >> (i * g.Cards) & g.one)
		if g.hand[i] == 0 {
			g.empties++
		}
	}
	if g.empties >= g.Ranks-1 {
		return false
	}
	for i := range g.Seats {
		if g.hand[i] != 0 {
			g.seat(i, g.turned(hands, i))
		}
	}
	return true
}

// seat folds the children of one seat's cards, from the highest down, and
// keeps every state on the way: with kind t on the table only the cards above
// t may be played.
func (g *group[W]) seat(i int, turned uint64) {
	hand := g.hand[i]
	n := hand.Len()
	choice := &g.choice[i]
	choice[0] = newChoice()
	if n == 1 && g.empties == g.Ranks-2 {
		v := g.last(i)
		choice[1] = choice[0]
		choice[1].Add(v, v.at(i, g.Ranks))
		g.lead[i] = v
		return
	}
	base := g.below.block(turned >> g.Cards)
	missing := uint64(g.Cards - n + 1)
	for m := 1; m <= n; m++ {
		v := hand.Highest()
		hand &^= 1 << (v - 1)
		at := base + uint64(g.rank[g.hand[i]&^(1<<(v-1))])*missing + uint64(v-1-(n-m))
		child := g.rotate(Value(g.values[at]), i)
		choice[m] = choice[m-1]
		choice[m].Add(child, child.at(i, g.Ranks))
	}
	g.lead[i] = choice[n].value()
}

// last is the value once a seat has played the card that ends the game.
func (g *group[W]) last(i int) Value {
	v := Value(0).With(i, g.Ranks-1, g.Ranks)
	for j := range g.Seats {
		if j != i && g.hand[j] != 0 {
			v = v.With(j, g.Ranks, g.Ranks)
		}
	}
	return v
}

// passed is the value when the given seat leads once everybody has passed.
func (g *group[W]) passed(seat int) Value {
	for g.hand[seat] == 0 {
		seat++
		if seat == g.Seats {
			seat = 0
		}
	}
	return g.lead[seat]
}

// fold goes back from the pass of the last player before the table clears to
// the turn of seat to: each of the seats from..to-1 backwards may play a card
// above table, or pass on to v.
func (g *group[W]) fold(v Value, seat, turns, table int) Value {
	for range turns {
		seat--
		if seat < 0 {
			seat = g.Seats - 1
		}
		if n := bits.OnesCount16(uint16(g.hand[seat] >> table)); n != 0 {
			v = g.choice[seat][n].plus(v, v.at(seat, g.Ranks))
		}
	}
	return v
}

// store makes the entries of the group in which the given seat has just
// played, and returns how many there are.
func (g *group[W]) store(l *layout, to []W, hands uint64, seat int) int {
	hand := g.hand[seat]
	missing := ^hand & daifugo.Hand(g.one)
	count := missing.Len()
	if count == 0 {
		return 0
	}
	turned := g.turned(hands, seat)
	at := l.block(turned>>g.Cards) + uint64(g.rank[hand])*uint64(count)
	var others daifugo.Hand
	for i := range g.Seats {
		if i != seat {
			others |= g.hand[i]
		}
	}
	lead := g.passed(seat)
	var own Value // the rank the seat has just got, if it is out
	if hand == 0 {
		own = own.With(0, g.empties, g.Ranks)
	}
	var v Value
	cut := daifugo.Hand(0)
	for i := range count {
		t := missing.Lowest()
		missing &= missing - 1
		// Kinds between which the others hold no card are one and the same.
		if above := others.Above(t); i == 0 || above != cut {
			cut = above
			v = g.unrotate(g.fold(lead, seat, g.Seats-1, t), seat) | own
		}
		to[at] = W(v)
		at++
	}
	return count
}
