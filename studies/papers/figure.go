package papers

import (
	"bytes"
	"fmt"
	"html"
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
// docs/figures.
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

// drawn is a row as it is drawn.
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
