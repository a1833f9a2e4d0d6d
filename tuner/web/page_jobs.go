package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner/daemon"
	"sakusen/tuner/service"
)

// jobPages are the pages of the jobs of a kind.
type jobPages struct {
	jobAPI
	path string // of a job, without its number
	home string // of the list
}

// jobPageRoutes are the pages of tournaments and experiments.
func (s *Server) jobPageRoutes() []route {
	t := jobPages{jobAPI{s, service.Tournament, "tournaments"}, "/tournaments/", "/tournaments"}
	e := jobPages{jobAPI{s, service.Experiment, "runs"}, "/experiments/runs/", "/experiments"}
	routes := []route{
		{"GET", "/tournaments", t.tournaments},
		{"GET", "/new/tournament", t.newTournament},
		{"POST", "/new/tournament", t.createTournament},
		{"POST", "/new/tournament/check", t.checkTournament},
		{"GET", "/tournaments/{id}", t.tournament},
		{"GET", "/experiments", e.experimentsPage},
		{"POST", "/experiments", e.createRun},
		{"GET", "/experiments/runs/{id}", e.run},
	}
	for _, p := range []jobPages{t, e} {
		routes = append(routes,
			route{"POST", p.path + "{id}/pause", p.act(Control.Pause)},
			route{"POST", p.path + "{id}/resume", p.act(Control.Resume)},
			route{"POST", p.path + "{id}/stop", p.act(Control.Stop)},
			route{"POST", p.path + "{id}/delete", p.forget},
		)
	}
	return routes
}

// act does something to a job for a person and shows it again.
func (p jobPages) act(do func(Control, context.Context, string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := p.there(r)
		if err == nil {
			err = do(p.o.Control, r.Context(), service.JobName(p.kind, id))
		}
		if err != nil {
			p.failPage(w, r, err)
			return
		}
		http.Redirect(w, r, p.path+strconv.Itoa(id), http.StatusSeeOther)
	}
}

// forget deletes a job for a person.
func (p jobPages) forget(w http.ResponseWriter, r *http.Request) {
	id, err := p.there(r)
	if err == nil {
		err = p.o.Control.Delete(r.Context(), service.JobName(p.kind, id))
	}
	if err != nil {
		p.failPage(w, r, err)
		return
	}
	http.Redirect(w, r, p.home, http.StatusSeeOther)
}

// jobView is a job as its page shows it.
type jobView struct {
	frame
	service.Job
	Live    string // what its events say
	Path    string
	Request string
}

func (p jobPages) view(d *service.JobDetail, title, at string) jobView {
	return jobView{
		frame: p.frame(title, at), Job: d.Job, Live: service.JobName(p.kind, d.ID), Path: p.path + strconv.Itoa(d.ID),
	}
}

// number of a form's field; empty it is 0.
func formNumber(r *http.Request, name string, wrong *[]string) int64 {
	text := strings.TrimSpace(r.PostFormValue(name))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		*wrong = append(*wrong, fmt.Sprintf("%s: expected a whole number from 1 on, got %.40q", name, text))
	}
	return n
}

// formSeed is the seed of a form, nil where it is left to the file.
func formSeed(r *http.Request, wrong *[]string) *param.Seed {
	text := strings.TrimSpace(r.PostFormValue("seed"))
	if text == "" {
		return nil
	}
	seed, err := param.ParseSeed(text)
	if err != nil {
		*wrong = append(*wrong, "seed: "+err.Error())
	}
	return &seed
}

// formPriority is how urgent a form's job is.
func formPriority(r *http.Request, wrong *[]string) int {
	n, err := daemon.ParsePriority(strings.TrimSpace(r.PostFormValue("priority")))
	if err != nil {
		*wrong = append(*wrong, "priority: "+err.Error())
	}
	return n
}

// jobFunctions are what the templates of jobs call.
var jobFunctions = template.FuncMap{
	"jobPercent": func(j service.Job) int {
		switch blocks, of := jobBlocks(j); {
		case j.State == "done":
			return 100
		case of == 0:
			return 0
		default:
			return int(min(100, 100*blocks/of))
		}
	},
	"jobFar": func(j service.Job) string {
		blocks, of := jobBlocks(j)
		games := j.Games
		if j.Progress != nil {
			games = j.Progress.Games
		}
		text := fmt.Sprintf("%d blocks", blocks)
		if of > 0 {
			text = fmt.Sprintf("%d of %d blocks", blocks, of)
		}
		return fmt.Sprintf("%s, %d games", text, games)
	},
	"jobLeft": func(j service.Job) string {
		if j.Progress == nil || j.Progress.Left <= 0 {
			return ""
		}
		return time.Duration(j.Progress.Left * float64(time.Second)).Round(time.Second).String()
	},
	"underWay": func(j service.Job) bool { return j.State == "running" || j.State == "queued" },
	"resting":  func(j service.Job) bool { return j.State == "paused" || j.State == "stopped" || j.State == "failed" },
	"day":      func(text string) string { return strings.Replace(strings.TrimSuffix(text, "Z"), "T", " ", 1) },
	"class":    func(verdict string) string { return strings.ReplaceAll(verdict, " ", "-") },
}

func jobBlocks(j service.Job) (blocks, of int64) {
	if j.Progress != nil {
		return j.Progress.Blocks, j.Progress.Of
	}
	return j.Blocks, j.Of
}
