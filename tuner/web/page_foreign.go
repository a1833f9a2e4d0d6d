package web

import (
	"net/http"

	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// listedTrials is the number of trials on a page of a foreign study.
const listedTrials = 100

// foreignPage shows a study that a program keeps with Goptuna's API.
func foreignPage(s *Server, w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	from, err := query(r, "from", 0, 0, mostKey)
	if err != nil {
		return err
	}
	studies := s.o.Service.Studies()
	d, err := studies.Show(r.Context(), n)
	if err != nil {
		return err
	}
	trials, err := studies.Trials(r.Context(), n, from, listedTrials)
	if err != nil {
		return err
	}
	var best []service.Trial
	if d.Best != nil {
		if best, err = studies.TrialsAt(r.Context(), n, []int{d.Best.Trial}); err != nil {
			return err
		}
	}
	s.render(w, r, http.StatusOK, "foreign", pages.ForeignOf(s.frame(n, "studies"), d, best, trials))
	return nil
}
