package web

import (
	"context"

	"sakusen/tuner/web/films"
)

// Theatre shows games: fresh ones, and again those that a study has played. Its
// errors are *service.Error where the asker is to blame.
type Theatre interface {
	// GameForms are the games with what a form needs to know about them. rules, unless
	// empty, are those of the named game.
	GameForms(ctx context.Context, game string, rules map[string]films.Text) ([]films.GameForm, error)
	// Games lists what a trial has played: all its meetings and, of one of them, the games
	// of at most limit blocks beginning with a given block.
	Games(ctx context.Context, q films.GamesQuery) (*films.TrialGames, error)
	// Open checks a ticket; nothing is played yet.
	Open(ctx context.Context, t films.Ticket) (*films.Showing, error)
}

// ticket is a ticket as an address or a body has it.
type ticket struct {
	films.Ticket
	replayKey string // the key of an uploaded replay file, in place of Record
}
