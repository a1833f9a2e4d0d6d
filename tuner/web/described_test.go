package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// description is openapi.json, and its schemas ready to judge answers.
type description struct {
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string                      `json:"operationId"`
		Parameters  []struct{ Name, In string } `json:"parameters"`
		Responses   map[string]struct {
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
	compiler *jsonschema.Compiler
}

func described(t testing.TB) *description {
	t.Helper()
	d := &description{compiler: jsonschema.NewCompiler()}
	must(t, json.Unmarshal(api.Description, d))
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Description))
	must(t, err)
	must(t, d.compiler.AddResource("http://sakusen/openapi.json", plainSchema(whole)))
	return d
}

// plainSchema puts what OpenAPI 3.0 says of null into the words of JSON Schema.
func plainSchema(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plainSchema(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plainSchema(v[key])
		}
		if v["nullable"] == true {
			delete(v, "nullable")
			return map[string]any{"anyOf": []any{v, map[string]any{"type": "null"}}}
		}
	}
	return v
}

// schema returns that of a response in JSON; nil where it is something else.
func (d *description) schema(t testing.TB, path, method, status string) *jsonschema.Schema {
	t.Helper()
	if len(d.Paths[path][method].Responses[status].Content["application/json"].Schema) == 0 {
		return nil
	}
	place := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
	s, err := d.compiler.Compile("http://sakusen/openapi.json#/paths/" + place + "/" + method + "/responses/" + status + "/content/application~1json/schema")
	must(t, err)
	return s
}

// Generators need a name for every operation, all parameters of its path, and what
// is answered to mistakes.
func TestDescriptionIsWhole(t *testing.T) {
	d := described(t)
	if len(d.Servers) == 0 {
		t.Error("no servers")
	}
	names := map[string]bool{}
	for path, methods := range d.Paths {
		for m, o := range methods {
			if !regexp.MustCompile(`^[a-z][A-Za-z]+$`).MatchString(o.OperationID) || names[o.OperationID] {
				t.Errorf("%s %s: operationId %q", m, path, o.OperationID)
			}
			names[o.OperationID] = true
			for _, p := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
				if !slices.ContainsFunc(o.Parameters, func(q struct{ Name, In string }) bool { return q.Name == p[1] && q.In == "path" }) {
					t.Errorf("%s %s: no parameter %s", m, path, p[1])
				}
			}
			for _, status := range []string{"4XX", "default"} {
				if d.schema(t, path, m, status) == nil {
					t.Errorf("%s %s: nothing is said of %s", m, path, status)
				}
			}
			for status, r := range o.Responses {
				if len(r.Content) == 0 {
					t.Errorf("%s %s: %s has no content type", m, path, status)
				}
			}
		}
	}
}

// What every GET answers has the fields that its description requires, of the types
// that it says, and so has what is refused.
func TestAnswersAreAsDescribed(t *testing.T) {
	d := described(t)
	_, h := serve(t, newTestService(t), "")
	seen := 0
	for path, methods := range d.Paths {
		if _, ok := methods["get"]; !ok || path == "/api/v1/events" {
			continue
		}
		for _, fill := range []string{"first", "1", "7", "dice", "nothing"} {
			url := regexp.MustCompile(`\{number\}`).ReplaceAllString(path, "0")
			url = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(url, fill)
			for _, query := range []string{"", "?format=optuna&force=true"} {
				status, text, header := ask(t, "GET", h.URL+url+query, "")
				key := "200"
				if status >= 400 {
					key = "4XX"
				}
				s := d.schema(t, path, "get", key)
				if s == nil || !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
					continue
				}
				answer, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
				must(t, err)
				if err := s.Validate(answer); err != nil {
					t.Errorf("GET %s: %d: %v\n%.600s", url, status, err, text)
				}
				seen++
			}
		}
	}
	if seen < 60 {
		t.Errorf("%d answers were looked at", seen)
	}
}

// A client that sends DELETE without a body needs no content type; one with a form's
// type, or a body without a type, is refused as ever.
func TestDeleteWithoutBody(t *testing.T) {
	s := newServer(t, web.Options{})
	for _, c := range []struct {
		kind, body string
		status     int
	}{{"", "", 404}, {"application/json", "", 404}, {"application/x-www-form-urlencoded", "", 415}, {"text/plain", "", 415}, {"", "{}", 415}} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "http://localhost/api/v1/studies/nobody", strings.NewReader(c.body))
		if c.kind != "" {
			r.Header.Set("Content-Type", c.kind)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("type %q, body %q: %d, want %d", c.kind, c.body, w.Code, c.status)
		}
	}
}
