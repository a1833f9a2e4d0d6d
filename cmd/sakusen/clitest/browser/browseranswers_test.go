package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/serve"
)

// pointStudy is a study of a hill: name, headroom, sampler and budget, rest.
const pointStudy = `version: 1
name: %s
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: %d}, {name: landscape_seed, value: 1}]
tune: {strategy: point}
baseline: point
%s
`

// answeredStudies returns studies that come to answers of all kinds.
func answeredStudies() map[string]string {
	race := "sampler: {name: uniform, seed: 3, batch: 10}\nrace: {rungs: [8, 32], keep: 0.5}\nbudget: {trials: 20, games: 30000}\nfinal: {top: 3, blocks: 100}\n"
	return map[string]string{
		"pass":      fmt.Sprintf(pointStudy, "pass", 150, race+"validation: {gain_elo: [0, 10], max_blocks: 3000}"),
		"undecided": fmt.Sprintf(pointStudy, "undecided", 30, race+"validation: {gain_elo: [0, 10], max_blocks: 40}"),
		"duels":     fmt.Sprintf(pointStudy, "duels", 150, "sampler: {name: surface, seed: 3}\nevaluate: {mode: duels}\nbudget: {games: 6000}"),
		"against":   fmt.Sprintf(pointStudy, "against", 150, "sampler: {name: surface, seed: 3}\nevaluate: {mode: baseline}\nbudget: {games: 6000}"),
		"limited": `version: 1
name: limited
game: battleship
rules: [{name: conventions, value: plain}]
tune: {strategy: mp, fix: [{name: place.kind, value: random}], params: [{name: start_squares, low: 10, high: 70, step: 20}]}
baseline: CB
objective: {of: score, limits: [{metric: work, max: 50}]}
sampler: {name: grid, seed: 7, batch: 4}
race: {rungs: [8, 16], keep: 0.5}
budget: {trials: 4, games: 2000}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 10], max_blocks: 40}
`,
	}
}

// The page of a study answers in its first 600 pixels, whatever the kind of the study,
// ends above 1 600, and shows what was validated in green only where it was proved. A
// model's answer has its surface, its importance and its best so far; a limit says what
// it keeps out; games have parameters, lengths and filters.
func TestBrowserAnswers(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	dir := t.TempDir()
	s := clitest.Serve(t, dir)
	for name, text := range answeredStudies() {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := s.Run("study", "submit", name+".yaml"); code != 0 {
			t.Fatalf("%s: %s", name, errs)
		}
	}
	b.screen(1440, "light")
	verdicts := map[string]string{}
	for name := range answeredStudies() {
		b.do(name, chromedp.Navigate(s.URL+"/studies/"+name))
		b.says("The answer: trial ")
		b.waits(name+" is drawn", `document.querySelector("#plots figure svg .val")`)
		b.waits(name+": nothing of the running study is left", `document.querySelectorAll("#live .said > .leg").length === 1 && !document.getElementById("look") && !document.querySelector("#tell:not([hidden])")`)
		var at struct {
			Verdict        string
			Answer, Height float64
			Green          bool
		}
		b.asks(`({
			Verdict: document.getElementById("verdict").textContent.trim(),
			Answer: document.querySelector("#live .big").getBoundingClientRect().bottom,
			Height: document.documentElement.scrollHeight,
			Green: !!document.querySelector("#plots .val.good, #plots .leg i.good")})`, &at)
		if at.Answer <= 0 || at.Answer > 600 || at.Height > 1600 {
			t.Errorf("%s: the answer ends at %.0f pixels, the page at %.0f; want at most 600 and 1600", name, at.Answer, at.Height)
		}
		if at.Green != strings.Contains(at.Verdict, "Passed") {
			t.Errorf("%s: %q, and green is drawn: %v", name, at.Verdict, at.Green)
		}
		verdicts[name] = at.Verdict
		b.shot("answer-"+name, 1440, 1700)
	}
	if !strings.Contains(verdicts["pass"], "Passed") || !strings.Contains(verdicts["undecided"], "Undecided") {
		t.Errorf("the studies ended otherwise than they were made for: %v", verdicts)
	}
	b.do("undecided", chromedp.Navigate(s.URL+"/studies/undecided"))
	b.says("standard errors above 0 Elo; a pass needs")
	b.says("Shaded: between the bounds of the test, 0 and +10 Elo.")
	for name, effect := range map[string]string{"duels": "Elo against the answer", "against": "Elo above the baseline"} {
		b.do(name, chromedp.Navigate(s.URL+"/studies/"+name))
		for _, text := range []string{"What the search thought best, Elo above the baseline", "What matters: Elo lost without each change", "What each parameter does, " + effect} {
			b.says(text)
		}
		b.do(name, chromedp.Navigate(s.URL+"/studies/"+name+"?tab=parameters&x=x1&y=x2"))
		b.says("The value of a model of all games, in " + effect)
		b.waits("the surface", `document.querySelectorAll("section:has(#contour) svg.wide .cell").length > 3`)
		b.labelled()
	}
	b.do("limited", chromedp.Navigate(s.URL+"/studies/limited"))
	b.says("are outside the limits, however good they look")
	b.says("exceeds its limit 50")
	b.says("outside a limit, so it cannot be the answer")
	b.do("its games", chromedp.Navigate(s.URL+"/studies/limited/trials/0/games"))
	b.says("start_squares = 10")
	b.do("choose", chromedp.SetValue("#result", "lost", chromedp.ByQuery), chromedp.SetValue("#order", "-shots", chromedp.ByQuery), chromedp.Click("#list", chromedp.ByQuery),
		chromedp.WaitReady(`#result option[value="lost"][selected]`, chromedp.ByQuery))
	var games struct {
		Results []string
		Shots   []float64
	}
	b.asks(`({Results: Array.from(document.querySelectorAll('td[data-label="The trial"]'), function (e) { return e.textContent; }),
		Shots: Array.from(document.querySelectorAll('td[data-label="shots"]'), function (e) { return Number(e.textContent); })})`, &games)
	for i, result := range games.Results {
		if result != "lost" || i > 0 && games.Shots[i] > games.Shots[i-1] {
			t.Errorf("game %d is %s with %g shots", i, result, games.Shots[i])
		}
	}
	if len(games.Results) == 0 {
		t.Error("no game was lost")
	}
	b.labelled()
	b.silent()
}

