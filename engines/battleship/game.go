package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Components that the referee counts for each seat.
const (
	shotsFired = iota
	shotsHit
	shotsToWin
	placementsVisited
)

// Game is what the arena is told about Battleship. Entrants may go by the
// paper's names, see PaperName.
func Game() arena.Definition[Rules, Player] {
	return arena.Definition[Rules, Player]{
		Name:       "battleship",
		Doc:        "Two fleets hidden from each other; one shot a turn, and only the class of a sunk ship is announced.",
		Source:     "M. Sakuta and H. Iida, Evaluation of Attacking and Placing Strategies in a Classic Battleship Game, 2002, section 2",
		Declare:    func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:      (*Rules).check,
		Seats:      func(*Rules) int { return 2 },
		Components: []string{"shots", "hits", "shots_to_win", "work"},
		Metrics: []arena.Metric{
			{Name: "shots", Doc: "shots fired in the game, shots", Of: "shots"},
			{Name: "hit_ratio", Doc: "100 x hits / shots in the game, percent", Of: "hits", Per: "shots", Scale: 100},
			{Name: "shots_to_win", Doc: "shots until the enemy fleet is sunk, played on after the game, shots", Of: "shots_to_win", Lower: true},
			{Name: "work", Doc: "placements that plain enumeration would have visited until the enemy fleet is sunk, played on after the game, placements", Of: "work", Lower: true},
		},
		Race:      "shots_to_win",
		PaperName: paperName, PaperNames: paperNames,
		Referee: func(r *Rules) (arena.Referee[Player], error) {
			return newReferee(r), nil
		},
	}
}
