package web

import (
	"fmt"
	"net/http"

	"sakusen/tuner/service"
)

// submitted is what a submission adds to a request.
type submitted struct {
	Priority int `json:"priority"`
	// Check only reads the request and says what is wrong with it.
	Check bool `json:"check"`
}

// mostBlocks bounds what may be asked for: no file asks for more.
const mostBlocks = int64(1) << 40

// submitTournament queues a tournament, or only checks it.
func (a jobAPI) submitTournament(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		service.TournamentRequest
		submitted
	}
	err := read(r, &given)
	switch {
	case err != nil:
	case given.File == "":
		err = service.New(service.Invalid, "file: expected a tournament file, got none")
	case len(given.FileName) > mostFileName:
		err = service.New(service.Invalid, fmt.Sprintf("file_name: expected at most %d bytes, got %d", mostFileName, len(given.FileName)))
	case given.Blocks < 0 || given.Blocks > mostBlocks:
		err = service.New(service.Invalid, fmt.Sprintf("blocks: expected 1 to %d, got %d", mostBlocks, given.Blocks))
	default:
		err = urgent(given.Priority)
	}
	var id int
	var created bool
	if err == nil {
		id, created, err = a.o.Service.Tournaments().Submit(r.Context(), given.TournamentRequest, given.Priority, given.Check)
	}
	return a.queued(w, r, id, created, given.Check, err)
}

// submitRun queues an experiment, or only checks what is asked for.
func (a jobAPI) submitRun(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		service.ExperimentRequest
		submitted
	}
	err := read(r, &given)
	if err == nil && given.Name == "" {
		err = service.New(service.Invalid, "name: expected that of an experiment, got none")
	}
	if err == nil {
		err = urgent(given.Priority)
	}
	var id int
	var created bool
	if err == nil {
		id, created, err = a.o.Service.Experiments().Submit(r.Context(), given.ExperimentRequest, given.Priority, given.Check)
	}
	return a.queued(w, r, id, created, given.Check, err)
}

// queued answers a submission.
func (a jobAPI) queued(w http.ResponseWriter, r *http.Request, id int, created, checked bool, err error) error {
	switch {
	case err != nil:
		return err
	case checked:
		write(w, http.StatusOK, map[string]any{"id": nil})
	case created:
		w.Header().Set("Location", fmt.Sprintf("%s/%d", r.URL.Path, id))
		write(w, http.StatusCreated, map[string]any{"id": id})
	default:
		write(w, http.StatusOK, map[string]any{"id": id})
	}
	return nil
}

// experiments lists those that can be run.
func (a jobAPI) experiments(w http.ResponseWriter, r *http.Request) error {
	list, err := a.o.Service.Experiments().All(r.Context())
	return reply(w, map[string]any{"experiments": list}, err)
}
