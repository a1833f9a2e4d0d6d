package films

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/film"
	"sakusen/tuner/service"
)

// warningsShown bounds the warnings about a replay file that a page shows.
const warningsShown = 5

// replayFiles says what a game's replay files are, empty where it has none.
func replayFiles(g *catalogue.Game) string {
	if g.Scene.Replays == nil {
		return ""
	}
	return g.Scene.Replays.Doc
}

// openRecord shows the game that a replay file holds, replayed under the strict
// rules.
func (t *Theatre) openRecord(ticket Ticket) (*Showing, error) {
	g, err := t.games.Game(ticket.Game)
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	files := g.Scene.Replays
	if files == nil {
		return nil, refusal([]error{fmt.Errorf("record: %s has no replay files", g.Name)})
	}
	for name := range ticket.Rules {
		if !slices.Contains(files.Options, name) {
			return nil, refusal([]error{fmt.Errorf("rules: %.40q: expected %s alone, the record has the rest", name, strings.Join(files.Options, ", "))})
		}
	}
	rs, _, err := openStage(g.Game, ticket.Rules)
	if err != nil {
		return nil, err
	}
	record, err := files.Open(rs, []byte(ticket.Record))
	if err != nil {
		return nil, refusal([]error{fmt.Errorf("record: %w", err)})
	}
	one := FilmHeader{Game: g.Name, Rules: map[string]string{}, Record: true, Measure: g.Scene.Measure}
	key := fmt.Sprintf("record %s %x", g.Name, sha256.Sum256([]byte(ticket.Record)))
	for _, name := range files.Options {
		value, _ := rs.Rules.Get(name)
		one.Rules[name] = value
		key += " " + value
	}
	for _, name := range record.Seats {
		one.Seats = append(one.Seats, FilmSeat{Name: name, Entrant: name})
	}
	for i, w := range record.Warnings {
		if i == warningsShown {
			one.Notes = append(one.Notes, fmt.Sprintf("And %d warnings more.", len(record.Warnings)-i))
			break
		}
		one.Notes = append(one.Notes, w)
	}
	return &Showing{
		Film: one, Key: key,
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			told, err := film.ShootReplay(ctx, g.Scene, rs, record, film.Limits{Bytes: filmBytes}, func(f film.Frame) error { return each(FilmFrame(f)) })
			if err != nil {
				return FilmEnd{}, err
			}
			return endOfRecord(record, told.Cut), nil
		},
	}, nil
}

// endOfRecord is the end of a replayed game.
func endOfRecord(record *film.Replay, cut string) FilmEnd {
	out := FilmEnd{Cut: cut}
	if cut != "" {
		return out
	}
	if record.Scores == nil {
		out.Note = "The record ends before the game does."
	}
	for seat, score := range record.Scores {
		out.Scores = append(out.Scores, FilmResult{Name: record.Seats[seat], Score: score})
	}
	return out
}
