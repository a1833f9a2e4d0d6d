package pig

import (
	"fmt"

	"sakusen/engines/arena"
)

// Purposes of streams: each seat has its own dice and its own random numbers, which do not
// depend on the player in it.
const (
	dice arena.Purpose = iota
	deciding
)

// The components that the referee counts, in the order of Definition.Components.
const (
	points = iota
	rolls
	turns
)

// mostTurns is the number of turns of each player after which a game ends although no
// player has reached the goal.
const mostTurns = 10_000

// referee plays games; it is used by one goroutine for many games.
type referee struct {
	rules *Rules
	sums  [2]int
}

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	ref.sums = [2]int{}
	var die, chance [2]arena.Stream
	for seat := range players {
		die[seat], chance[seat] = fx.Stream(seat, dice), fx.Stream(seat, deciding)
	}
	for range mostTurns {
		for seat, player := range players {
			v := View{Rules: ref.rules, Mine: ref.sums[seat], Theirs: ref.sums[1-seat], Chance: &chance[seat]}
			ref.turn(fx, seat, player, &v, &die[seat], out)
			if ref.sums[seat] >= ref.rules.Goal {
				out.Win(seat)
				ref.tell(fx, "seat %d wins", seat)
				return nil
			}
		}
	}
	out.Share(func(int) bool { return true })
	ref.tell(fx, "nobody reaches the goal")
	return nil
}

// turn plays one turn. Every event is written to the transcript, whose digest identifies
// the game.
func (ref *referee) turn(fx *arena.Fixture, seat int, player Player, v *View, die *arena.Stream, out *arena.Outcome) {
	counts := out.Counts(seat)
	counts[turns]++
	for {
		n := 1 + die.IntN(6)
		out.Transcript.Add(uint64(n))
		counts[rolls]++
		if n == 1 {
			ref.tell(fx, "seat %d rolls a one and loses %d points", seat, v.Turn)
			return
		}
		v.Turn += n
		if v.Mine+v.Turn >= ref.rules.Goal || !player.Roll(v) {
			break
		}
	}
	out.Transcript.Add(0)
	ref.sums[seat] += v.Turn
	counts[points] = int64(ref.sums[seat])
	ref.tell(fx, "seat %d keeps %d points and has %d", seat, v.Turn, ref.sums[seat])
}

// tell describes the game to a person; nothing is formatted if there is no listener.
func (ref *referee) tell(fx *arena.Fixture, format string, args ...any) {
	if fx.Story != nil {
		fx.Story(fmt.Sprintf(format, args...))
	}
}
