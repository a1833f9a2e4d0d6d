package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// screen sets the width of the window and the colour scheme.
func (b *browser) screen(width int, scheme string) {
	b.t.Helper()
	b.do("screen", emulation.SetDeviceMetricsOverride(int64(width), 900, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// kept are the pictures that docs/screenshots has.
var kept = []string{
	"again-light-1440", "benchmarks-light-1440", "compare-light-1440", "experiments-light-1440", "film-daifugo-light-1440",
	"film-end-light-1440", "film-lifeboats-light-1440", "film-light-1440", "fleet-light-1440", "new-light-1440",
	"new-tournament-light-1440", "now-light-1440", "now-light-375", "run-light-1440", "running-light-1440", "series-light-1440",
	"studies-dark-1440", "studies-light-1440", "studies-light-375", "study-dark-1440", "study-dark-375", "study-light-1440",
	"study-light-375", "waiting-light-1440", "study-parameters-light-1440", "tournament-light-1440", "trial-light-1440", "walk-1440",
	"walk-cheapest-1440", "walk-duels-1440", "walk-failed-1440", "walk-front-1440", "walk-generations-1440", "walk-limited-1440",
	"walk-not-better-1440", "walk-paused-1440", "walk-pool-1440", "walk-undecided-1440", "watch-light-1440", "workers-light-1440",
}

// shot keeps a picture of the page from its top, height pixels at most, where
// SAKUSEN_SCREENSHOTS names a folder: those that the documentation has, or with
// SAKUSEN_PICTURES=all every one.
func (b *browser) shot(name string, width int, height float64) {
	b.t.Helper()
	folder := os.Getenv("SAKUSEN_SCREENSHOTS")
	if folder == "" || os.Getenv("SAKUSEN_PICTURES") != "all" && !slices.Contains(kept, fmt.Sprintf("%s-%d", name, width)) {
		return
	}
	var tall float64
	b.do("picture", chromedp.Evaluate("document.activeElement && document.activeElement.blur(); window.scrollTo(0, 0)", nil), chromedp.Evaluate("Math.max(300, document.documentElement.scrollHeight)", &tall), chromedp.ActionFunc(func(ctx context.Context) error {
		picture, err := page.CaptureScreenshot().WithCaptureBeyondViewport(true).
			WithClip(&page.Viewport{Width: float64(width), Height: min(height, tall), Scale: 1}).Do(ctx)
		if err != nil {
			return err
		}
		if picture, err = small(picture); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", name, width)), picture, 0o644)
	}))
}

// tabTo presses Tab until an element has the focus, which must then be seen.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	for range 80 {
		b.do("tab", chromedp.KeyEvent(kb.Tab))
		var at struct {
			Here    bool
			Visible bool
		}
		b.asks(fmt.Sprintf(`(function () {
			var e = document.activeElement;
			if (!e) { return {Here: false, Visible: false}; } // the next page comes
			var s = getComputedStyle(e);
			return {Here: e.matches(%q), Visible: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2};
		})()`, selector), &at)
		if at.Here {
			if !at.Visible {
				b.t.Errorf("the focus on %s cannot be seen", selector)
			}
			return
		}
	}
	b.t.Fatalf("no Tab leads to %s", selector)
}

// turn presses Enter and waits for the page that comes.
func (b *browser) turn(what string) {
	b.t.Helper()
	b.do(what, chromedp.Evaluate("window.before = true", nil), chromedp.KeyEvent(kb.Enter))
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var there bool
		b.asks(`!window.before && document.readyState === "complete"`, &there)
		if there {
			return
		}
	}
	b.t.Fatalf("%s: no page comes", what)
}

// labelled fails where a control or a picture has no name.
func (b *browser) labelled() {
	b.t.Helper()
	var bare []string
	b.asks(`Array.from(document.querySelectorAll("input:not([type=hidden]), select, button, svg, meter, progress, a")).filter(function (e) {
		return !(e.labels && e.labels.length) && !e.textContent.trim() && !e.getAttribute("aria-label") && !e.closest("[aria-hidden]");
	}).map(function (e) { return e.outerHTML.slice(0, 120); })`, &bare)
	if len(bare) > 0 {
		b.t.Errorf("without a name: %q", bare)
	}
}

// silent fails where the console said something.
func (b *browser) silent() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) > 0 {
		b.t.Errorf("the console says %q", b.said)
	}
}