// A user who asked is told when a study ends: by a notification of the browser, in the
// title, and by a signed message to another program. A study that waits is told its place,
// and its priority and budget are changed on its page.
func TestBrowserTells(t *testing.T) {
	suite.All(t)
	secret := []byte("a secret of some length")
	came := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var seconds int64
		if _, err := fmt.Sscanf(r.Header.Get(serve.HookHeader), "t=%d,", &seconds); err != nil || serve.SignHook(secret, time.Unix(seconds, 0), body) != r.Header.Get(serve.HookHeader) {
			t.Errorf("signature %q of %s", r.Header.Get(serve.HookHeader), body)
		}
		came <- body
	}))
	defer receiver.Close()
	b := openBrowser(t, 1440)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"secret": string(secret), "config.yaml": "webhook_url: " + receiver.URL + "/hook\nwebhook_secret_file: secret\nstudies_at_once: 1\nworkers: 1\n",
		"pass.yaml": answeredStudies()["pass"],
		"long.yaml": fmt.Sprintf(pointStudy, "long", 0, "budget: {trials: 100000, games: 900000000}\nrace: {rungs: [8, 32], incumbent: false}\nsampler: {name: uniform}\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := clitest.Serve(t, dir)
	for _, name := range []string{"long", "pass"} {
		if _, errs, code := s.Run("study", "submit", name+".yaml"); code != 0 {
			t.Fatal(errs)
		}
	}
	b.do("leave to notify", cdpbrowser.GrantPermissions([]cdpbrowser.PermissionType{cdpbrowser.PermissionTypeNotifications}).WithOrigin(s.URL).WithBrowserContextID(b.apart))
	b.do("study", chromedp.Navigate(s.URL+"/studies/pass"))
	b.says("It is next in line: 1 running, at most 1 at once.")
	b.shot("waiting-light", 1440, 900)
	b.do("reschedule", chromedp.Click("#plan summary", chromedp.ByQuery), chromedp.SetValue(`#plan [name="games"]`, "31000", chromedp.ByQuery), chromedp.Click("#extend", chromedp.ByQuery))
	b.waits("a larger budget", `document.querySelector('#plan [name=games][value="31000"]') && document.getElementById("progress").innerText.replace(/\s/g, "").includes("atmost31000games")`)
	b.waits("the page listens", `document.getElementById("freshness").textContent === "live"`)
	b.do("ask", chromedp.Evaluate(`(function () {
		var real = Notification;
		window.shown = [];
		window.Notification = function (title, options) {
			var n = new real(title, options);
			n.onshow = function () { shown.push(real.permission + " " + n.title + ": " + n.body); };
		};
		window.Notification.requestPermission = real.requestPermission.bind(real);
		document.getElementById("tell").click();
	})()`, nil))
	b.says("You will be notified when it ends")
	if _, errs, code := s.Run("study", "stop", "long"); code != 0 {
		t.Fatal(errs)
	}
	b.waits("the notification", `window.shown.length === 1`)
	var told struct {
		Shown []string
		Title string
	}
	b.asks(`({Shown: window.shown, Title: document.title})`, &told)
	if !strings.HasPrefix(told.Shown[0], "granted Sakusen: pass: ✓ Passed: +") || !strings.HasPrefix(told.Title, "✓ Passed - ") {
		t.Errorf("told %q, title %q", told.Shown, told.Title)
	}
	for {
		var said struct {
			Event, Kind, Name, State, Verdict, Path string
			Best                                    struct{ Unit string }
		}
		select {
		case body := <-came:
			if err := json.Unmarshal(body, &said); err != nil {
				t.Fatal(err)
			}
		case <-suite.Late(t):
			t.Fatal("no message came")
		}
		if said.Name != "pass" {
			continue
		}
		if said.Event != "ended" || said.Kind != "study" || said.State != "done" || said.Verdict != "pass" || said.Path != "/studies/pass" || said.Best.Unit != "Elo" {
			t.Errorf("the message is %+v", said)
		}
		break
	}
	b.silent()
}
