package view

import (
	"fmt"
	"io"
	"strings"

	"sakusen/tuner/service"
)

// Games writes the games: seats, sources, options of the rules, metrics, strategies. No
// line is wider than [Width] columns.
func Games(w io.Writer, games []service.GameInfo) error {
	var b strings.Builder
	for i, g := range games {
		if i > 0 {
			b.WriteByte('\n')
		}
		seats := fmt.Sprintf("%d seats", g.Seats)
		if g.SeatsOption != nil {
			seats = *g.SeatsOption + " seats"
		}
		fmt.Fprintf(&b, "%s (%s)\n", g.Name, seats)
		paragraph(&b, "  ", g.Doc)
		paragraph(&b, "  ", "source: "+g.Source)
		for _, p := range g.Rules {
			parameter(&b, "rule "+p.Name, &p, "")
		}
		for _, m := range g.Metrics {
			paragraph(&b, "  ", fmt.Sprintf("metric %s: %s", m.Name, m.Doc))
		}
		paragraph(&b, "  ", "strategies: "+strings.Join(g.Strategies, ", "))
		names(&b, g.PaperNames)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Strategies writes the strategies of games with their parameters. No line is wider
// than [Width] columns.
func Strategies(w io.Writer, games []service.StrategiesInfo) error {
	var b strings.Builder
	for _, g := range games {
		for _, s := range g.Strategies {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s %s\n", g.Game, s.Name)
			paragraph(&b, "  ", s.Doc)
			paragraph(&b, "  ", "source: "+s.Source)
			for _, p := range s.Params {
				fixed := "; fixed"
				if p.Tuned {
					fixed = ""
				}
				parameter(&b, p.Name, &p, fixed)
			}
		}
		if g.PaperNames != "" {
			fmt.Fprintf(&b, "\n%s\n", g.Game)
			names(&b, g.PaperNames)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// parameter writes a parameter: its values and default on one line, what it is for
// below.
func parameter(b *strings.Builder, name string, p *service.ParamInfo, end string) {
	kind := map[string]string{"int": "integer ", "float": "real "}[p.Kind]
	paragraph(b, "  ", fmt.Sprintf("%s: %s%s; default %s%s", name, kind, p.Values(), p.Default, end))
	paragraph(b, "      ", p.Conditions()+p.Doc)
}

// paragraph writes a text whose lines all begin with an indent.
func paragraph(b *strings.Builder, indent, text string) {
	fmt.Fprintln(b, indent+Wrap(text, indent, Width))
}

// names writes which names of a paper entrants may have.
func names(b *strings.Builder, text string) {
	if text != "" {
		paragraph(b, "  ", "names of the paper that entrants may have: "+text)
	}
}
