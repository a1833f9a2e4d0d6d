package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/tuner/service"
	"sakusen/tuner/web"
)

// lookedAt is a page that the tests look at.
type lookedAt struct{ name, path string }

// looked returns the pages that are looked at; proved is a study that passed.
func looked(proved string) []lookedAt {
	study := "/studies/" + proved
	return []lookedAt{
		{"now", "/"}, {"workers", "/workers"}, {"studies", "/studies"}, {"compare", "/compare?s=" + proved + "&s=hill-2&s=duels"}, {"trial", study + "/trials/3"},
		{"studies-filtered", "/studies?state=passed&q=point&sort=gain"}, {"study", study}, {"study-trials", study + "?tab=trials"},
		{"study-parameters", study + "?tab=parameters"}, {"study-race", study + "?tab=race"}, {"study-games", study + "?tab=games"}, {"study-spec", study + "?tab=spec"},
		{"study-not-better", "/studies/hill-2"}, {"study-undecided", "/studies/hill-3"}, {"study-duels", "/studies/duels"}, {"study-front", "/studies/front"},
		{"trial-games", study + "/trials/3/games"}, {"prove", "/studies/hill-3/prove"},
		{"new", "/new?game=laboratory&strategy=point"}, {"new-file", "/new/file"}, {"again", "/new/file?from=" + proved},
		{"tournaments", "/tournaments"}, {"tournament", "/tournaments/1"}, {"new-tournament", "/new/tournament"},
		{"tests", "/tests"}, {"test", "/tests/3"}, {"new-test", "/new/test"},
		{"experiments", "/experiments"}, {"run", "/experiments/runs/2"}, {"benchmarks", "/bench"}, {"series", "/bench/" + url.PathEscape("dice.Throw-2 sec/op")},
		{"watch", "/watch?game=battleship"}, {"film", "/watch/film?game=battleship&entrant=CB&entrant=RNB&seed=3&step=30"},
		{"film-end", "/watch/film?game=tubstap&entrant=single&entrant=random&seed=3&step=900"},
		{"film-pair", "/watch/film?game=battleship&entrant=CB&entrant=RNB&seed=3&step=30&beside=swap"},
		{"film-daifugo", "/watch/film?game=daifugo&entrant=rankset&entrant=greedy-out&entrant=lowest-first&entrant=random&seed=21&step=6"},
		{"film-lifeboats", "/watch/film?game=lifeboats&entrant=adaptive&entrant=level1&entrant=level0&entrant=random&entrant=random&seed=1&step=12"},
		{"missing", "/studies/nowhere"}, {"login", "/login"},
	}
}

