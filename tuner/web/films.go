package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/films"
)

// Studio shows games: new ones, and those that a study has played. An error that the client
// has caused is a *service.Error.
type Studio interface {
	// GameForms are the games with what a form needs to know about them. rules, unless
	// empty, are those of the named game.
	GameForms(ctx context.Context, game string, rules map[string]films.Text) ([]films.GameForm, error)
	// Games lists what a trial has played: all its meetings and, of one of them, the games
	// of at most limit blocks beginning with a given block.
	Games(ctx context.Context, q films.GamesQuery) (*films.TrialGames, error)
	// Open checks a ticket; nothing is played yet.
	Open(ctx context.Context, t films.Ticket) (*films.Showing, error)
}

// filmAPI shows games, through the API and on pages.
type filmAPI struct{ *Server }

// The bounds of a ticket, checked before any game reads it.
const (
	mostEntrants = 64
	mostRules    = 64
	longEntrant  = 2000  // bytes
	longRule     = 65536 // bytes: a map may be one
	mostBlock    = 1 << 53
)

// studio returns the Studio, or an error if there is none.
func (s filmAPI) studio() (Studio, error) {
	if s.o.Studio == nil {
		return nil, service.New(service.NotFound, "this server has no games to show")
	}
	return s.o.Studio, nil
}

// checkSameOrigin refuses requests that a page of another origin makes in the background:
// playing a game changes nothing but costs time. A link may come from anywhere.
func checkSameOrigin(r *http.Request) error {
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case site == "", site == "same-origin", site == "none", r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document":
		return nil
	}
	return problem(http.StatusForbidden, "a page of another origin may not play games here")
}

// showing opens the film of a ticket.
func (s filmAPI) showing(r *http.Request, t films.Ticket) (*reel, func(), error) {
	if err := checkSameOrigin(r); err != nil {
		return nil, nil, err
	}
	studio, err := s.studio()
	if err != nil {
		return nil, nil, err
	}
	if err := s.unpack(&t); err != nil {
		return nil, nil, err
	}
	showing, err := studio.Open(r.Context(), t)
	if err != nil {
		return nil, nil, err
	}
	return s.films.watch(r.Context(), showing)
}

// routes returns the pages and the operations that show games.
func (s filmAPI) routes() []route {
	return []route{
		{method: "GET", pattern: "/watch", role: api.Read, template: "watch", handle: s.watchPage},
		{method: "GET", pattern: "/watch/film", role: api.Read, template: "film", handle: s.filmPage},
		{method: "POST", pattern: "/watch/record", role: api.Read, handle: s.bringRecord},
		page("/studies/{study}/trials/{number}/games", "games", s.gamesPage),
		answered(api.V1.GetTrialGames, func(c *call, in *api.GamesPage) (*films.TrialGames, error) { return s.gamesOf(c, in, 0) }),
		streamed(api.V1.WatchFilm, func(w http.ResponseWriter, r *http.Request, in *api.StoredFilm) error {
			return s.stream(w, r, in.Ticket, in.Frames)
		}),
		streamed(api.V1.MakeFilm, func(w http.ResponseWriter, r *http.Request, in *api.FreshFilm) error {
			return s.stream(w, r, in.Body, in.Frames)
		}),
	}
}

// stream answers with a film as lines of JSON: {"film"}, a {"frame"} for each
// step from the one asked for on as it is made, and {"end"} or {"error"}.
func (s filmAPI) stream(w http.ResponseWriter, r *http.Request, t films.Ticket, part api.Frames) error {
	from, limit := part.From, part.Limit
	err := checkTicket(&t)
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
	h.Add("Vary", "Accept-Encoding")
	out, flush := io.Writer(w), func() { control.Flush() }
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") { // a film is 14 times smaller so
		h.Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		out, flush = z, func() { z.Flush(); control.Flush() }
	}
	send := func(kind string, v any) bool {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(map[string]any{kind: v}) != nil {
			return false
		}
		control.SetWriteDeadline(time.Now().Add(writeTime)) // a server without this deadline needs none
		_, err := out.Write(b.Bytes())
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
		flush()
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

// told returns the part of an error that the client may see.
func (s filmAPI) told(r *http.Request, err error) string {
	if p, ok := asProblem(err); ok {
		return p.Text
	}
	s.o.Log.Error("showing a game failed", "path", r.URL.Path, "error", err)
	return "the game could not be finished; the server's log says why"
}

// busy sets the header that says when to try again.
func (s filmAPI) busy(w http.ResponseWriter, err error) {
	if p, ok := asProblem(err); ok && p.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "10")
	}
}

