package web

import (
	"fmt"
	"net/http"
	"strconv"

	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// trialPage shows one trial.
func (s studyPages) trialPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.trial(r)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "trial", v)
	return nil
}

// trial is what a request's trial was worth.
func (s studyPages) trial(r *http.Request) (*pages.Trial, error) {
	n, err := name(r)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil || number < 0 || number > mostKey {
		return nil, service.New(service.NotFound, fmt.Sprintf("no trial %.40q", r.PathValue("number")))
	}
	d, err := s.o.Service.Studies().Show(r.Context(), n)
	if err != nil {
		return nil, err
	}
	c, err := studyAPI(s).whole(r, d)
	if err != nil {
		return nil, err
	}
	trials, err := s.o.Service.Studies().TrialsAt(r.Context(), n, []int{number})
	if err != nil {
		return nil, err
	}
	params := map[string]string{}
	if len(trials) > 0 {
		params = trials[0].Params
	}
	c.mu.Lock()
	if number >= len(c.log.Trials) {
		count := len(c.log.Trials)
		c.mu.Unlock()
		return nil, service.New(service.NotFound, fmt.Sprintf("there is no trial %d: the study has %d, numbered from 0", number, count))
	}
	v := pages.TrialOf(s.frame(fmt.Sprintf("Trial %d of %s", number, n), "studies"), d, c.log, number, params)
	told := int(c.log.Trials[number].Told)
	end := c.log.Trials[number].End
	stopped := end >= entry.Behind && end != entry.Beyond // the row says which limit
	c.mu.Unlock()
	if stopped && told > 0 {
		entries, err := s.o.Service.Studies().EntriesAt(r.Context(), c.id, []int{told})
		if err != nil {
			return nil, err
		}
		if e, ok := entries[told]; ok {
			if reason := entry.Reason(e); reason != "" {
				v.Row.Why += ": " + reason
			}
		}
	}
	return v, nil
}
