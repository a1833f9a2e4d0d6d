package bench

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// sparkRuns bounds the runs of a small drawing.
const sparkRuns = 80

// Spark draws the last runs of a history as one small line with a mark at each run with
// which a level begins. What is drawn covers at least a tenth of the level, so that
// noise stays flat. The label says the same in words.
func Spark(values []float64, changes []int, label string) template.HTML {
	const width, height = 120.0, 24.0
	from := max(0, len(values)-sparkRuns)
	values = values[from:]
	if len(values) == 0 {
		return ""
	}
	low, high := slices.Min(values), slices.Max(values)
	middle := (low + high) / 2
	half := max((high-low)/2, 0.05*math.Abs(middle))
	if half == 0 {
		half = 1
	}
	step := width / float64(max(1, len(values)-1))
	y := func(v float64) float64 { return height / 2 * (1 - (v-middle)/half) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="spark" viewBox="-3 -3 %g %g" role="img" aria-label="%s">`, width+6, height+6, template.HTMLEscapeString(label))
	for _, c := range changes {
		if c > from {
			x := (float64(c-from) - 0.5) * step
			fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="-2" y2="%g"/>`, x, x, height+2)
		}
	}
	b.WriteString(`<polyline points="`)
	for i, v := range values {
		fmt.Fprintf(&b, "%.1f,%.1f ", float64(i)*step, y(v))
	}
	fmt.Fprintf(&b, `"/><circle cx="%.1f" cy="%.1f" r="2.5"/></svg>`, float64(len(values)-1)*step, y(values[len(values)-1]))
	return template.HTML(b.String()) // numbers, and a text escaped above
}
