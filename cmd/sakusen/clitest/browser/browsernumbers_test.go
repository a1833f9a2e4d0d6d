package browser

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
)

// apiStudy is what the API says of a study that has ended.
type apiStudy struct {
	Trials, Games int64
	Result        struct {
		Best struct {
			Trial   int
			Params  map[string]string
			Claimed struct{ Elo *float64 }
		}
		Front      []struct{ Trial int }
		Validation struct {
			apiGain
			Blocks   int64
			Metric   *apiMetric
			Attempt  int64
			Pool     []apiGain
			Estimate *struct {
				apiGain
				Blocks int64
				Whole  bool
				Metric *apiMetric
			}
		}
		SetBack []struct {
			Parameters []string
			Lost       *float64 `json:"elo_lost"`
			CI95       *[2]float64
			Metric     *apiMetric
		} `json:"set_back"`
	}
}

type apiGain struct {
	Score, Elo *float64
	CI95       *[2]float64
}

type apiMetric struct {
	Winner, Baseline, Gain *float64
	GainCI                 *[2]float64 `json:"gain_ci"`
}

// number is a number of a page: a sign, digits with narrow spaces between thousands.
var number = regexp.MustCompile(`[+\x{2212}-]?\d[\d\x{202f}]*(\.\d+)?`)

// compared counts the numbers of a page that were compared with the API's, and those that are off.
type compared struct {
	b          *browser
	name       string
	seen, away int
}

// is compares a number in a text with a value: it is rounded to its last digit, or as the end of an
// interval of gains in Elo outwards (-1 the lower one, 1 the upper one).
func (c *compared) is(what, text string, value float64, outwards int) {
	c.b.t.Helper()
	c.seen++
	plain := strings.NewReplacer("\u2212", "-", "\u202f", "", "+", "").Replace(number.FindString(text))
	shown, err := strconv.ParseFloat(plain, 64)
	_, decimals, _ := strings.Cut(plain, ".")
	unit := math.Pow10(-len(decimals))
	for whole := strings.TrimSuffix(plain, "0"); len(decimals) == 0 && whole != plain && whole != "" && math.Abs(value) > 200; whole = strings.TrimSuffix(plain, "0") { // 250 of 247.3: to tens
		plain, unit = whole, 10*unit
	}
	off := shown - value
	ok := math.Abs(off) <= unit*(0.5+1e-6)
	if outwards != 0 {
		ok = float64(outwards)*off >= -1e-6 && math.Abs(off) < 1+1e-6
	}
	if err != nil || !ok {
		c.away++
		c.b.t.Errorf("%s: %s is %q on the page, %g in the API (%v)", c.name, what, text, value, err)
	}
}

// ends compares the two ends of an interval.
func (c *compared) ends(what, text string, ci [2]float64, gains bool) {
	c.b.t.Helper()
	all := number.FindAllString(text, -1)
	if len(all) < 2 {
		c.away++
		c.b.t.Errorf("%s: %s: no interval in %q", c.name, what, text)
		return
	}
	side := 0
	if gains {
		side = 1
	}
	c.is(what+", lower end", all[0], ci[0], -side)
	c.is(what+", upper end", all[1], ci[1], side)
}

// numbers compares the numbers on the pages of a study with those of the API.
func (b *browser) numbers(d *clitest.Daemon, name string) {
	b.t.Helper()
	c := &compared{b: b, name: name}
	var s apiStudy
	d.GetJSON("/api/v1/studies/"+name, &s)
	v := &s.Result.Validation
	b.do(name, chromedp.Navigate(d.URL+"/studies/"+name))
	b.waits("its plots", `document.readyState === "complete" && document.querySelector("#plots figure svg, #plots table")`)
	var page struct {
		Big, Said, Heading string
		Changes, Bars      [][3]string
		Strip              [][2]string
		Opponents          []string
	}
	b.asks(`({Big: (document.querySelector("#live .big") || {innerText: ""}).innerText, Said: document.querySelector("#live .said").innerText, Heading: document.querySelector(".change h2").innerText,
		Changes: [...document.querySelectorAll("#live .change tbody tr")].map(r => [r.cells[0].innerText, r.cells[2].title, r.cells[2].innerText]),
		Bars: [...document.querySelectorAll("#plots .importance tr")].map(r => [r.cells[0].innerText, r.cells[2].innerText, r.closest("section").innerText]),
		Strip: [...document.querySelectorAll("#live .said > svg.strip.wide circle[data-v]")].map(e => [e.querySelector("title").textContent, e.getAttribute("data-v")]),
		Opponents: [...document.querySelectorAll("svg.strip.wide circle[data-v]")].filter(e => e.textContent.includes("Elo above each opponent")).map(e => e.getAttribute("data-v"))})`, &page)
	gain, blocks, metric := v.apiGain, v.Blocks, v.Metric
	if e := v.Estimate; e != nil && (e.Elo != nil || e.Metric != nil) {
		gain, metric = e.apiGain, e.Metric
		if blocks = e.Blocks; e.Whole {
			blocks += v.Blocks
		}
	}
	switch {
	case metric != nil:
		percent := 100 * (*metric.Winner - *metric.Baseline) / math.Abs(*metric.Baseline)
		c.is("the gain", page.Big, percent, 0)
	case gain.Elo != nil:
		c.is("the gain", page.Big, *gain.Elo, 0)
		_, interval, _ := strings.Cut(page.Big, "Elo")
		c.ends("the gain", interval, *gain.CI95, true)
		c.is("the score", page.Said[strings.Index(page.Said, "scored"):], 100**gain.Score, 0)
	}
	if at := strings.Index(page.Said, "On "); at >= 0 {
		c.is("the blocks", page.Said[at:], float64(blocks), 0)
	}
	if claim := s.Result.Best.Claimed.Elo; claim != nil {
		if _, promise, ok := strings.Cut(page.Said, "had promised"); ok {
			c.is("the promise", promise, *claim, 0)
		}
	}
	for _, mark := range page.Strip {
		if stage, _, _ := strings.Cut(mark[0], ","); stage == "Validation" && v.Elo != nil {
			values := strings.Split(mark[1], "\t")
			for i, x := range []float64{*v.Elo, v.CI95[0], v.CI95[1]} {
				c.is("the strip", values[1+i], x, 0)
			}
		}
	}
	if known := slices.DeleteFunc(append(slices.Clone(v.Pool), gain), func(g apiGain) bool { return g.Elo == nil || g.CI95 == nil }); len(v.Pool) > 0 {
		slices.SortStableFunc(known, func(a, b apiGain) int { return cmp.Compare(*a.Elo, *b.Elo) })
		if len(known) != len(page.Opponents) {
			b.t.Fatalf("%s: %d opponents are drawn, want %d", name, len(page.Opponents), len(known))
		}
		for i, text := range page.Opponents {
			values := strings.Split(text, "\t")
			for k, x := range []float64{*known[i].Elo, known[i].CI95[0], known[i].CI95[1]} {
				c.is("an opponent", values[1+k], x, 0)
			}
		}
	}
	if len(s.Result.Front) == 0 {
		c.is("the answer", page.Heading, float64(s.Result.Best.Trial), 0)
		for _, row := range page.Changes {
			c.parameter(row[0], row[1], row[2], s.Result.Best.Params)
		}
	}
	for _, set := range s.Result.SetBack {
		lost, ci, gains := set.Lost, set.CI95, true
		if m := set.Metric; m != nil {
			lost, ci, gains = m.Gain, m.GainCI, false
		}
		for _, row := range page.Bars {
			if row[0] == strings.Join(set.Parameters, ", ") && lost != nil && ci != nil && math.Abs(*lost) < 1000 {
				c.is("without "+row[0], row[1], *lost, 0)
				_, interval, _ := strings.Cut(row[1], "(")
				c.ends("without "+row[0], interval, *ci, gains)
			}
		}
	}
	c.trials(d, s)
	if c.away > 0 || c.seen < 40 {
		b.t.Errorf("%s: %d numbers compared, %d off; want at least 40, none off", name, c.seen, c.away)
	}
	b.t.Logf("%s: %d numbers compared with the API, %d off", name, c.seen, c.away)
}

