package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// listedStudies is the number of studies on a page.
const listedStudies = 50

// mostSkip bounds how far one can turn the pages.
const mostSkip = 1 << 30

// list lists the studies that are looked for.
func (s studyPages) list(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f := service.StudyFilter{Outcome: q.Get("state"), Text: q.Get("q"), Game: q.Get("game"), Sort: q.Get("sort"), Limit: listedStudies}
	var err error
	if f.Skip, err = query(r, "skip", 0, 0, mostSkip); err != nil {
		return err
	}
	if f.Outcome != "" && !slices.Contains(service.Outcomes(), f.Outcome) {
		return problem(http.StatusBadRequest, fmt.Sprintf("state: expected %s, got %.40q", strings.Join(service.Outcomes(), ", "), f.Outcome))
	}
	if !service.Sorted(f.Sort) {
		return problem(http.StatusBadRequest, fmt.Sprintf("sort: expected newest, ended, gain or name, got %.40q", f.Sort))
	}
	if len(f.Text) > 200 {
		return problem(http.StatusBadRequest, "q: expected at most 200 bytes")
	}
	found, err := s.o.Service.Studies().Find(r.Context(), f)
	if err != nil {
		return err
	}
	turns, err := service.TurnsOf(r.Context(), s.o.Service)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "studies", pages.StudyListOf(s.frame("Studies", "studies"), f, found, turns))
	return nil
}

// actPage does something with a study and shows its page again.
func (s studyPages) actPage(do func(*service.Studies, context.Context, string) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		n, err := name(r)
		if err == nil {
			err = do(s.o.Service.Studies(), r.Context(), n)
		}
		if err != nil {
			return s.refuse(w, r, err)
		}
		http.Redirect(w, r, "/studies/"+n, http.StatusSeeOther)
		return nil
	}
}

// holdPage is actPage for what sets a study's state, which the page reads itself.
func (s studyPages) holdPage(do func(*service.Studies, context.Context, string) (string, error)) handler {
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		_, err := do(studies, ctx, study)
		return err
	})
}

// priorityPage sets how urgent a study is.
func (s studyPages) priorityPage(w http.ResponseWriter, r *http.Request) error {
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		var wrong []string
		priority := formPriority(r, &wrong)
		if len(wrong) > 0 {
			return service.New(service.Invalid, wrong[0])
		}
		return studies.Prioritise(ctx, study, priority)
	})(w, r)
}

// budgetPage gives a study that does not run a larger budget.
func (s studyPages) budgetPage(w http.ResponseWriter, r *http.Request) error {
	var wrong []string
	number := func(field string) int64 {
		text := strings.Join(strings.Fields(r.PostFormValue(field)), "") // thousands may stand apart
		if text == "" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			wrong = append(wrong, fmt.Sprintf("%s: expected a whole number above 0, got %.40q", field, text))
		}
		return n
	}
	games, trials := number("games"), number("trials")
	if len(wrong) > 0 {
		return s.refuse(w, r, service.New(service.Invalid, strings.Join(wrong, "; ")))
	}
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		return studies.Extend(ctx, study, games, int(min(trials, math.MaxInt32)))
	})(w, r)
}

// deletePage deletes a study and shows those that are left.
func (s studyPages) deletePage(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err == nil {
		err = s.o.Service.Studies().Delete(r.Context(), n)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/studies", http.StatusSeeOther)
	return nil
}