// With the keyboard alone a user goes from the list to a study, from trial to trial and
// from tab to tab, and on to the form. A study is made through it, paused, resumed,
// stopped and exported, and its trials are sorted. The file that is downloaded is looked into.
func TestBrowserKeyboard(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	dir, files := t.TempDir(), t.TempDir()
	clitest.ServedStudies(t, dir)
	s := clitest.Serve(t, dir)
	b.screen(1440, "light")
	b.do("downloads", cdpbrowser.SetDownloadBehavior(cdpbrowser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(files).WithBrowserContextID(b.apart))
	hill(s, 1, 120, 10, 400)
	b.do("list", chromedp.Navigate(s.URL+"/studies"))
	b.tabTo("table.list td.q a")
	b.turn("study")
	b.waits("the drawing", `document.querySelector("#plots svg.chart[tabindex]")`)
	b.tabTo("#plots svg.chart")
	b.do("first trial", chromedp.KeyEvent(kb.Home))
	b.waits("the first trial is told", `/^trials? 0/.test(document.getElementById("told").textContent)`)
	b.do("next trial", chromedp.KeyEvent(kb.ArrowRight))
	b.waits("the next one is told", `/^(trials? [1-9]|what the search)/.test(document.getElementById("told").textContent)`)
	b.tabTo(`.tabs a[href*="tab=parameters"]`)
	b.turn("parameters")
	b.tabTo(`header nav a[href="/new"]`)
	b.turn("new study")
	b.tabTo("#strategy")
	b.do("form", chromedp.Navigate(s.URL+"/new?game=battleship&strategy=mp"))
	b.labelled()
	b.tabTo(".skip")
	b.do("skip", chromedp.KeyEvent(kb.Enter))
	b.tabTo(`[name="baseline"]`)
	b.do("baseline", chromedp.KeyEvent("CB"))
	b.tabTo(`[name="games"]`)
	b.do("games", chromedp.KeyEvent("9000000"))
	b.tabTo("input.slider")
	b.waits("the slider follows", `document.activeElement.getAttribute("aria-valuetext") === "9000000"`)
	b.tabTo(".parts summary")
	b.do("the name's part", chromedp.KeyEvent(kb.Enter))
	b.tabTo(`[name="name"]`)
	b.do("name", chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("typed"))
	b.tabTo("#parameters summary")
	b.do("the parameters", chromedp.KeyEvent(kb.Enter))
	b.tabTo(`[id="tune.start_squares"]`)
	b.do("choose", chromedp.KeyEvent(" "))
	b.tabTo("#search summary")
	b.do("the search", chromedp.KeyEvent(kb.Enter))
	b.tabTo(`[name="sampler"]`)
	b.do("sampler", chromedp.KeyEvent("grid"))
	b.tabTo("p.actions button.primary")
	b.says("Nothing is wrong with it.")
	b.turn("submit")
	b.says("running")
	b.says("Trials 0 to ") // it comes without a reload
	for _, step := range [][2]string{{"#pause", "paused"}, {"#resume", "running"}, {"#stop", "stopped"}} {
		b.tabTo(step[0])
		b.turn(step[0])
		b.says(step[1])
	}
	b.tabTo("#force summary")
	b.do("open", chromedp.KeyEvent(kb.Enter))
	b.tabTo("#export-optuna")
	b.do("export", chromedp.KeyEvent(kb.Enter))
	var trials []struct {
		Number        int
		Distributions map[string]json.RawMessage
	}
	if err := json.Unmarshal(downloaded(t, files, "typed.optuna.json"), &trials); err != nil || len(trials) == 0 || trials[0].Distributions["start_squares"] == nil {
		t.Errorf("the exported trials: %v, %d of them", err, len(trials))
	}
	b.tabTo(`.tabs a[href*="tab=trials"]`)
	b.turn("trials")
	b.tabTo("#order")
	b.do("order", chromedp.KeyEvent("b")) // best first
	b.tabTo("#list")
	b.turn("list")
	b.says("Table of trials")
	b.silent()
}

// downloaded waits for a file and reads it.
func downloaded(t *testing.T, folder, name string) []byte {
	t.Helper()
	for end := suite.Deadline(t); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err == nil && len(text) > 0 {
			return text
		}
	}
	found, err := os.ReadDir(folder)
	t.Fatalf("%s is not downloaded: %v %v", name, found, err)
	return nil
}

// provenStudy passes its validation.
const provenStudy = `version: 1
name: proven
doc: From how many squares left should MP count placements?
game: battleship
tune:
  strategy: mp
  params: [{name: start_squares}, {name: place.kind, choices: [random, packed]}]
baseline: RNB
sampler: {name: uniform, seed: 3, batch: 10}
race: {rungs: [16, 32, 64], keep: 0.5, incumbent: true}
budget: {trials: 20, games: 8000}
final: {top: 3, blocks: 64}
validation: {gain_elo: [0, 30], max_blocks: 300}
`

