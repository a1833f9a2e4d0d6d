package daifugo

import (
	"math/bits"

	"sakusen/engines/arena"
)

// Hands that the others see.
const (
	OpenHands   = "open"
	HiddenHands = "hidden"
)

// Blind is a Player that can play with hidden hands as they are. Any other player
// is given one deal that the mover holds possible, drawn anew for every move, and
// takes it for the truth.
type Blind interface {
	Player
	// ChooseBlind is Choose by what the mover can know.
	ChooseBlind(v *View, chance *arena.Stream) (m Move, nodes int64)
}

// View is what the mover knows when hands are hidden: its own hand, how many cards
// the others hold, and every card that was played. As each seat's hand is dealt for
// itself, the cards that a seat still holds are, for all that the cards tell, any
// so many of the kinds that it has not played: all such hands are equally likely.
// What a seat's passes tell is left out.
type View struct {
	known  Position // the hands of the others are empty, but for their number of cards
	counts [MaxSeats]int
	played [MaxSeats]Hand
}

// See is the mover's view of a position; played are the kinds that each seat has
// played since the deal.
func See(p *Position, played []Hand) View {
	v := View{known: *p}
	for i := range int(p.seats) {
		v.counts[i] = p.hands[i].Len()
		v.played[i] = played[i]
		if i != p.Turn() {
			v.known.hands[i] = 0
		}
	}
	return v
}

// Played are the kinds that a seat has played.
func (v *View) Played(seat int) Hand { return v.played[seat] }

// Moves appends the mover's legal moves to dst, as Position.Moves does.
func (v *View) Moves(dst []Move) []Move { return v.known.Moves(dst) }

// Deal draws a position that the mover holds possible.
func (v *View) Deal(chance *arena.Stream) Position {
	p := v.known
	for i := range int(p.seats) {
		if i != p.Turn() {
			p.hands[i] = draw(fullHand(int(p.cards))&^v.played[i], v.counts[i], chance)
		}
	}
	return p
}

// draw takes n of the given kinds, each set of so many equally likely.
func draw(from Hand, n int, chance *arena.Stream) Hand {
	var h Hand
	for left := from.Len(); n > 0; left-- {
		lowest := Hand(1) << bits.TrailingZeros16(uint16(from))
		from &^= lowest
		if chance.IntN(left) < n {
			h |= lowest
			n--
		}
	}
	return h
}
