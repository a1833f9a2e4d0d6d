package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
	"sakusen/tuner/web/films"
)

// patience is how long a page waits for a game to be played. Then it shows the steps so
// far, and its script loads the rest.
const patience = 1500 * time.Millisecond

// filmView is what the page of a film shows.
type filmView struct {
	filmSide
	Query                      string // of the ticket and what stands beside it
	Hidden                     [][2]string
	Step, Last                 int
	Everything, Secrets        bool
	Reveal, Sealed             bool // the result is to be shown; it is not yet
	Course                     template.HTML
	Stand                      []seatStand
	Beside                     *filmSide // another game of the same chance
	Kind                       string    // how it differs: swap, baseline, or an entrant
	Swap, Baseline, Alone      string    // addresses of the other ways to look
	Next                       string    // address of the next game
	First, Back, Forward, Ends string    // addresses
	Other                      string    // the same step, seen otherwise
	Revealed                   string    // the same step with the result
}

// filmSide is one game of a page.
type filmSide struct {
	F      films.FilmHeader
	Film   string // query of its frames
	Frames []films.FilmFrame
	Text   string
	SVG    template.HTML
	Done   bool
	End    *films.FilmEnd
	Failed string
}

// seatStand is how a seat stands at a step.
type seatStand struct {
	Seat  int
	Name  string
	Stand string
}

// show fills in what a page shows of a film at a step, or at the last step if the film is shorter.
func (v *filmSide) show(step int) {
	if len(v.Frames) == 0 {
		v.Text = "The game is being played; it has no step to show yet."
		return
	}
	f := v.Frames[min(step, len(v.Frames)-1)]
	v.Text = f.Text
	v.SVG = template.HTML(f.SVG) // the program's own drawing: all text in it is escaped
}

// Again returns the address of the form with this game in it.
func (v *filmView) Again() string {
	if v.F.Study != "" {
		return "/watch?game=" + url.QueryEscape(v.F.Game)
	}
	return "/watch?" + v.Film
}

// Link returns the address of a step.
func (v *filmView) Link(step int) string { return v.address(step, v.Everything) }

// SealedAt reports whether a step shows the result of the game while the result is hidden.
func (v *filmView) SealedAt(step int) bool {
	return v.Sealed && v.Done && step > 0 && step == len(v.Frames)-1 && step != v.Step
}

func (v *filmView) address(step int, everything bool) string {
	text := "/watch/film?" + v.Query + "&step=" + strconv.Itoa(step)
	if everything {
		text += "&view=all"
	}
	if v.Reveal {
		text += "&result=shown"
	}
	return text
}

// side plays a game for a page.
func (s filmAPI) side(r *http.Request, t films.Ticket) (v filmSide, leave func(), err error) {
	film, leave, err := s.showing(r, t)
	if err != nil {
		return v, nil, err
	}
	film.wait(r.Context(), patience)
	frames, done, _, failed := film.seen()
	v = filmSide{F: film.film, Film: ticketQuery(&t).Encode(), Frames: frames, Done: done}
	if failed != nil {
		v.Failed = s.told(r, failed)
	} else if done {
		v.End = film.end
	}
	return v, leave, nil
}

// beside returns the ticket of another game of the same chance: with the seats changed, the
// study's baseline in the trial's place, or another entrant in the first one's.
func beside(t films.Ticket, kind string, seats int) (films.Ticket, error) {
	switch {
	case t.Key != "" || t.Record != "":
		return t, service.New(service.Invalid, "beside: a replay file has only one game")
	case kind == "swap":
		t.Rotation = (t.Rotation + 1) % max(1, seats)
	case t.Study != "" && kind == "baseline":
		t.Instead = "baseline"
	case t.Study != "":
		return t, service.New(service.Invalid, "beside: expected swap or baseline, got "+strconv.Quote(kind))
	case len(t.Entrants) > 0:
		t.Entrants = append([]string{kind}, t.Entrants[1:]...)
	}
	return t, checkTicket(&t)
}

// filmPage shows one step of a game, and one of another game of the same chance beside
// it.
func (s filmAPI) filmPage(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	t, err := queryTicket(r)
	v := &filmView{Everything: q.Get("view") == "all", Reveal: q.Get("result") == "shown", Kind: strings.TrimSpace(q.Get("beside"))}
	var leave func()
	if err == nil {
		v.filmSide, leave, err = s.side(r, t)
	}
	if err == nil {
		defer leave()
		if v.Kind != "" {
			var other films.Ticket
			if other, err = beside(t, v.Kind, len(v.F.Seats)); err == nil {
				var side filmSide
				if side, leave, err = s.side(r, other); err == nil {
					defer leave()
					v.Beside = &side
				}
			}
		}
	}
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest && t.Study == "" && s.o.Studio != nil {
		s.stagePage(w, r, p) // the form again, with what is wrong
		return nil
	}
	if err != nil {
		s.busy(w, err)
		return err
	}
	v.fill(t, q)
	if q.Get("part") == "course" {
		return s.part(w, r, "film", "course", v)
	}
	s.render(w, r, http.StatusOK, "film", v)
	return nil
}

