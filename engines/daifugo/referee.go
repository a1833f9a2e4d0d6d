package daifugo

import (
	"fmt"

	"sakusen/engines/arena"
)

// Dealt is an event for watchers of a game: the hands, before the first move.
type Dealt struct{ Position Position }

// Played is an event for watchers of a game: a seat has made a move.
type Played struct {
	Seat     int
	Move     Move
	Illegal  bool     // it ends the game
	Position Position // after the move; before it, where it is illegal
}

// referee deals, asks, and ranks.
type referee struct {
	options Options
	rules   Rules
	hands   []Hand
	kinds   []int
	streams []arena.Stream
	guesses []arena.Stream // by seat, for players that cannot play with hidden hands
	played  []Hand         // kinds that each seat has played
}

func newReferee(o *Options) *referee {
	r := &referee{options: *o, rules: o.Rules()}
	r.hands = make([]Hand, r.rules.Seats)
	r.kinds = make([]int, r.rules.Cards)
	r.streams = make([]arena.Stream, r.rules.Seats)
	r.guesses = make([]arena.Stream, r.rules.Seats)
	r.played = make([]Hand, r.rules.Seats)
	return r
}

// Play implements arena.Referee. The first to be out wins; the finishing rank
// is a component.
func (r *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	chance := fx.Chance(dealing)
	r.deal(&chance)
	p, err := Deal(r.rules, r.hands)
	if err != nil {
		return err
	}
	for i, h := range r.hands {
		out.Transcript.Add(uint64(h))
		r.streams[i] = fx.Stream(i, choosing)
		r.guesses[i], r.played[i] = fx.Stream(i, guessing), 0
		if fx.Story != nil && r.options.Hands != HiddenHands {
			fx.Story(fmt.Sprintf("seat %d holds %v", i, h.Kinds()))
		}
	}
	if fx.Watch != nil {
		fx.Watch(Dealt{Position: p})
	}
	for !p.Over() {
		seat := p.Turn()
		m, nodes := r.ask(players[seat], &p)
		out.Transcript.Add(uint64(m))
		counts := out.Counts(seat)
		counts[movesMade]++
		counts[nodesSearched] += nodes
		if !p.Legal(m) {
			r.fault(fx, &p, seat, m, out)
			if fx.Watch != nil {
				fx.Watch(Played{Seat: seat, Move: m, Illegal: true, Position: p})
			}
			return nil
		}
		if m != Pass {
			r.played[seat] |= 1 << (m - 1)
		}
		r.play(fx, &p, m)
		if fx.Watch != nil {
			fx.Watch(Played{Seat: seat, Move: m, Position: p})
		}
	}
	for i := range r.rules.Seats {
		out.Counts(i)[finishingRank] = int64(p.Rank(i))
	}
	out.Share(func(seat int) bool { return p.Rank(seat) == 1 })
	return nil
}

// ask has the mover choose by what it may see.
func (r *referee) ask(player Player, p *Position) (Move, int64) {
	seat := p.Turn()
	if r.options.Hands != HiddenHands {
		return player.Choose(p, &r.streams[seat])
	}
	view := See(p, r.played)
	if blind, ok := player.(Blind); ok {
		return blind.ChooseBlind(&view, &r.streams[seat])
	}
	guess := view.Deal(&r.guesses[seat])
	return player.Choose(&guess, &r.streams[seat])
}

// play makes a legal move and tells it.
func (r *referee) play(fx *arena.Fixture, p *Position, m Move) {
	seat, table := p.Turn(), p.Table()
	p.Play(m)
	if fx.Story == nil {
		return
	}
	line := fmt.Sprintf("seat %d plays %v", seat, m)
	if m == Pass {
		line = fmt.Sprintf("seat %d passes", seat)
	}
	if p.Hand(seat) == 0 {
		line += fmt.Sprintf(", is out and has rank %d", p.Rank(seat))
	}
	fx.Story(line)
	switch {
	case p.Over():
		for i := range r.rules.Seats {
			if p.Hand(i) != 0 {
				fx.Story(fmt.Sprintf("seat %d is left with %v and has rank %d", i, p.Hand(i).Kinds(), p.Rank(i)))
			}
		}
	case table != 0 && p.Table() == 0:
		fx.Story(fmt.Sprintf("the table clears, seat %d leads", p.Turn()))
	}
}

// fault ends the game on an illegal move. The mover is ranked last; those who are out keep
// their ranks; the others share the best open rank.
func (r *referee) fault(fx *arena.Fixture, p *Position, seat int, m Move, out *arena.Outcome) {
	out.Faults[seat] = true
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seat %d plays %v, which is illegal, and loses", seat, m))
	}
	for i := range r.rules.Seats {
		rank := p.Rank(i)
		if rank == 0 {
			rank = p.Out() + 1
		}
		if i == seat {
			rank = r.rules.Ranks
		}
		out.Counts(i)[finishingRank] = int64(rank)
	}
	out.Share(func(i int) bool { return i != seat && out.Counts(i)[finishingRank] == 1 })
}

// deal gives every seat at least one card.
func (r *referee) deal(chance *arena.Stream) {
	for i := range r.hands {
		if r.options.Deal == even {
			r.hands[i] = r.evenHand(chance)
			continue
		}
		// All non-empty sets of kinds are equally likely, in one draw.
		r.hands[i] = Hand(1 + chance.IntN(1<<r.rules.Cards-1))
	}
}

func (r *referee) evenHand(chance *arena.Stream) Hand {
	for k := range r.kinds {
		r.kinds[k] = k
	}
	chance.Shuffle(len(r.kinds), func(i, j int) { r.kinds[i], r.kinds[j] = r.kinds[j], r.kinds[i] })
	var h Hand
	for _, k := range r.kinds[:r.options.Hand] {
		h |= 1 << k
	}
	return h
}
