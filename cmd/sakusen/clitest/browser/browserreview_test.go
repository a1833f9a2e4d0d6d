package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// A tournament is not deleted by one click; while it runs, all of its table has numbers.
func TestBrowserJobsUnderWay(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	b.do("form", chromedp.Navigate(s.URL+"/new/tournament?example="), chromedp.SetValue("textarea", strings.Replace(browserCup, "blocks: 1000", "blocks: 200000", 1), chromedp.ByQuery),
		chromedp.Click(`form[hx-post] button`, chromedp.ByQuery), chromedp.WaitVisible("#live .state", chromedp.ByQuery))
	b.do("tournament", chromedp.Navigate(s.URL+"/tournaments/1"))
	b.waits("a table so far", `document.querySelectorAll(".crosstable tbody tr").length === 4 && document.querySelector("#live .state.running")`)
	// Pairings take turns, so that all cells have numbers long before the first is whole.
	b.waits("every cell has a share with its interval", `(function () {
		var rows = [...document.querySelectorAll(".crosstable tbody tr")];
		return document.querySelector("#live .state.running") && rows.every((tr, i) => [...tr.querySelectorAll("td")].slice(4, 8).every((td, j) => i === j || td.innerText.includes("±")));
	})()`)
	b.says("so far")
	// A cell leads to the first game of the two.
	b.do("a cell", chromedp.Evaluate("window.before = true", nil), chromedp.Click(".crosstable tbody td a", chromedp.ByQuery))
	b.waits("their game", `!window.before && document.querySelector("#boards svg") && document.querySelector("h1").textContent.startsWith("battleship: ")`)
	b.do("back", chromedp.Navigate(s.URL+"/tournaments/1"), chromedp.WaitVisible("#live .state.running", chromedp.ByQuery),
		chromedp.Click(`form[action$="/stop"] button`, chromedp.ByQuery), chromedp.WaitVisible("#live .state.stopped", chromedp.ByQuery))
	b.deletes(s.URL+"/tournaments/1", "No tournament yet")
}

// deletes deletes the job of a page, in two steps, and waits for the list to say so.
func (b *browser) deletes(page, said string) {
	b.t.Helper()
	var seen bool
	b.do("page", chromedp.Navigate(page))
	if b.asks(`[...document.querySelectorAll("button")].some(e => e.checkVisibility({contentVisibilityAuto: true}) && e.getBoundingClientRect().width > 0 && e.innerText.includes("Delete"))`, &seen); seen {
		b.t.Errorf("%s: one click deletes it", page)
	}
	b.do("first step", chromedp.Click("#remove summary", chromedp.ByQuery), chromedp.WaitVisible("#delete", chromedp.ByQuery))
	b.do("second step", chromedp.Click("#delete", chromedp.ByQuery))
	b.says(said)
}

// A study shows its trials with intervals that can be, captions that are true and what is lost
// without each change with its interval; how far it is goes by trials or games, as one of them
// ends it.
func TestBrowserNumbersHold(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	name := hill(s, 1, 120, 10, 400)
	b.do("study", chromedp.Navigate(s.URL+"/studies/"+name))
	b.says("What matters")
	var losses []string
	b.asks(`[...document.querySelectorAll(".importance tbody td.n")].map(e => e.innerText)`, &losses)
	if len(losses) == 0 {
		t.Error("no loss without a change is shown")
	}
	for _, text := range losses {
		var elo, low, high float64
		if _, err := fmt.Sscanf(text, "%f Elo (%f to %f)", &elo, &low, &high); err != nil || elo < low || elo > high {
			t.Errorf("a loss is %q, expected one with its interval", text)
		}
	}
	var captions string
	if b.asks(`document.querySelector(".summary").innerText`, &captions); strings.Contains(captions, "Each trial with its 95") || !strings.Contains(captions, "too few blocks to compare") {
		t.Errorf("the drawing's captions say %q", captions)
	}
	b.do("trials", chromedp.Navigate(s.URL+"/studies/"+name+"?tab=trials"))
	var odd []string
	b.asks(`[...document.querySelectorAll("main td")].map(e => e.innerText).filter(s => /± ?0(\.0*)?( |$)/.test(s) || /NaN|Inf/.test(s))`, &odd)
	if len(odd) > 0 {
		t.Errorf("intervals of no width: %q", odd)
	}
	var text string
	if b.asks(`document.body.innerText`, &text); strings.Contains(text, "0 ± 0") {
		t.Error("the page has 0 ± 0")
	}

	// 40 trials and a budget that they cannot use up: the bar follows the trials.
	slow := strings.NewReplacer("name: hill-1", "name: narrow", "games: 20000", "games: 90000000", "[8, 32]", "[64, 256]").Replace(fmt.Sprintf(hillStudy, 1, 60, 4, 10, 2000))
	if err := os.WriteFile(filepath.Join(s.Dir, "narrow.yaml"), []byte(slow), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.Run("study", "submit", "narrow.yaml"); code != 0 {
		t.Fatal(errs)
	}
	b.do("narrow", chromedp.Navigate(s.URL+"/studies/narrow"))
	b.waits("it is far, by its trials", `(function () { var p = document.querySelector("#progress progress"); return !p || Number(p.value) >= 20; })()`)
}