// gamesOf finds what a trial has played, with the paths of the films. It waits so long for the study's
// log, 0: until it has been read.
func (s filmAPI) gamesOf(ctx context.Context, in *api.GamesPage, wait time.Duration) (*films.TrialGames, error) {
	q := films.GamesQuery{Study: in.Study, Trial: in.Number, From: -1, Limit: in.Limit, Result: in.Result, Order: in.Order, Wait: wait}
	if in.From != nil {
		q.From = *in.From
	}
	if in.Meeting != nil {
		q.Meeting = *in.Meeting
	} else {
		q.Phase = in.Phase
	}
	studio, err := s.studio()
	if err != nil {
		return nil, err
	}
	g, err := studio.Games(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, m := range g.Meetings {
		if m.Meeting != g.Meeting {
			continue
		}
		for i := range g.Games {
			one := &g.Games[i]
			t := films.Ticket{Study: g.Study, Trial: g.Trial, Phase: m.Phase, Opponent: m.Opponent, Block: one.Block, Rotation: one.Rotation}
			one.Film = "/watch/film?" + ticketQuery(&t).Encode()
		}
	}
	return g, nil
}

// gamesView is what the page of a trial's games shows.
type gamesView struct {
	G             *films.TrialGames
	Meeting       *films.TrialMeeting
	Trial         *trialView
	Result, Order string // of the games that are wanted
}

// shownMetrics is the number of metrics that have a column.
const shownMetrics = 6

// Metrics returns the metrics that have a column.
func (v *gamesView) Metrics() []films.GameMetric {
	return v.G.Metrics[:min(shownMetrics, len(v.G.Metrics))]
}

// Results returns the results by which games can be chosen.
func (*gamesView) Results() []string { return films.Results() }

// Value returns a metric of a game, for people.
func (*gamesView) Value(g films.TrialGame, metric string) string {
	x, ok := g.Metrics[metric]
	if !ok {
		return "-"
	}
	return numeral.Page(numeral.Text(x))
}

// Outcome returns the result of a game, for people.
func (*gamesView) Outcome(g films.TrialGame) string {
	text := g.Result()
	switch {
	case !g.Recorded || g.Score == nil:
		return "not in the database"
	case text == "":
		text = numeral.Page(numeral.Text(100**g.Score)) + " % of the points"
	}
	if g.Fault {
		text += ", " + g.FaultHow
	}
	return text
}

// Last returns the last block of a meeting.
func (*gamesView) Last(m films.TrialMeeting) int64 { return m.To - 1 }

// Count returns the number of blocks of a meeting.
func (*gamesView) Count(m films.TrialMeeting) string { return numeral.Count(m.To - m.From) }

// Page returns the address of a meeting's games.
func (v *gamesView) Page(meeting int) string {
	return listAddress("/studies/"+v.G.Study+"/trials/"+strconv.Itoa(v.G.Trial)+"/games", map[string]string{"meeting": strconv.Itoa(meeting), "result": v.Result, "order": v.Order}, 0)
}

// More returns the address of the next games.
func (v *gamesView) More() string {
	return v.Page(v.G.Meeting) + "&from=" + strconv.FormatInt(*v.G.Next, 10)
}

// gamesPage lists what a trial has played.
func (s filmAPI) gamesPage(r *http.Request) (any, error) {
	in, err := api.V1.GetTrialGames.Decode(r)
	if err != nil {
		return nil, err
	}
	v, err := s.games(r.Context(), in, 0)
	if err == nil {
		v.Trial, err = studyPages(s).trial(r)
	}
	return v, err
}

// games returns the games that are asked for, with their meeting; see gamesOf.
func (s filmAPI) games(ctx context.Context, in *api.GamesPage, wait time.Duration) (*gamesView, error) {
	g, err := s.gamesOf(ctx, in, wait)
	if err != nil {
		return nil, err
	}
	v := &gamesView{G: g, Result: in.Result, Order: in.Order}
	if at := slices.IndexFunc(g.Meetings, func(m films.TrialMeeting) bool { return m.Meeting == g.Meeting }); at >= 0 {
		v.Meeting = &g.Meetings[at]
	}
	return v, nil
}

// answerGames adds to the page of a study the games of its answer, or of the best so far: of the
// validation where there was one.
func (s filmAPI) answerGames(r *http.Request, v *studyView) error {
	if v.BestTrial == nil || s.o.Studio == nil {
		return nil
	}
	q := r.URL.Query()
	in := &api.GamesPage{OfTrial: api.OfTrial{OfStudy: api.OfStudy{Study: v.D.Study.Study}, Number: *v.BestTrial}, Limit: 25, Result: q.Get("result"), Order: q.Get("sort")}
	if v.Validated {
		in.Phase = "validation"
	}
	var err error
	if v.Games, err = s.games(r.Context(), in, logWait); err != nil {
		if _, told := asProblem(err); told { // such as of a study that was made by other code
			return nil
		}
	}
	return err
}

// choice is a way to list games, with its address.
type choice struct {
	Name, Address string
	Now           bool
}

// Choices returns the ways to list the games of an answer on its study's page: lost ones, and the
// longest and the closest by the game's first metrics.
func (v *gamesView) Choices() []choice {
	at := func(name, result, order string) choice {
		to := listAddress("/studies/"+v.G.Study, map[string]string{"tab": "games", "result": result, "sort": order}, 0)
		return choice{name, to + "#tabs", result == v.Result && order == v.Order}
	}
	out := []choice{at("all", "", ""), at("lost", "lost", ""), at("won", "won", ""), at("drawn", "drawn", "")}
	for _, m := range v.Metrics() {
		out = append(out, at("most "+m.Name, "", "-"+m.Name), at("least "+m.Name, "", m.Name))
	}
	return out
}
