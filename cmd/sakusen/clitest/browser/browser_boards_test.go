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
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// boardedStudies are of two kinds: trials against a baseline, and a pool in
// which a generation plays itself.
var boardedStudies = map[string]string{
	"watched-tubstap": `version: 1
name: watched-tubstap
game: tubstap
rules: [{name: map, value: own02}]
tune:
  strategy: muct
  fix: [{name: simulations, value: 20}]
  params: [{name: c, low: 0, high: 1}]
baseline: single
sampler: {name: quasi, seed: 5, batch: 2}
race: {rungs: [2, 4]}
budget: {trials: 4, games: 60}
final: {top: 2, blocks: 4}
validation: {gain_elo: [0, 200], max_blocks: 8}
`,
	"watched-lifeboats": `version: 1
name: watched-lifeboats
game: lifeboats
tune: {strategy: level0}
evaluate: {mode: pool, group: 4, filler: random, rounds: 1, games: 10}
sampler:
  name: jgg
  seed: 1
  options: [{name: population, value: 20}, {name: parents, value: 6}, {name: children, value: 8}]
budget: {trials: 60, games: 2000}
final: {top: 2, blocks: 4}
validation: {gain_elo: [0, 200], max_blocks: 8}
`,
}

// boardSeen is what the page of a film shows.
type boardSeen struct {
	Step, Last                     int
	Caption, Boards, Current, Note string
	Whole, Drawn, Wide, Styled     bool
}

const readBoard = `(() => {
	const svg = document.querySelector("#boards svg"), slider = document.getElementById("slider");
	const current = document.querySelector("#moves [aria-current]"), end = document.getElementById("end").textContent + document.getElementById("check").textContent;
	const box = svg ? svg.getBoundingClientRect() : {width: 0, height: 0, right: 0};
	const shape = svg && svg.querySelector(".tb-frame, .lb-sea");
	return {
		Step: +slider.value, Last: +slider.max, Caption: document.getElementById("caption").innerText,
		Boards: svg ? svg.getAttribute("aria-label") : "", Current: current ? current.innerText : "", Note: end,
		Whole: end.includes("Result:") && !document.getElementById("where").textContent.endsWith("…"),
		Drawn: box.width > 200 && box.height > 200 && box.right <= window.innerWidth,
		Wide: document.documentElement.scrollWidth > window.innerWidth,
		Styled: !!shape && !["rgb(0, 0, 0)", ""].includes(getComputedStyle(shape).fill),
	};
})()`

// board waits until the page of a film shows a step, and checks what it shows.
func (b *browser) board(step int) boardSeen {
	b.t.Helper()
	var s boardSeen
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		b.do("look", chromedp.Evaluate(readBoard, &s))
		if s.Step == step && s.Caption == s.Current && s.Caption != "" {
			if s.Boards != s.Caption || !s.Drawn || s.Wide || !s.Styled {
				b.t.Errorf("step %d shows %+v", step, s)
			}
			return s
		}
	}
	b.t.Fatalf("the film does not come to step %d: %+v, console %q", step, s, b.said)
	return s
}

// premiere waits until a film is whole, and returns its last step.
func (b *browser) premiere() int {
	b.t.Helper()
	var s boardSeen
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if b.do("look", chromedp.Evaluate(readBoard, &s)); s.Whole {
			return s.Last
		}
	}
	b.t.Fatalf("the film does not end: %+v, console %q", s, b.said)
	return 0
}

