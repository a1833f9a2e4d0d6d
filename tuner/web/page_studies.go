package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/view"
)

// studyPages are the pages of studies.
type studyPages struct{ *Server }

// visitCookie tells when somebody last looked at the front page: two times in Unix
// seconds, the end of the visit before this one (0 where there was none) and the
// last look.
const visitCookie = "sakusen_visit"

const (
	// visitGap is how long nobody looks between two visits.
	visitGap = 15 * time.Minute
	// firstVisit is how far back somebody sees who comes for the first time.
	firstVisit = 24 * time.Hour
)

// front is the page of what goes on.
func (s studyPages) front(w http.ResponseWriter, r *http.Request) error {
	now := time.Now()
	since, first := visit(r, now)
	n, err := s.o.Service.Studies().Now(r.Context(), since)
	if err != nil {
		return err
	}
	before := since.Unix()
	if first {
		before = 0
	}
	http.SetCookie(w, &http.Cookie{
		Name: visitCookie, Value: fmt.Sprintf("%d.%d", before, now.Unix()), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode,
	})
	v := nowOf(n, since, first)
	v.Elsewhere = s.others()
	for _, j := range n.EndedJobs {
		v.JobFound[jobPath(j)] = s.jobFound(r.Context(), daemon.Kind(j.Kind), j.Job)
	}
	s.render(w, r, http.StatusOK, "now", v)
	return nil
}

// jobFound is what came of a tournament or of a run, in words; empty where its own page has
// to say why there is nothing.
func (s *Server) jobFound(ctx context.Context, kind daemon.Kind, j service.Job) string {
	if j.State != "done" {
		return ""
	}
	if kind == s.o.Service.Tournaments().Kind {
		if t, err := s.o.Service.Tournaments().Played(ctx, j.ID); err == nil && t != nil {
			return view.Podium(t.Report, t.Whole)
		}
		return ""
	}
	if report, whole, err := s.o.Service.Experiments().Report(ctx, j.ID); err == nil && report != nil {
		if c := view.Compare(report, whole); c.Compared() > 0 {
			return c.Found()
		}
	}
	return ""
}

// visit is when the visit before this one ended; first tells that there was none.
func visit(r *http.Request, now time.Time) (since time.Time, first bool) {
	if c, err := r.Cookie(visitCookie); err == nil {
		before, last, _ := strings.Cut(c.Value, ".")
		b, err1 := strconv.ParseInt(before, 10, 64)
		l, err2 := strconv.ParseInt(last, 10, 64)
		end := time.Unix(l, 0)
		switch {
		case err1 != nil || err2 != nil || b < 0 || b > l || end.After(now.Add(time.Minute)):
		case now.Sub(end) > visitGap:
			return end, false
		case b > 0:
			return time.Unix(b, 0), false
		}
	}
	return now.Add(-firstVisit), true
}

// SetElsewhere says who knows of workers on other machines.
func (s *Server) SetElsewhere(from func() fleet.Fleet) { s.elsewhere.Store(&from) }

// others is what workers on other machines do, none where none are taken.
func (s *Server) others() fleet.Fleet {
	if from := s.elsewhere.Load(); from != nil {
		return (*from)()
	}
	return fleet.Fleet{Here: fleet.Here{Cores: s.o.Service.Places()}, Workers: []fleet.Worker{}}
}

// workersPage shows who plays.
func (s studyPages) workersPage(r *http.Request) (any, error) {
	return &workersView{s.others(), s.o.Commit, os.Getpid()}, nil
}

// listedStudies is the number of studies on a page.
const listedStudies = 50

// mostSkip bounds how far one can turn the pages.
const mostSkip = 1 << 30

