package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"sakusen/tuner/build"
	"sakusen/tuner/service"
)

// studyAPI is the API of studies.
type studyAPI struct{ *Server }

const (
	pageDefault = 100
	pageMost    = 1000
)

// about says what serves.
func (s studyAPI) about(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, map[string]any{"name": "sakusen", "version": build.Version, "commit": s.o.Commit, "running": s.o.Service.Running()})
	return nil
}

// studies lists studies, a page at a time: next is the key of the next page,
// null on the last.
func (s studyAPI) studies(w http.ResponseWriter, r *http.Request) error {
	after, err := query(r, "after", 0, 0, mostKey)
	limit, err2 := query(r, "limit", pageDefault, 1, pageMost)
	if err = errors.Join(err, err2); err != nil {
		return err
	}
	list, err := s.o.Service.Studies().List(r.Context(), after, limit)
	if err != nil {
		return err
	}
	var next *int
	if len(list) == limit {
		next = &list[len(list)-1].ID
	}
	write(w, http.StatusOK, map[string]any{"studies": list, "next": next})
	return nil
}

// named is the study that the path names.
func (s studyAPI) named(r *http.Request) (*service.StudyDetail, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	return s.o.Service.Studies().Show(r.Context(), n)
}

func (s studyAPI) study(w http.ResponseWriter, r *http.Request) error {
	d, err := s.named(r)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, d)
	return nil
}

func (s studyAPI) trials(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has("order") {
		return s.orderedTrials(w, r)
	}
	n, err := name(r)
	from, err2 := query(r, "from", 0, 0, mostKey)
	limit, err3 := query(r, "limit", pageDefault, 1, pageMost)
	if err = errors.Join(err, err2, err3); err != nil {
		return err
	}
	list, err := s.o.Service.Studies().Trials(r.Context(), n, from, limit)
	if err != nil {
		return err
	}
	var next *int
	if len(list) == limit {
		after := list[len(list)-1].Number + 1
		next = &after
	}
	write(w, http.StatusOK, map[string]any{"trials": list, "next": next})
	return nil
}

// entries is the study's log: the evidence, block counts and all.
func (s studyAPI) entries(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	after, err2 := query(r, "after", 0, 0, mostKey)
	limit, err3 := query(r, "limit", pageDefault, 1, pageMost)
	if err = errors.Join(err, err2, err3); err != nil {
		return err
	}
	list, err := s.o.Service.Studies().Log(r.Context(), n, after, limit)
	if err != nil {
		return err
	}
	var next *int
	if len(list) == limit {
		next = &list[len(list)-1].Seq
	}
	write(w, http.StatusOK, map[string]any{"entries": list, "next": next})
	return nil
}

// submission reads a study file that is sent.
func submission(r *http.Request) (given service.Submission, err error) {
	err = read(r, &given)
	switch {
	case err != nil:
	case given.Spec == "":
		err = service.New(service.Invalid, "spec: expected a study file, got none")
	case len(given.Name) > mostFileName:
		err = service.New(service.Invalid, fmt.Sprintf("name: expected at most %d bytes, got %d", mostFileName, len(given.Name)))
	default:
		err = urgent(given.Priority)
	}
	return given, err
}

// forecast says how long a study would take and what it could prove.
func (s studyAPI) forecast(w http.ResponseWriter, r *http.Request) error {
	given, err := submission(r)
	if err != nil {
		return err
	}
	f, err := s.o.Service.Studies().Forecast(r.Context(), given)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, f)
	return nil
}

// submit queues a study, or only checks it.
func (s studyAPI) submit(w http.ResponseWriter, r *http.Request) error {
	given, err := submission(r)
	if err != nil {
		return err
	}
	n, err := s.o.Service.Studies().Submit(r.Context(), given)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if given.Check {
		status = http.StatusOK
	} else {
		w.Header().Set("Location", "/api/v1/studies/"+n)
	}
	write(w, status, map[string]any{"study": n})
	return nil
}

// act does something with the study that the path names. It answers with the state that was
// set: when the answer is written, the daemon may have taken the study up.
func (s studyAPI) act(do func(*service.Studies, context.Context, string) (string, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		n, err := name(r)
		if err != nil {
			return err
		}
		if err := read(r, &struct{}{}); err != nil {
			return err
		}
		state, err := do(s.o.Service.Studies(), r.Context(), n)
		if err != nil {
			return err
		}
		return s.answer(w, r, state)
	}
}

// answer shows a study after a change, in the state that was set, or as it is where none was.
func (s studyAPI) answer(w http.ResponseWriter, r *http.Request, state string) error {
	d, err := s.named(r)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, map[string]any{"study": r.PathValue("study"), "state": cmp.Or(state, string(d.State)), "priority": d.Priority})
	return nil
}

func (s studyAPI) priority(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	priority, err := readPriority(r)
	if err != nil {
		return err
	}
	if err := s.o.Service.Studies().Prioritise(r.Context(), n, priority); err != nil {
		return err
	}
	return s.answer(w, r, "")
}

func (s studyAPI) remove(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"deleted": n}, s.o.Service.Studies().Delete(r.Context(), n))
}

// export hands out the best parameters as a file.
func (s studyAPI) export(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	format, force, front := r.URL.Query().Get("format"), r.URL.Query().Get("force"), r.URL.Query().Get("front")
	if front == "true" {
		format = "front." + strings.TrimPrefix(format, "front.")
		if format == "front." {
			format += "json"
		}
	}
	if format == "" {
		format = "yaml"
	}
	if err == nil && front != "" && front != "true" && front != "false" {
		err = service.New(service.Invalid, fmt.Sprintf("front: expected true or false, got %.40q", front))
	}
	if err == nil && force != "" && force != "true" && force != "false" {
		err = service.New(service.Invalid, fmt.Sprintf("force: expected true or false, got %.40q", force))
	}
	if err != nil {
		return err
	}
	d, err := s.o.Service.Studies().Export(r.Context(), n, format, force == "true")
	if e, ok := errors.AsType[*service.Error](err); ok && e.Reason == service.Unproven {
		err = service.Wrap(service.Refused, fmt.Errorf("%w (force=true exports it all the same)", e))
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", d.Type)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.Name}))
	h.Set("Cache-Control", "no-store")
	w.Write(d.Body)
	return nil
}
