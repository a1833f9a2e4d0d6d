package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/web"
)

const asForm = "Content-Type: application/x-www-form-urlencoded"

// A study's file can be typed, begun from an embedded one or from the form, and
// all its mistakes are told at once.
func TestStudyFromAFile(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/new", "", 200, `href="/new/file"`},
		{"GET", "/new/file", "", 200, "\nname: "},
		{"GET", "/new/file?example=tubstap-muct", "", 200, "\nname: tubstap-muct\n"},
		{"POST", "/new/file", url.Values{"file": {firstFile}}.Encode(), 303, ""},
		{"POST", "/new/file", url.Values{"file": {badFile}, "priority": {"70"}}.Encode(), 400, "priority: expected -10 to 10, got &#34;70&#34;"},
		{"POST", "/new/file", "file=</textarea><script>", 400, "&lt;/textarea&gt;&lt;script&gt;"},
		{"POST", "/new/file/check", url.Values{"file": {firstFile}}.Encode(), 200, "Nothing is wrong with it."},
		{"POST", "/new/file/check", url.Values{"file": {badFile}}.Encode(), 200, "form.yaml:3:7: game: expected"},
	} {
		status, text, _ := ask(t, c.method, h.URL+c.path, c.body, asForm)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s %s: %d, want %d and %q in\n%s", c.method, c.path, c.body, status, c.status, c.want, text)
		}
	}
}

// What the form can say of a study arrives in its file, and nothing that was
// left open does.
func TestFormAsFile(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	body := url.Values{
		"name": {"mine"}, "doc": {"Which?"}, "tune": {"x", "kind"}, "low.x": {"0.2"}, "high.x": {"1"}, "step.x": {"0.1"}, "choices.kind": {"a, b"},
		"gain": {"20"}, "proof": {"4000"}, "rule.sides": {"8"}, "metric": {"pips"}, "mode": {"pool"}, "filler": {"loaded"}, "sampler": {"tpe"}, "race": {"none"},
		"trials": {"9"}, "batch": {"3"},
	}
	_, text, _ := ask(t, "POST", h.URL+"/new/file/edit", body.Encode(), asForm)
	_, text, _ = strings.Cut(text, "required>\n")
	text, _, _ = strings.Cut(text, "</textarea>")
	const want = `version: 1
name: "mine"
doc: "Which?"
game: "dice"
rules:
  - {name: "sides", value: 8}
tune:
  strategy: "loaded"
  params:
    - name: "x"
      low: 0.2
    - name: "kind"
      choices: ["a", "b"]
evaluate:
  mode: "pool"
  filler: "loaded"
objective:
  of: "metric"
  metric: "pips"
budget:
  trials: 9
sampler:
  name: "tpe"
  batch: 3
race:
  method: "none"
validation:
  gain_elo: [0, 20]
  max_blocks: 4000
`
	if got := html.UnescapeString(text); got != want {
		t.Errorf("the form's file:\n%s\nwant\n%s", got, want)
	}
	// A range in a row that is not ticked is one that is tuned, and a value to fix
	// beside it a contradiction: nothing that is typed is dropped.
	body = url.Values{"name": {"mine"}, "low.x": {"0.4"}, "high.x": {"0.45"}, "baseline": {"loaded"}}
	_, text, _ = ask(t, "POST", h.URL+"/new/file/edit", body.Encode(), asForm)
	if got := html.UnescapeString(text); !strings.Contains(got, "  params:\n    - name: \"x\"\n      low: 0.4\n      high: 0.45\n") {
		t.Errorf("a range of a row that is not ticked is not in the file:\n%s", got)
	}
	body.Set("fix.x", "0.5")
	if _, text, _ = ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm); !strings.Contains(text, `data-field="fix.x"`) {
		t.Errorf("a parameter that is tuned and fixed:\n%s", text)
	}
	body = url.Values{"name": {"mine"}, "low.x": {"0.9"}, "high.x": {"0.1"}, "baseline": {"loaded"}}
	if _, text, _ = ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm); strings.Contains(text, "Nothing is wrong") {
		t.Errorf("a range from 0.9 to 0.1:\n%s", text)
	}
	body = url.Values{"name": {"mine"}, "fix.x": {"0.5"}, "baseline": {"loaded"}}
	_, text, _ = ask(t, "POST", h.URL+"/new/file/edit", body.Encode(), asForm)
	if got := html.UnescapeString(text); !strings.Contains(got, "  fix:\n    - {name: \"x\", value: 0.5}\nbaseline: \"loaded\"\n</textarea>") {
		t.Errorf("a fixed value is not in the file:\n%s", got)
	}
}

