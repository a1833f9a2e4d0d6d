package web

import (
	"net/http"
	"strconv"

	"sakusen/tuner/theatre"
	"sakusen/tuner/web/pages"
)

// gamesView is what the page of a trial's games shows.
type gamesView struct {
	pages.Frame
	G       *theatre.TrialGames
	Meeting *theatre.TrialMeeting
}

// Page is the address of a meeting's games.
func (v *gamesView) Page(meeting int) string {
	return "/studies/" + v.G.Study + "/trials/" + strconv.Itoa(v.G.Trial) + "/games?meeting=" + strconv.Itoa(meeting)
}

// More is the address of the next games.
func (v *gamesView) More() string {
	return v.Page(v.G.Meeting) + "&from=" + strconv.FormatInt(*v.G.Next, 10)
}

// gamesPage lists what a trial has played.
func (s theatreAPI) gamesPage(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gamesOf(r)
	if err != nil {
		return err
	}
	v := &gamesView{Frame: s.frame("Games of trial "+strconv.Itoa(g.Trial), "studies"), G: g}
	for i := range g.Meetings {
		if g.Meetings[i].Meeting == g.Meeting {
			v.Meeting = &g.Meetings[i]
		}
	}
	s.render(w, r, http.StatusOK, "games", v)
	return nil
}
