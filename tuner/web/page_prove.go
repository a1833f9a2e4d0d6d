package web

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/web/pages"
)

// mostFurther bounds the blocks of a further proof.
const mostFurther = 1 << 40

// provePage says what proving a study's answer further takes and costs.
func (s studyPages) provePage(w http.ResponseWriter, r *http.Request) error {
	return s.further(w, r, r.URL.Query().Get("blocks"))
}

// further shows the page for a number of blocks as it was typed, empty for the usual one.
// What is wrong with it is said on the page; a study whose answer cannot be proved further
// says so on its own.
func (s studyPages) further(w http.ResponseWriter, r *http.Request, typed string) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	blocks, mistake := furtherBlocks(typed)
	p, err := s.o.Service.Studies().Prove(r.Context(), n, blocks, true)
	if err != nil && mistake != "" {
		err = service.New(service.Invalid, mistake)
	}
	if err != nil {
		return s.refuse(w, r, err)
	}
	v := struct {
		pages.Frame
		P       *service.FurtherProof
		Lines   []string
		Often   string
		Seen    string
		Typed   string
		Refusal string
	}{Frame: s.frame("Prove further: "+n, "studies"), P: p, Lines: p.Forecast.Sentences(), Typed: strconv.FormatInt(p.Blocks, 10)}
	if p.Chance != nil {
		v.Seen = numeral.Signed(*p.Seen, max(1, 0.1*math.Abs(*p.Seen)))
		v.Often = strconv.Itoa(int(math.Round(100 * *p.Chance)))
	}
	status := http.StatusOK
	if mistake != "" {
		status, v.Typed, v.Refusal = http.StatusBadRequest, typed, mistake
	}
	s.render(w, r, status, "prove", v)
	return nil
}

// furtherBlocks reads a number of blocks; 0 is the usual one. Thousands may stand apart.
func furtherBlocks(typed string) (blocks int64, mistake string) {
	text := strings.Join(strings.Fields(typed), "")
	if text == "" {
		return 0, ""
	}
	blocks, err := strconv.ParseInt(text, 10, 64)
	if err != nil || blocks < 1 || blocks > mostFurther {
		return 0, fmt.Sprintf("blocks: expected a whole number from 1 to %d, got %.40q", int64(mostFurther), typed)
	}
	return blocks, ""
}

// proveFurther queues the proof and shows it.
func (s studyPages) proveFurther(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	typed := r.PostFormValue("blocks")
	blocks, mistake := furtherBlocks(typed)
	if blocks == 0 || mistake != "" {
		return s.further(w, r, cmp.Or(typed, "none"))
	}
	p, err := s.o.Service.Studies().Prove(r.Context(), n, blocks, false)
	if err != nil {
		return s.refuse(w, r, err)
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
