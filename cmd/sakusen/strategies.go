package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// strategiesReport is one game's strategies in JSON.
type strategiesReport struct {
	Game       string            `json:"game"`
	Rules      map[string]string `json:"rules"` // under which the spaces are as told
	Strategies []strategyReport  `json:"strategies"`
}

// strategyReport is a strategy in JSON.
type strategyReport struct {
	Name   string        `json:"name"`
	Doc    string        `json:"doc"`
	Source string        `json:"source"`
	Params []paramReport `json:"params"`
}

// strategiesCommand lists the strategies.
func strategiesCommand(a *app) *cobra.Command {
	var rules []string
	c := &cobra.Command{
		Use:   "strategies [GAME]",
		Short: "Lists the strategies of a game, or of all, with their parameters",
		Long: `Lists strategies with their parameters: values, default, and the condition
under which a parameter counts. A parameter marked "fixed" is a convention or a
budget: a study tunes it only where it names it.`,
		Args: atMost(1, "at most one GAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			games, values, err := chosenGames(a, args, rules)
			if err != nil {
				return usage(err)
			}
			var reports []strategiesReport
			for _, g := range games {
				rs, err := openRules(g, values)
				if err != nil {
					return usage(err)
				}
				r, err := describeStrategies(rs)
				if err != nil {
					return err
				}
				reports = append(reports, r)
			}
			if a.flags.asJSON {
				return a.printJSON(map[string]any{"games": reports})
			}
			return printStrategies(a, reports)
		},
	}
	c.Flags().StringArrayVar(&rules, "rules", nil, "option of GAME's rules, name=value (repeatable): spaces may depend on them")
	return c
}

// chosenGames is the named game, or all.
func chosenGames(a *app, args, rules []string) (arena.Catalogue, param.Values, error) {
	values, err := parseRules(rules)
	if err != nil {
		return nil, nil, err
	}
	if len(args) == 0 {
		if len(values) > 0 {
			return nil, nil, fmt.Errorf("--rules: expected a GAME beside it")
		}
		return a.catalogue, nil, nil
	}
	g, err := a.catalogue.Game(args[0])
	return arena.Catalogue{g}, values, err
}

// describeStrategies is all that a game's strategies declare.
func describeStrategies(rs *arena.Ruleset) (strategiesReport, error) {
	r := strategiesReport{Game: rs.Game.Name, Rules: rs.Rules.Map(), Strategies: []strategyReport{}}
	for _, s := range rs.Game.Strategies {
		space, err := rs.Space(s.Name)
		if err != nil {
			return r, err
		}
		r.Strategies = append(r.Strategies, strategyReport{s.Name, s.Doc, s.Source, describeParams(space)})
	}
	return r, nil
}

// printStrategies writes the strategies for people.
func printStrategies(a *app, games []strategiesReport) error {
	first := true
	for _, g := range games {
		for _, s := range g.Strategies {
			if !first {
				fmt.Fprintln(a.out)
			}
			first = false
			fmt.Fprintf(a.out, "%s %s\n  %s\n  source: %s\n", g.Game, s.Name, s.Doc, s.Source)
			err := table(a.out, func(line func(...any)) {
				for _, p := range s.Params {
					fixed := ""
					if !p.Tuned {
						fixed = "fixed"
					}
					line("  "+p.Name, p.values(), "default "+p.Default, fixed, p.conditions()+p.Doc)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
