package report

import (
	"fmt"
	"io"

	"sakusen/tuner/service"
)

// Games writes the games: seats, sources, options of the rules, metrics, strategies.
func Games(w io.Writer, games []service.GameInfo) error {
	for i, g := range games {
		if i > 0 {
			fmt.Fprintln(w)
		}
		seats := fmt.Sprintf("%d seats", g.Seats)
		if g.SeatsOption != nil {
			seats = *g.SeatsOption + " seats"
		}
		fmt.Fprintf(w, "%s (%s)\n  %s\n  source: %s\n", g.Name, seats, g.Doc, g.Source)
		err := Table(w, func(line func(...any)) {
			for _, p := range g.Rules {
				line("  rule", p.Name, p.Values(), "default "+p.Default, p.Doc)
			}
		})
		if err != nil {
			return err
		}
		err = Table(w, func(line func(...any)) {
			for _, m := range g.Metrics {
				line("  metric", m.Name, m.Doc)
			}
		})
		if err != nil {
			return err
		}
		err = Table(w, func(line func(...any)) {
			for _, s := range g.Strategies {
				line("  strategy", s)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Strategies writes the strategies of games with their parameters.
func Strategies(w io.Writer, games []service.StrategiesInfo) error {
	first := true
	for _, g := range games {
		for _, s := range g.Strategies {
			if !first {
				fmt.Fprintln(w)
			}
			first = false
			fmt.Fprintf(w, "%s %s\n  %s\n  source: %s\n", g.Game, s.Name, s.Doc, s.Source)
			err := Table(w, func(line func(...any)) {
				for _, p := range s.Params {
					fixed := ""
					if !p.Tuned {
						fixed = "fixed"
					}
					line("  "+p.Name, p.Values(), "default "+p.Default, fixed, p.Conditions()+p.Doc)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
