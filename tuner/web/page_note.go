package web

import (
	"context"
	"net/http"

	"sakusen/tuner/service"
)

// notePage keeps what somebody has written about a study.
func (s studyPages) notePage(w http.ResponseWriter, r *http.Request) error {
	text := r.PostFormValue("note")
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		return studies.SetNote(ctx, study, text)
	})(w, r)
}

// note is the same by the API.
func (s studyAPI) note(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	var given struct {
		Note string `json:"note"`
	}
	if err := read(r, &given); err != nil {
		return err
	}
	return reply(w, map[string]string{"study": n}, s.o.Service.Studies().SetNote(r.Context(), n, given.Note))
}
