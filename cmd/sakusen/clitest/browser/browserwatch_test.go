package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// filmAt is where a film's page is.
type filmAt struct {
	Step    string // "3 of 70"
	Caption string
	Marked  string // the move that is marked in the list
	SVGs    int
	Titles  int // squares and other things that say what they are
	URL     string
	Wide    bool // wider than the window
	Focus   string
}

const whereIsFilm = `(function () {
	var marked = document.querySelector("#moves [aria-current]");
	return {
		Step: document.getElementById("where").textContent, Caption: document.getElementById("caption").textContent,
		Marked: marked ? marked.textContent : "", SVGs: document.querySelectorAll("#boards svg").length,
		Titles: document.querySelectorAll("#boards svg title").length, URL: location.search,
		Wide: document.documentElement.scrollWidth > window.innerWidth, Focus: document.activeElement.id
	};
})()`

// at waits until a film has come to a step, and says what is to be seen there.
func (b *browser) at(step string) filmAt {
	b.t.Helper()
	var now filmAt
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		b.do("where the film is", chromedp.Evaluate(whereIsFilm, &now))
		if now.Step == step || strings.HasPrefix(now.Step, step+" of") && !strings.HasSuffix(now.Step, "…") {
			if now.Marked != now.Caption {
				b.t.Errorf("step %s: the caption is %q, the move marked %q", now.Step, now.Caption, now.Marked)
			}
			if now.Wide {
				b.t.Errorf("step %s: the page is wider than the window", now.Step)
			}
			return now
		}
	}
	b.t.Fatalf("the film does not come to step %s: %+v", step, now)
	return now
}

// total returns the last step of a film.
func (b *browser) total() int {
	b.t.Helper()
	var n int
	b.do("length of the film", chromedp.Poll(`!document.getElementById("where").textContent.endsWith("…") && document.querySelectorAll("#moves li").length`, &n))
	return n - 1
}

// Battleship and Daifugo are watched step by step, by mouse and by keyboard alone, at
// two widths; the console stays silent. SAKUSEN_SCREENSHOTS names a folder for
// pictures.
func TestBrowserWatch(t *testing.T) {
	suite.All(t)
	s := clitest.Serve(t, t.TempDir())
	for _, width := range []int{375, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := openBrowser(t, width)
			for _, game := range []string{"battleship", "daifugo"} {
				// A window is never narrower than 500 pixels, what is shown in it can be.
				b.do("form", chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate(s.URL+"/watch?game="+game))
				b.do("one click", chromedp.Click(`form.stage button`, chromedp.ByQuery), chromedp.WaitVisible("#boards svg", chromedp.ByQuery))
				last := b.total()
				begin := b.at("0")
				if last < 8 || begin.SVGs == 0 || begin.Titles < 5 {
					t.Fatalf("%s: %d steps, %+v", game, last, begin)
				}
				b.mouse(game, last)
				b.keyboard(last)
				b.picture("watch-"+game, width)
			}
			if len(b.said) > 0 {
				t.Errorf("the console says %q", b.said)
			}
		})
	}
}

// mouse steps through a film by its buttons and its list of moves.
func (b *browser) mouse(game string, last int) {
	b.t.Helper()
	click := func(id string) chromedp.Action { return chromedp.Click("#"+id, chromedp.ByQuery) }
	var hidden, told bool
	result := `[...document.querySelectorAll("#end, #who .score")].every(e => e.hidden || e.innerText === "hidden") && document.querySelector("#moves li:last-child").innerText === "The end"`
	b.do("the result waits", chromedp.Evaluate(result, &hidden), click("reveal"), chromedp.Evaluate(`document.getElementById("end").innerText.includes("Result:")`, &told))
	if !hidden || !told {
		b.t.Errorf("%s: the result is hidden: %v; when asked for it is told: %v", game, hidden, told)
	}
	b.do("forward", click("forward"), click("forward"), click("forward"))
	third := b.at("3")
	b.do("back", click("back"))
	if second := b.at("2"); second.Caption == third.Caption && game != "daifugo" {
		b.t.Errorf("steps 2 and 3 both say %q", second.Caption)
	}
	b.do("last", click("last"))
	b.at(fmt.Sprint(last))
	b.do("a move", chromedp.Click(`#moves li:nth-child(5) a`, chromedp.ByQuery))
	if at := b.at("4"); !strings.Contains(at.URL, "step=4") {
		b.t.Errorf("step 4 has the address %s", at.URL)
	}
	b.do("first", click("first"))
	b.at("0")
	b.do("play", click("play"))
	b.at("2")
	b.do("pause", click("play"))
	if game != "battleship" {
		return
	}
	secret := `getComputedStyle(document.querySelector("#boards .secret")).display !== "none"`
	var before, after bool
	b.do("everything", chromedp.Evaluate(secret, &before), click("view"), chromedp.Evaluate(secret, &after))
	if before || !after {
		b.t.Errorf("the fleets are to be seen: %v, and with everything: %v", before, after)
	}
	var heat string
	b.do("heat", chromedp.Evaluate(`document.querySelector("#boards .best title").textContent`, &heat))
	if !strings.Contains(heat, "%") || !strings.Contains(heat, "placements") {
		b.t.Errorf("the likeliest square says %q", heat)
	}
}

