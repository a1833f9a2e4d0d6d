package web_test

import (
	"errors"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store/goptunadb"
)

// A study that a program keeps with Goptuna's API is on the list of studies, has a page
// and an entry of the API, and can be deleted there.
func TestForeignPages(t *testing.T) {
	testService := newTestService(t)
	s, err := goptunadb.New(t.Context(), testService.db)
	must(t, err)
	id, err := s.CreateNewStudy("by hand/1?")
	must(t, err)
	width := &tuner.Dimension{Param: param.Param{Name: "width", Kind: param.Float, Domain: param.Range(0, 1)}}
	for n := range 3 {
		trial, err := s.CreateNewTrial(id)
		must(t, errors.Join(err, s.SetTrialParam(trial, "width", float64(n)/4, width.ByValue(false)),
			s.SetTrialValue(trial, float64(3-n)), s.SetTrialState(trial, 1)))
	}
	_, h := serve(t, testService, "")
	const page, api = "/studies/by%20hand%2F1%3F", "/api/v1/studies/by%20hand%2F1%3F"
	for path, want := range map[string][]string{
		"/studies":               {`href="` + page + `"`, "Foreign", "3 trials", "foreign 1"},
		"/studies?state=foreign": {`href="` + page + `"`},
		page:                     {"by hand/1?", "Trial 2, the best", `<th scope="row">width</th><td class="n">0.5</td>`, api + "/export?format=yaml&amp;force=true", `action="` + page + `/delete"`},
		page + "?from=2":         {`id="trial-2"`},
		api:                      {`"foreign":true`, `"spec":null`, `"state":"foreign"`},
		api + "/trials":          {`"params":{"width":"0.25"}`},
		"/api/v1/studies":        {`"foreign":true`},
		"/":                      {"first"},
	} {
		status, body, _ := ask(t, "GET", h.URL+path, "")
		for _, w := range want {
			if status != 200 || !strings.Contains(body, w) {
				t.Errorf("%s: status %d, no %q in\n%s", path, status, w, body)
			}
		}
	}
	for _, path := range []string{page + "/trials/1", page + "/prove", api + "/log", "/compare?s=first&s=by+hand%2F1%3F"} {
		if status, body, _ := ask(t, "GET", h.URL+path, ""); status != 409 {
			t.Errorf("%s: status %d\n%s", path, status, body)
		}
	}
	if status, body, _ := ask(t, "DELETE", h.URL+api, ""); status != 200 {
		t.Errorf("delete: %d %s", status, body)
	}
	if status, _, _ := ask(t, "GET", h.URL+page, ""); status != 404 {
		t.Errorf("a deleted study: status %d", status)
	}
}
