package desk

import (
	"slices"

	"sakusen/engines/arena"
)

// Me is the entrant that is a person, and Person the name of the strategy that
// sits for it in the game that is played.
const (
	Me     = "me"
	Person = "person"
)

// Sitting is one game as it is to be played, with a person or without. Its
// chance is that of the command match's first block with the same seed.
type Sitting struct {
	Desk
	Rules    *arena.Ruleset
	Entrants []string // texts by seat, Me for the person
	Seed     uint64
	On       []string // switches
	Colour   bool     // boards are shown in colour
	Date     string   // local date and time, 2006-01-02 15:04:05
	// Keep takes the game in the form of the game's own replay files, if it has one.
	Keep func(text []byte)
}

// Seat is the person's seat, -1 if there is none.
func (s *Sitting) Seat() int { return slices.Index(s.Entrants, Me) }

// Is tells whether a switch is on.
func (s *Sitting) Is(on string) bool { return slices.Contains(s.On, on) }

// Game is a game whose strategies know the person.
func Game[R, P any](d arena.Definition[R, P], strategies []arena.Strategy[R, P], person arena.Config[R, P]) *arena.Game {
	return arena.Enter(d, append(slices.Clone(strategies), arena.Strategy[R, P]{
		Name: Person, Doc: "A person.", Source: "ours",
		New: func() arena.Config[R, P] { return person },
	})...)
}

// Series is the sitting's game, of a game that knows the person.
func (s *Sitting) Series(game *arena.Game) (arena.Series, error) {
	rules, errs := game.Open(s.Rules.Rules)
	if len(errs) > 0 {
		return arena.Series{}, errs[0]
	}
	out := arena.Series{Ruleset: rules, Seed: s.Seed, Phase: arena.Match, To: 1}
	for _, text := range s.Entrants {
		if text == Me {
			text = Person
		}
		e, err := rules.Entrant(text)
		if err != nil {
			return out, err
		}
		out.Entrants = append(out.Entrants, e)
	}
	return out, nil
}
