package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// mostFurther bounds the blocks of a further proof.
const mostFurther = 1 << 40

// provePage says what proving a study's answer further takes and costs.
func (s studyPages) provePage(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	blocks, err := query(r, "blocks", 0, 1, mostFurther)
	if err != nil {
		return err
	}
	p, err := s.o.Service.Studies().Prove(r.Context(), n, int64(blocks), true)
	if err != nil {
		return err
	}
	v := struct {
		pages.Frame
		P     *service.FurtherProof
		Lines []string
		Often string
		Seen  string
		Most  int
	}{Frame: s.frame("Prove further: "+n, "studies"), P: p, Lines: p.Forecast.Sentences(), Most: mostFurther}
	if p.Chance != nil {
		v.Seen = numeral.Signed(*p.Seen, max(1, 0.1*math.Abs(*p.Seen)))
		v.Often = strconv.Itoa(int(math.Round(100 * *p.Chance)))
	}
	s.render(w, r, http.StatusOK, "prove", v)
	return nil
}

// proveFurther queues the proof and shows it.
func (s studyPages) proveFurther(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	blocks, err := strconv.ParseInt(r.PostFormValue("blocks"), 10, 64)
	if err != nil || blocks < 1 || blocks > mostFurther {
		return service.New(service.Invalid, fmt.Sprintf("blocks: expected a whole number from 1 to %d, got %.40q", int64(mostFurther), r.PostFormValue("blocks")))
	}
	p, err := s.o.Service.Studies().Prove(r.Context(), n, blocks, false)
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/studies/"+p.Study, http.StatusSeeOther)
	return nil
}

// prove is the same by the API.
func (s studyAPI) prove(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	var given struct {
		Blocks int64 `json:"blocks"`
		Check  bool  `json:"check"`
	}
	if err := read(r, &given); err != nil {
		return err
	}
	if given.Blocks < 0 || given.Blocks > mostFurther {
		return service.New(service.Invalid, fmt.Sprintf("blocks: expected a whole number from 0 to %d, got %d", int64(mostFurther), given.Blocks))
	}
	p, err := s.o.Service.Studies().Prove(r.Context(), n, given.Blocks, given.Check)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if given.Check {
		status = http.StatusOK
	} else {
		w.Header().Set("Location", "/api/v1/studies/"+p.Study)
	}
	write(w, status, p)
	return nil
}