// keyboard steps through a film, from a page opened anew, without the mouse.
func (b *browser) keyboard(last int) {
	b.t.Helper()
	b.do("anew", chromedp.Reload(), chromedp.WaitVisible("#play", chromedp.ByQuery))
	b.total()
	key := func(k string) { b.do("key "+k, chromedp.KeyEvent(k)) }
	key(kb.Home)
	b.at("0")
	key(kb.ArrowRight)
	key(kb.ArrowRight)
	b.at("2")
	key(kb.ArrowLeft)
	b.at("1")
	key(kb.End)
	b.at(fmt.Sprint(last))
	key(kb.Home)
	b.at("0")
	for range 40 { // to the button that plays, which space presses
		key(kb.Tab)
		var focus string
		b.do("focus", chromedp.Evaluate("document.activeElement.id", &focus))
		if focus == "play" {
			break
		}
	}
	key(" ")
	b.at("2")
	key(" ")
	for range 10 {
		key(kb.Tab)
		var focus string
		b.do("focus", chromedp.Evaluate("document.activeElement.id", &focus))
		if focus == "slider" {
			break
		}
	}
	key(kb.End)
	if at := b.at(fmt.Sprint(last)); at.Focus != "slider" {
		b.t.Errorf("the slider has no focus, %q has it", at.Focus)
	}
	key(kb.ArrowLeft)
	key(kb.ArrowLeft)
	b.at(fmt.Sprint(last - 2))
}

// Without scripts a film is stepped through by its links; one click shows a game of
// every kind.
func TestWatchWithoutScripts(t *testing.T) {
	s := clitest.Serve(t, t.TempDir())
	get := func(path string) string {
		t.Helper()
		a, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v, %s", path, a.StatusCode, err, text)
		}
		return string(text)
	}
	entrant := regexp.MustCompile(`name="entrant" value="([^"]*)"`)
	for _, game := range regexp.MustCompile(`/watch\?game=([a-z-]+)"`).FindAllStringSubmatch(get("/watch"), -1) {
		address := "/watch/film?game=" + game[1]
		for _, e := range entrant.FindAllStringSubmatch(get("/watch?game="+game[1]), -1) {
			address += "&entrant=" + url.QueryEscape(e[1])
		}
		if frames, _, end := clitest.Film(s, address); frames == 0 || end.Cut != "" {
			t.Errorf("%s: %d frames, %+v", address, frames, end)
		}
	}
	film := "/watch/film?game=battleship&entrant=CB&entrant=R&seed=5"
	if first := get(film); !strings.Contains(first, `value="0"`) || !strings.Contains(first, "The fleets are placed.") || !strings.Contains(first, "step=1") {
		t.Error("the first step is not shown")
	}
	if third := get(film + "&step=3"); !strings.Contains(third, `>3 of `) || !strings.Contains(third, "step=4") || !strings.Contains(third, "step=2") {
		t.Error("the third step is not shown")
	}
	if all := get(film + "&step=3&view=all"); !strings.Contains(all, `class="film everything`) || !strings.Contains(all, "view=all") {
		t.Error("not everything is shown")
	}
	if far := get(film + "&step=99999999999999999999"); !strings.Contains(far, "Forward") {
		t.Error("a step that does not exist is not the last one")
	}
}