// charts looks at the drawings of the open page. The values of a mark stand beside the pointer;
// the points of a drawn range remain in all drawings and in the file of numbers; the picture has
// its colours; a click leads to the trial.
func (b *browser) charts(files string) {
	b.t.Helper()
	b.waits("the script is there", `document.documentElement.classList.contains("scripted")`)
	place := func(mark string) (x, y float64) {
		var at [2]float64
		b.asks(fmt.Sprintf(`(function () { var e = %s; e.scrollIntoView({block: "center"}); var r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`, mark), &at)
		return at[0], at[1]
	}
	mouse := func(kind input.MouseType, x, y float64) {
		b.do(string(kind), chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
	const first = `document.querySelector("#plots svg.chart circle.dot[data-n]")`
	x, y := place(first)
	mouse(input.MouseMoved, x, y)
	b.waits("the values of a mark", `/^trial \d+, .* Elo/.test(document.getElementById("told").textContent) && !document.getElementById("told").hidden`)
	const left, marks = `document.querySelectorAll("#plots svg.chart [data-n]:not(.off)").length`, `document.querySelectorAll("#plots svg.chart [data-n]").length`
	x, y = place(`document.querySelector("#plots svg.chart")`)
	mouse(input.MousePressed, x-90, y-90)
	mouse(input.MouseMoved, x, y)
	mouse(input.MouseMoved, x+10, y+60)
	mouse(input.MouseReleased, x+10, y+60)
	b.waits("fewer marks in each drawing", `!document.getElementById("chosen").hidden && `+left+` > 0 && `+left+` < `+marks+` && [...document.querySelectorAll("#plots .slices svg.chart")].every(e => !e.querySelector("[data-n]") || e.querySelector("[data-n].off"))`)
	var count int
	b.asks(`document.querySelectorAll("#plots svg.chart")[0].querySelectorAll("[data-v]:not(.off)").length`, &count)
	b.do("numbers", chromedp.Click(`#plots [data-save="csv"]`, chromedp.ByQuery))
	text := string(downloaded(b.t, files, "Elo-above-the-baseline-by-start-squares.csv"))
	if lines := strings.Split(strings.TrimSpace(text), "\n"); lines[0] != "trial,start_squares,Elo above the baseline,low,high,what" || len(lines) != count+1 || !regexp.MustCompile(`^\d+,\d+,-?[0-9.]+,,,`).MatchString(lines[1]) {
		b.t.Errorf("%d marks as numbers:\n%s", count, text)
	}
	b.do("picture", chromedp.Click(`#plots [data-save="svg"]`, chromedp.ByQuery))
	if text := string(downloaded(b.t, files, "Elo-above-the-baseline-by-start-squares.svg")); !strings.HasPrefix(text, "<svg") || !strings.Contains(text, `fill="rgb(`) {
		b.t.Errorf("the picture: %.300s", text)
	}
	b.do("all of them", chromedp.Click("#unchoose", chromedp.ByQuery))
	b.waits("all marks", left+" === "+marks)
	x, y = place(first)
	mouse(input.MousePressed, x, y)
	mouse(input.MouseReleased, x, y)
	b.waits("the trial", `/trials\/\d+$/.test(location.pathname) && document.querySelector("h1") && /^Trial/.test(document.querySelector("h1").textContent)`)
}

// A finished study is looked at in both schemes and at two widths: its plots,
// their values, ranges and files, its verdict, two parameters, and an export by click.
func TestBrowserStudy(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	dir, files := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "proven.yaml"), []byte(provenStudy), 0o644); err != nil {
		t.Fatal(err)
	}
	s := clitest.Serve(t, dir)
	if _, errs, code := s.Run("study", "submit", "proven.yaml"); code != 0 {
		t.Fatal(errs)
	}
	b.screen(1440, "light")
	b.do("downloads", cdpbrowser.SetDownloadBehavior(cdpbrowser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(files).WithBrowserContextID(b.apart))
	b.do("study", chromedp.Navigate(s.URL+"/studies/proven"))
	for _, text := range []string{"Passed", "above the baseline", "The search had claimed", "Trials 0 to 19"} {
		b.says(text)
	}
	b.labelled()
	b.do("parameters", chromedp.Navigate(s.URL+"/studies/proven?x=start_squares&y=place.kind"))
	b.says("Two parameters")
	b.charts(files)
	b.do("back", chromedp.Navigate(s.URL+"/studies/proven"))
	b.says("Trials 0 to 19")
	b.do("export", chromedp.Click("#exports summary", chromedp.ByQuery), chromedp.Click("#export-json", chromedp.ByQuery))
	var exported struct {
		Study      string
		Params     map[string]string
		Validation struct{ Verdict string }
	}
	if err := json.Unmarshal(downloaded(t, files, "proven.json"), &exported); err != nil ||
		exported.Study != "proven" || exported.Params["start_squares"] == "" || exported.Validation.Verdict != "pass" {
		t.Errorf("the exported file: %v, %+v", err, exported)
	}
	for _, width := range []int{1440, 375} {
		for _, scheme := range []string{"light", "dark"} {
			b.screen(width, scheme)
			b.do("study", chromedp.Navigate(s.URL+"/studies/proven"))
			b.says("Trials 0 to 19")
			var wide, ink any
			b.asks("document.documentElement.scrollWidth > window.innerWidth", &wide)
			b.asks("getComputedStyle(document.body).backgroundColor", &ink)
			if wide != false {
				t.Errorf("the page is wider than a window of %d", width)
			}
			if dark := strings.Contains(fmt.Sprint(ink), "rgb(15"); dark != (scheme == "dark") {
				t.Errorf("in the scheme %s the page is %v", scheme, ink)
			}
			b.shot("study-"+scheme, width, 2600)
			b.do("list", chromedp.Navigate(s.URL+"/studies"))
			b.says("Passed")
			b.shot("studies-"+scheme, width, 600)
		}
	}
	b.silent()
}

// Of a drawing whose columns sum up several trials, a drawn range chooses the trials of the columns in it
// and no others, as many as it says.
func TestBrowserSummedRange(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	text := strings.NewReplacer("trials: 40, games: 20000", "trials: 725, games: 200000", "rungs: [8, 32]", "rungs: [4]", "keep: 0.5", "keep: 0.9").Replace(fmt.Sprintf(hillStudy, 1, 80, 1, 10, 100))
	if err := os.WriteFile(filepath.Join(s.Dir, "long.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.Run("study", "submit", "long.yaml"); code != 0 {
		t.Fatal(errs)
	}
	for end := suite.Deadline(t); s.States()["hill-1"] != "done"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v", s.States())
		}
	}
	b.do("the drawing", chromedp.Navigate(s.URL+"/studies/hill-1"))
	const svg = `[...document.querySelectorAll('svg.chart[data-step][data-last="724"]')].find(e => e.getBoundingClientRect().width)` // of the whole log
	b.waits("columns of several trials", `document.documentElement.classList.contains("scripted") && `+svg)
	var step, last int
	b.asks(`Number(`+svg+`.getAttribute("data-step"))`, &step)
	b.asks(`Number(`+svg+`.getAttribute("data-last"))`, &last)
	if step < 2 || last != 724 {
		t.Fatalf("columns of %d trials to %d", step, last)
	}
	for _, of := range []struct{ from, to, first, last int }{{40, 60, 40 * step, 61*step - 1}, {last/step - 10, last / step, (last/step - 10) * step, last}} {
		var box [4]float64
		b.asks(fmt.Sprintf(`(function () { var e = %s, at = n => e.querySelector('[data-n="' + n + '"]:not([data-v])').getBoundingClientRect(); e.scrollIntoView({block: "center"}); var r = e.getBoundingClientRect(); return [at(%d).left, r.top + r.height / 2, at(%d).right, r.top + r.height / 2 + 30]; })()`, svg, of.from*step, of.to*step), &box)
		b.do("a range", chromedp.MouseEvent(input.MousePressed, box[0]-0.5, box[1], chromedp.ButtonLeft, chromedp.ClickCount(1)),
			chromedp.MouseEvent(input.MouseMoved, box[2]+0.5, box[3], chromedp.ButtonLeft),
			chromedp.MouseEvent(input.MouseReleased, box[2]+0.5, box[3], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		b.waits("the trials of its columns", fmt.Sprintf(`document.getElementById("chosen-text").textContent === "%d chosen, %d to %d"`, of.last-of.first+1, of.first, of.last))
		b.waits("no others", fmt.Sprintf(`[...%s.querySelectorAll("[data-n]")].every(m => m.classList.contains("off") !== m.getAttribute("data-n").split(" ").some(n => n >= %d && n <= %d))`, svg, of.first, of.last))
	}
}
