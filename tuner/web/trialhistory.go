package web

import (
	"fmt"
	"net/http"

	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
)

// historyMost is the number of columns that the API gives at most.
const historyMost = 2000

// trialHistory is the API's: columns of trials, for plots.
func (s studyAPI) trialHistory(w http.ResponseWriter, r *http.Request) error {
	d, err := s.named(r)
	if err != nil {
		return err
	}
	from, err := query(r, "from", 0, 0, mostKey)
	if err != nil {
		return err
	}
	to, err := query(r, "to", mostKey, 0, mostKey)
	if err != nil {
		return err
	}
	columns, err := query(r, "columns", 500, 1, historyMost)
	if err != nil {
		return err
	}
	unit := r.URL.Query().Get("unit")
	if unit != "" && unit != "elo" {
		return problem(http.StatusBadRequest, fmt.Sprintf("unit: expected elo or nothing, got %.40q", unit))
	}
	c, err := s.whole(r, d)
	if err != nil {
		return err
	}
	c.mu.Lock()
	h := chart.Columns(c.log, from, to, columns)
	if unit == "elo" {
		h.ToElo(c.log, d.Result)
	}
	c.mu.Unlock()
	write(w, http.StatusOK, h)
	return nil
}

// whole is a study's chronicle, read to the end of its log.
func (s studyAPI) whole(r *http.Request, d *service.StudyDetail) (*sharedChronicle, error) {
	c, err := s.chronicle(r.Context(), d)
	if err != nil {
		return nil, err
	}
	return c, s.read(r.Context(), c, d.Entries, chronicleTime)
}
