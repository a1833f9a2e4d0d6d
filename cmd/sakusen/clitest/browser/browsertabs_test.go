package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// longHill is a study that does not end by itself while it is looked at.
func longHill(name string) string {
	return strings.NewReplacer("name: hill-1", "name: "+name, "trials: 40, games: 20000", "trials: 100000, games: 90000000", "[8, 32]", "[64, 256]").Replace(fmt.Sprintf(hillStudy, 1, 60, 5, 10, 2000))
}

// follows waits until a tab shows a state without having been loaded again.
func (b *browser) follows(what, state string) {
	b.t.Helper()
	b.waits(what+": "+state, `window.same && document.readyState === "complete" && /\b`+state+`\b/i.test(document.getElementById("main").innerText) && (!document.getElementById("state") || document.querySelector("#state .state.`+state+`"))`)
}

// What is done to a study in one tab is seen in the others: on its page, in the list and on the first
// page, also on one that the browser has kept and to which Back leads.
func TestBrowserTabs(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	clitest.WriteFile(t, s.Dir, "long.yaml", longHill("long"))
	if _, errs, code := s.Run("study", "submit", "long.yaml"); code != 0 {
		t.Fatal(errs)
	}
	others := map[string]*browser{"/studies/long": nil, "/studies": nil, "/studies/long?tab=trials": nil}
	for path := range others {
		one := b.another(1440)
		one.do(path, chromedp.Navigate(s.URL+path))
		one.waits(path+": live", `window.same = true, document.getElementById("freshness").textContent === "live"`)
		others[path] = one
	}
	b.do("study", chromedp.Navigate(s.URL+"/studies/long"))
	for _, step := range [][2]string{{"pause", "paused"}, {"resume", "running"}, {"stop", "stopped"}, {"resume", "running"}} {
		b.do(step[0], chromedp.Click("#"+step[0], chromedp.ByQuery), chromedp.WaitVisible(".state."+step[1], chromedp.ByQuery))
		for path, one := range others {
			one.follows(path, step[1])
		}
	}
	// A page that the browser has kept goes on when one comes back to it.
	one := others["/studies/long"]
	one.do("elsewhere", chromedp.Click(`header nav a[href="/studies"]`, chromedp.ByQuery), chromedp.WaitVisible("#study-long", chromedp.ByQuery))
	b.do("pause", chromedp.Click("#pause", chromedp.ByQuery), chromedp.WaitVisible(".state.paused", chromedp.ByQuery))
	one.goes(-1)
	one.waits("what happened meanwhile", `document.querySelector("#state .state.paused") && document.getElementById("freshness").textContent === "live"`)
	b.do("resume", chromedp.Click("#resume", chromedp.ByQuery), chromedp.WaitVisible(".state.running", chromedp.ByQuery))
	one.waits("what happens then", `document.querySelector("#state .state.running")`)
	// What a stale tab may still ask for is refused in words, on its page.
	one.do("stop", chromedp.Click("#stop", chromedp.ByQuery), chromedp.WaitVisible(".state.stopped", chromedp.ByQuery))
	for _, o := range append([]*browser{b}, others["/studies"], others["/studies/long?tab=trials"]) {
		o.silent()
	}
}

// goes steps through the history, back or forth, to another page. A page that Chromium has kept
// loads nothing, for which chromedp's own steps would wait.
func (b *browser) goes(by int) {
	b.t.Helper()
	b.steps++
	b.do("history", chromedp.Evaluate(fmt.Sprintf("window.left = %d; history.go(%d)", b.steps, by), nil))
	b.waits("another page", fmt.Sprintf(`window.left !== %d && document.readyState === "complete"`, b.steps))
}

