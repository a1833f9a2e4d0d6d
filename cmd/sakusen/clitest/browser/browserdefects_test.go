package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// waits waits until an expression of the page is true. What it throws means "not yet": an element
// may still be missing while a page loads.
func (b *browser) waits(what, expression string) {
	b.t.Helper()
	var state struct {
		True   bool
		Thrown string
	}
	for end := b.patience(); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		b.asks("(function () { try { return {True: !!("+expression+"), Thrown: ''} } catch (e) { return {True: false, Thrown: String(e)} } })()", &state)
		if state.True {
			return
		}
	}
	var body string
	b.asks("document.body ? document.body.innerText : ''", &body)
	b.t.Fatalf("%s: %s does not come true on the page (%s):\n%.2000s", what, expression, state.Thrown, body)
}

// hillStudy is a study of a second.
const hillStudy = `version: 1
name: hill-%d
doc: Which point is best?
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: %d}]
tune: {strategy: point}
baseline: point
sampler: {name: uniform, seed: %d, batch: 8}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 40, games: 20000}
final: {top: 3, blocks: 100}
validation: {gain_elo: [0, %d], max_blocks: %d}
`

// hill submits a study to the daemon and waits for its end.
func hill(s *clitest.Daemon, n, headroom, gain, blocks int) string {
	s.T.Helper()
	name := fmt.Sprintf("hill-%d", n)
	if err := os.WriteFile(filepath.Join(s.Dir, name+".yaml"), fmt.Appendf(nil, hillStudy, n, headroom, n, gain, blocks), 0o644); err != nil {
		s.T.Fatal(err)
	}
	if _, errs, code := s.Run("study", "submit", name+".yaml"); code != 0 {
		s.T.Fatal(errs)
	}
	for end := suite.Deadline(s.T); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if s.States()[name] == "done" {
			return name
		}
	}
	s.T.Fatalf("%s does not end", name)
	return ""
}

// A refused form says so until the field in question is changed; another game
// shows its own fields at once, with what was typed; a value that is typed ticks
// its parameter.
func TestBrowserFormRefusals(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	taken := hill(s, 1, 80, 10, 2000)
	b.do("form", chromedp.Navigate(s.URL+"/new?game=laboratory&strategy=point"),
		chromedp.SetValue(`[name="name"]`, taken, chromedp.ByQuery), chromedp.SetValue(`[name="baseline"]`, "point", chromedp.ByQuery),
		chromedp.Evaluate("window.before = true", nil), chromedp.Click("button.primary", chromedp.ByQuery))
	b.waits("the refusal", `!window.before && document.querySelector("#refused [data-field=name]") && document.querySelector("[name=name][aria-invalid]")`)
	// The form's own check comes 400 ms after the page, if it comes.
	b.do("pause", chromedp.Sleep(1200*time.Millisecond))
	var text string
	b.asks("document.body.innerText", &text)
	if !strings.Contains(text, "No study was made.") || !strings.Contains(text, "Name: this name is taken; free: hill-2, hill-3, hill-4") || strings.Contains(text, "Nothing is wrong with it.") {
		t.Errorf("a refused form says\n%s", text)
	}
	b.waits("its part is open, with the mistake at the field", `document.querySelector("[name=name]").closest("details").open && /taken/.test(document.querySelector("[name=name] + .said").textContent)`)
	b.do("another field", chromedp.SendKeys(`[name="doc"]`, "Why?", chromedp.ByQuery))
	b.waits("the check says it as well", `document.querySelector("#check [data-field=name]")`)
	b.do("the field in question", chromedp.Focus(`[name="name"]`, chromedp.ByQuery), chromedp.KeyEvent(kb.End), chromedp.KeyEvent("-2"))
	b.says("Nothing is wrong with it.")
	b.waits("the refusal is gone", `!document.getElementById("refused") && !document.querySelector("[aria-invalid]")`)

	b.do("a range", chromedp.Evaluate(`document.getElementById("parameters").open = true; document.querySelector("[name='low.x1']").select(); true`, nil), chromedp.KeyEvent("0.4"))
	b.waits("its box", `document.getElementById("tune.x1").checked && !document.getElementById("tune.x2").checked`)
	b.says("Tunes x1.")
	b.do("a fixed value beside it", chromedp.SendKeys(`[name="fix.x1"]`, "0.4", chromedp.ByQuery))
	b.waits("the contradiction", `document.querySelector("[name='fix.x1'][aria-invalid]")`)
	b.do("no box", chromedp.Click(`[id="tune.x1"]`, chromedp.ByQuery))
	b.waits("the declared range", `document.querySelector("[name='low.x1']").value === "0"`)

	b.do("another game", chromedp.Evaluate(`window.before = true; document.getElementById("game").value = "battleship"; document.getElementById("game").dispatchEvent(new Event("change", {bubbles: true})); true`, nil))
	b.waits("its fields", `!window.before && document.readyState === "complete" && document.querySelector("[name=shown]").value.startsWith("battleship ")`)
	var kept string
	b.asks(`document.querySelector("[name=name]").value + " " + document.querySelector("[name=doc]").value + " " + location.search`, &kept)
	if !strings.HasPrefix(kept, taken+"-2 Why? ?game=battleship&strategy=") {
		t.Errorf("after another game was chosen: %q", kept)
	}
	var tunable int
	b.asks(`document.querySelectorAll("[name=tune]").length`, &tunable)
	if tunable == 0 {
		t.Error("the strategy that is shown has nothing to tune")
	}
	if states := s.States(); len(states) != 1 {
		t.Errorf("studies %v, want one", states)
	}
	for _, line := range b.said {
		if !strings.Contains(line, "400") && !strings.Contains(line, "409") { // a refusal is logged by the browser
			t.Errorf("the console says %q", line)
		}
	}
}