// parameter compares a value of a parameter: the whole one in the title, and the short one, of which
// three digits are known.
func (c *compared) parameter(name, whole, short string, params map[string]string) {
	c.b.t.Helper()
	if whole != "" && whole != params[name] {
		c.b.t.Errorf("%s: %s is %q on the page, %q in the API", c.name, name, whole, params[name])
		c.away++
	}
	x, err := strconv.ParseFloat(params[name], 64)
	if err == nil && math.Abs(x) >= 1e-3 && number.MatchString(short) {
		c.is(name, short, x, 0)
	}
}

// trials compares the table of trials, and how many trials and games a study has had.
func (c *compared) trials(d *clitest.Daemon, s apiStudy) {
	c.b.t.Helper()
	var told struct {
		Trials []struct {
			Number int
			Value  *float64
			Blocks float64
			Params map[string]string
		}
	}
	d.GetJSON("/api/v1/studies/"+c.name+"/trials?order=latest&limit=25", &told)
	c.b.do(c.name, chromedp.Navigate(d.URL+"/studies/"+c.name+"?tab=trials"))
	c.b.waits("its trials", `document.readyState === "complete" && document.querySelector("#trials tbody tr")`)
	var rows []map[string][2]string
	c.b.asks(`[...document.querySelectorAll("#trials tbody tr")].map(r => Object.fromEntries([...r.cells].map(e => [e.dataset.label, [e.innerText, e.title]])))`, &rows)
	if len(rows) != len(told.Trials) {
		c.b.t.Fatalf("%s: %d rows, the API has %d", c.name, len(rows), len(told.Trials))
	}
	for i, t := range told.Trials {
		c.is("a trial", rows[i]["Trial"][0], float64(t.Number), 0)
		c.seen++
		if played, err := strconv.ParseFloat(strings.ReplaceAll(rows[i]["Blocks"][0], "\u202f", ""), 64); err != nil || played < t.Blocks {
			c.b.t.Errorf("%s: trial %d has %q blocks on the page, its last rung %g in the API", c.name, t.Number, rows[i]["Blocks"][0], t.Blocks)
			c.away++
		}
		for name, cell := range rows[i] {
			if _, ok := t.Params[name]; ok {
				c.parameter(name, cell[1], cell[0], t.Params)
			}
		}
		if elo := rows[i]["Elo"][0]; t.Value != nil && *t.Value > 0.1 && *t.Value < 0.9 && number.MatchString(elo) {
			c.is(fmt.Sprint("gain of trial ", t.Number), elo, -400*math.Log10(1 / *t.Value - 1), 0)
		}
	}
	c.b.do(c.name, chromedp.Navigate(d.URL+"/studies/"+c.name+"?tab=spec"))
	c.b.waits("its provenance", `document.readyState === "complete" && document.querySelector("#provenance dl")`)
	var far string
	c.b.asks(`[...document.querySelectorAll("#provenance dt")].filter(e => e.innerText === "Trials and games")[0].nextElementSibling.innerText`, &far)
	all := number.FindAllString(far, -1)
	c.is("the trials", all[0], float64(s.Trials), 0)
	c.is("the games", all[len(all)-1], float64(s.Games), 0)
}
