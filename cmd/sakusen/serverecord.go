package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"

	"sakusen/cmd/sakusen/watch"
	"sakusen/engines/tubstap"
	"sakusen/tuner/web"
)

// replayFiles are the games whose replay files can be watched, by name, and what
// those files are.
func replayFiles() map[string]string {
	return map[string]string{"tubstap": "A replay file (.sgf)"}
}

// notesOfRecord bounds the warnings about a replay file that a page shows.
const notesOfRecord = 5

// openRecord shows the game that a TUBSTAP replay file holds, replayed under the
// strict rules.
func (t *theatre) openRecord(ticket web.Ticket) (*web.Showing, error) {
	g, err := t.catalogue.Game(ticket.Game)
	if err != nil {
		return nil, web.NewProblem(http.StatusBadRequest, clipped(err.Error()))
	}
	if replayFiles()[g.Name] == "" {
		return nil, refusal([]error{fmt.Errorf("record: %s has no replay files", g.Name)})
	}
	for name := range ticket.Rules {
		if name != "antiair_infantry" {
			return nil, refusal([]error{fmt.Errorf("rules: %.40q: expected antiair_infantry alone, the record has the rest", name)})
		}
	}
	rs, _, err := openStage(g, ticket.Rules)
	if err != nil {
		return nil, err
	}
	power, _ := rs.Rules.Get("antiair_infantry")
	rules := tubstap.Rules{}
	if rules.AntiAirInfantry, err = strconv.Atoi(power); err != nil {
		return nil, err
	}
	r, warnings, err := tubstap.ParseRecord([]byte(ticket.Record))
	if err != nil {
		return nil, refusal([]error{fmt.Errorf("record: %w", err)})
	}
	end, err := r.Replay(rules)
	if err != nil {
		return nil, refusal([]error{fmt.Errorf("record: %w", err)})
	}
	film := web.Film{Game: g.Name, Rules: map[string]string{"antiair_infantry": power}, Record: true}
	for i, name := range []string{r.Red, r.Blue} {
		if name = watch.Clean(name, 40); name == "" {
			name = tubstap.Team(i).String()
		}
		film.Seats = append(film.Seats, web.FilmSeat{Name: name, Entrant: name})
	}
	for i, w := range warnings {
		if i == notesOfRecord {
			film.Notes = append(film.Notes, fmt.Sprintf("And %d warnings more.", len(warnings)-i))
			break
		}
		film.Notes = append(film.Notes, watch.Clean(w.String(), 200))
	}
	sum := sha256.Sum256([]byte(ticket.Record))
	return &web.Showing{
		Film: film, Key: fmt.Sprintf("record %x %s", sum, power),
		Play: func(ctx context.Context, each func(web.FilmFrame) error) (web.FilmEnd, error) {
			one, err := watch.Replay(ctx, r, rules, watch.Limits{Bytes: filmBytes}, func(f watch.Frame) error { return each(web.FilmFrame(f)) })
			if err != nil {
				return web.FilmEnd{}, err
			}
			return endOfRecord(&film, end, one.Cut), nil
		},
	}, nil
}

// endOfRecord is the end of a replayed game.
func endOfRecord(film *web.Film, end *tubstap.State, cut string) web.FilmEnd {
	out := web.FilmEnd{Cut: cut}
	winner, ending := end.Result()
	switch {
	case cut != "":
	case ending == tubstap.Running:
		out.Note = "The record ends before the game does."
	default:
		for i, seat := range film.Seats {
			score := 0.5
			if winner != tubstap.Nobody {
				score = 0
				if winner == tubstap.Team(i) {
					score = 1
				}
			}
			out.Scores = append(out.Scores, web.FilmResult{Name: seat.Name, Score: score})
		}
	}
	return out
}
