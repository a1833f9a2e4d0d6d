package studies

import (
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/view"
)

// hill is a study of a hill, but for its name, its height and what it asks.
const hill = `version: 1
name: %s
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: %d}]
tune: {strategy: point}
baseline: point
sampler: {name: uniform, seed: 1, batch: 8}
race: {rungs: [8, 32], keep: 0.5}
budget: {trials: 40, games: 20000}
final: {top: 3, blocks: 100}
%s
`

// The terminal, the pages and the JSON of one stored study show the same gain with the same
// interval, the same claim of the search, and agree on whether chance explains the rest.
func TestStudyIsToldAlike(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "sakusen.db")
	type told struct {
		Best     struct{ Trial int }
		Sections []view.Section
	}
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	results, terminal := map[string]told{}, map[string]string{}
	for _, c := range []struct {
		name   string
		height int
		asks   string
		code   int
	}{
		{"proved", 120, "validation: {gain_elo: [0, 10], max_blocks: 1500}", clitest.ExitDone},
		{"flat", 1, "validation: {gain_elo: [0, 60], max_blocks: 1500}", clitest.ExitNegative},
		{"open", 15, "validation: {gain_elo: [0, 30], max_blocks: 40}", clitest.ExitInconclusive},
		{"cheapest", 60, "objective: {of: metric, metric: cost, goal: minimize}\nvalidation: {max_blocks: 200}", clitest.ExitDone},
		{"front", 100, "objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: cost, goal: minimize}]}\nvalidation: {max_blocks: 200}", clitest.ExitDone},
		{"met", 120, "pool: [point]\nvalidation: {gain_elo: [0, 10], max_blocks: 1500}", clitest.ExitDone},
	} {
		name := c.name
		clitest.WriteFile(t, dir, name+".yaml", fmt.Sprintf(hill, name, c.height, c.asks))
		p := clitest.Launch(t, "", "tune", filepath.Join(dir, name+".yaml"), "--db", db, "--quiet", "--json")
		if p.Code != c.code {
			t.Fatalf("%s: %+v", name, p)
		}
		results[name] = clitest.Decode[told](t, p.Out)
		shown := clitest.Decode[told](t, clitest.Launch(t, "", "study", "show", name, "--db", db, "--json").Out)
		if !reflect.DeepEqual(results[name].Sections, shown.Sections) {
			t.Errorf("%s: tune has %+v, study show %+v", name, results[name].Sections, shown.Sections)
		}
		terminal[name] = plain(clitest.Launch(t, "", "study", "show", name, "--db", db).Out)
	}
	for name, r := range results {
		checkReports(t, db, dir, r.Sections, name)
	}
	checkReports(t, db, dir, results["met"].Sections, "met", "proved", "flat", "open", "cheapest", "front")
	d := clitest.Serve(t, dir)
	page := func(path string) string {
		status, text := d.Answer("GET", path, "")
		if status != 200 {
			t.Fatalf("%s: status %d", path, status)
		}
		return plain(html.UnescapeString(text))
	}
	for name, r := range results {
		lines := map[string]view.Line{}
		for _, l := range view.Find(r.Sections, "head").Lines {
			lines[l.Label] = l
		}
		gain := lines["Gain"]
		if gain.Value == "" || gain.Interval == nil {
			t.Fatalf("%s: no gain in %+v", name, r.Sections)
		}
		ends := view.Typeset(gain.Interval.Ends())
		headed, list := page("/studies/"+name), page("/studies?q="+name)
		for what, text := range map[string]string{"page": headed, "list": list} {
			if !strings.Contains(text, view.Typeset(gain.Value)) || !strings.Contains(text, ends) {
				t.Errorf("%s: the %s has not %s, %s", name, what, gain.Value, ends)
			}
		}
		for _, label := range []string{"Told", "Tested"} {
			if !strings.Contains(headed, view.Typeset(lines[label].Value)) {
				t.Errorf("%s: the page has not %q", name, lines[label].Value)
			}
		}
		for _, l := range r.Sections[1].Lines {
			if !strings.Contains(terminal[name], plain(l.Text())) {
				t.Errorf("%s: the terminal has not %q", name, l.Text())
			}
		}
		for text, elsewhere := range map[string]string{"the difference may be chance": "the difference may be chance", "came from choosing the best of many": "the best of many looks better than it is"} {
			if strings.Contains(headed, text) && !strings.Contains(terminal[name], elsewhere) {
				t.Errorf("%s: the page says %q, the terminal %q", name, text, terminal[name])
			}
		}
		if name == "cheapest" {
			continue // its terminal tells the gain as such, the page in per cent
		}
		if !strings.Contains(terminal[name], gain.Value) || !strings.Contains(terminal[name], "between "+gain.Interval.Low+" and "+gain.Interval.High) {
			t.Errorf("%s: the terminal has not %+v: %s", name, gain, terminal[name])
		}
		if name != "front" && name != "met" { // the values of whose trials are no Elo
			if row := fmt.Sprintf(`<td class="n">%s</td><td class="nowrap">%s</td>`, strings.TrimSuffix(view.Typeset(gain.Value), " Elo"), ends); !strings.Contains(page(fmt.Sprintf("/studies/%s/trials/%d", name, r.Best.Trial)), row) {
				t.Errorf("%s: the page of the trial has not %s", name, row)
			}
		}
	}
}