// While something runs the focus stays where it is however often the list is
// brought up to date; a daemon that is gone is told of, and nothing is sent to it.
// Pausing sets no number back.
func TestBrowserLive(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	for i, name := range []string{"long", "longer"} {
		text := fmt.Sprintf(hillStudy, 1, 60, i+3, 10, 2000)
		text = strings.NewReplacer("name: hill-1", "name: "+name, "trials: 40, games: 20000", "trials: 100000, games: 90000000", "[8, 32]", "[64, 256]").Replace(text)
		if err := os.WriteFile(filepath.Join(s.Dir, name+".yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := s.Run("study", "submit", name+".yaml"); code != 0 {
			t.Fatal(errs)
		}
	}
	b.do("list", chromedp.Navigate(s.URL+"/studies"))
	b.waits("it runs", `document.querySelector(".verdict.running") && document.getElementById("freshness").textContent === "live"`)
	b.do("focus", chromedp.Evaluate(`window.shown = 0; document.addEventListener("sakusen:shown", function () { window.shown++; });
		document.querySelector('a[href="/studies/long"]').focus(); true`, nil))
	b.waits("three refreshes", "window.shown >= 3")
	var at string
	b.asks(`document.activeElement.getAttribute("href") || document.activeElement.tagName`, &at)
	if at != "/studies/long" {
		t.Errorf("after three refreshes the focus is at %s", at)
	}
	b.do("study", chromedp.Navigate(s.URL+"/studies/long"))
	games := `Number((document.body.innerText.match(/([0-9\u2009\u202f ]+) of at most [0-9\u2009\u202f ]+ games/) || ["", "0"])[1].replace(/[^0-9]/g, ""))`
	b.waits("some games", games+" > 100")
	var before, after int
	b.asks(games, &before)
	b.do("pause", chromedp.Click("#pause", chromedp.ByQuery), chromedp.WaitVisible(".state.paused", chromedp.ByQuery))
	if b.asks(games, &after); after < before {
		t.Errorf("%d games before the pause, %d after it", before, after)
	}
	b.do("resume", chromedp.Click("#resume", chromedp.ByQuery), chromedp.WaitVisible(".state.running", chromedp.ByQuery))
	b.waits("live", `document.getElementById("freshness").textContent === "live"`)
	b.silent()
	s.Cmd.Process.Kill()
	b.says("connection lost: as of ")
	b.do("a click", chromedp.Evaluate("window.before = true", nil), chromedp.Click("#pause", chromedp.ByQuery))
	b.says("nothing was sent")
	var here bool
	if b.asks("!!window.before", &here); !here {
		t.Error("the page was left")
	}
}
