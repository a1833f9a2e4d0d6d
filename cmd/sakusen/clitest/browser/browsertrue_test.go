package browser

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// metricHill is a study of what a point costs, whose best point lies inside its range or at
// its lower end: the game's cost grows with x1.
const metricHill = `version: 1
name: %s
doc: Which point is cheapest?
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: 60}]
tune: {strategy: point, params: [{name: x1, low: %g, high: 0.9}]}
baseline: point
objective: {of: metric, metric: cost, goal: minimize}
sampler: {name: uniform, seed: 5, batch: 6}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 18, games: 6000}
final: {top: 2, blocks: 40}
validation: {max_blocks: 200}
`

// submitted submits a study's file and waits for its end.
func submitted(s *clitest.Daemon, name, text string) {
	s.T.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, name+".yaml"), []byte(text), 0o644); err != nil {
		s.T.Fatal(err)
	}
	if _, errs, code := s.Run("study", "submit", name+".yaml"); code != 0 {
		s.T.Fatal(errs)
	}
	for end := suite.Deadline(s.T); s.States()[name] != "done"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.T.Fatalf("%s does not end: %v", name, s.States())
		}
	}
}

// The page of a metric's study gives its interval one level, that of the validation; it
// speaks of no claim, no Elo and no bounds of a test that it does not draw, and knows one
// baseline. No note says of an answer inside its range that it lies at an end of it.
func TestBrowserCaptionsHold(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	ends := 0
	for name, low := range map[string]float64{"cheapest": 0, "narrow": 0.3} {
		submitted(s, name, fmt.Sprintf(metricHill, name, low))
		var result struct {
			Result struct {
				Best       struct{ Params map[string]string }
				Validation struct {
					Alpha    float64
					Estimate *struct{ Blocks int64 }
				}
				Notes []string
			}
		}
		s.GetJSON("/api/v1/studies/"+name, &result)
		b.do(name, chromedp.Navigate(s.URL+"/studies/"+name))
		b.waits("it is drawn", `document.querySelector("#plots figure svg .val")`)
		var text string
		b.asks(`[...document.querySelectorAll("details")].forEach(e => e.open = true), document.querySelector("main").innerText`, &text)
		alpha := result.Result.Validation.Alpha
		if alpha <= 0 {
			t.Fatalf("%s: the API has no alpha: %+v", name, result)
		}
		want := "(" + strconv.FormatFloat(math.Round(1000*(1-2*alpha))/10, 'f', -1, 64) + " %)"
		if result.Result.Validation.Estimate != nil { // the gain to quote has one of 95 %
			want = "(95 %)"
		}
		for _, level := range regexp.MustCompile(`\([0-9.]+ %\)`).FindAllString(text, -1) {
			if level != want {
				t.Errorf("%s: the page gives an interval at %s beside %s", name, level, want)
			}
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: the interval's level %s is not told:\n%s", name, want, text)
		}
		for _, wrong := range []string{" Elo", "The search had claimed", "Shaded: between the bounds", "Baseline none"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s: the page of a metric says %q:\n%s", name, wrong, text)
			}
		}
		x, err := strconv.ParseFloat(result.Result.Best.Params["x1"], 64)
		if err != nil {
			t.Fatal(err)
		}
		// The only notes about an end are of an answer at that end.
		for _, note := range regexp.MustCompile(`(?i)the optimum lies at the (upper|lower) end of the range of x1|towards the (upper|lower) end`).FindAllString(text, -1) {
			ends++
			if strings.Contains(note, "owards") || x != low && x != 0.9 {
				t.Errorf("%s: x1 = %g of %g to 0.9, and the page says %q", name, x, low, note)
			}
		}
	}
	// A search over the two ends and nothing else has its answer at one of them, and says so.
	submitted(s, "ends", strings.NewReplacer("{name: x1, low: 0.3, high: 0.9}", "{name: x1, low: 0.3, high: 0.9, step: 0.6}", "name: uniform", "name: grid", "trials: 18", "trials: 2",
		"rungs: [8, 32]", "rungs: [64]", "race: {", "race: {method: none, ", ", keep: 0.5", "").Replace(fmt.Sprintf(metricHill, "ends", 0.3)))
	b.do("ends", chromedp.Navigate(s.URL+"/studies/ends"))
	b.asks(`[...document.querySelectorAll("details")].forEach(e => e.open = true), true`, new(bool))
	b.says("ptimum lies at the lower end of the range of x1")
	b.silent()
}

