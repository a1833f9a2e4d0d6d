package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// Ten things that users come for: each is answered at most two clicks from Now.
func TestBrowserTasks(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	db := filepath.Join(dir, "sakusen.db")
	for _, s := range walked[:2] {
		if p := clitest.Launch(t, "", "tune", studyFile(t, dir, s.name, s.file), "--db", db, "--quiet"); p.Code != 0 && p.Code != 1 && p.Code != 3 {
			t.Fatalf("%s: exit code %d, %s", s.name, p.Code, p.Err)
		}
	}
	broken := studyFile(t, dir, "failed", fmt.Sprintf(hillWalk, "failed", "What failed?", 60)+"validation: {gain_elo: [0, 30], max_blocks: 40}\n")
	for _, args := range [][]string{{"study", "submit", broken}, {"study", "pause", "failed"}} {
		if p := clitest.Launch(t, "", append(args, "--db", db)...); p.Code != 0 {
			t.Fatalf("%q: %s", args, p.Err)
		}
	}
	fail(t, db, "failed", "the engine did not answer within 10 s")
	for i := range 14 {
		level := 1000.0 + float64(i)
		if i >= 7 {
			level += 300
		}
		path := filepath.Join(dir, fmt.Sprintf("bench-%d.txt", i))
		if err := os.WriteFile(path, []byte(benchmarkText(level)), 0o644); err != nil {
			t.Fatal(err)
		}
		if p := clitest.Launch(t, "", "bench", "record", path, "--db", db, "--branch", "main", "--commit", fmt.Sprintf("%06x%034x", 0x4f2a10+977*i, 0)); p.Code != 0 {
			t.Fatal(p.Err)
		}
	}
	long := strings.NewReplacer("trials: 40, games: 20000", "trials: 100000, games: 90000000").Replace(fmt.Sprintf(hillWalk, "long", "How long?", 60)) + "validation: {gain_elo: [0, 30], max_blocks: 2000}\n"
	studyFile(t, dir, "long", long)
	s := clitest.Serve(t, dir)
	if _, errs, code := s.Run("study", "submit", "long.yaml"); code != 0 {
		t.Fatal(errs)
	}
	var found apiStudy // what the answers are
	s.GetJSON("/api/v1/studies/proved", &found)
	if found.Result.Validation.Estimate == nil {
		t.Fatal("the study has no gain to quote")
	}
	b := openBrowser(t, 1440)
	b.screen(1440, "light")
	const whole = `document.readyState === "complete" && document.querySelector("main h1")`
	for _, task := range []struct {
		name   string
		clicks []string // selectors, one after another, from Now
		then   string   // what holds on the page that answers
	}{
		{"is it better, how much, how sure", []string{`#ended-proved a`}, fmt.Sprintf(`document.querySelector("#live .big").innerText.startsWith("+%.0f Elo") && /\(95 %%\)/.test(document.querySelector("#live .big").innerText) && /Passed/.test(document.getElementById("verdict").textContent)`, *found.Result.Validation.Estimate.Elo)},
		{"what to set", []string{`#ended-proved a`}, fmt.Sprintf(`[...document.querySelectorAll("#live .change td[title]")].map(e => e.title).join() === "%s,%s"`, found.Result.Best.Params["x1"], found.Result.Best.Params["x2"])},
		{"which parameter matters", []string{`#ended-proved a`}, `/What matters[\s\S]*x1/.test((document.querySelector(".importance") || document.body).innerText)`},
		{"when will it finish", nil, `/(left|search about .*, proof at most)/.test((document.getElementById("now-long") || {innerText: ""}).innerText)`},
		{"why did it fail", []string{`#needs-failed a`}, `/gave no answer in time/.test(document.getElementById("live").innerText) && /Next:/.test(document.getElementById("live").innerText)`},
		{"compare two", []string{`header nav a[href="/studies"]`, "tick proved, tick not-better, #together button"}, `/2 studies side by side/.test(document.querySelector("h1").innerText) && /proved[\s\S]*not-better/.test(document.querySelector("main").innerText)`},
		{"a game that the winner lost", []string{`#ended-proved a`, `.tabs a[href*="tab=games"]`}, `document.querySelector('.chips a[href*="result=lost"]') && [...document.querySelectorAll("#tabs tbody tr")].some(r => /lost/.test(r.innerText) && r.querySelector('a[href^="/watch/film"]'))`},
		{"by which commit it got slower", []string{`header nav a[href="/bench"]`, `.measures a[href^="/bench/"]`}, fmt.Sprintf(`/bench bisect .*\.\.%06x/.test(document.querySelector("main").innerText) && document.querySelector("svg.chart [data-v]")`, 0x4f2a10+977*7)},
		{"stop, and go on with more games", []string{`#now-long a`, `#pause`}, `document.querySelector(".state.paused") && document.querySelector('#plan input[name="games"]')`},
		{"launch without a file", []string{`header nav a[href="/new"]`, "fill, #study-form p.actions button.primary"}, `location.pathname === "/studies/launched" && document.querySelector("#state")`},
	} {
		began := time.Now()
		b.do(task.name, chromedp.Navigate(s.URL+"/"))
		b.waits(task.name+": Now", whole)
		for _, click := range task.clicks {
			steps := strings.Split(click, ", ")
			for _, step := range steps[:len(steps)-1] {
				if name, ok := strings.CutPrefix(step, "tick "); ok {
					b.do(step, chromedp.Click("#tick-"+name, chromedp.ByQuery))
				} else {
					b.do(step, chromedp.SetValue(`[name="name"]`, "launched", chromedp.ByQuery))
				}
			}
			b.do(task.name, chromedp.Evaluate("window.before = true", nil), chromedp.Click(steps[len(steps)-1], chromedp.ByQuery))
			b.waits(task.name+": the next page", "!window.before && "+whole)
		}
		b.waits(task.name, task.then)
		t.Logf("%s: %d clicks, %.1f s", task.name, len(task.clicks), time.Since(began).Seconds())
	}
	// On paper a comparison has no buttons and no folded parts, and a list names its studies; on a screen
	// a comparison takes at most two of them.
	var shown struct {
		Height         float64
		Buttons, Names int
		Folded         bool
	}
	for _, page := range []string{"/compare?s=proved&s=not-better&s=failed&s=long", "/studies"} {
		b.do(page, chromedp.Navigate(s.URL+page))
		b.waits(page, whole)
		b.asks(`({Height: document.documentElement.scrollHeight})`, &shown)
		b.do("print", emulation.SetEmulatedMedia().WithMedia("print"))
		b.asks(fmt.Sprintf(`(function () {
			var seen = function (selector) { return [...document.querySelectorAll(selector)].filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 0); };
			return {Height: %g, Buttons: seen("button, input, .out, .actions a").length, Names: seen(".lines .q .sub").length, Folded: seen("details:not([open])").some(e => e.lastElementChild.getBoundingClientRect().height === 0)};
		})()`, shown.Height), &shown)
		if shown.Height > 1800 || shown.Buttons > 0 || shown.Folded || page == "/studies" && shown.Names < 5 {
			t.Errorf("%s: %+v", page, shown)
		}
		b.screen(1440, "light")
	}
	b.silent()
}
