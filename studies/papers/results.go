package papers

import (
	"fmt"
	"strings"

	"sakusen/tuner/contest/experiment"
)

// results prints every row of an experiment, or those whose label begins with a text,
// which is left out, with the columns that say something: the metric where there are
// several, what is printed and the verdict where something is, notes where there are any.
func (p printer) results(name string, prefix ...string) (string, error) {
	return p.listed(name, strings.Join(prefix, ""), false)
}

// claims is results without the rows of which nothing is printed.
func (p printer) claims(name string) (string, error) { return p.listed(name, "", true) }

func (p printer) listed(name, prefix string, claims bool) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var list []experiment.Row
	var metrics, printed, notes bool
	for _, row := range rows {
		label, ok := strings.CutPrefix(row.Label, prefix)
		if !ok || claims && row.Printed.Nothing() {
			continue
		}
		row.Label = strings.TrimLeft(label, ": ")
		list = append(list, row)
		metrics = metrics || row.Metric != list[0].Metric
		printed = printed || !row.Printed.Nothing()
		notes = notes || row.Note != ""
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%s has no row whose label begins with %q", name, prefix)
	}
	head := []string{""}
	measured := list[0].Metric
	if metrics {
		head, measured = append(head, "value"), "measured"
	}
	if printed {
		head = append(head, "printed")
		if !metrics {
			measured += ", measured"
		}
	}
	head = append(head, measured)
	if printed {
		head = append(head, "verdict")
	}
	if notes {
		head = append(head, "note")
	}
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat("---|", len(head)))
	for i := range list {
		row := &list[i]
		was, _ := row.Texts()
		is := measuredText(row)
		cells := []string{row.Label}
		if metrics {
			cells = append(cells, row.Metric)
		}
		if printed {
			cells = append(cells, was)
		}
		cells = append(cells, is)
		if printed {
			cells = append(cells, told(row))
		}
		if notes {
			cells = append(cells, row.Note)
		}
		b.WriteString("\n| " + strings.Join(cells, " | ") + " |")
	}
	return b.String(), nil
}