// After a form Back leads to it, with what was typed, and nothing is sent twice; after a refusal as well.
func TestBrowserBack(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	next := func(what string, actions ...chromedp.Action) {
		t.Helper()
		b.do(what, append([]chromedp.Action{chromedp.Evaluate("window.before = true", nil)}, actions...)...)
		b.waits(what, `!window.before && document.readyState === "complete"`)
	}
	b.do("list", chromedp.Navigate(s.URL+"/studies"))
	next("form", chromedp.Navigate(s.URL+"/new?game=laboratory&strategy=point"))
	b.do("type", chromedp.Evaluate(`document.querySelectorAll("#study-form details").forEach(function (d) { d.open = true; })`, nil),
		chromedp.SetValue(`[name="name"]`, "typed", chromedp.ByQuery), chromedp.SendKeys(`[name="doc"]`, "Why?", chromedp.ByQuery),
		chromedp.SetValue(`[name="games"]`, "9000000", chromedp.ByQuery), chromedp.Click(`[id="tune.x1"]`, chromedp.ByQuery))
	next("submit", chromedp.Click("#study-form button.primary", chromedp.ByQuery))
	b.waits("the study", `location.pathname === "/studies/typed"`)
	b.goes(-1)
	b.waits("the form as it was", `document.readyState === "complete" && location.pathname === "/new" && (function (f) { return f.name.value === "typed" && f.doc.value === "Why?" && f.games.value === "9000000" && document.getElementById("tune.x1").checked; })(document.getElementById("study-form").elements)`)
	b.goes(1)
	b.waits("the study again", `document.readyState === "complete" && location.pathname === "/studies/typed" && document.querySelector("#state")`)
	if states := s.States(); len(states) != 1 {
		t.Errorf("studies %v, want one", states)
	}
	next("stop", chromedp.Click("#stop", chromedp.ByQuery))
	b.waits("stopped", `document.querySelector("#state .state.stopped")`)
	for range 3 { // no step back sends anything, and none leads to a page that the form has been sent from
		b.goes(-1)
	}
	b.waits("a page", `document.readyState === "complete" && document.querySelector("main h1")`)
	if states := s.States(); states["typed"] != "stopped" || len(states) != 1 {
		t.Errorf("studies %v, want one that is stopped", states)
	}
}