// An experiment shows its rows while it runs, also where each is an average over pairings,
// and what it shows then is told to be so far.
func TestBrowserRowsAsTheyCome(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	path := s.Submit("/api/v1/experiments/runs", map[string]any{"name": "battleship-table3", "games": 60000})
	b.do("run", chromedp.Navigate(s.URL+strings.Replace(path, "/api/v1", "", 1)))
	b.waits("rows while it runs", `document.querySelector("#live .state.running") && document.querySelectorAll(".comparison tbody tr").length === 8`)
	b.says("Printed against measured, so far")
	var rows struct {
		Share    float64
		Measured []string
	}
	b.asks(`({Share: Number(document.querySelector("#live progress").value),
		Measured: [...document.querySelectorAll('.comparison td[data-label="Measured"]')].map(e => e.innerText)})`, &rows)
	if rows.Share > 50 {
		t.Errorf("the rows came when %g %% were played", rows.Share)
	}
	for _, text := range rows.Measured {
		if !strings.Contains(text, "±") {
			t.Errorf("a row has no interval: %q", text)
		}
	}
	if status, answer := s.Call("POST", path+"/stop", nil); status >= 300 {
		t.Errorf("stop: %d %v", status, answer)
	}
	b.silent()
}

// A login leads on to the address that was wanted, with its query, also after a wrong
// token, and never to another host.
func TestBrowserLoginLeadsOn(t *testing.T) {
	b := openBrowser(t, 1440)
	dir := t.TempDir()
	clitest.WritePrivate(t, dir, "token", "atokenofsomelength")
	clitest.WritePrivate(t, dir, "config.yaml", "token_file: token\n")
	s := clitest.Serve(t, dir)
	enter := func(token string) {
		b.do("enter", chromedp.Evaluate("window.before = true", nil), chromedp.SetValue(`[name="token"]`, token, chromedp.ByQuery), chromedp.Submit(`[name="token"]`, chromedp.ByQuery))
		b.waits("the next page", `!window.before && document.readyState === "complete"`)
	}
	at := func(want string) {
		t.Helper()
		var here string
		if b.asks("location.pathname + location.search", &here); here != want {
			t.Errorf("at %s, want %s", here, want)
		}
	}
	b.do("a deep link", chromedp.Navigate(s.URL+"/studies?sort=gain&q=hill"))
	at("/login?next=%2Fstudies%3Fsort%3Dgain%26q%3Dhill")
	enter("something else entirely")
	b.says("The token is wrong.")
	enter("atokenofsomelength")
	at("/studies?sort=gain&q=hill")
	b.do("out", chromedp.Navigate(s.URL+"/login?next=//example.org/"))
	enter("atokenofsomelength")
	at("/")
}

// A form that is sent when its login has ended leads to the login, and from there back to its
// page, where what was typed is filled in again and can be sent.
func TestBrowserRefillsAfterLogin(t *testing.T) {
	b := openBrowser(t, 1440)
	dir := t.TempDir()
	clitest.WritePrivate(t, dir, "token", "atokenofsomelength")
	clitest.WritePrivate(t, dir, "config.yaml", "token_file: token\n")
	s := clitest.Serve(t, dir)
	enter := func(at string) {
		b.waits("the login", `document.readyState === "complete" && !!document.querySelector("form.login")`)
		b.do("enter", chromedp.Evaluate("window.before = true", nil), chromedp.SetValue(`[name="token"]`, "atokenofsomelength", chromedp.ByQuery), chromedp.Submit(`[name="token"]`, chromedp.ByQuery))
		b.waits("the page", `!window.before && document.readyState === "complete" && location.pathname + location.search === "`+at+`"`)
	}
	const page = "/new?game=battleship&strategy=mp"
	b.do("log in", chromedp.Navigate(s.URL+page))
	enter(page)
	b.do("type", chromedp.SetValue(`[name="name"]`, "typed-once", chromedp.ByQuery), chromedp.SetValue(`[name="baseline"]`, "CB", chromedp.ByQuery),
		chromedp.SetValue(`[name="games"]`, "9000000", chromedp.ByQuery), chromedp.Evaluate(`document.querySelector('[name="tune"]').checked = true`, nil))
	b.do("the login ends, as in another tab", chromedp.Evaluate(`fetch("/logout", {method: "POST"}).then(function () { window.out = true; }); 0`, nil))
	b.waits("its end", "window.out === true")
	b.do("send", chromedp.Evaluate(`document.querySelector("#study-form button.primary").click()`, nil))
	enter(page)
	b.waits("what was typed", `(function (form) {
		return form && form.elements.name.value === "typed-once" && form.elements.baseline.value === "CB" && form.elements.games.value === "9000000" && document.querySelector('[name="tune"]').checked;
	})(document.getElementById("study-form"))`)
	b.do("send again", chromedp.Evaluate(`document.querySelector("#study-form button.primary").click()`, nil))
	b.waits("the study", `location.pathname === "/studies/typed-once"`)
	b.do("elsewhere", chromedp.Navigate(s.URL+page))
	b.waits("an empty form", `(function (form) { return document.readyState === "complete" && !!form && form.elements.name.value === "battleship-mp"; })(document.getElementById("study-form"))`)
}
