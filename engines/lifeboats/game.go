package lifeboats

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game is what the arena is told about Lifeboats.
func Game() arena.Definition[Rules, Player] {
	return arena.Definition[Rules, Player]{
		Name:        "lifeboats",
		Doc:         "Votes decide which boat leaks, who leaves it and which boat moves on; most crew saved wins.",
		Source:      "T. Kasuya, R. Suzuki and T. Arita, Evolution of players for a board game based on majority voting, section 2",
		Declare:     func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:       (*Rules).check,
		Seats:       func(r *Rules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"saved"},
		Metrics: []arena.Metric{
			{Name: "crew", Doc: "crew saved in the game, crew", Of: "saved"},
		},
		Referee: func(r *Rules) (arena.Referee[Player], error) { return newReferee(r), nil },
	}
}