// seek goes to the first step that says a text, by a click on its move.
func (b *browser) seek(text string) boardSeen {
	b.t.Helper()
	var step int
	b.do("moves", chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll("#moves li")].findIndex(li => li.innerText.includes(%q))`, text), &step))
	if step < 0 {
		b.t.Fatalf("no step says %q", text)
	}
	b.do("move", chromedp.Click(fmt.Sprintf("#moves li:nth-of-type(%d) a", step+1), chromedp.ByQuery))
	return b.board(step)
}

// Games of TUBSTAP and Lifeboats, fresh ones and those of a study against a
// baseline and of a pool, are watched step by step with the mouse and with the
// keyboard, at two widths, in light and in dark. The console stays silent.
// SAKUSEN_SCREENSHOTS names a folder for pictures.
func TestBrowserBoards(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	for name, text := range boardedStudies {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, errs, err := clitest.Program(t, dir, nil, "tune", name+".yaml"); !strings.Contains(out, "Digest") {
			t.Fatal(out, errs, err) // the verdict does not matter
		}
	}
	s := clitest.Serve(t, dir)
	for _, width := range []int{375, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := openBrowser(t, width)
			// A headless window is no narrower than 500 pixels; the page's view is.
			b.do("width", chromedp.EmulateViewport(int64(width), 900))
			shot := func(name string) {
				if folder := os.Getenv("SAKUSEN_SCREENSHOTS"); folder != "" {
					var picture []byte
					b.do("picture", chromedp.Evaluate("window.scrollTo(0, 0)", nil), chromedp.FullScreenshot(&picture, 100))
					if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", name, width)), picture, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, c := range []struct{ name, address, begins, ends, worth string }{
				{"tubstap", "game=tubstap&entrant=single&entrant=muct(simulations%3D20)&seed=1", "The game begins", "wins", "strikes back"},
				{"lifeboats", "game=lifeboats&entrant=adaptive&entrant=level1&entrant=level0&entrant=random&entrant=level0&seed=1", "5 players have 7 crew", "win", "comes home"},
			} {
				b.do("fresh game", chromedp.Navigate(s.URL+"/watch/film?"+c.address))
				last := b.premiere()
				if first := b.board(0); !strings.Contains(first.Caption, c.begins) {
					t.Errorf("%s begins with %q", c.name, first.Caption)
				}
				b.do("forward", chromedp.Click("#forward", chromedp.ByQuery))
				b.board(1)
				b.do("back", chromedp.Click("#back", chromedp.ByQuery))
				b.board(0)
				b.do("last", chromedp.Click("#last", chromedp.ByQuery))
				if end := b.board(last); !strings.Contains(end.Caption, c.ends) {
					t.Errorf("%s ends with %q", c.name, end.Caption)
				}
				b.do("home", chromedp.KeyEvent(kb.Home))
				b.board(0)
				for step := 1; step <= 4; step++ {
					b.do("right", chromedp.KeyEvent(kb.ArrowRight))
					b.board(step)
				}
				b.do("left", chromedp.KeyEvent(kb.ArrowLeft))
				b.board(3)
				moment := func() { // the ballot after the first boat is home
					now := b.seek(c.worth)
					if c.name == "lifeboats" {
						b.do("right", chromedp.KeyEvent(kb.ArrowRight))
						b.board(now.Step + 1)
					}
				}
				moment()
				shot(c.name)
				for _, scheme := range []string{"dark", "light"} {
					b.do(scheme, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
					if scheme == "dark" {
						moment()
						shot(c.name + "-dark")
					}
				}
			}
			for name, note := range map[string]string{"watched-tubstap": "As recorded", "watched-lifeboats": "nothing to compare it with"} {
				b.do("games", chromedp.Navigate(s.URL+"/studies/"+name+"/trials/1/games"),
					chromedp.Click(`a[href*="/watch/film"]`, chromedp.ByQuery), chromedp.WaitVisible("#boards svg", chromedp.ByQuery))
				last := b.premiere()
				if now := b.board(0); !strings.Contains(now.Note, note) {
					t.Errorf("%s: the film says %q, want %q", name, now.Note, note)
				}
				b.do("end", chromedp.KeyEvent(kb.End))
				b.board(last)
			}
			replay, err := filepath.Abs("../../../../engines/tubstap/testdata/bestsingle.sgf")
			if err != nil {
				t.Fatal(err)
			}
			b.do("replay file", chromedp.Navigate(s.URL+"/watch?game=tubstap"),
				chromedp.SetUploadFiles(`input[type="file"]`, []string{replay}, chromedp.ByQuery),
				chromedp.Click(`form[action^="/watch/record"] button`, chromedp.ByQuery), chromedp.WaitVisible("#boards svg", chromedp.ByQuery))
			last := b.premiere()
			b.board(0)
			b.do("end", chromedp.KeyEvent(kb.End))
			if end := b.board(last); !strings.Contains(end.Caption, "wins") && !strings.Contains(end.Caption, "draw") {
				t.Errorf("the replay ends with %q", end.Caption)
			}
			if len(b.said) > 0 {
				t.Errorf("the console says %q", b.said)
			}
		})
	}
}