// list lists the studies that are looked for.
func (s studyPages) list(r *http.Request) (any, error) {
	q := r.URL.Query()
	f := store.Filter{Outcome: q.Get("state"), Text: q.Get("q"), Game: q.Get("game"), Sort: q.Get("sort"), Limit: listedStudies}
	var err error
	if f.Skip, err = query(r, "skip", 0, 0, mostSkip); err != nil {
		return nil, err
	}
	if f.Outcome != "" && !slices.Contains(store.Outcomes(), f.Outcome) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("state: expected %s, got %.40q", strings.Join(store.Outcomes(), ", "), f.Outcome))
	}
	if !store.Sorted(f.Sort) {
		return nil, problem(http.StatusBadRequest, fmt.Sprintf("sort: expected newest, ended, gain or name, got %.40q", f.Sort))
	}
	if len(f.Text) > 200 {
		return nil, problem(http.StatusBadRequest, "q: expected at most 200 bytes")
	}
	found, err := s.o.Service.Studies().Find(r.Context(), f)
	if err != nil {
		return nil, err
	}
	turns, err := s.o.Service.Studies().Turns(r.Context())
	if err != nil {
		return nil, err
	}
	return studyListOf(f, found, turns), nil
}

// actPage does something with a study and shows its page again.
func (s studyPages) actPage(do func(r *http.Request, studies *service.Studies, study string) error) load {
	return func(r *http.Request) (any, error) {
		n, err := name(r)
		if err == nil {
			err = do(r, s.o.Service.Studies(), n)
		}
		if err != nil {
			return s.refuse(r, err)
		}
		return elsewhere("/studies/" + n), nil
	}
}

// holdPage is actPage for what sets a study's state, which the page reads itself.
func (s studyPages) holdPage(do hold) load {
	return s.actPage(func(r *http.Request, _ *service.Studies, study string) error {
		_, err := do(s.o.Service.Queue(), r.Context(), daemon.StudyKey(study))
		return err
	})
}

// prioritise sets how urgent a study is.
func (s studyPages) prioritise(r *http.Request, _ *service.Studies, study string) error {
	var wrong []string
	priority := formPriority(r, &wrong)
	if len(wrong) > 0 {
		return service.New(service.Invalid, wrong[0])
	}
	return s.o.Service.Queue().Prioritise(r.Context(), daemon.StudyKey(study), priority)
}

// extend gives a study that does not run a larger budget.
func extend(r *http.Request, studies *service.Studies, study string) error {
	var wrong []string
	games, trials := formNumber(r, "games", &wrong), formNumber(r, "trials", &wrong)
	if len(wrong) > 0 {
		return service.New(service.Invalid, strings.Join(wrong, "; "))
	}
	return studies.Extend(r.Context(), study, games, int(min(trials, math.MaxInt32)))
}

// tryPoint has a study try a point that somebody typed.
func tryPoint(r *http.Request, studies *service.Studies, study string) error {
	_, err := studies.Try(r.Context(), study, studyfile.ParsePoint(r.PostFormValue("point")))
	return err
}

// setNote keeps what somebody has written about a study.
func setNote(r *http.Request, studies *service.Studies, study string) error {
	return studies.SetNote(r.Context(), study, r.PostFormValue("note"))
}

// deletePage deletes a study and shows those that are left.
func (s studyPages) deletePage(r *http.Request) (any, error) {
	n, err := name(r)
	if err == nil {
		err = s.o.Service.Queue().Delete(r.Context(), daemon.StudyKey(n))
	}
	return elsewhere("/studies"), err
}

// comparePage shows the studies that the address names beside each other.
func (s studyPages) comparePage(r *http.Request) (any, error) {
	var names []string
	for _, n := range r.URL.Query()["s"] {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) < 2 || len(names) > mostCompared {
		return nil, service.New(service.Invalid, fmt.Sprintf("s: expected two to %d studies to compare, got %d: tick them in the list of studies", mostCompared, len(names)))
	}
	var all []*service.StudyDetail
	for _, n := range names {
		d, err := s.o.Service.Studies().Show(r.Context(), n)
		if err != nil {
			return nil, err
		}
		if d.Foreign {
			return nil, &store.ForeignStudyError{Study: n}
		}
		all = append(all, d)
	}
	return compareOf(all), nil
}
