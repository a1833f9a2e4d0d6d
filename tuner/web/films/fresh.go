package films

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/service"
)

// openFresh opens the game that a ticket describes.
func (t *Theatre) openFresh(ticket Ticket) (*Showing, error) {
	g, err := t.games.Game(ticket.Game)
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	rs, left, err := openStage(g.Game, ticket.Rules)
	if err != nil {
		return nil, err
	}
	s := arena.Series{Ruleset: rs, Seed: 1, Phase: arena.Match, From: ticket.Block, To: ticket.Block + 1}
	var errs []error
	if ticket.Seed != "" {
		seed, err := param.ParseSeed(string(ticket.Seed))
		if err != nil {
			errs = append(errs, fmt.Errorf("seed: %w", err))
		}
		s.Seed = uint64(seed)
	}
	for i, text := range ticket.Entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("entrants[%d]: %w", i, err))
		}
		s.Entrants = append(s.Entrants, e)
	}
	if len(ticket.Entrants) != rs.Seats {
		errs = append(errs, fmt.Errorf("entrants: %s takes %d under these rules, got %d", g.Name, rs.Seats, len(ticket.Entrants)))
	}
	if ticket.Rotation >= rs.Seats {
		errs = append(errs, fmt.Errorf("rotation: expected 0 to %d, got %d", rs.Seats-1, ticket.Rotation))
	}
	if len(errs) > 0 {
		return nil, refusal(errs)
	}
	one := filmOf(s, ticket.Rotation)
	one.Measure = g.Scene.Measure
	for _, name := range left {
		one.Notes = append(one.Notes, "The rule "+name+" does not apply beside the others and is left out.")
	}
	key := rs.Hash() + " " + one.Seed
	for _, e := range s.Entrants {
		key += "\n" + e.Name + "\n" + e.Canonical()
	}
	return &Showing{
		Film: one, Key: fmt.Sprintf("%s\n%d %d", key, s.From, ticket.Rotation),
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			end, _, err := shoot(ctx, g.Scene, s, ticket.Rotation, each)
			return end, err
		},
	}, nil
}
