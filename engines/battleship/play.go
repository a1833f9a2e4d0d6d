package battleship

import (
	"slices"

	"sakusen/engines/arena"
)

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
