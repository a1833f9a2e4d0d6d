package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/web/pages"
)

// jobPages are the pages of the jobs of a kind.
type jobPages struct {
	jobAPI
	path string // of a job, without its number
	home string // of the list
}

// act does something with a job and shows its page again.
func (p jobPages) act(do func(*service.Jobs, context.Context, int) (string, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := p.findJob(r)
		if err == nil {
			_, err = do(p.Jobs, r.Context(), id)
		}
		if err != nil {
			return err
		}
		http.Redirect(w, r, p.path+strconv.Itoa(id), http.StatusSeeOther)
		return nil
	}
}

// forget deletes a job for a person.
func (p jobPages) forget(w http.ResponseWriter, r *http.Request) error {
	id, err := p.findJob(r)
	if err == nil {
		err = p.Delete(r.Context(), id)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, p.home, http.StatusSeeOther)
	return nil
}

// jobView is a job as its page shows it.
type jobView struct {
	pages.Frame
	service.Job
	Live    string // what its events say
	Path    string
	Request string
}

func (p jobPages) view(d *service.JobDetail, title, at string) jobView {
	return jobView{
		Frame: p.frame(title, at), Job: d.Job, Live: daemon.JobKey(p.Kind(), d.ID).String(), Path: p.path + strconv.Itoa(d.ID),
	}
}

// What names the kind of job for people.
func (v jobView) What() string {
	if strings.HasPrefix(v.Path, "/tournaments") {
		return "tournament"
	}
	return "run"
}

// formNumber is the number in a form's field, 0 where it is empty.
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
