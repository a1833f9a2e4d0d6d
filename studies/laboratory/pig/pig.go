// Package pig is the dice game Pig with players of three integers, and the exact
// score of any of them against any other: real games on which searches are
// compared, with a truth that is worked out and not measured.
//
// A player rolls a die as often as it dares and keeps the points of its turn,
// unless it rolls a one, which loses them; the first with 100 points wins (J.
// Scarne, Scarne on Dice, 1945).
//
//	score := pig.Score(pig.Hold{At: 25, End: 29}, pig.Hold{At: 20})
package pig

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// goal is the number of points that win.
const goal = 100

// Hold is a player: it holds at a number of points in a turn.
type Hold struct {
	At    int // points of a turn at which to hold
	Greed int // by how much more when behind, per cent of what it is behind by
	End   int // with either so near the goal the turn goes on until it is reached, points
}

// rules are those of Pig, which has no options.
type rules struct{}

// dice is the only chance: that of each seat.
const dice arena.Purpose = 0

// Catalogue is Pig alone.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[rules, *Hold]{
		Name: "pig", Doc: "Two players roll a die as often as they dare; a one loses the points of the turn.",
		Source:     "Pig: J. Scarne, Scarne on Dice, 1945",
		Declare:    func(*rules, *param.Fields) {},
		Seats:      func(*rules) int { return 2 },
		Components: []string{"turns"},
		Metrics:    []arena.Metric{{Name: "turns", Doc: "turns of a game", Of: "turns"}},
		Referee:    func(*rules) (arena.Referee[*Hold], error) { return referee{}, nil },
	}, arena.Strategy[rules, *Hold]{
		Name: "hold", Doc: "Holds at a number of points in a turn.", Source: "ours",
		New: func() arena.Config[rules, *Hold] { return &Hold{} },
	})}
}

// Declare implements arena.Config.
func (h *Hold) Declare(f *param.Fields, _ *rules) {
	f.Int(&h.At, "at", 20, param.Range(2, 60), "points of a turn at which to hold")
	f.Int(&h.Greed, "greed", 0, param.Range(0, 50), "by how much more when behind, per cent of what it is behind by")
	f.Int(&h.End, "end", 0, param.Range(0, 60), "with either so near the goal the turn goes on until it is reached, points")
}

// Player implements arena.Config.
func (h *Hold) Player(*rules) (*Hold, error) { return h, nil }

// hold is the points of a turn at which the player holds.
func (h *Hold) hold(mine, theirs int) int {
	at := h.At
	if theirs > mine {
		at += (theirs - mine) * h.Greed / 100
	}
	if h.End > 0 && max(mine, theirs) >= goal-h.End {
		at = goal
	}
	return min(at, goal-mine)
}

type referee struct{}

// Play implements arena.Referee.
func (referee) Play(fx *arena.Fixture, players []*Hold, out *arena.Outcome) error {
	die := [2]arena.Stream{fx.Stream(0, dice), fx.Stream(1, dice)}
	var sum [2]int
	for {
		for seat, p := range players {
			turn, at := 0, p.hold(sum[seat], sum[1-seat])
			for turn < at {
				n := 1 + die[seat].IntN(6)
				if n == 1 {
					turn = 0
					break
				}
				turn += n
			}
			sum[seat] += turn
			out.Counts(seat)[0]++
			out.Transcript.Add(uint64(turn))
			if sum[seat] >= goal {
				out.Win(seat)
				return nil
			}
		}
	}
}
