package web

import (
	"net/http"

	"sakusen/tuner/service"
)

// ask hands out games of a study that are played elsewhere.
func (s studyAPI) ask(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	var given service.AskRequest
	if err = firstOf(err, read(r, &given)); err != nil {
		return err
	}
	out, err := s.o.Service.Studies().Elsewhere().Ask(r.Context(), n, given)
	return reply(w, out, err)
}

// asks lists what is handed out and not told.
func (s studyAPI) asks(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	out, err := s.o.Service.Studies().Elsewhere().Out(r.Context(), n)
	return reply(w, out, err)
}

// tell takes results of such games.
func (s studyAPI) tell(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	var given service.Tellings
	if err = firstOf(err, read(r, &given)); err != nil {
		return err
	}
	out, err := s.o.Service.Studies().Elsewhere().Tell(r.Context(), n, given)
	return reply(w, out, err)
}
