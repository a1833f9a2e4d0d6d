package laboratory

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game is what the arena is told about the laboratory.
func Game() arena.Definition[Rules, *Player] {
	return arena.Definition[Rules, *Player]{
		Name:        "laboratory",
		Doc:         "Synthetic games with a planted optimum: what a search finds can be held against the truth.",
		Source:      "ours; games as in Bradley and Terry (1952) and Luce (1959)",
		Declare:     func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:       (*Rules).check,
		Seats:       func(r *Rules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"cost", "height"},
		Negative:    []string{"height"},
		Metrics: []arena.Metric{
			{Name: "cost", Doc: "work done in the game: 250 at the lower end of x1, 4000 at the upper, units", Of: "cost", Lower: true},
			{Name: "height", Doc: "the truth: strength above the default parameters, Elo", Of: "height", Scale: 0.01},
		},
		Referee: func(r *Rules) (arena.Referee[*Player], error) { return newReferee(r), nil },
	}
}
