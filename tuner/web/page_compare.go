package web

import (
	"fmt"
	"net/http"
	"slices"

	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/web/pages"
)

// comparePage shows the studies that the address names beside each other.
func (s studyPages) comparePage(w http.ResponseWriter, r *http.Request) error {
	var names []string
	for _, n := range r.URL.Query()["s"] {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) < 2 || len(names) > pages.MostCompared {
		return service.New(service.Invalid, fmt.Sprintf("s: expected two to %d studies to compare, got %d: tick them in the list of studies", pages.MostCompared, len(names)))
	}
	var all []*service.StudyDetail
	for _, n := range names {
		d, err := s.o.Service.Studies().Show(r.Context(), n)
		if err != nil {
			return err
		}
		if d.Foreign {
			return &store.ForeignStudyError{Study: n}
		}
		all = append(all, d)
	}
	s.render(w, r, http.StatusOK, "compare", pages.CompareOf(s.frame("Compare", "studies"), all))
	return nil
}
