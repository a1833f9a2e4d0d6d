package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// browserCup takes seconds, so that it can be watched.
const browserCup = `version: 1
name: watched-cup
game: battleship
entrants: [R, RNB, CB, {name: mine, strategy: mp, params: [{name: start_squares, value: 40}]}]
blocks: 1000
`

// picture keeps a picture of the whole page where SAKUSEN_SCREENSHOTS names a
// folder.
func (b *browser) picture(name string, width int) {
	b.t.Helper()
	folder := os.Getenv("SAKUSEN_SCREENSHOTS")
	if folder == "" {
		return
	}
	var png []byte
	b.do("picture", chromedp.FullScreenshot(&png, 100))
	if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", name, width)), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// fits checks that the page is no wider than the window.
func (b *browser) fits(page string) {
	b.t.Helper()
	var wide bool
	b.do("width", chromedp.Evaluate("document.documentElement.scrollWidth > window.innerWidth", &wide))
	if wide {
		b.t.Errorf("%s is wider than the window", page)
	}
}

// tab presses Tab until an element that matches has the focus.
func (b *browser) tab(selector string) {
	b.t.Helper()
	for range 200 {
		var there bool
		b.do("tab", chromedp.KeyEvent(kb.Tab), chromedp.Evaluate(fmt.Sprintf("document.activeElement.matches(%q)", selector), &there))
		if there {
			return
		}
	}
	b.t.Fatalf("no number of tabs leads to %s", selector)
}

// watchLive waits until the page has come from one text to another without a
// reload.
func (b *browser) watchLive(from, to string) {
	b.t.Helper()
	b.says(from)
	b.do("mark", chromedp.Evaluate("window.same = true", nil))
	b.says(to)
	var same bool
	b.do("reload", chromedp.Evaluate("!!window.same", &same))
	if !same {
		b.t.Errorf("from %q to %q the page was loaded again", from, to)
	}
}

// A tournament is submitted through the form and watched to its crosstable, and
// an experiment is run to its table: with the mouse at the width of a phone,
// with the keyboard alone at that of a desktop.
func TestBrowserJobs(t *testing.T) {
	suite.All(t)
	for _, width := range []int{375, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := openBrowser(t, width)
			s := clitest.Serve(t, t.TempDir())
			keys := width == 1440
			b.do("viewport", chromedp.EmulateViewport(int64(width), 900)) // a window is never as narrow as a phone
			b.do("tournaments", chromedp.Navigate(s.URL+"/tournaments"))
			b.says("No tournament yet")
			if keys {
				b.tab(`a[href="/new/tournament"]`)
				b.do("new", chromedp.KeyEvent(kb.Enter))
			} else {
				b.do("new", chromedp.Click(`a[href="/new/tournament"]`, chromedp.ByQuery))
			}
			b.waits("the form", `!!document.querySelector("[name=entrants]") && !!document.querySelector("input[type=range]")`)
			b.fits("the form")
			b.picture("tournament-form", width)
			if keys {
				b.tab(`a[href^="/new/tournament?"]`)
				b.do("as a file", chromedp.KeyEvent(kb.Enter))
			} else {
				b.do("as a file", chromedp.Click(`a[href^="/new/tournament?"]`, chromedp.ByQuery))
			}
			b.says("Nothing is wrong with it.")
			b.fits("the form of a file")
			if keys {
				b.tab("textarea")
				b.do("type", chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("game: nothing"))
			} else {
				b.do("type", chromedp.SetValue("textarea", "game: nothing", chromedp.ByQuery), chromedp.SendKeys("textarea", " ", chromedp.ByQuery))
			}
			b.says("form.yaml:1:7: game: expected a game")
			b.says("entrants: expected a list of entrants")
			b.picture("tournament-mistakes", width)
			b.do("the cup", chromedp.SetValue("textarea", browserCup, chromedp.ByQuery))
			if keys {
				b.do("type", chromedp.KeyEvent(" "))
				b.says("Nothing is wrong with it.")
				b.tab(`form[hx-post] button`)
				b.do("submit", chromedp.KeyEvent(kb.Enter))
			} else {
				b.do("type", chromedp.SendKeys("textarea", " ", chromedp.ByQuery))
				b.says("Nothing is wrong with it.")
				b.do("submit", chromedp.Click(`form[hx-post] button`, chromedp.ByQuery))
			}
			b.watchLive("Pause", "Seat by seat")
			b.watchLive("watched-cup", "6 pairings of 1000 blocks, 12000 games")
			b.says("done")
			b.fits("the crosstable")
			b.picture("tournament", width)
			b.do("list", chromedp.Navigate(s.URL+"/tournaments"))
			b.says("watched-cup")
			b.fits("the list")
			b.picture("tournament-list", width)
			b.do("put away", chromedp.Click("#tick-1", chromedp.ByQuery), chromedp.Click(`#together [value="archive"]`, chromedp.ByQuery))
			b.says("No tournament matches.")
			b.do("what was put away", chromedp.Click(`form[role="search"] a`, chromedp.ByQuery))
			b.says("Tournaments, archived")
			b.do("put back", chromedp.Click("#tick-1", chromedp.ByQuery), chromedp.Click(`#together [value="restore"]`, chromedp.ByQuery))
			b.says("No tournament matches.")
			b.do("list", chromedp.Navigate(s.URL+"/tournaments"))
			b.waits("it is there again", `!!document.querySelector("#job-1")`)

			b.do("experiments", chromedp.Navigate(s.URL+"/experiments"))
			b.says("battleship-table5")
			b.fits("the experiments")
			b.picture("experiments", width)
			games := `tr[id="battleship-table5"] input[name="games"]`
			if keys {
				b.tab(games)
				b.do("games", chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("40"))
				b.tab(`tr[id="battleship-table5"] button`)
				b.do("run", chromedp.KeyEvent(kb.Enter))
			} else {
				b.do("games", chromedp.SetValue(games, "40", chromedp.ByQuery), chromedp.Click(`tr[id="battleship-table5"] button`, chromedp.ByQuery))
			}
			b.watchLive("Request", "Printed against measured")
			b.says("rows: ")
			b.fits("the run")
			b.picture("experiment", width)
			var figures int
			b.do("figures", chromedp.Evaluate("document.querySelectorAll('figure svg .dot').length", &figures))
			if figures < 6 {
				t.Errorf("%d points are drawn", figures)
			}
			// The front page says what they found: so few games decide no row.
			b.do("now", chromedp.Navigate(s.URL+"/"))
			b.waits("what was found", `/ is first, /.test(document.querySelector("[aria-labelledby=ended]").innerText) && /([1-9][0-9]*) of \1 undecided/.test(document.querySelector("[aria-labelledby=ended]").innerText)`)
			b.fits("now")
			b.picture("now-jobs", width)
			if len(b.said) > 0 {
				t.Errorf("the console says %q", b.said)
			}
		})
	}
}
