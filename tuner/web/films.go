package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/films"
)

// theatreAPI is what shows games, by the API and on pages.
type theatreAPI struct{ *Server }

// Bounds of a ticket, so that none is carried far that no game could take.
const (
	mostEntrants = 64
	mostRules    = 64
	longEntrant  = 2000  // bytes
	longRule     = 65536 // bytes: a map may be one
	mostBlock    = 1 << 53
	// filmPage is the number of frames of a page where none is asked for: all.
	filmPage = 1 << 30
)

// theatre is the theatre, or the error that there is none.
func (s theatreAPI) theatre() (Theatre, error) {
	if s.o.Theatre == nil {
		return nil, service.New(service.NotFound, "this server shows no games")
	}
	return s.o.Theatre, nil
}

// checkSameOrigin refuses requests that a page of another origin makes in the background:
// playing a game changes nothing but costs time. A link may come from anywhere.
func checkSameOrigin(r *http.Request) error {
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "", site == "same-origin", site == "none", r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document":
		return nil
	}
	return problem(http.StatusForbidden, "a page of another origin must not play games here")
}

// showing opens the film of a ticket.
func (s theatreAPI) showing(r *http.Request, t ticket) (*reel, func(), error) {
	if err := checkSameOrigin(r); err != nil {
		return nil, nil, err
	}
	house, err := s.theatre()
	if err != nil {
		return nil, nil, err
	}
	if err := s.unpack(&t); err != nil {
		return nil, nil, err
	}
	showing, err := house.Open(r.Context(), t.Ticket)
	if err != nil {
		return nil, nil, err
	}
	return s.films.watch(r.Context(), showing)
}

// freshFilm plays the game of the body.
func (s theatreAPI) freshFilm(w http.ResponseWriter, r *http.Request) error {
	var t ticket
	err := read(r, &t)
	if err == nil {
		err = t.check()
	}
	return s.stream(w, r, t, err)
}

// storedFilm plays the game that the address names.
func (s theatreAPI) storedFilm(w http.ResponseWriter, r *http.Request) error {
	t, err := queryTicket(r.URL.Query())
	return s.stream(w, r, t, err)
}

// stream answers with a film as lines of JSON: {"film"}, a {"frame"} for each
// step from the one asked for on as it is made, and {"end"} or {"error"}.
func (s theatreAPI) stream(w http.ResponseWriter, r *http.Request, t ticket, err error) error {
	var from, limit int
	if err == nil {
		from, err = query(r, "from", 0, 0, mostKey)
	}
	if err == nil {
		limit, err = query(r, "limit", filmPage, 1, filmPage)
	}
	var film *reel
	var leave func()
	if err == nil {
		film, leave, err = s.showing(r, t)
	}
	if err != nil {
		s.busy(w, err)
		return err
	}
	defer leave()
	control := http.NewResponseController(w)
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	send := func(kind string, v any) bool {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(map[string]any{kind: v}) != nil {
			return false
		}
		control.SetWriteDeadline(time.Now().Add(writeTime)) // where the server has none, so be it
		_, err := w.Write(b.Bytes())
		return err == nil
	}
	if !send("film", film.film) {
		return nil
	}
	for at := from; ; {
		frames, done, more, failed := film.seen()
		for ; at < min(len(frames), from+limit); at++ {
			if !send("frame", frames[at]) {
				return nil
			}
		}
		control.Flush()
		switch {
		case failed != nil:
			send("error", s.told(r, failed))
			return nil
		case done || at >= from+limit:
			if done {
				send("end", film.end)
			}
			return nil
		}
		select {
		case <-more:
		case <-r.Context().Done():
			return nil
		case <-s.films.ctx.Done():
			return nil
		}
	}
}

// told is an error in the form that the client may see.
func (s theatreAPI) told(r *http.Request, err error) string {
	if p, ok := asProblem(err); ok {
		return p.Text
	}
	s.o.Log.Error("a film failed", "path", r.URL.Path, "error", err)
	return "the game could not be played to its end; the server's log says why"
}

// busy tells when to come again.
func (s theatreAPI) busy(w http.ResponseWriter, err error) {
	if p, ok := asProblem(err); ok && p.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "10")
	}
}

// gamesQuery reads which games of a trial are asked for.
func gamesQuery(r *http.Request) (films.GamesQuery, error) {
	q := films.GamesQuery{From: -1}
	var err error
	if q.Study, err = name(r); err != nil {
		return q, err
	}
	if q.Trial, err = strconv.Atoi(r.PathValue("number")); err != nil || q.Trial < 0 || q.Trial > mostKey {
		return q, service.New(service.NotFound, fmt.Sprintf("no trial %.40q", r.PathValue("number")))
	}
	if q.Meeting, err = query(r, "meeting", 0, 0, mostKey); err != nil {
		return q, err
	}
	if !r.URL.Query().Has("meeting") {
		q.Phase = r.URL.Query().Get("phase")
	}
	if q.Limit, err = query(r, "limit", 25, 1, pageMost); err != nil {
		return q, err
	}
	q.Result, q.Order = r.URL.Query().Get("result"), r.URL.Query().Get("order")
	from, err := query(r, "from", -1, 0, mostKey)
	q.From = int64(from)
	return q, err
}

// trialGames lists what a trial has played.
func (s theatreAPI) trialGames(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gamesOf(r)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, g)
	return nil
}

// gamesOf finds what a request's trial has played, with the paths of the films.
func (s theatreAPI) gamesOf(r *http.Request) (*films.TrialGames, error) {
	q, err := gamesQuery(r)
	if err != nil {
		return nil, err
	}
	house, err := s.theatre()
	if err != nil {
		return nil, err
	}
	g, err := house.Games(r.Context(), q)
	if err != nil {
		return nil, err
	}
	for _, m := range g.Meetings {
		if m.Meeting != g.Meeting {
			continue
		}
		for i := range g.Games {
			one := &g.Games[i]
			t := ticket{Ticket: films.Ticket{Study: g.Study, Trial: g.Trial, Phase: m.Phase, Opponent: m.Opponent, Block: one.Block, Rotation: one.Rotation}}
			one.Film = "/watch/film?" + t.query().Encode()
		}
	}
	return g, nil
}