// checkReports writes reports of studies in every format: each has the gain of the first one with
// its interval, is small, and loads and runs nothing; what is drawn in it is XML.
func checkReports(t *testing.T, db, dir string, sections []view.Section, names ...string) {
	t.Helper()
	head := view.Find(sections, "head").Lines
	gain := head[slices.IndexFunc(head, func(l view.Line) bool { return l.Label == "Gain" })]
	for _, format := range []string{"html", "md", "svg"} {
		file := filepath.Join(dir, "report."+format)
		p := clitest.Launch(t, "", append(append([]string{"report"}, names...), "-o", file, "--db", db, "--json")...)
		text, err := os.ReadFile(file)
		if p.Code != clitest.ExitDone || err != nil {
			t.Fatalf("%s as %s: %+v, %v", names, format, p, err)
		}
		if done := clitest.Decode[struct{ Bytes int }](t, p.Out); done.Bytes != len(text) || len(text) > 300_000 {
			t.Errorf("%s as %s: %d bytes, said %d", names, format, len(text), done.Bytes)
		}
		plain := html.UnescapeString(string(text))
		for _, want := range []string{gain.Value, gain.Interval.Low, gain.Interval.High, head[0].Value} {
			if !strings.Contains(plain, view.Typeset(want)) && !strings.Contains(plain, want) {
				t.Errorf("%s as %s has not %q", names, format, want)
			}
		}
		for _, bad := range []string{"<script", "src=\"http", "url(", "@import", "var(--", "light-dark"} {
			if strings.Contains(plain, bad) {
				t.Errorf("%s as %s has %q", names, format, bad)
			}
		}
		drawings := []string{string(text)}
		switch format {
		case "md":
			continue
		case "html":
			drawings = nil
			for _, m := range regexp.MustCompile(`data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)`).FindAllStringSubmatch(plain, -1) {
				drawing, err := base64.StdEncoding.DecodeString(m[1])
				if err != nil {
					t.Fatal(err)
				}
				drawings = append(drawings, string(drawing))
			}
			light := regexp.MustCompile(`(?s)<style>\n@media screen and \(prefers-color-scheme: dark\) \{\n[^<]*\}\n</style>`).ReplaceAllString(plain, "")
			if rest := regexp.MustCompile(`(src|href|srcset)="([^d]|d[^a])`).FindString(light); rest != "" || strings.Contains(light, "<style") {
				t.Errorf("%s: a report loads %q, or needs a style sheet", names, rest)
			}
		}
		if len(drawings) == 0 {
			t.Errorf("%s as %s: no drawing", names, format)
		}
		for _, drawing := range drawings {
			if err := xml.Unmarshal([]byte(drawing), new(any)); err != nil {
				t.Errorf("%s as %s: %v in %.300s", names, format, err, drawing)
			}
			if strings.Contains(drawing, "var(") || !strings.Contains(drawing, "xmlns") {
				t.Errorf("%s as %s: a drawing that needs more: %.300s", names, format, drawing)
			}
		}
	}
}

