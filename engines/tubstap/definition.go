package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Options, Player]

// Definition is the game as the arena plays it: seat 0 is Red and moves
// first. Where files may be read, the rules name maps by their paths too.
func Definition() arena.Definition[Options, Player] {
	return arena.Definition[Options, Player]{
		Name: "tubstap", Doc: "Turn-based strategy without chance: every unit of a side acts once in a turn.",
		Source:     "TUBSTAP 0.108 (JAIST); Sagehashi, Muto and Nishino, IPSJ 2017-GI-37 No. 10",
		Reading:    func(o *Options, read func(path string) ([]byte, error)) { o.read = read },
		Declare:    (*Options).Declare,
		Check:      (*Options).check,
		Seats:      func(*Options) int { return 2 },
		Components: components,
		Metrics: []arena.Metric{
			{Name: "hp_left", Doc: "HP left at the end, points a game", Of: "hp_left"},
			{Name: "units_left", Doc: "units left at the end, units a game", Of: "units_left"},
			{Name: "half_turns", Doc: "length of the game, half-turns", Of: "half_turns"},
			{Name: "turn_limit", Doc: "share of games that reached the turn limit, games a game", Of: "turn_limit"},
		},
		PaperName: paperName, PaperNames: "MaxActEval (single) and M-UCT (muct with 20000 simulations)",
		Referee: newReferee,
	}
}

var components = []string{"hp_left", "units_left", "half_turns", "turn_limit"}

// paperName reads the names of the paper's two players.
func paperName(text string) (strategy string, values param.Values, ok bool) {
	switch text {
	case "MaxActEval":
		return "single", nil, true
	case "M-UCT":
		return "muct", param.Values{{Name: "simulations", Text: "20000"}}, true
	}
	return "", nil, false
}