// Without scripts every task can be done. A study is made, watched, paused, resumed, given more
// games, noted, stopped, exported, run again, compared, archived and deleted. A tournament and a
// test are made, an experiment is run; what is refused is told in the form.
func TestBrowserWithoutScripts(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	b.screen(1440, "light")
	proved := hill(s, 1, 120, 10, 1500)
	hill(s, 2, 1, 60, 1500)
	b.do("no scripts", emulation.SetScriptExecutionDisabled(true))
	at := func(what, expression string) {
		t.Helper()
		b.waits(what, `document.readyState === "complete" && document.querySelector("main h1") && (`+expression+`)`)
		b.fits(what)
	}
	visit := func(path string) {
		t.Helper()
		b.do(path, chromedp.Navigate(s.URL+path))
		at(path, "true")
		// What scripts alone can do is not offered.
		var dead []string
		b.asks(`[...document.querySelectorAll("main button, header button, main input, main select")].filter(e => e.checkVisibility() && e.type !== "hidden" && !e.form).map(e => e.outerHTML.slice(0, 100))`, &dead)
		if len(dead) > 0 {
			t.Errorf("%s: without scripts these do nothing: %q", path, dead)
		}
		b.shot("scriptless-"+strings.Trim(strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(path), "-"), 1440, 1700)
	}
	click := func(selector string) {
		t.Helper()
		b.do(selector, chromedp.Evaluate("window.before = true", nil), chromedp.Click(selector, chromedp.ByQuery))
		b.waits(selector, `!window.before && document.readyState === "complete"`)
	}
	set := func(field, text string) {
		b.do(field, chromedp.Evaluate(fmt.Sprintf(`(function (e) { var part = e.closest("details"); if (part) { part.open = true; } e.value = %q; return true; })(document.querySelector("[name='%s']"))`, text, field), nil))
	}
	for _, p := range looked(proved) {
		if p.name != "test" && p.name != "tournament" && p.name != "run" && !strings.Contains(p.path, "duels") && p.name != "study-front" && p.name != "study-undecided" && p.name != "prove" && p.name != "series" && p.name != "missing" {
			visit(p.path)
		}
	}
	visit("/new?game=battleship&strategy=mp")
	set("name", proved)
	click("#study-form button.primary")
	at("the refusal", `/taken/.test(document.body.innerText)`)
	b.do("another game", chromedp.SetValue("#game", "laboratory", chromedp.ByQuery), chromedp.SetValue("#strategy", "mp", chromedp.ByQuery))
	click(`button[name="show"]`)
	at("its fields", `document.querySelector("[name=shown]").value === "laboratory point"`)
	set("name", "plain")
	set("games", "9000000")
	click(`button[formaction="/new/forecast"]`)
	at("the forecast", `/Nothing is wrong with it/.test(document.getElementById("check").innerText) && /games/.test(document.getElementById("check").innerText)`)
	click("#study-form button.primary")
	at("the study", `location.pathname === "/studies/plain"`)
	for _, step := range [][2]string{{"pause", "paused"}, {"resume", "(running|queued)"}, {"stop", "stopped"}} {
		click("#" + step[0])
		at(step[0], `/`+step[1]+`/.test(document.querySelector("#state .state").textContent)`)
	}
	b.do("more games", chromedp.Click("#plan summary", chromedp.ByQuery), chromedp.SetValue(`#plan [name="games"]`, "9000001", chromedp.ByQuery))
	click("#extend")
	at("more games", `document.querySelector('#plan [name=games][value="9000001"]')`)
	b.do("fewer games", chromedp.Evaluate(`document.getElementById("plan").open = true`, nil), chromedp.SetValue(`#plan [name="games"]`, "10", chromedp.ByQuery))
	click("#extend")
	at("fewer are refused", `document.getElementById("refused") && /budget/.test(document.getElementById("refused").innerText)`)
	visit("/studies/plain?tab=spec")
	set("note", "looked at #mine")
	click(`form[action*="/note"] button`)
	visit("/studies?q=%23mine")
	at("the tag", `document.querySelectorAll("tr[id^=study-]").length === 1`)
	visit("/studies")
	b.do("tick", chromedp.Click("#tick-"+proved, chromedp.ByQuery), chromedp.Click("#tick-hill-2", chromedp.ByQuery))
	click("#together button")
	at("two beside each other", `/2 studies side by side/.test(document.querySelector("h1").innerText)`)
	visit("/studies")
	b.do("tick", chromedp.Click("#tick-plain", chromedp.ByQuery))
	click(`#together [value="archive"]`)
	at("put away", `!document.getElementById("study-plain")`)
	visit("/studies/" + proved)
	b.do("export", chromedp.Click("#exports summary", chromedp.ByQuery))
	at("the exports", `document.getElementById("export-json").checkVisibility()`)
	click("#again")
	at("again", `document.querySelector("textarea[name=file]").value.includes("name:")`)
	b.do("file", chromedp.SetValue(`textarea[name="file"]`, "game: nothing", chromedp.ByQuery))
	click(`form[hx-post] button.primary`)
	at("the file is refused", `/expected a game/.test(document.body.innerText)`)
	visit("/new/tournament")
	set("entrants", "R\nRNB")
	click(`button[name="check"]`)
	at("the forecast", `/Games: 200 in each pairing/.test(document.getElementById("check").innerText) && /Time: about/.test(document.getElementById("check").innerText)`)
	b.shot("forecast-tournament", 1440, 1700)
	click(`form[hx-post] button.primary`)
	at("the tournament", `location.pathname === "/tournaments/1"`)
	visit("/new/test")
	b.do("game", chromedp.SetValue(`[name="game"]`, "battleship", chromedp.ByQuery))
	set("new", "RNB")
	set("base", "R")
	click(`button[name="check"]`)
	at("the forecast", `/Games of stage 1: on average about .* at most 200/.test(document.getElementById("check").innerText) && /Time: about/.test(document.getElementById("check").innerText)`)
	b.shot("forecast-test", 1440, 1700)
	click(`form[hx-post] button.primary`)
	at("the test", `location.pathname === "/tests/2"`)
	visit("/experiments")
	b.do("games", chromedp.SetValue(`tr[id="battleship-table5"] input[name="games"]`, "20", chromedp.ByQuery))
	click(`tr[id="battleship-table5"] button`)
	at("the run", `location.pathname === "/experiments/runs/3"`)
	visit("/studies/plain?tab=spec")
	b.do("delete", chromedp.Click("#remove summary", chromedp.ByQuery))
	click("#delete")
	if _, has := s.States()["plain"]; has {
		t.Error("the study is there after it was deleted")
	}
}

