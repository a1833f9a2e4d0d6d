package chess

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Rules, Player]

// Name is the game's name in the catalogue.
const Name = "chess"

// Game is chess as the arena plays it: White sits in seat 0. Where files may be
// read, the rules name books by their paths.
func Game() arena.Definition[Rules, Player] {
	components := make([]string, counted)
	components[pliesPlayed], components[faultsMade] = "plies", "faults"
	metrics := []arena.Metric{
		{Name: "plies", Doc: "moves of the player after the opening, plies a game", Of: "plies"},
		{Name: "faults", Doc: "games lost by a fault, games a game", Of: "faults", Lower: true},
	}
	for e := Illegal; e <= Garbled; e++ {
		name := faultNames[e-Illegal]
		components[firstFault+int(e-Illegal)] = name.metric
		metrics = append(metrics, arena.Metric{Name: name.metric, Doc: name.doc + ", games a game", Of: name.metric, Lower: true})
	}
	return arena.Definition[Rules, Player]{
		Name:       Name,
		Doc:        "Chess, for engines of other people too: games begin from openings of our own making or from a book.",
		Source:     "FIDE, Laws of Chess (2023)",
		Reading:    func(r *Rules, read func(path string) ([]byte, error)) { r.read = read },
		Declare:    func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:      (*Rules).check,
		Seats:      func(*Rules) int { return 2 },
		Starts:     (*Rules).starts,
		Components: components,
		Metrics:    metrics,
		Record:     recorder,
		Referee:    func(r *Rules) (arena.Referee[Player], error) { return newReferee(r), nil },
	}
}

// faultNames are the faults as they are counted, from Illegal on.
var faultNames = [...]struct{ metric, doc string }{
	{"illegal", "games lost by an illegal move"},
	{"crashes", "games lost because the player's program was gone"},
	{"stalls", "games lost because the player's program did not answer"},
	{"overtime", "games lost on the clock"},
	{"garbled", "games lost because the player's program answered what is no move"},
}
