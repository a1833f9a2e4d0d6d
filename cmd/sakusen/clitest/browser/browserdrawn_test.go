package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// Pages of running work are drawn anew without a reload: the trials of a running study, with
// the focus kept in the page, and the moves of a game. The course of the game is drawn when it
// ends.
func TestBrowserDrawnLive(t *testing.T) {
	suite.All(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	text := strings.NewReplacer("name: hill-1", "name: drawn", "trials: 40, games: 20000", "trials: 100000, games: 90000000").Replace(fmt.Sprintf(hillStudy, 1, 60, 5, 10, 2000))
	if err := os.WriteFile(filepath.Join(s.Dir, "drawn.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := s.Run("study", "submit", "drawn.yaml"); code != 0 {
		t.Fatal(errs)
	}
	b.do("study", chromedp.Navigate(s.URL+"/studies/drawn"))
	trials := `Number((document.body.innerText.match(/Trials 0 to ([0-9\u202f]+)/) || ["", "-1"])[1].replace(/[^0-9-]/g, ""))`
	b.waits("a drawing", trials+" >= 0")
	b.do("focus", chromedp.Evaluate(`window.same = true; window.first = `+trials+`; document.querySelector('.tabs a[href*="tab=trials"]').focus(); true`, nil))
	b.waits("more trials are drawn on the same page", "window.same && "+trials+" > window.first + 8")
	var at string
	if b.asks("document.activeElement.textContent", &at); !strings.HasPrefix(at, "Trials") {
		t.Errorf("after the drawing has grown the focus is on %q", at)
	}
	b.shot("running-light", 1440, 1700)
	if _, errs, code := s.Run("study", "stop", "drawn"); code != 0 {
		t.Fatal(errs)
	}

	film := url.Values{"game": {"tubstap"}, "entrant": {"muct(simulations=4000)", "muct(simulations=3999)"}, "seed": {"1"}}
	b.do("film", chromedp.Navigate(s.URL+"/watch/film?"+film.Encode()))
	moves := `document.querySelectorAll("#moves li").length`
	b.waits("the game is under way", `document.getElementById("where").textContent.endsWith("…") && `+moves+` > 0`)
	b.do("so far", chromedp.Evaluate("window.same = true; window.first = "+moves, nil))
	b.waits("more moves come", "window.same && "+moves+" > window.first + 2")
	b.do("the newest", chromedp.Evaluate(`document.querySelector("#moves li:nth-last-child(2) a").click(); true`, nil))
	b.waits("it is drawn", `document.querySelector("#boards svg") && document.getElementById("caption").textContent === document.querySelector("#moves [aria-current]").textContent`)
	var drawn bool
	if b.asks(`!!document.getElementById("strip-svg")`, &drawn); drawn {
		t.Error("the course of a game is drawn before it has ended")
	}

	// One that takes a second is watched to its end.
	film = url.Values{"game": {"tubstap"}, "entrant": {"single", "random"}, "seed": {"3"}}
	b.do("film", chromedp.Navigate(s.URL+"/watch/film?"+film.Encode()))
	last := b.total()
	b.waits("its course", `document.getElementById("strip-svg")`)
	b.do("the end", chromedp.Click("#last", chromedp.ByQuery))
	b.at(fmt.Sprint(last))
	var chances string
	if b.asks(`document.getElementById("standing").innerText`, &chances); !strings.Contains(chances, "games played on at random") || !strings.Contains(chances, "100 %") || !strings.Contains(chances, " 0 %") {
		t.Errorf("at the end the strip says %q", chances)
	}
	b.silent()
}
