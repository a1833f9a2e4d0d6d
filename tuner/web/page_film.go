package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/theatre"
	"sakusen/tuner/web/pages"
)

// patience is how long a page waits for a game to be played. Then it shows what there is,
// and its script loads the rest.
const patience = 1500 * time.Millisecond

// filmView is what the page of a film shows.
type filmView struct {
	pages.Frame
	F                          theatre.FilmHeader
	Query                      string // of the ticket
	Hidden                     [][2]string
	Step, Last                 int
	Text                       string
	SVG                        template.HTML
	Frames                     []theatre.FilmFrame
	Done, Everything, Secrets  bool
	End                        *theatre.FilmEnd
	Failed                     string
	First, Back, Forward, Ends string // addresses
	Other                      string // the same step, seen otherwise
}

// Again is the address of the form with this game in it.
func (v *filmView) Again() string {
	if v.F.Study != "" {
		return "/watch?game=" + url.QueryEscape(v.F.Game)
	}
	return "/watch?" + v.Query
}

// Link is the address of a step.
func (v *filmView) Link(step int) string { return v.address(step, v.Everything) }

func (v *filmView) address(step int, everything bool) string {
	text := "/watch/film?" + v.Query + "&step=" + strconv.Itoa(step)
	if everything {
		text += "&view=all"
	}
	return text
}

// filmPage shows one step of a game.
func (s theatreAPI) filmPage(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	t, err := queryTicket(q)
	var film *reel
	var leave func()
	if err == nil {
		film, leave, err = s.showing(r, t)
	}
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest && t.Study == "" && s.o.Theatre != nil {
		s.stagePage(w, r, p) // the form again, with what is wrong
		return nil
	}
	if err != nil {
		s.busy(w, err)
		return err
	}
	defer leave()
	film.wait(r.Context(), patience)
	frames, done, _, failed := film.seen()
	v := &filmView{
		Frame: s.frame("Film", "watch"), F: film.film, Query: t.query().Encode(), Hidden: pairs(t.query()),
		Frames: frames, Done: done, Last: max(0, len(frames)-1), Everything: q.Get("view") == "all",
	}
	v.Title = "Film: " + v.F.Game
	if failed != nil {
		v.Failed = s.told(r, failed)
	} else if done {
		v.End = film.end
	}
	// A step beyond the end is no error: the film may have been longer before.
	v.Step, _ = strconv.Atoi(q.Get("step"))
	v.Step = min(max(v.Step, 0), v.Last)
	if len(frames) > 0 {
		f := frames[v.Step]
		v.Text = f.Text
		v.SVG = template.HTML(f.SVG) // the program's own drawing: all text in it is escaped
		v.Secrets = strings.Contains(f.SVG, "secret")
	} else {
		v.Text = "The game is being played; nothing is to be seen yet."
	}
	v.First, v.Ends = v.Link(0), v.Link(v.Last)
	v.Back, v.Forward = v.Link(max(0, v.Step-1)), v.Link(min(v.Last, v.Step+1))
	v.Other = v.address(v.Step, !v.Everything)
	s.render(w, r, http.StatusOK, "film", v)
	return nil
}

// watchView is the form that chooses a game.
type watchView struct {
	pages.Frame
	Stages []theatre.GameForm
	Stage  *theatre.GameForm
	Given  []string // entrants
	Seed   string
	Errors []string
}

// watchPage shows the form.
func (s theatreAPI) watchPage(w http.ResponseWriter, r *http.Request) error {
	return s.stagePage(w, r, nil)
}

// stagePage shows the form, and what is wrong with it.
func (s theatreAPI) stagePage(w http.ResponseWriter, r *http.Request, wrong *Problem) error {
	q := r.URL.Query()
	house, err := s.theatre()
	var stages []theatre.GameForm
	if err == nil {
		stages, err = house.GameForms(r.Context(), q.Get("game"), queryRules(q))
	}
	status := http.StatusOK
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest {
		wrong = p // rules that are not possible: show the form with the game's own
		stages, err = house.GameForms(r.Context(), "", nil)
	}
	if err != nil {
		return err
	}
	v := &watchView{Frame: s.frame("Watch", "watch"), Stages: stages, Seed: q.Get("seed")}
	for i := range stages {
		if v.Stage == nil || stages[i].Game == q.Get("game") {
			v.Stage = &stages[i]
		}
	}
	if v.Stage != nil {
		v.Given = entrantsOf(v.Stage, q)
		if v.Seed == "" {
			v.Seed = cmp.Or(v.Stage.Seed, "1")
		}
	}
	if wrong != nil {
		status = http.StatusBadRequest
		if v.Errors = wrong.Errors; len(v.Errors) == 0 {
			v.Errors = []string{wrong.Text}
		}
	}
	s.render(w, r, status, "watch", v)
	return nil
}

// entrantsOf is an entrant for each seat: what was typed, and then those that
// are worth a look.
func entrantsOf(stage *theatre.GameForm, q url.Values) []string {
	given := append([]string(nil), stage.Entrants...)
	if q.Get("game") == stage.Game {
		for i, text := range q["entrant"] {
			if i < len(given) && strings.TrimSpace(text) != "" {
				given[i] = text
			}
		}
	}
	return given
}

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
