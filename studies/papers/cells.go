package papers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var ranking = regexp.MustCompile(`^(?:table \d+: )?(\d+) players, cards 1\.\.(\d+), ranks 1\.\.(\d+)(?:: (.+))?$`)

// cells prints searches of ranking games as the paper does: a line for each game, named by
// players, kinds and ranks, and for each method the nodes and the depth that were measured;
// where the paper prints other figures they stand behind "for". A game that is in several
// tables has one line.
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
