// Package pig is the rules of pig: what a player sees and may do, and the
// referee that plays a game. It knows no strategy. It reads no clock and no file, and all
// its random numbers come from the fixture's streams, so that a game can be played again
// exactly.
//
// The rules are those of the dice game Pig, to be replaced by your own: a player
// rolls a die as often as it dares and keeps the points of its turn, unless it
// rolls a one, which loses them. The first to reach the goal wins.
package pig

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Rules are the options of the game.
type Rules struct {
	Goal int // points that win
}

// View is what a player sees before a roll.
type View struct {
	Rules  *Rules
	Mine   int           // points kept in earlier turns
	Theirs int           // the other player's
	Turn   int           // points of this turn, which a one would lose
	Chance *arena.Stream // the player's own chance
}

// Player is asked before every roll but the first of a turn.
type Player interface {
	// Roll reports whether to roll once more; otherwise the turn's points are kept.
	Roll(v *View) bool
}

// Game returns the game as the arena plays it.
func Game() arena.Definition[Rules, Player] {
	return arena.Definition[Rules, Player]{
		Name:   "pig",
		Doc:    "Two players roll a die as often as they dare; a one loses the points of the turn.",
		Source: "Pig: J. Scarne, Scarne on Dice, 1945",
		Declare: func(r *Rules, f *param.Fields) {
			f.Int(&r.Goal, "goal", 100, param.Range(20, 500), "points that win, points")
		},
		Seats:      func(*Rules) int { return 2 },
		Components: []string{"points", "rolls", "turns"},
		Metrics: []arena.Metric{
			{Name: "points", Doc: "points at the end, points a game", Of: "points"},
			{Name: "rolls", Doc: "rolls in a turn, rolls a turn", Of: "rolls", Per: "turns"},
		},
		Referee: func(r *Rules) (arena.Referee[Player], error) { return &referee{rules: r}, nil },
	}
}
