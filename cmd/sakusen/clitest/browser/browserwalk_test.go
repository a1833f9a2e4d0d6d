package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// hillWalk is a study of a hill, but for what it asks and how much it plays.
const hillWalk = `version: 1
name: %s
doc: %s
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: %d}]
tune: {strategy: point}
baseline: point
sampler: {name: uniform, seed: 1, batch: 8}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 40, games: 20000}
final: {top: 3, blocks: 100}
`

// clockedStudy tunes an engine by the clock, whose games cannot be played again.
const clockedStudy = `engines:
  toy: {command: [%q], environment: [%q]}
version: 1
name: clocked
doc: Which Sense is best by the clock?
game: chess
rules:
  - {name: limit, value: "movetime:1000"}
  - {name: most_plies, value: 60}
tune: {strategy: toy, params: [{name: Sense}]}
baseline: toy
sampler: {seed: 2}
budget: {games: 400}
`

// walked are the studies of the walk and what the list says of each, in its own words.
var walked = []struct {
	name, file string
	says       []string // patterns
}{
	{"proved", fmt.Sprintf(hillWalk, "proved", "Which point is best?", 120) + "validation: {gain_elo: [0, 10], max_blocks: 1500}\n",
		[]string{`Which point is best\?`, `✓ Passed`, `x1 = 0\.\d+, x2 = 0\.\d+`, `\+\d+ Elo`, `\d+ to \d+`}},
	{"not-better", fmt.Sprintf(hillWalk, "not-better", "Is a flat hill worth climbing?", 1) + "validation: {gain_elo: [0, 60], max_blocks: 1500}\n",
		[]string{`✗ Failed, not better`, `[+−]?\d+(\.\d+)? Elo`}},
	{"undecided", fmt.Sprintf(hillWalk, "undecided", "Do 40 blocks say anything?", 15) + "validation: {gain_elo: [0, 30], max_blocks: 40}\n",
		[]string{`\? Undecided`, `\+\d+ Elo`}},
	{"front", strings.Replace(fmt.Sprintf(hillWalk, "front", "What does strength cost?", 100), "trials: 40", "trials: 24", 1) +
		"objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: cost, goal: minimize}]}\nvalidation: {max_blocks: 200}\n",
		[]string{`What does strength cost\?`, `A point of the front: x1 = `}},
	{"generations", `version: 1
name: generations
doc: Who survives among its own?
game: lifeboats
tune: {strategy: level0}
evaluate: {mode: pool, group: 4, filler: random, rounds: 1, games: 10}
sampler: {name: jgg, seed: 1, options: [{name: population, value: 20}, {name: parents, value: 18}, {name: children, value: 20}]}
budget: {trials: 80, games: 4000}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 300], max_blocks: 60}
`, []string{`Who survives among its own\?`, `The strongest of its generations: `, `✗ Failed, gains less than asked`, `\+\d+ Elo \d+ to`}},
	{"cheapest", fmt.Sprintf(hillWalk, "cheapest", "Which point is cheapest?", 60) + "objective: {of: metric, metric: cost, goal: minimize}\nvalidation: {max_blocks: 200}\n",
		[]string{`Which point is cheapest\?`, `% cost −\d+(\.\d+)? to −\d+(\.\d+)? %`, `x1 = `}},
	{"limited", fmt.Sprintf(hillWalk, "limited", "What is best for little work?", 100) +
		"objective: {of: score, limits: [{metric: cost, max: 900}]}\nvalidation: {gain_elo: [0, 10], max_blocks: 400}\n",
		[]string{`What is best for little work\?`, `within its limits|No answer`}},
	{"duels", strings.NewReplacer("sampler: {name: uniform, seed: 1, batch: 8}\nrace: {rungs: [8, 32], keep: 0.5}\nbudget: {trials: 40, games: 20000}\nfinal: {top: 3, blocks: 100}\n", "budget: {trials: 400, games: 4000}\n").Replace(fmt.Sprintf(hillWalk, "duels", "What does the default search find?", 80)),
		[]string{`What does the default search find\?`, `\+\d+ Elo`}},
	{"pool", `version: 1
name: pool
doc: Which does best against the worst of three?
game: battleship
tune: {strategy: mp, params: [{name: start_squares}]}
baseline: MP50
pool: [RNB, CB, MP50/ED1SP]
objective: {of: score, over: worst}
sampler: {name: uniform, seed: 3, batch: 8}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 16, games: 20000}
final: {top: 3, blocks: 60}
validation: {max_blocks: 300}
`, []string{`Which does best against the worst of three\?`, `Elo`}},
	{"clocked", fmt.Sprintf(clockedStudy, os.Args[0], ucitest.As("", 0)[0]),
		[]string{`Which Sense is best by the clock\?`, `Sense = \d+; recorded games, which cannot be played again`}},
}

