package papers

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
)

// grid prints the measured values of an experiment, a line for each label and a column for
// each metric.
func (p printer) grid(name string) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var labels, metrics []string
	cell := map[[2]string]string{}
	for i := range rows {
		if !slices.Contains(labels, rows[i].Label) {
			labels = append(labels, rows[i].Label)
		}
		if !slices.Contains(metrics, rows[i].Metric) {
			metrics = append(metrics, rows[i].Metric)
		}
		cell[[2]string{rows[i].Label, rows[i].Metric}] = measuredText(&rows[i])
	}
	var b strings.Builder
	b.WriteString("| | " + strings.Join(metrics, " | ") + " |\n|---|" + strings.Repeat("---:|", len(metrics)))
	for _, label := range labels {
		b.WriteString("\n| " + label + " |")
		for _, metric := range metrics {
			b.WriteString(" " + cell[[2]string{label, metric}] + " |")
		}
	}
	return b.String(), nil
}

// measuredText is the measured value with its interval; a number without one that is not
// whole has four decimals.
func measuredText(row *experiment.Row) string {
	_, text := row.Texts()
	if x, err := strconv.ParseFloat(text, 64); err == nil && x != math.Trunc(x) {
		text = strconv.FormatFloat(x, 'f', 4, 64)
	}
	return text
}
