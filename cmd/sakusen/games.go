package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
)

// gameReport is a game in JSON.
type gameReport struct {
	Name        string         `json:"name"`
	Doc         string         `json:"doc"`
	Source      string         `json:"source"`
	Seats       int            `json:"seats"`        // under the default rules
	SeatsOption *string        `json:"seats_option"` // the option that sets them, or null
	Scored      bool           `json:"scored"`       // false: only metrics count
	Rules       []paramReport  `json:"rules"`
	Metrics     []metricReport `json:"metrics"`
	Strategies  []string       `json:"strategies"`
}

// metricReport is a metric in JSON.
type metricReport struct {
	Name  string  `json:"name"`
	Doc   string  `json:"doc"`
	Of    string  `json:"of"`
	Per   *string `json:"per"` // the denominator of a ratio, or null for a mean per game
	Scale float64 `json:"scale"`
	Lower bool    `json:"lower_is_better"`
}

// gamesCommand lists the games.
func gamesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "games",
		Short: "Lists the games, their rules' options and their metrics",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			var reports []gameReport
			for _, g := range a.catalogue {
				r, err := describeGame(g)
				if err != nil {
					return err
				}
				reports = append(reports, r)
			}
			if a.flags.asJSON {
				return a.printJSON(map[string]any{"games": reports})
			}
			return printGames(a, reports)
		},
	}
}

// describeGame is all that a game declares.
func describeGame(g *arena.Game) (gameReport, error) {
	rs, err := openRules(g, nil)
	if err != nil {
		return gameReport{}, err
	}
	options, err := g.RulesOptions()
	if err != nil {
		return gameReport{}, err
	}
	r := gameReport{
		Name: g.Name, Doc: g.Doc, Source: g.Source, Seats: rs.Seats, SeatsOption: optionalText(g.SeatsOption),
		Scored: !g.Unscored, Rules: describeParams(options), Metrics: []metricReport{}, Strategies: []string{},
	}
	for _, m := range g.Metrics {
		r.Metrics = append(r.Metrics, metricReport{m.Name, m.Doc, m.Of, optionalText(m.Per), m.Factor(), m.Lower})
	}
	for _, s := range g.Strategies {
		r.Strategies = append(r.Strategies, s.Name)
	}
	return r, nil
}

// printGames writes the games for people.
func printGames(a *app, games []gameReport) error {
	for i, g := range games {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		seats := fmt.Sprintf("%d seats", g.Seats)
		if g.SeatsOption != nil {
			seats = *g.SeatsOption + " seats"
		}
		fmt.Fprintf(a.out, "%s (%s)\n  %s\n  source: %s\n", g.Name, seats, g.Doc, g.Source)
		err := table(a.out, func(line func(...any)) {
			for _, p := range g.Rules {
				line("  rule", p.Name, p.values(), "default "+p.Default, p.Doc)
			}
		})
		if err != nil {
			return err
		}
		err = table(a.out, func(line func(...any)) {
			for _, m := range g.Metrics {
				line("  metric", m.Name, m.Doc)
			}
		})
		if err != nil {
			return err
		}
		err = table(a.out, func(line func(...any)) {
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

// optionalText is nil for an empty text.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
