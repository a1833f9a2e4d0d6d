package papers

import (
	"fmt"
	"strings"

	"sakusen/tuner/contest/experiment"
)

// agreement counts labels of a table: those whose first metric agrees, and those of which
// every metric does, by the rule of agreement however few the games are.
type agreement struct{ labels, first, all int }

func agreementOf(rows []experiment.Row) (a agreement) {
	good := map[string][2]bool{}
	var order []string
	for i := range rows {
		if rows[i].Printed.Nothing() {
			continue
		}
		yes := near(&rows[i])
		before, seen := good[rows[i].Label]
		if !seen {
			order = append(order, rows[i].Label)
			before = [2]bool{yes, true}
		}
		good[rows[i].Label] = [2]bool{before[0], before[1] && yes}
	}
	for _, label := range order {
		a.labels++
		if good[label][0] {
			a.first++
		}
		if good[label][1] {
			a.all++
		}
	}
	return a
}

func (a agreement) plus(b agreement) agreement {
	return agreement{a.labels + b.labels, a.first + b.first, a.all + b.all}
}

// agree is how many lines of a table agree in everything, with what was pooled.
func (p printer) agree(name string) (string, error) {
	rows, err := p.of(name)
	a := agreementOf(rows)
	return fmt.Sprintf("%d of %d", a.all, a.labels), err
}

// score is how many values of experiments agree.
func (p printer) score(names ...string) (string, error) {
	yes, of := 0, 0
	for _, name := range names {
		rows, err := p.of(name)
		if err != nil {
			return "", err
		}
		for i := range rows {
			if rows[i].Printed.Nothing() {
				continue
			}
			of++
			if rows[i].Verdict() == "yes" {
				yes++
			}
		}
	}
	return fmt.Sprintf("%d of %d", yes, of), nil
}

// differ lists the values that differ.
func (p printer) differ(names ...string) (string, error) {
	var b strings.Builder
	b.WriteString("| experiment | row | value | printed | measured |\n|---|---|---|---:|---:|\n")
	for _, name := range names {
		rows, err := p.of(name)
		if err != nil {
			return "", err
		}
		for i := range rows {
			if rows[i].Verdict() != "no" {
				continue
			}
			printed, measured := rows[i].Texts()
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, rows[i].Label, rows[i].Metric, printed, measured)
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// seeds says of each seed how many lines of the tables together agree.
func (p printer) seeds(names ...string) (string, error) {
	var b strings.Builder
	b.WriteString("| seed |")
	for _, name := range names {
		fmt.Fprintf(&b, " %s |", name)
	}
	b.WriteString(" together: in the win rate | in everything |\n|---:|" + strings.Repeat("---:|", len(names)) + "---:|---:|\n")
	first := p.runs[names[0]]
	var whole agreement
	alike := true
	for i := range first {
		line, sum := fmt.Sprintf("| %s |", first[i].seed), agreement{}
		for _, name := range names {
			list := p.runs[name]
			if len(list) != len(first) || list[i].seed != first[i].seed {
				return "", fmt.Errorf("%s and %s were not run with the same seeds", names[0], name)
			}
			alike = alike && list[i].games == first[0].games
			a := agreementOf(list[i].report.Rows)
			sum = sum.plus(a)
			line += fmt.Sprintf(" %d, %d of %d (%d games) |", a.first, a.all, a.labels, list[i].games)
		}
		whole = whole.plus(sum)
		fmt.Fprintf(&b, "%s %d | %d |\n", line, sum.first, sum.all)
	}
	if !alike {
		return strings.TrimSuffix(b.String(), "\n"), nil // a mean of runs of different strictness says nothing
	}
	n := float64(len(first))
	fmt.Fprintf(&b, "| mean |%s **%.2f of %d** | **%.2f of %d** |", strings.Repeat(" |", len(names)),
		float64(whole.first)/n, whole.labels/len(first), float64(whole.all)/n, whole.labels/len(first))
	return b.String(), nil
}