// The list has verdict, gain and interval of what is done, compare holds studies against each
// other, and show lists the trials of duels by the model of all games, the best first; their JSON
// has the same.
func TestStudiesBesideEachOther(t *testing.T) {
	dir := t.TempDir()
	run := func(code int, args ...string) string {
		t.Helper()
		p := clitest.Launch(t, "", append(args, "--db", filepath.Join(dir, "sakusen.db"))...)
		if p.Code != code {
			t.Fatalf("%s: code %d: %s", strings.Join(args, " "), p.Code, p.Err)
		}
		return strings.Join(strings.Fields(p.Out), " ")
	}
	clitest.WriteFile(t, dir, "proved.yaml", fmt.Sprintf(hill, "proved", 120, ""))
	clitest.WriteFile(t, dir, "duels.yaml", "version: 1\nname: duels\ngame: laboratory\nrules: [{name: dimensions, value: 2}, {name: headroom, value: 120}]\ntune: {strategy: point}\nbaseline: point\nbudget: {games: 4000}\n")
	run(clitest.ExitDone, "tune", filepath.Join(dir, "proved.yaml"), "--quiet")
	duels := clitest.Decode[struct{ Sections []view.Section }](t, run(clitest.ExitDone, "tune", filepath.Join(dir, "duels.yaml"), "--quiet", "--json"))
	gain := view.Find(duels.Sections, "head").Lines[1]
	for what, text := range map[string]string{"list": run(clitest.ExitDone, "study", "list"), "compare": run(clitest.ExitDone, "study", "compare", "proved", "duels")} {
		for _, want := range []string{"assed", gain.Value, "[" + gain.Interval.Low + ", " + gain.Interval.High + "]"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has not %q: %s", what, want, text)
			}
		}
	}
	type compared struct {
		Studies  []struct{ Study string }
		Sections []view.Section
	}
	if c := clitest.Decode[compared](t, run(clitest.ExitDone, "study", "compare", "proved", "duels", "--json")); len(c.Studies) != 2 || c.Studies[1].Study != "duels" || len(view.Find(c.Sections, "differences").Lines) != 1 {
		t.Errorf("compare: %+v", c)
	}
	run(clitest.ExitUsage, "study", "compare", "proved")
	for _, args := range [][]string{{"report", "proved"}, {"report", "proved", "-o", "r.pdf"}, {"report", "nobody", "-o", filepath.Join(dir, "r.md")}, {"report", "-o", "r.md"}} {
		run(clitest.ExitUsage, args...)
	}
	run(clitest.ExitUsage, "study", "compare", "proved", "nobody")
	type shown struct {
		Trial     []struct{ Number int }
		Estimates []struct {
			Trial int
			Games int64
			Elo   float64
			CI    [2]float64 `json:"elo_ci95"`
		}
	}
	w := clitest.Decode[shown](t, run(clitest.ExitDone, "study", "show", "duels", "--json"))
	games := int64(0)
	for i, e := range w.Estimates {
		if games += e.Games; i > 0 && e.CI[0] > w.Estimates[i-1].CI[0] { // little known is not better
			t.Errorf("trial %d, at least %g Elo, stands behind one with %g", e.Trial, e.CI[0], w.Estimates[i-1].CI[0])
		}
	}
	if len(w.Estimates) < 100 || len(w.Estimates) > len(w.Trial) || w.Estimates[0].Elo < 60 || games < 2*1000 {
		t.Errorf("%d estimates of %d trials, %d games, the best %+v", len(w.Estimates), len(w.Trial), games, w.Estimates[:1])
	}
	if text := run(clitest.ExitDone, "study", "show", "duels", "--limit", "2"); !strings.Contains(text, fmt.Sprintf("ELO BY THE MODEL 95 %% PARAMETERS %d complete", w.Estimates[0].Trial)) {
		t.Errorf("show: %s", text)
	}
}
