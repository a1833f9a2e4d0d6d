package battleship

import "sakusen/engines/arena"

// decide finds the shot that ends the game, of both sides' shooting the one
// that comes first in turn, and counts the game up to it.
func (ref *referee) decide(fx *arena.Fixture, out *arena.Outcome) {
	last := 0
	if ref.sides[1].end < ref.sides[0].end {
		last = 1
	}
	winner := last
	if ref.sides[last].illegal {
		out.Faults[last] = true
		winner = 1 - last
	}
	out.Win(winner)
	end := Decided{Winner: winner}
	for seat, s := range &ref.sides {
		turns := ref.sides[last].end
		if seat == 1 && last == 0 {
			turns-- // the second player has no turn after the first's last shot
		}
		shots := min(turns, s.fired)
		end.Shots[seat] = shots
		counts := out.Counts(seat)
		counts[shotsFired] = int64(shots)
		counts[shotsHit] = s.hits(shots)
		counts[shotsToWin] = int64(s.fired)
		counts[placementsVisited] = int64(s.view.work)
	}
	if fx.Watch != nil {
		fx.Watch(end)
	}
	if fx.Story != nil {
		ref.tell(fx.Story, last, winner)
	}
}
