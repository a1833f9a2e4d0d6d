// Package catalogue joins each game with what it has for people: how it is drawn, what
// answers questions about its positions, how a person plays it. A program with every command
// needs one such line for each game:
//
//	games := catalogue.Games{
//		{Game: arena.Enter(nim.Game(), random.Strategy(), perfect.Strategy()), Scene: scene.Scene()},
//	}
//
// Everything but Game may be left out. Tuning, tournaments and whatever else only
// plays need the games alone: Arena.
package catalogue

import (
	"encoding/json"

	"sakusen/engines/arena"
	"sakusen/engines/arena/console"
	"sakusen/engines/arena/film"
)

// Game is one line of the catalogue.
type Game struct {
	*arena.Game
	Scene   film.Scene       // how it is shown
	Analyst *Analyst         // answers questions about positions; nil: nothing does
	Console *console.Console // how a person plays it; nil: not at all
}

// Games are the lines, in the order in which they are shown.
type Games []Game

// Arena returns the games with their strategies alone.
func (g Games) Arena() arena.Catalogue {
	all := make(arena.Catalogue, len(g))
	for i := range g {
		all[i] = g[i].Game
	}
	return all
}

// Game finds a game by name.
func (g Games) Game(name string) (*Game, error) {
	for i := range g {
		if g[i].Name == name {
			return &g[i], nil
		}
	}
	_, err := g.Arena().Game(name)
	return nil, err
}

// Analyst answers positions of a game for other programs, a line of JSON for a
// line of JSON: `sakusen paper analyse GAME`.
type Analyst struct {
	Short string // what is answered, in a line
	Long  string // the forms of questions and answers
	// Line answers one line, with {"error": "..."} where it cannot. read reads a
	// file that a position names by its path.
	Line func(line []byte, read func(path string) ([]byte, error)) []byte
}

// Answered returns the line of an answer without its newline, or {"error": "..."} where
// there is none.
func Answered[T any](answer T, err error) []byte {
	var line []byte
	if err == nil {
		line, err = json.Marshal(answer)
	}
	if err != nil {
		line, _ = json.Marshal(map[string]string{"error": err.Error()}) // a string always has a form
	}
	return line
}
