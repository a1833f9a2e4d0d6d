package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// axe returns axe-core 4.10.3 of Deque Systems (MPL 2.0), as it was published; it is used
// by this test alone and is not in the program.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("testdata/axe/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(text); !strings.HasPrefix(string(sums), hex.EncodeToString(sum[:])+"  axe.min.js") {
		t.Fatal("axe.min.js is not the file that was published")
	}
	return string(text)
}

// What axe looks at. Most rules are of markup, which neither the width nor the colours change: a page is
// held to all of them, but those of WCAG's level AAA, where the menu is a line and where it is a drawer,
// elsewhere to those of layout, and in the dark to those of colours. SAKUSEN_AXE=all holds it to all everywhere.
const (
	axeRules   = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	axeLayout  = `["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block", "region"]`
	axeColours = `["color-contrast", "link-in-text-block"]`
)

// audit runs axe over the page, which has its script, and fails for what it finds.
func (b *browser) audit(what, rules string) {
	b.t.Helper()
	if os.Getenv("SAKUSEN_AXE") == "all" {
		rules = axeRules
	}
	b.do("axe", chromedp.Evaluate(fmt.Sprintf(`window.found = null; axe.run(document, {runOnly: %s, resultTypes: ["violations"], preload: %v}).then(function (r) {
		window.found = r.violations.map(function (v) {
			return v.id + " (" + v.impact + "): " + v.nodes.slice(0, 4).map(function (n) { return n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " ").slice(0, 160); }).join("; ");
		});
	}); true`, rules, rules == axeRules), nil))
	b.waits("axe is done", "window.found")
	var found []string
	b.asks("window.found", &found)
	for _, v := range found {
		b.t.Errorf("%s: %s", what, v)
	}
}

// Every page, narrow and wide, light and dark, has nothing that axe finds fault
// with by WCAG 2.2 AA and its best practices, and but for films weighs at most 60 KiB with all
// that it loads. SAKUSEN_SCREENSHOTS names a folder
// for pictures, SAKUSEN_PAGES is a regular expression of the pages to look at.
func TestBrowserAccessibility(t *testing.T) {
	suite.All(t)
	script := axe(t)
	b := openBrowser(t, 1440)
	s := clitest.Serve(t, t.TempDir())
	proved := hill(s, 1, 120, 10, 1500)
	hill(s, 2, 1, 60, 1500)
	hill(s, 3, 60, 30, 40)
	for name, text := range map[string]string{
		"cup.yaml": strings.Replace(browserCup, "blocks: 1000", "blocks: 40", 1),
		"duels.yaml": `version: 1
name: duels
doc: What does the default search find on a hill?
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: 80}]
tune: {strategy: point}
baseline: point
budget: {trials: 400, games: 4000}
`,
		"front.yaml": `version: 1
name: front
doc: What does strength cost?
game: laboratory
rules: [{name: dimensions, value: 2}]
tune: {strategy: point}
baseline: point
objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: cost, goal: minimize}]}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 24, games: 6000}
final: {top: 3, blocks: 40}
validation: {max_blocks: 200}
`,
	} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"study", "submit", "duels.yaml"}, {"study", "submit", "front.yaml"}, {"tournament", "cup.yaml"}} {
		if _, errs, code := s.Run(args...); code != 0 {
			t.Fatalf("%q: %s", args, errs)
		}
	}
	for i := range 14 {
		level := 1000.0
		if i >= 7 {
			level = 1300
		}
		path := filepath.Join(s.Dir, fmt.Sprintf("bench-%d.txt", i))
		if err := os.WriteFile(path, []byte(benchmarkText(level+float64(i))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := s.Run("bench", "record", path, "--branch", "main", "--commit", fmt.Sprintf("%06x%034x", 0x4f2a10+977*i, 0)); code != 0 {
			t.Fatal(errs)
		}
	}
	for end := suite.Deadline(t); s.States()["duels"] != "done" || s.States()["front"] != "done"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the studies do not end: %v", s.States())
		}
	}
	b.do("a run", chromedp.Navigate(s.URL+"/experiments"), chromedp.Evaluate(`(function () {
		var row = document.getElementById("battleship-table5");
		row.querySelector("input[name=games]").value = "20";
		row.querySelector("button").click();
		return true;
	})()`, nil))
	b.says("rows: ")
	if _, errs, code := s.Run("test", "--game", "battleship", "RNB", "R"); code != 0 {
		t.Fatal(errs)
	}
	b.do("all that a page loads is loaded with it", network.SetCacheDisabled(true))
	only := regexp.MustCompile(os.Getenv("SAKUSEN_PAGES"))
	for _, p := range looked(proved) {
		if !only.MatchString(p.name) {
			continue
		}
		b.screen(1440, "light") // a page is loaded once: window and colours change where it is
		b.do(p.name, chromedp.Navigate(s.URL+p.path), chromedp.Evaluate(script, nil))
		var weight int
		b.waits(p.name, `document.readyState === "complete"`)
		b.asks(`performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource")).reduce(function (n, e) { return n + e.encodedBodySize; }, 0)`, &weight)
		if t.Logf("%s: %d bytes in all", p.name, weight); weight > mostTransferred && !strings.HasPrefix(p.name, "film") || weight == 0 {
			t.Errorf("%s takes %d bytes in all, want at most %d", p.name, weight, mostTransferred)
		}
		for _, width := range []int{1440, 768, 375} {
			b.screen(width, "light")
			b.fits(fmt.Sprintf("%s at %d", p.name, width))
			b.sound(p.name, width)
			if p.name == "study" && width == 1440 {
				b.says("Trials 0 to 39")
				var shape struct{ Height, Answer float64 }
				b.asks(`({Height: document.documentElement.scrollHeight, Answer: document.querySelector(".change table").getBoundingClientRect().bottom + scrollY})`, &shape)
				if shape.Height > 1600 || shape.Answer > 600 {
					t.Errorf("the page of a study is %g pixels high, its answer ends at %g; want at most 1600 and 600", shape.Height, shape.Answer)
				}
			}
			rules := axeRules
			if width == 768 {
				rules = axeLayout
			}
			b.audit(fmt.Sprintf("%s at %d, light", p.name, width), rules)
			b.both(p.name, width)
			b.audit(fmt.Sprintf("%s at %d, dark", p.name, width), axeColours)
			b.do("light", chromedp.Evaluate(`document.documentElement.removeAttribute("data-theme"); document.dispatchEvent(new CustomEvent("sakusen:theme")); true`, nil))
		}
	}
}

// both keeps pictures of a page in light and dark, and leaves it dark.
func (b *browser) both(name string, width int) {
	b.t.Helper()
	b.shot(name+"-light", width, 1600)
	b.do("dark", chromedp.Evaluate(`document.documentElement.setAttribute("data-theme", "dark"); document.dispatchEvent(new CustomEvent("sakusen:theme")); true`, nil))
	b.shot(name+"-dark", width, 1600)
}
