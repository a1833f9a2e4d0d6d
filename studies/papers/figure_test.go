package papers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/web/chart"
)

// figureStyle gives a drawing that stands alone the colours of the pages, dark ones too.
const figureStyle = `text{fill:#16191d;font:12px system-ui,sans-serif}.name{font-weight:600}.mid{text-anchor:middle}.end{text-anchor:end}.axis,.grid,.tick{stroke:#c9ced4}.bar{stroke:#0b57a4;stroke-width:1.5}.dot{fill:#0b57a4}.printed{fill:#fff;stroke:#16191d;stroke-width:1.5}.page{fill:#fff}` +
	`@media(prefers-color-scheme:dark){text{fill:#e8eaed}.axis,.grid,.tick{stroke:#4a525b}.bar{stroke:#7db7f0}.dot{fill:#7db7f0}.printed{fill:#181c20;stroke:#e8eaed}.page{fill:#181c20}}`

// Places of the drawings of a figure, in its own units.
const (
	figureWidth, figureTitle = 640.0, 22.0
	figureMany               = 2 // more drawings than these stand side by side
)

// viewBox finds the size of a drawing.
var viewBox = regexp.MustCompile(`^<svg class="chart" viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)

// unlike makes the name of a file of what has other characters.
var unlike = regexp.MustCompile(`[^a-z0-9]+`)

// figure draws the rows of an experiment over the number in their labels, each metric by
// itself, or those of the given metrics: what was measured with its interval, what is
// printed beside it. It answers with the link to the drawing, which stands in
// docs/research/figures.
func (p printer) figure(name, about string, metrics ...string) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var list []chart.Row
	for i := range rows {
		if row := &rows[i]; len(metrics) == 0 || slices.Contains(metrics, row.Metric) {
			list = append(list, drawn(row))
		}
	}
	drawings := chart.Comparisons(list)
	if len(drawings) == 0 {
		return "", fmt.Errorf("%s has nothing that can be drawn", name)
	}
	svg, err := compose(drawings)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	file := strings.Trim(unlike.ReplaceAllString(name, "-"), "-") + ".svg"
	p.figures[file] = svg
	return fmt.Sprintf("![%s](figures/%s)", about, file), nil
}

// drawn returns a row as it is drawn.
func drawn(row *experiment.Row) chart.Row {
	number := func(v experiment.Value) *float64 {
		if x, err := strconv.ParseFloat(v.String(), 64); err == nil {
			return &x
		}
		return nil
	}
	printed, measured := row.Texts()
	return chart.Row{
		Label: row.Label, Metric: row.Metric, Printed: printed, Measured: measured,
		PrintedValue: number(row.Printed), MeasuredValue: number(row.Measured),
		PrintedCI: row.PrintedCI.Ends(), MeasuredCI: row.CI.Ends(),
	}
}

// compose puts drawings with their titles into one that stands alone, one below the
// other, or two side by side where they are many.
func compose(drawings []chart.Comparison) ([]byte, error) {
	columns := 1
	if len(drawings) > figureMany {
		columns = 2
	}
	var b bytes.Buffer
	x, y, tallest := 0.0, 0.0, 0.0
	for i, d := range drawings {
		text := string(d.Plot)
		m := viewBox.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%s: a drawing without a size", d.Title)
		}
		height, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n"+`<text class="name" x="%g" y="%g">%s</text>`, x+8, y+15, html.EscapeString(d.Title))
		fmt.Fprintf(&b, "\n"+`<svg x="%g" y="%g" width="%g" height="%g"%s`, x, y+figureTitle, figureWidth, height, strings.TrimPrefix(text, "<svg"))
		if tallest = max(tallest, height+figureTitle); (i+1)%columns == 0 || i == len(drawings)-1 {
			x, y, tallest = 0, y+tallest, 0
		} else {
			x += figureWidth
		}
	}
	size := fmt.Sprintf("%g %g", float64(columns)*figureWidth, y)
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s"><style>%s</style><rect class="page" width="100%%" height="100%%"/>%s</svg>`+"\n", size, figureStyle, b.String()), nil
}

// A solution is a stored answer of `sakusen paper solve daifugo --method positions`.
type solution struct {
	Players   int     `json:"players"`
	Cards     int     `json:"cards"`
	Ranks     int     `json:"ranks"`
	Method    string  `json:"method"`
	Solution  [][]int `json:"solution"`
	Positions string  `json:"positions"`

	seconds, mib string // of the process: processor time, greatest memory
}

var solutionName = regexp.MustCompile(`^solve-([0-9]+-[0-9]+-[0-9]+)\.seconds-([0-9]+)\.mib-([0-9]+)\.json$`)

// readSolutions reads all stored answers, by players, cards and ranks.
func readSolutions(results fs.FS) (map[string]solution, error) {
	files, err := fs.Glob(results, "solve-*.json")
	if err != nil {
		return nil, err
	}
	all := map[string]solution{}
	for _, file := range files {
		m := solutionName.FindStringSubmatch(path.Base(file))
		if m == nil {
			return nil, fmt.Errorf("%s: expected a name like solve-3-10-3.seconds-317.mib-2968.json", file)
		}
		text, err := fs.ReadFile(results, file)
		if err != nil {
			return nil, err
		}
		s := solution{seconds: m[2], mib: m[3]}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%s: expected the JSON of solve daifugo: %w", file, err)
		}
		if name := fmt.Sprintf("%d-%d-%d", s.Players, s.Cards, s.Ranks); name != m[1] || s.Method != "positions" {
			return nil, fmt.Errorf("%s: expected %s by positions, got %s by %s", file, m[1], name, s.Method)
		}
		all[m[1]] = s
	}
	return all, nil
}

// everything reports whether every player can have every rank.
func (s solution) everything() bool {
	return len(s.Solution) == s.Players && !slices.ContainsFunc(s.Solution, func(ranks []int) bool { return len(ranks) != s.Ranks })
}

// solved returns what a stored answer says and what it took, or other words where there is none.
func (p printer) solved(name, other string) string {
	s, ok := p.solutions[name]
	if !ok {
		return other
	}
	value := "everybody can have every rank"
	if !s.everything() {
		value = fmt.Sprint("ranks ", s.Solution)
	}
	return fmt.Sprintf("%s; %s positions, %s s of one core, %s MiB", value, s.Positions, s.seconds, s.mib)
}