// fill fills in what the page shows at the requested step.
func (v *filmView) fill(t films.Ticket, q url.Values) {
	query := ticketQuery(&t)
	if v.Kind != "" {
		query.Set("beside", v.Kind)
	}
	v.Query, v.Hidden = query.Encode(), pairs(query)
	v.Last = max(0, len(v.Frames)-1)
	if v.Beside != nil {
		v.Last = max(v.Last, len(v.Beside.Frames)-1)
	}
	// A step beyond the end is no error: the film may have been longer before.
	v.Step, _ = strconv.Atoi(q.Get("step"))
	v.Step = min(max(v.Step, 0), v.Last)
	v.Sealed = !v.Reveal && (v.Step < v.Last || !v.Done)
	v.show(v.Step)
	if v.Beside != nil {
		v.Beside.show(v.Step)
	}
	v.Secrets = strings.Contains(string(v.SVG), "secret")
	if v.Done {
		v.Course = chart.Course(v.F.Measure, courseOf(v.Frames), min(v.Step, len(v.Frames)-1), map[bool]int{true: min(v.Step, len(v.Frames)-1), false: len(v.Frames) - 1}[v.Sealed])
	}
	for seat, one := range v.F.Seats {
		stand := seatStand{Seat: seat, Name: one.Name}
		for _, f := range v.Frames[:min(v.Step+1, len(v.Frames))] {
			if seat < len(f.Standing) {
				stand.Stand = strconv.Itoa(int(100*f.Standing[seat]+0.5)) + " %"
			}
		}
		v.Stand = append(v.Stand, stand)
	}
	v.First, v.Ends = v.Link(0), v.Link(v.Last)
	v.Back, v.Forward = v.Link(max(0, v.Step-1)), v.Link(min(v.Last, v.Step+1))
	v.Other = v.address(v.Step, !v.Everything)
	v.Revealed = v.Link(v.Step) + "&result=shown"
	if v.F.Record {
		return
	}
	alone := "/watch/film?" + ticketQuery(&t).Encode() + "&step=" + strconv.Itoa(v.Step)
	v.Alone, v.Swap = alone, alone+"&beside=swap"
	if v.F.Study != "" && t.Instead != "baseline" {
		v.Baseline = alone + "&beside=baseline"
	} else if v.F.Study == "" {
		t.Block++
		v.Next = "/watch/film?" + ticketQuery(&t).Encode()
	}
}

// courseOf returns the frames in the form in which [chart.Course] draws them.
func courseOf(frames []films.FilmFrame) []chart.CourseStep {
	out := make([]chart.CourseStep, len(frames))
	for i, f := range frames {
		out[i] = chart.CourseStep{Standing: f.Standing, Mark: f.Mark, Text: f.Text}
	}
	return out
}

// watchView is the form that chooses a game.
type watchView struct {
	Stages []films.GameForm
	Stage  *films.GameForm
	Given  []string // entrants
	Seed   string
	Beside string // who sits in seat 0 of a second game of the same chance; may be empty
	Errors []string
}

// watchPage shows the form.
func (s filmAPI) watchPage(w http.ResponseWriter, r *http.Request) error {
	return s.stagePage(w, r, nil)
}

// stagePage shows the form, and what is wrong with it.
func (s filmAPI) stagePage(w http.ResponseWriter, r *http.Request, wrong *Problem) error {
	q := r.URL.Query()
	studio, err := s.studio()
	var stages []films.GameForm
	if err == nil {
		stages, err = studio.GameForms(r.Context(), q.Get("game"), queryRules(q))
	}
	status := http.StatusOK
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest {
		wrong = p // rules that are not possible: show the form with the game's own
		stages, err = studio.GameForms(r.Context(), "", nil)
	}
	if err != nil {
		return err
	}
	v := &watchView{Stages: stages, Seed: q.Get("seed"), Beside: q.Get("beside")}
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

// entrantsOf returns an entrant for each seat: what was typed, and then those that the game
// proposes.
func entrantsOf(stage *films.GameForm, q url.Values) []string {
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