// Every page that the server answers is one that the tests look at: a new one cannot be
// forgotten.
func TestEveryPageIsLookedAt(t *testing.T) {
	s, err := web.New(web.Options{Service: &service.Service{}, Hosts: []string{"localhost"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	mux, seen := http.NewServeMux(), map[string]bool{}
	for _, pattern := range s.Pages() {
		mux.HandleFunc(pattern, http.NotFound)
	}
	for _, p := range looked("hill-1") {
		r, err := http.NewRequest("GET", p.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, pattern := mux.Handler(r)
		if pattern == "" {
			t.Errorf("%s: there is no page %s", p.name, p.path)
		}
		seen[pattern] = true
	}
	if len(s.Pages()) < 18 {
		t.Errorf("only %d pages", len(s.Pages()))
	}
	for _, pattern := range s.Pages() {
		if !seen[pattern] {
			t.Errorf("no page like %s is looked at: add one to the list above", pattern)
		}
	}
}

// faults are what is wrong with numbers, times and definitions on a page. Code, forms,
// drawings' addresses and lists of moves are left out: they hold what others wrote.
const faults = `(function () {
	var bad = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), n;
	while ((n = walker.nextNode())) {
		var e = n.parentElement, text = n.textContent.replace(/p = [0-9.e-]+|\d+\.\.\d+/g, "");
		if (!text.trim() || e.closest("pre, code, textarea, input, select, datalist, script, .tip, #moves, dl")) { continue; }
		[[/\d{4}-\d\d-\d\dT/, "a time for machines"], [/\b\d+h\d+m|\b\d+m\d+(\.\d+)?s\b/, "a duration for machines"], [/\+-/, "+- for ±"],
			[/(^|[^\w.\u202f-])\d{5,}(?![\w.-])/, "thousands that are not apart"], [/\d\.0*[1-9]\d{5,}/, "more digits than anybody reads"], [/(^|[^\d.,\u202f+\u2212-])1 (lines|blocks|games|trials|rows|points|runs|studies|workers|cores|parameters|settings|samples|moves|opponents)\b/, "one of many"], [/NaN|undefined|\bnull\b|<nil>|%!/, "no number"],
			[/\d[eE][+-]?\d/, "an exponent that is not of a p-value"]].forEach(function (rule) {
			if (rule[0].test(text)) { bad.push(rule[1] + ": " + text.trim().slice(0, 80)); }
		});
	}
	document.querySelectorAll("main time").forEach(function (t) { if (!t.getAttribute("datetime") || !t.title) { bad.push("a time without its date: " + t.outerHTML); } });
	Array.prototype.slice.call(document.querySelectorAll("main .term")).filter(function (e) { return e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && e.getBoundingClientRect().width > 0; }).forEach(function (e) {
		e.scrollIntoView({ block: "center" });
		e.focus();
		if (e.getBoundingClientRect().top > innerHeight) { e.blur(); e.scrollIntoView({ block: "center" }); e.focus(); } // the page had not its full height
		var tip = e.querySelector(".tip"), box = tip.getBoundingClientRect();
		if (document.activeElement !== e || getComputedStyle(tip).display === "none" || !tip.textContent) { bad.push("no definition of " + e.firstChild.textContent); return; }
		if (box.left < 0 || box.right > innerWidth + 1 || box.top < 0 || box.bottom > innerHeight) { bad.push("the definition of " + e.firstChild.textContent + " is outside of the window: " + [box.left, box.right, box.top, box.bottom, innerWidth, innerHeight].map(Math.round)); return; }
		[[box.left + 6, box.top + 6], [box.right - 6, box.bottom - 6], [box.left + box.width / 2, box.top + box.height / 2]].forEach(function (at) {
			var there = document.elementFromPoint(at[0], at[1]);
			if (!there || !tip.contains(there)) { bad.push("the definition of " + e.firstChild.textContent + " is covered"); }
		});
		e.blur();
	});
	scrollTo(0, 0);
	return Array.from(new Set(bad)).slice(0, 12);
})()`

// sound checks what holds of every page: it is the one that was asked for, its numbers and
// times are for people, its definitions are seen. At 1440 pixels Tab leads through all
// of it, its focus always to be seen, to the end.
func (b *browser) sound(name string, width int) {
	b.t.Helper()
	var title string
	b.do("focus", page.BringToFront(), emulation.SetFocusEmulationEnabled(true))
	b.waits(name+" is there", `document.readyState === "complete"`)
	if b.asks(`document.querySelector("main h1").textContent`, &title); (title == "No such page") != (name == "missing") {
		b.t.Errorf("%s: the page says %q", name, title)
	}
	var bad []string
	if b.asks(faults, &bad); len(bad) > 0 {
		b.t.Errorf("%s at %d:\n%s", name, width, strings.Join(bad, "\n"))
	}
	if width == 1440 {
		b.walk(name)
	}
}

// stops are the places that Tab must lead to. Where the focus comes is noted, and what is
// wrong with it there.
const stops = `(function () {
	var walked = new Set(), bad = window.faults = [];
	window.stops = Array.prototype.slice.call(document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")).filter(function (e) {
		return !e.disabled && e.type !== "hidden" && e.tabIndex >= 0 && e.getBoundingClientRect().width > 0 && e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
	});
	window.missed = function () {
		return window.stops.filter(function (e) { return e.isConnected && !walked.has(e); }).map(function (e) { return "no Tab leads to " + e.outerHTML.slice(0, 100); });
	};
	document.addEventListener("focusin", function () {
		var e = document.activeElement, s = getComputedStyle(e), box = e.getBoundingClientRect();
		if (walked.has(e)) { return; }
		walked.add(e);
		if (!(s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2)) { bad.push("the focus cannot be seen on " + e.outerHTML.slice(0, 120)); }
		if (box.bottom <= 0 || box.top >= innerHeight || box.width === 0) { bad.push("the focus is outside of the window on " + e.outerHTML.slice(0, 120)); }
	});
	document.body.tabIndex = -1; // where Tab begins
	document.body.focus();
	document.body.removeAttribute("tabindex");
	return window.stops.length;
})()`

// walk presses Tab through a page; a page with more than 100 stops is not walked to its end.
func (b *browser) walk(name string) {
	b.t.Helper()
	var count int
	b.asks(stops, &count)
	var tabs []chromedp.Action
	for range min(count, 100) { // one more would lead out of the page

		tabs = append(tabs, chromedp.KeyEvent(kb.Tab))
	}
	b.do("tabs", tabs...)
	var bad, missed []string
	if b.asks("window.missed()", &missed); len(missed) > 0 && count < 90 { // a plot came, with stops of its own
		for range len(missed) + 8 {
			b.do("tab", chromedp.KeyEvent(kb.Tab))
		}
		b.asks("window.missed()", &missed)
	}
	b.asks("window.faults", &bad)
	if count < 90 {
		bad = append(bad, missed...)
	}
	if len(bad) > 0 {
		b.t.Errorf("%s:\n%s", name, strings.Join(bad, "\n"))
	}
}
