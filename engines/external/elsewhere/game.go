package elsewhere

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Name is the game's name in the catalogue.
const Name = "external"

// Strategy is a program as a strategy of this game.
type Strategy = arena.Strategy[Rules, Player]

// Rules are the options of the game.
type Rules struct{ seats int }

// Seats is the number of players.
func (r *Rules) Seats() int { return r.seats }

// Player is one side of a game in a program that plays whole games.
type Player interface {
	// Side is what the program is told of the player.
	Side() Side
	// Program names the program; all players of a game must have the same.
	Program() string
	// Play has the program play. The error is a *Fault where the program has not
	// told who was best; any other means that no game can be played at all.
	Play(g *Question) (*Answer, error)
}

// Side is a player as its program is told of it.
type Side struct {
	Name   string // of the strategy
	Params string // a JSON object
}

// Question is a game to be played.
type Question struct {
	Seed  uint64 // the same for the games of a block
	Game  int64  // the game's number in its series, from 0
	Sides []Side // by seat
}

// The components that are counted.
const (
	faultsMade = iota // as the program told
	voided            // the program told no result
	firstMetric
	counted = firstMetric + Metrics
)

// Metrics is how many quantities of its own a program may tell of a game.
const Metrics = 4

// unit is the number of units in which metrics are counted.
const unit = 1e6

// Game is the game as the arena plays it.
func Game() arena.Definition[Rules, Player] {
	components := make([]string, counted)
	components[faultsMade], components[voided] = "faults", "void"
	metrics := []arena.Metric{
		{Name: "faults", Doc: "errors that the program told of the player, games a game", Of: "faults", Lower: true},
		{Name: "void", Doc: "games without a result, because the program failed; they are drawn, games a game", Of: "void", Lower: true},
	}
	for i := range Metrics {
		name := fmt.Sprintf("metric%d", i+1)
		components[firstMetric+i] = name
		metrics = append(metrics, arena.Metric{
			Name: name, Doc: fmt.Sprintf("number %d of the metrics that the program's entry in the registry lists, mean of a game", i+1), Of: name, Scale: 1 / unit,
		})
	}
	return arena.Definition[Rules, Player]{
		Name:   Name,
		Doc:    "A game whose rules a registered program owns: it is asked for whole games.",
		Source: "a program of somebody else",
		Declare: func(r *Rules, f *param.Fields) {
			f.Int(&r.seats, "seats", 2, param.Range(2, 16), "players at the table")
		},
		Seats:       func(r *Rules) int { return r.seats },
		SeatsOption: "seats",
		FreshChance: true, // each block has a seed of its own
		Components:  components,
		Negative:    components[firstMetric:],
		Metrics:     metrics,
		Referee:     func(r *Rules) (arena.Referee[Player], error) { return referee{}, nil },
	}
}