// studyFile writes a study file into a folder and returns its path.
func studyFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	clitest.WriteFile(t, dir, name+".yaml", text)
	return filepath.Join(dir, name+".yaml")
}

// A new user opens the list of a database with studies of all states and kinds, and
// is told what each found without opening one: docs/research/testing.md walks through it. The page
// of each answers in its first 600 pixels and ends above 1 600, and its numbers are those of the API.
func TestBrowserWalk(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	db := filepath.Join(dir, "sakusen.db")
	for _, s := range walked {
		if p := clitest.Launch(t, "", "tune", studyFile(t, dir, s.name, s.file), "--db", db, "--quiet"); p.Code != 0 && p.Code != 1 && p.Code != 3 {
			t.Fatalf("%s: exit code %d, %s", s.name, p.Code, p.Err)
		}
	}
	for _, name := range []string{"paused", "failed"} {
		path := studyFile(t, dir, name, fmt.Sprintf(hillWalk, name, "What of a study that is "+name+"?", 60)+"validation: {gain_elo: [0, 30], max_blocks: 40}\n")
		for _, args := range [][]string{{"study", "submit", path}, {"study", "pause", name}} {
			if p := clitest.Launch(t, "", append(args, "--db", db)...); p.Code != 0 {
				t.Fatalf("%q: %s", args, p.Err)
			}
		}
	}
	fail(t, db, "failed", "the engine did not answer within 10 s")
	d := clitest.Serve(t, dir)
	b := openBrowser(t, 1440)
	b.screen(1440, "light")
	b.do("list", chromedp.Navigate(d.URL+"/studies"), chromedp.WaitVisible("#study-proved", chromedp.ByQuery))
	b.shot("walk", 1440, 1600)
	rows := map[string]string{}
	b.asks(`Object.fromEntries([...document.querySelectorAll("tr[id^=study-]")].map(e => [e.id.slice(6), e.innerText.replace(/\s+/g, " ")]))`, &rows)
	says := func(name string, patterns []string) {
		for _, pattern := range patterns {
			if !regexp.MustCompile(pattern).MatchString(rows[name]) {
				t.Errorf("the list says of %s: %q; not %q", name, rows[name], pattern)
			}
		}
	}
	for _, s := range walked {
		says(s.name, s.says)
	}
	says("paused", []string{`What of a study that is paused\?`, `Ⅱ Paused`, `Nothing is played`})
	says("failed", []string{`! Failed with an error`, `A program that plays gave no answer in time\.`})
	if len(rows) != 12 {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	for name, row := range rows {
		t.Logf("%s: %s", name, row)
		b.do(name, chromedp.Navigate(d.URL+"/studies/"+name))
		b.waits("it is whole", `document.readyState === "complete" && document.getElementById("verdict")`)
		var at struct{ Answer, Height float64 }
		b.asks(`({Answer: Math.max(...[...document.querySelectorAll("#verdict, #live .big")].map(e => e.getBoundingClientRect().bottom + scrollY)), Height: document.documentElement.scrollHeight})`, &at)
		t.Logf("%s: the answer ends at %.0f, the page at %.0f", name, at.Answer, at.Height)
		if at.Answer <= 0 || at.Answer > 600 || at.Height > 1600 {
			t.Errorf("%s: the answer ends at %.0f pixels, the page at %.0f; want at most 600 and 1600", name, at.Answer, at.Height)
		}
		if name == "failed" { // what is wrong with it is folded, and no button of the first rank leads to it again
			var primary, details string
			b.asks(`[...document.querySelectorAll(".title .primary")].map(e => e.textContent).join()`, &primary)
			b.asks(`(document.querySelector("#details:not([open]) pre") || {textContent: ""}).textContent`, &details)
			if primary != "" || details != "the engine did not answer within 10 s" {
				t.Errorf("a failed study has the first button %q and the details %q", primary, details)
			}
		}
		b.shot("walk-"+name, 1440, 1700)
	}
	for _, s := range walked {
		b.numbers(d, s.name)
	}
	b.silent()
}

// fail puts a study into the state of one that an error ended.
func fail(t *testing.T, path, study, message string) {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := store.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	log, err := s.Studies.Open(t.Context(), study)
	if err == nil {
		err = log.SetState(t.Context(), tuner.Failed, message)
	}
	if err != nil {
		t.Fatal(err)
	}
}
