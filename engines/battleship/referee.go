package battleship

import (
	"slices"

	"sakusen/engines/arena"
)

// A referee plays games: both fleets are placed, then each side shoots on its
// own until the enemy fleet is sunk. As no attack depends on one's own board,
// this is the alternating game and what would have followed it; the first
// player wins if it needs no more shots than the second.
type referee struct {
	rules *Rules
	sides [2]*party
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r}
	for i := range ref.sides {
		s := &party{fleet: make([]Placement, r.fleet.Ships())}
		s.view.Knowledge = &s.knowledge
		ref.sides[i] = s
	}
	return ref
}

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	var placed [2]bool
	for seat, s := range &ref.sides {
		chance := fx.Stream(seat, Placing)
		players[seat].Place(&chance, s.fleet)
		for _, p := range s.fleet {
			out.Transcript.Add(uint64(p.Start)<<1 | uint64(side(p.Vertical)))
		}
		placed[seat] = s.put(ref.rules)
		if fx.Watch != nil {
			fx.Watch(Placed{Seat: seat, Fleet: slices.Clone(s.fleet), Illegal: !placed[seat]})
		}
	}
	if !placed[0] || !placed[1] {
		// The first player to place an impossible fleet loses.
		loser := 0
		if placed[0] {
			loser = 1
		}
		out.Faults[loser] = true
		out.Win(1 - loser)
		if fx.Watch != nil {
			fx.Watch(Decided{Winner: 1 - loser})
		}
		ref.tellFault(fx, loser)
		return nil
	}
	for seat, s := range ref.sides {
		s.view.Chance = fx.Stream(seat, Shooting)
		s.attack(ref.rules, players[seat], ref.sides[1-seat], &out.Transcript, seat, fx.Watch)
	}
	ref.decide(fx, out)
	return nil
}
