package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// benchmarkText returns a run whose time has the given level, in ns/op.
func benchmarkText(level float64) string {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\npkg: dice\ncpu: some\n")
	for i := range 6 {
		fmt.Fprintf(&b, "BenchmarkThrow-2\t1000\t%.1f ns/op\t3 allocs/op\n", level*(1+0.004*float64(i%3-1)))
	}
	return b.String()
}

// A study is made from a file begun as a form, its urgency set, and deleted;
// benchmarks are shown with their levels and verdicts; at two widths, without a
// word on the console.
func TestBrowserForms(t *testing.T) {
	suite.All(t)
	for _, width := range []int{375, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := openBrowser(t, width)
			dir := t.TempDir()
			s := clitest.Serve(t, dir)
			narrow := func(what string) {
				var wide bool
				b.do("width", chromedp.Evaluate("document.documentElement.scrollWidth > window.innerWidth", &wide))
				if wide {
					t.Errorf("%s is wider than %d pixels", what, width)
				}
				if folder := os.Getenv("SAKUSEN_SCREENSHOTS"); folder != "" {
					var picture []byte
					b.do("picture", chromedp.FullScreenshot(&picture, 100))
					if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", what, width)), picture, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if width < 600 { // the menu is a drawer
				b.do("drawer", chromedp.Navigate(s.URL+"/"))
				b.waits("it is shut", `getComputedStyle(document.querySelector("header nav")).display === "none"`)
				b.do("open", chromedp.Focus("#menu summary", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
				b.waits("its entries stand one below the other", `(function (all) { return all.length > 6 && all.every(function (a, i) { return !i || a.getBoundingClientRect().top >= all[i - 1].getBoundingClientRect().bottom; }); })(Array.from(document.querySelectorAll("header nav a")))`)
				narrow("drawer")
			}
			b.do("form", chromedp.Navigate(s.URL+"/new?game=battleship&strategy=mp"),
				chromedp.Evaluate(`document.querySelectorAll("#study-form details").forEach(function (d) { d.open = true; })`, nil),
				chromedp.SetValue(`[name="name"]`, "from-form", chromedp.ByQuery),
				chromedp.SendKeys(`[name="baseline"]`, "CB", chromedp.ByQuery),
				chromedp.SendKeys(`[name="fix.place.kind"]`, "random", chromedp.ByQuery),
				chromedp.SetValue(`[name="sampler"]`, "grid", chromedp.ByQuery),
				chromedp.SendKeys(`[name="games"]`, "9000000", chromedp.ByQuery))
			b.says("Nothing is wrong with it.")
			narrow("form")
			b.do("as a file", chromedp.Click(`button[formaction="/new/file/edit"]`, chromedp.ByQuery), chromedp.WaitVisible(`textarea[name="file"]`, chromedp.ByQuery))
			var file string
			b.asks(`document.querySelector("textarea[name=file]").value`, &file)
			if !strings.Contains(file, "fix:\n    - {name: \"place.kind\", value: \"random\"}") || !strings.Contains(file, `name: "grid"`) {
				t.Errorf("the form's file:\n%s", file)
			}
			b.do("a mistake", chromedp.SendKeys(`textarea[name="file"]`, "foo: 1\nbar: 2\n", chromedp.ByQuery))
			b.says("foo")
			b.says("bar")
			narrow("file")
			b.do("an embedded one", chromedp.SetValue(`[name="example"]`, "laboratory-hill", chromedp.ByQuery),
				chromedp.Submit(`[name="example"]`, chromedp.ByQuery), chromedp.WaitReady(`option[selected][value="laboratory-hill"]`, chromedp.ByQuery))
			b.do("take it back", chromedp.Navigate(s.URL+"/new/file?example=battleship-mp-threshold-unlimited"))
			b.says("Nothing is wrong with it.")
			b.do("submit", chromedp.Submit(`textarea[name="file"]`, chromedp.ByQuery))
			b.do("running", chromedp.WaitVisible(".state.running", chromedp.ByQuery))
			b.do("urgency", chromedp.Click("#plan summary", chromedp.ByQuery), chromedp.SetValue(`[name="priority"]`, "3", chromedp.ByQuery), chromedp.Click("#prioritise", chromedp.ByQuery))
			b.do("set", chromedp.WaitReady(`[name="priority"][value="3"]`, chromedp.ByQuery))
			b.do("stop", chromedp.Click("#stop", chromedp.ByQuery))
			b.do("stopped", chromedp.WaitVisible(".state.stopped", chromedp.ByQuery))
			b.do("its tab", chromedp.Click(`nav.tabs a[href*="tab=spec"]`, chromedp.ByQuery))
			b.do("delete", chromedp.WaitVisible("#remove summary", chromedp.ByQuery), chromedp.Click("#remove summary", chromedp.ByQuery),
				chromedp.Click("#delete", chromedp.ByQuery))
			b.says("No study yet.")

			for i := range 14 {
				level := 1000.0
				if i >= 7 {
					level = 1300
				}
				path := filepath.Join(dir, fmt.Sprintf("bench-%d.txt", i))
				if err := os.WriteFile(path, []byte(benchmarkText(level+float64(i))), 0o644); err != nil {
					t.Fatal(err)
				}
				if _, errs, code := s.Run("bench", "record", path, "--branch", "main", "--commit", fmt.Sprintf("%06x%034x", 0x4f2a10+977*i, 0)); code != 0 {
					t.Fatal(errs)
				}
			}
			b.do("benchmarks", chromedp.Navigate(s.URL+"/bench"))
			b.says("worse since run 8")
			narrow("benchmarks")
			b.do("a series", chromedp.Click(`.measures a`, chromedp.ByQuery))
			b.says("a filled mark begins a new level")
			b.says("1.3")
			narrow("series")
			for _, text := range b.said {
				t.Errorf("console: %s", text)
			}
		})
	}
}
