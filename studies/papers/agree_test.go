package papers

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
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

// agree returns how many lines of a table agree in everything, with what was pooled.
func (p printer) agree(name string) (string, error) {
	rows, err := p.of(name)
	a := agreementOf(rows)
	return fmt.Sprintf("%d of %d", a.all, a.labels), err
}

// score returns how many values of experiments agree.
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

// wider is how much wider the interval of a printed hit ratio is than the paper says, because
// the shots of a game are not independent.
const wider = 1.15

// misfit is the sum of squared deviations in standard errors of the difference, which is about
// the number of values if the players are the same.
type misfit struct {
	squares float64
	values  int
}

func (m misfit) plus(n misfit) misfit { return misfit{m.squares + n.squares, m.values + n.values} }

func (m misfit) String() string {
	if m.values == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f of %d", m.squares, m.values)
}

// misfits returns those of the win rates and of the hit ratios. Of a pairing's two win rates,
// which add up to 100, the first is taken.
func misfits(rows []experiment.Row) (wins, hits misfit) {
	for i := range rows {
		row := &rows[i]
		p, ok := printedOf(row)
		if !ok || !row.CI.Defined() || row.Metric == "winrs" {
			continue
		}
		into, half := &wins, p.HalfWidth
		if strings.HasPrefix(row.Metric, "hit") {
			into, half = &hits, wider*half
		}
		z := (number(row) - p.Value) * stats.Deviate95 / math.Hypot(row.CI.Half(), half)
		*into = into.plus(misfit{z * z, 1})
	}
	return wins, hits
}

// squares prints the misfits of tables; "together" is their sum so far. " as OTHER" behind a name
// takes the rows alone that are of the other table too.
func (p printer) squares(names ...string) (string, error) {
	var wins, hits misfit
	text := "| | win rates | hit ratios | together |\n|---|---:|---:|---:|"
	for _, name := range names {
		w, h := wins, hits
		if name != "together" {
			table, other, some := strings.Cut(name, " as ")
			rows, err := p.of(table)
			if err != nil {
				return "", err
			}
			if some {
				rows = slices.DeleteFunc(slices.Clone(rows), func(r experiment.Row) bool {
					_, err := p.row(other, r.Label, r.Metric)
					return err != nil
				})
			}
			w, h = misfits(rows)
			wins, hits = wins.plus(w), hits.plus(h)
		}
		text += fmt.Sprintf("\n| %s | %s | %s | %s |", name, w, h, w.plus(h))
	}
	return text, nil
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

// seeds prints for each seed how many lines of the tables together agree.
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

// bySides returns runs whose win rates are those that follow from the sides of the games taken
// singly, with the verdicts of these.
func bySides(runs []run) []run {
	out := slices.Clone(runs)
	for i := range out {
		rows := slices.Clone(out[i].report.Rows)
		for k := range rows {
			row := &rows[k]
			if row.SingleSided == nil {
				continue
			}
			x, err := strconv.ParseFloat(row.SingleSided.String(), 64)
			if err != nil {
				continue
			}
			*row = held(*row, x, row.SingleSidedCI)
		}
		out[i].report.Rows = rows
	}
	return out
}

// held returns a row with another measured value, held against what is printed.
func held(row experiment.Row, mean float64, ci stats.Interval) experiment.Row {
	m := stats.MeanInterval{Mean: stats.Known(mean), SE: stats.Known(ci.Half() / stats.Deviate95), CI95: ci}
	bare := experiment.Row{Label: row.Label, Metric: row.Metric, Measured: experiment.Number(m.Mean), CI: ci, Note: row.Note}
	p, ok := printedOf(&row)
	if !ok {
		return bare
	}
	out := experiment.Compare(row.Label, row.Metric, p, m, row.Note)
	out.Note = row.Note
	return out
}

// printedOf returns what is printed of a row; ok is false where that is no number.
func printedOf(row *experiment.Row) (p experiment.Printed, ok bool) {
	if row.Printed.Nothing() {
		return p, false
	}
	half := 0.0
	if row.PrintedCI.Defined() {
		half = row.PrintedCI.Half()
	}
	p, err := experiment.ParsePrinted(row.Printed.String(), half)
	return p, err == nil
}

// near reports whether a row agrees by the rule of agreement, however few its games are.
func near(row *experiment.Row) bool {
	p, ok := printedOf(row)
	x, err := strconv.ParseFloat(row.Measured.String(), 64)
	if !ok || err != nil || !row.CI.Defined() {
		return row.Verdict() == "yes"
	}
	d := p.Deviation(x, row.CI.Half()/stats.Deviate95)
	return -experiment.Agreement <= d && d <= experiment.Agreement
}

var ranking = regexp.MustCompile(`^(?:table \d+: )?(\d+) players, cards 1\.\.(\d+), ranks 1\.\.(\d+)(?:: (.+))?$`)

// cells prints searches of ranking games as the paper does. Each game, named by players, kinds
// and ranks, has a line with the measured nodes and depth of each method; if the paper prints
// other figures, they follow after "for". A game that is in several tables has one line.
func (p printer) cells(names ...string) (string, error) {
	type place struct{ game, method string }
	text := map[place]string{}
	was := map[place]string{}
	off := map[place]bool{}
	var games, methods []string
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, name := range names {
		rows, err := p.of(name)
		if err != nil {
			return "", err
		}
		for i := range rows {
			row := &rows[i]
			m := ranking.FindStringSubmatch(row.Label)
			if m == nil {
				return "", fmt.Errorf("%s: the label %q names no ranking game", name, row.Label)
			}
			at := place{strings.Join(m[1:4], ", "), m[4]}
			add(&games, at.game)
			if m[4] == "" {
				at.method = "solution"
			}
			add(&methods, at.method)
			printed, measured := row.Texts()
			if at.method == "solution" {
				text[at] = told(row)
				continue
			}
			form := "%s"
			if row.Metric == "depth" {
				form = " (%s)"
			}
			if row.Metric == "nodes" {
				text[at], was[at] = "", ""
			}
			if measured == "over" && row.Metric == "depth" {
				continue
			}
			text[at] += fmt.Sprintf(form, measured)
			was[at] += fmt.Sprintf(form, printed)
			off[at] = off[at] || row.Verdict() == "no"
		}
	}
	if i := slices.Index(methods, "solution"); i >= 0 {
		methods = append(slices.Delete(methods, i, i+1), "solution")
	}
	var b strings.Builder
	b.WriteString("| players, C, K | " + strings.Join(methods, " | ") + " |\n|---|" + strings.Repeat("---:|", len(methods)))
	for _, game := range games {
		b.WriteString("\n| " + game + " |")
		for _, method := range methods {
			at := place{game, method}
			b.WriteString(" " + text[at])
			if off[at] {
				b.WriteString(" for " + was[at])
			}
			b.WriteString(" |")
		}
	}
	return b.String(), nil
}

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

// measuredText returns the measured value with its interval; a number without one that is not
// whole has four decimals.
func measuredText(row *experiment.Row) string {
	_, text := row.Texts()
	if x, err := strconv.ParseFloat(text, 64); err == nil && x != math.Trunc(x) {
		text = strconv.FormatFloat(x, 'f', 4, 64)
	}
	return text
}
