package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// jobAPI is the API of the jobs of a kind.
type jobAPI struct {
	*Server
	*service.Jobs
	list string // the list's key in an answer
}

// id is the number that the path names.
func (a jobAPI) id(r *http.Request) (int, error) {
	text := r.PathValue("id")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostKey || text != strconv.Itoa(n) {
		return 0, service.New(service.NotFound, fmt.Sprintf("no %s %.40q", a.Kind(), text))
	}
	return n, nil
}

// jobs lists jobs, the newest first, a page at a time: next is the key of the
// next page, null on the last.
func (a jobAPI) jobs(w http.ResponseWriter, r *http.Request) error {
	list, next, err := a.page(r)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, map[string]any{a.list: list, "next": next})
	return nil
}

// page reads a page of jobs.
func (a jobAPI) page(r *http.Request) (list []service.Job, next *int, err error) {
	before, err := query(r, "before", 0, 0, mostKey)
	if err != nil {
		return nil, nil, err
	}
	limit, err := query(r, "limit", pageDefault, 1, pageMost)
	if err != nil {
		return nil, nil, err
	}
	if list, err = a.List(r.Context(), before, limit); err != nil {
		return nil, nil, err
	}
	if len(list) == limit {
		next = &list[len(list)-1].ID
	}
	return list, next, nil
}

func (a jobAPI) job(w http.ResponseWriter, r *http.Request) error {
	d, err := a.detail(r)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, d)
	return nil
}

// detail reads the job that the path names.
func (a jobAPI) detail(r *http.Request) (*service.JobDetail, error) {
	id, err := a.id(r)
	if err != nil {
		return nil, err
	}
	return a.Show(r.Context(), id)
}

// act does something with the job that the path names. It answers with the state that was set:
// when the answer is written, the daemon may have taken the job up.
func (a jobAPI) act(do func(*service.Jobs, context.Context, int) (string, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := a.findJob(r)
		if err != nil {
			return err
		}
		if err := read(r, &struct{}{}); err != nil {
			return err
		}
		state, err := do(a.Jobs, r.Context(), id)
		if err != nil {
			return err
		}
		return a.answer(w, r, id, state)
	}
}

// findJob is the id of a job of this kind; a job of another kind is not found.
func (a jobAPI) findJob(r *http.Request) (int, error) {
	id, err := a.id(r)
	if err == nil {
		_, err = a.Show(r.Context(), id)
	}
	return id, err
}

// answer shows a job after a change, in the state that was set, or as it is where none was.
func (a jobAPI) answer(w http.ResponseWriter, r *http.Request, id int, state string) error {
	d, err := a.Show(r.Context(), id)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, map[string]any{"id": id, "state": cmp.Or(state, d.State), "priority": d.Priority})
	return nil
}

func (a jobAPI) priority(w http.ResponseWriter, r *http.Request) error {
	id, err := a.findJob(r)
	if err != nil {
		return err
	}
	priority, err := readPriority(r)
	if err != nil {
		return err
	}
	if err := a.Prioritise(r.Context(), id, priority); err != nil {
		return err
	}
	return a.answer(w, r, id, "")
}

// readPriority is the priority of a body.
func readPriority(r *http.Request) (int, error) {
	given := struct {
		Priority *int `json:"priority"`
	}{}
	if err := read(r, &given); err != nil {
		return 0, err
	}
	if given.Priority == nil {
		return 0, service.New(service.Invalid, "priority: expected an integer from -10 to 10")
	}
	return *given.Priority, urgent(*given.Priority)
}

// urgent refuses a priority outside of the range.
func urgent(priority int) error {
	if err := daemon.CheckPriority(priority); err != nil {
		return service.New(service.Invalid, "priority: "+err.Error())
	}
	return nil
}

func (a jobAPI) remove(w http.ResponseWriter, r *http.Request) error {
	id, err := a.findJob(r)
	if err != nil {
		return err
	}
	return reply(w, map[string]int{"deleted": id}, a.Delete(r.Context(), id))
}