// Who may only read sees no form and no link to one that he may not send, on no page, and each link
// of a page leads to something.
func TestBrowserReader(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	dir := t.TempDir()
	clitest.WritePrivate(t, dir, "tokens", "read areaderoflength0\nadminister anadministrator0\n")
	clitest.WritePrivate(t, dir, "token", "anadministrator0\n")
	clitest.WritePrivate(t, dir, "config.yaml", "token_file: tokens\nclient_token_file: token\n")
	s := clitest.Serve(t, dir)
	proved := hill(s, 1, 120, 10, 1500)
	clitest.WriteFile(t, s.Dir, "long.yaml", longHill("long"))
	clitest.WriteFile(t, s.Dir, "cup.yaml", strings.Replace(browserCup, "blocks: 1000", "blocks: 4", 1))
	for _, args := range [][]string{{"study", "submit", "long.yaml"}, {"tournament", "cup.yaml"}} {
		if _, errs, code := s.Run(args...); code != 0 {
			t.Fatalf("%q: %s", args, errs)
		}
	}
	b.screen(1440, "light")
	b.do("log in", chromedp.Navigate(s.URL+"/login"), chromedp.SetValue(`[name="token"]`, "areaderoflength0", chromedp.ByQuery), chromedp.Submit(`[name="token"]`, chromedp.ByQuery))
	b.waits("now", `location.pathname === "/" && document.readyState === "complete"`)
	for _, path := range []string{"/", "/studies", "/studies/" + proved, "/studies/" + proved + "?tab=spec", "/studies/" + proved + "?tab=trials", "/studies/" + proved + "/trials/3", "/studies/" + proved + "/prove", "/studies/long", "/compare?s=" + proved + "&s=long",
		"/tournaments", "/tournaments/1", "/tests", "/experiments", "/bench", "/workers", "/watch", "/new", "/new/file", "/new/test", "/new/tournament"} {
		b.do(path, chromedp.Navigate(s.URL+path))
		b.waits(path, `document.readyState === "complete" && document.querySelector("main h1")`)
		var seen struct {
			Forms, Links []string
		}
		b.asks(`({Forms: [...document.querySelectorAll("form")].filter(f => f.method === "post" && !/\/logout$/.test(f.action) && !/\/watch\//.test(f.action) || f.querySelector("[formmethod=post]")).map(f => f.action),
			Links: [...document.querySelectorAll("main a, nav a")].map(a => a.getAttribute("href")).filter(h => /^\/new|\/prove$/.test(h))})`, &seen)
		if len(seen.Forms)+len(seen.Links) > 0 {
			t.Errorf("%s: a reader sees the forms %q and the links %q", path, seen.Forms, seen.Links)
		}
		b.shot("reader-"+strings.Trim(strings.NewReplacer("/", "-", "?", "-", "=", "-", "&", "-").Replace(path), "-"), 1440, 1700)
	}
}