// A study can be run again with changes: its file is in the form, under a name
// that is free.
func TestRunAgain(t *testing.T) {
	s := emptyTestService(t)
	_, err := s.Studies().Files.Submit(t.Context(), service.Submission{Spec: strings.Replace(firstFile, "name: first", "name: mine", 1)})
	must(t, err)
	_, h := serve(t, s, "")
	_, text, _ := ask(t, "GET", h.URL+"/new/file?from=mine", "")
	if !strings.Contains(text, "\nname: mine-2\ngame: dice\n") {
		t.Errorf("the form has\n%s", text)
	}
}

// A form whose fields are of another game than the one that is chosen makes no
// study, and a name that is taken is told by the check already.
func TestFormOfAnotherGame(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	body := url.Values{"name": {"mine"}, "game": {"dice"}, "strategy": {"loaded"}, "shown": {"battleship mp"}, "baseline": {"loaded"}}
	status, text, _ := ask(t, "POST", h.URL+"/new", body.Encode(), asForm)
	if status != 200 || !strings.Contains(text, "Nothing was submitted.") || !strings.Contains(text, `name="name" value="mine"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/studies/mine", ""); status != 404 {
		t.Errorf("a study was made: %d", status)
	}
	body.Set("shown", "dice loaded")
	body.Set("name", "first")
	if _, text, _ := ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm); !strings.Contains(text, `data-field="name"`) || !strings.Contains(text, "this name is taken; free: first-2, first-3, first-4") {
		t.Errorf("the check of a name that is taken: %s", text)
	}
}

// How urgent a study is can be set on its page, and it can be deleted there.
func TestStudyPageActs(t *testing.T) {
	s := newTestService(t)
	must(t, only(s.Queue().Pause(t.Context(), daemon.StudyKey("first"))))
	_, h := serve(t, s, "")
	_, page, _ := ask(t, "GET", h.URL+"/studies/first", "")
	_, spec, _ := ask(t, "GET", h.URL+"/studies/first?tab=spec", "")
	page += spec
	for _, want := range []string{`action="/studies/first/priority"`, `action="/studies/first/budget"`, `action="/studies/first/delete"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, c := range []struct {
		path, body, location string
		status               int
	}{
		{"/studies/first/priority", "priority=3", "/studies/first", 303},
		{"/studies/first/priority", "priority=30", "", 400},
		{"/studies/first/budget", "games=1&trials=1", "", 400},
		{"/studies/first/budget", "games=x", "", 400},
		{"/studies/first/budget", "games=9+000+000&trials=900", "/studies/first", 303},
		{"/studies/nowhere/budget", "games=9000000", "", 404},
		{"/studies/first/delete", "", "/studies", 303},
		{"/studies/nowhere/delete", "", "", 404},
	} {
		status, _, header := ask(t, "POST", h.URL+c.path, c.body, asForm)
		if status != c.status || header.Get("Location") != c.location {
			t.Errorf("%s %s: %d to %q, want %d to %q", c.path, c.body, status, header.Get("Location"), c.status, c.location)
		}
		if c.location == "/studies/first" && strings.Contains(c.path, "budget") {
			d, err := s.Studies().Show(t.Context(), "first")
			if err != nil || d.MaxGames != 9000000 || d.BudgetTrials != 900 || d.State != "paused" {
				t.Errorf("after a larger budget: %+v %v", d, err)
			}
		}
		if status, _, _ := ask(t, "POST", h.URL+c.path, c.body, asForm, "Sec-Fetch-Site: cross-site"); status != 403 {
			t.Errorf("%s from another site: %d", c.path, status)
		}
	}
}

// Three fields make a study: a game, a strategy and nothing against which it plays, which is itself
// as it is now. Its name is one that no study has.
func TestThreeFields(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	for _, name := range []string{"dice-loaded", "dice-loaded-2"} {
		status, text, header := ask(t, "POST", h.URL+"/new", url.Values{"game": {"dice"}, "strategy": {"loaded"}, "baseline": {""}, "name": {""}}.Encode(), asForm)
		if status != 303 || header.Get("Location") != "/studies/"+name {
			t.Fatalf("%d to %q:\n%s", status, header.Get("Location"), text)
		}
	}
	// Numbers are read as pages print them.
	if _, text, _ := ask(t, "POST", h.URL+"/new/file/edit", url.Values{"name": {"mine"}, "games": {"2 000 000"}, "trials": {" 1\u00a0000 "}}.Encode(), asForm); !strings.Contains(text, "games: 2000000") || !strings.Contains(text, "trials: 1000") {
		t.Error(text)
	}
	_, text, _ := ask(t, "POST", h.URL+"/new/forecast", url.Values{"take": {"free-7"}, "name": {"dice-loaded"}}.Encode(), asForm)
	if !strings.Contains(text, `name="name" value="free-7"`) {
		t.Errorf("a free name is not taken over:\n%s", text)
	}
}

// Every key of a study file has a field, but for lists of mappings, which are written in the file.
func TestEveryKeyHasAField(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	_, page, _ := ask(t, "GET", h.URL+"/new", "")
	for _, k := range studyfile.Keys(nil) {
		if kind := k.Type(); k.Path == "version" || kind.Kind == "mapping" || kind.Kind == "any" || strings.Contains(k.Path, "[]") || strings.HasPrefix(k.Path, "objective.of") {
			continue
		}
		field := k.Field
		switch k.Path {
		case "rules":
			field = "rule.sides"
		case "tune.fix":
			field = "fix.x"
		}
		if field == "" {
			field = "key." + k.Path
		}
		if !strings.Contains(page, `name="`+field+`"`) {
			t.Errorf("%s has no field %s", k.Path, field)
		}
	}
}

// Nothing that is typed into the form is dropped: each field, with a value that is none,
// arrives in the file or is told as a mistake that names the field; and the page that
// refuses it still has it.
func TestNothingTypedIsDropped(t *testing.T) {
	server, err := web.New(web.Options{Service: newTestService(t).Service, Commit: "test", Hosts: []string{"127.0.0.1"}, Proxied: true, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	t.Cleanup(func() { server.Hub.Close(); h.Close() })
	_, page, _ := ask(t, "GET", h.URL+"/new", "")
	_, form, _ := strings.Cut(page, `id="study-form"`)
	form, _, _ = strings.Cut(form, "</form>")
	seen := map[string]bool{"name": true, "doc": true, "game": true, "strategy": true, "shown": true, "tune": true, "show": true}
	fields := 0
	for _, m := range regexp.MustCompile(`<(?:input|select|textarea)[^>]* name="([^"]+)"`).FindAllStringSubmatch(form, -1) {
		field := m[1]
		if seen[field] {
			continue
		}
		seen[field], fields = true, fields+1
		body := url.Values{"name": {"mine"}, "baseline": {"loaded"}}
		body.Set(field, "zzz9")
		client := fmt.Sprintf("X-Forwarded-For: 10.0.0.%d", fields) // each field a client, as one may not write so much in a second
		_, text, _ := ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm, client)
		wrong := strings.Contains(text, `class="errors"`)
		switch {
		case !wrong && !strings.Contains(text, "zzz9"):
			t.Errorf("%s: what is typed is dropped:\n%s", field, text)
		case wrong && !strings.Contains(text, `data-field="`):
			t.Errorf("%s: no field is named:\n%s", field, text)
		}
		if status, text, _ := ask(t, "POST", h.URL+"/new", body.Encode(), asForm, client); wrong && (status != 400 || !strings.Contains(text, "No study was made")) {
			t.Errorf("%s: a refused form answers %d:\n%s", field, status, text)
		} else if named := strings.Contains(text, `name="`+field+`" value="zzz9"`) || strings.Contains(text, "zzz9"); wrong && !named {
			t.Errorf("%s: the page that refuses it has lost it", field)
		}
	}
	if fields < 20 {
		t.Errorf("%d fields", fields)
	}
}

// Limits, a pool and the gain to prove arrive in the file; wrong ones are told at their
// own fields.
func TestFormsLimitsAndPool(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	body := url.Values{"name": {"mine"}, "baseline": {"loaded"}, "gain": {"20"}, "max.pips": {"12"}, "pool": {"loaded(x=0.2)\nloaded(x=0.4)"}}
	_, text, _ := ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm)
	text = html.UnescapeString(text)
	for _, want := range []string{"{metric: \"pips\", max: 12}", "loaded(x=0.2)", "loaded(x=0.4)", "gain_elo: [0, 20]", "Forecast", "Games: ", "Proof: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	for field, value := range map[string]string{"max.pips": "many", "ratio.pips": "-1", "gain": "-5", "pool": "nobody", "fix.x": "7", "rule.sides": "-1", "filler": "loaded", "begin_from": "nothing"} {
		body := url.Values{"name": {"mine"}, "baseline": {"loaded"}, field: {value}}
		if _, text, _ := ask(t, "POST", h.URL+"/new/check", body.Encode(), asForm); !strings.Contains(text, `data-field="`+field+`"`) {
			t.Errorf("%s = %s is not told at its field:\n%s", field, value, text)
		}
	}
}

// A form of a study's page that is refused is shown again with what was typed, and says
// what was wrong; so do ranges of parameters that are none.
func TestRefusedFormsOfAStudyKeepWhatWasTyped(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	if status, text, _ := ask(t, "POST", h.URL+"/new/file", url.Values{"file": {firstFile}}.Encode(), asForm); status != 303 {
		t.Fatal(status, text)
	}
	for _, c := range []struct{ method, path, body, want, kept string }{
		{"POST", "/studies/first/priority", "priority=urgent", "expected -10 to 10", `name="priority" min="-10" max="10" required value="urgent"`},
		{"POST", "/studies/first/budget", "games=all&trials=7", "games: expected a whole number from 1 on", ""},
		{"POST", "/studies/first/points", "point=nothing%3D3", "expected ", ""},
		{"POST", "/studies/first/note?tab=spec", "note=a%07b", "expected a text of at most", "a\ab</textarea>"},
		{"GET", "/studies/first/prove", "", "has not ended", ""},
		{"POST", "/studies/first/prove", "blocks=many", "expected a whole number from 1", ""},
		{"GET", "/studies/first?tab=trials&min.x=low", "", "min.x: expected a number", `name="min.x" value="low"`},
	} {
		status, text, _ := ask(t, c.method, h.URL+c.path, c.body, asForm)
		text = html.UnescapeString(text)
		if status < 400 || status >= 500 || !strings.Contains(text, "Nothing was done:") || !strings.Contains(text, c.want) || !strings.Contains(text, c.kept) || !strings.Contains(text, `id="verdict"`) {
			at := max(0, strings.Index(text, "<main"))
			t.Errorf("%s %s: %d, want %q and %q:\n%.2500s", c.path, c.body, status, c.want, c.kept, text[at:])
		}
	}
}

// The form of a further proof says at once what is wrong with it, and keeps what was typed.
func TestRefusedProofKeepsWhatWasTyped(t *testing.T) {
	testService := emptyTestService(t)
	testService.even(t)
	_, h := serve(t, testService, "")
	for _, blocks := range []string{"many", "0", "-3"} {
		for _, status := range []int{
			first(ask(t, "GET", h.URL+"/studies/even/prove?blocks="+blocks, "")),
			first(ask(t, "POST", h.URL+"/studies/even/prove", "blocks="+blocks, asForm)),
		} {
			if status != 400 {
				t.Errorf("%s: %d", blocks, status)
			}
		}
	}
	_, page, _ := ask(t, "POST", h.URL+"/studies/even/prove", "blocks=many", asForm)
	for _, want := range []string{"Nothing was done:", "expected a whole number from 1", `name="blocks" inputmode="numeric" value="many"`, "What it takes and costs"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing:\n%.2000s", want, page)
		}
	}
	if _, page, _ = ask(t, "GET", h.URL+"/studies/even/prove?blocks=2+000", ""); !strings.Contains(page, `value="2000"`) {
		t.Errorf("thousands that stand apart:\n%.2000s", page)
	}
}

// even plays the study even to its end, whose validation cannot tell.
func (s *testService) even(t testing.TB) {
	t.Helper()
	text := strings.NewReplacer("name: first", "name: even", "baseline: loaded", "baseline: loaded(x=0.5)", "max_blocks: 100", "max_blocks: 2").Replace(firstFile)
	setup, err := studyfile.Read("even.yaml", []byte(text), arena.Catalogue{diceGame()}, sampler.Kinds{})
	must(t, err)
	f := service.StudyFile{Setup: setup}
	f.Source.Name, f.Source.Text = "even.yaml", text
	f.Signatures, err = setup.Ruleset.Signatures(t.Context(), setup.Strategies()...)
	must(t, err)
	result, err := s.Studies().Tune(t.Context(), f, arena.NewPool(1), nil, nil)
	must(t, err)
	if v := result.Validation; v == nil || v.Verdict != "inconclusive" {
		t.Fatalf("%+v", v)
	}
}

func first(status int, _ string, _ http.Header) int { return status }
