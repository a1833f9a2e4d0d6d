package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"sakusen/tuner/numeral"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/films"
	"sakusen/tuner/web/pages"
)

// gamesView is what the page of a trial's games shows.
type gamesView struct {
	pages.Frame
	G             *films.TrialGames
	Meeting       *films.TrialMeeting
	Trial         *pages.Trial
	Result, Order string // of the games that are wanted
}

// shownMetrics is the number of metrics that have a column.
const shownMetrics = 6

// Metrics are those that have a column.
func (v *gamesView) Metrics() []films.GameMetric {
	return v.G.Metrics[:min(shownMetrics, len(v.G.Metrics))]
}

// Results are the results by which games can be chosen.
func (*gamesView) Results() []string { return films.Results() }

// Value is a metric of a game, for people.
func (*gamesView) Value(g films.TrialGame, metric string) string {
	x, ok := g.Metrics[metric]
	if !ok {
		return "-"
	}
	return numeral.Page(numeral.Text(x))
}

// Outcome is the result of a game, for people.
func (*gamesView) Outcome(g films.TrialGame) string {
	text := g.Result()
	switch {
	case !g.Recorded || g.Score == nil:
		return "not in the database"
	case text == "":
		text = numeral.Page(numeral.Text(100**g.Score)) + " % of the points"
	}
	if g.Fault {
		text += ", by an illegal move"
	}
	return text
}

// Last is the last block of a meeting.
func (*gamesView) Last(m films.TrialMeeting) int64 { return m.To - 1 }

// Count is the number of blocks of a meeting.
func (*gamesView) Count(m films.TrialMeeting) string { return numeral.Count(m.To - m.From) }

// Page is the address of a meeting's games.
func (v *gamesView) Page(meeting int) string {
	q := url.Values{"meeting": {strconv.Itoa(meeting)}}
	for key, text := range map[string]string{"result": v.Result, "order": v.Order} {
		if text != "" {
			q.Set(key, text)
		}
	}
	return "/studies/" + v.G.Study + "/trials/" + strconv.Itoa(v.G.Trial) + "/games?" + q.Encode()
}

// More is the address of the next games.
func (v *gamesView) More() string {
	return v.Page(v.G.Meeting) + "&from=" + strconv.FormatInt(*v.G.Next, 10)
}

// gamesPage lists what a trial has played.
func (s theatreAPI) gamesPage(w http.ResponseWriter, r *http.Request) error {
	in, err := api.V1.GetTrialGames.Decode(r)
	if err != nil {
		return err
	}
	g, err := s.gamesOf(r.Context(), in)
	if err != nil {
		return err
	}
	trial, err := studyPages(s).trial(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	v := &gamesView{Frame: s.frame("Games of trial "+strconv.Itoa(g.Trial), "studies"), G: g, Trial: trial, Result: q.Get("result"), Order: q.Get("order")}
	if at := slices.IndexFunc(g.Meetings, func(m films.TrialMeeting) bool { return m.Meeting == g.Meeting }); at >= 0 {
		v.Meeting = &g.Meetings[at]
	}
	s.render(w, r, http.StatusOK, "games", v)
	return nil
}
