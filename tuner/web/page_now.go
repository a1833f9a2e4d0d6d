package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/view"
	"sakusen/tuner/web/pages"
)

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
	v := pages.NowOf(s.frame("Now", "now"), n, since, first)
	v.Elsewhere = others(s.Server)
	for _, j := range n.EndedJobs {
		v.JobFound[v.JobPath(j)] = s.jobFound(r, j)
	}
	s.render(w, r, http.StatusOK, "now", v)
	return nil
}

// jobFound is what came of a tournament or of a run, in words; empty where its own page has
// to say why there is nothing.
func (s studyPages) jobFound(r *http.Request, j service.NowJob) string {
	if j.State != "done" {
		return ""
	}
	if j.Kind == "tournament" {
		if t, err := s.o.Service.Tournaments().Played(r.Context(), j.ID); err == nil && t != nil {
			return view.Podium(t.Report, t.Whole)
		}
		return ""
	}
	if report, whole, err := s.o.Service.Experiments().Report(r.Context(), j.ID); err == nil && report != nil {
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

// now is what goes on, as JSON.
func (s studyAPI) now(w http.ResponseWriter, r *http.Request) error {
	since := time.Now().Add(-firstVisit)
	if text := r.URL.Query().Get("since"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return service.New(service.Invalid, fmt.Sprintf("since: expected a time such as 2026-11-22T10:00:00Z, got %.40q", text))
		}
		since = at
	}
	n, err := s.o.Service.Studies().Now(r.Context(), since)
	if err != nil {
		return err
	}
	write(w, http.StatusOK, n)
	return nil
}
