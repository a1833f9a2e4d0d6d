package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// gamesCommand lists the games.
func gamesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, the options of their rules and their metrics",
		Args:  atMost(1, "at most one GAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			games, _, err := chosenGames(a, args, nil)
			if err != nil {
				return usage(err)
			}
			var reports []service.GameInfo
			for _, g := range games {
				r, err := service.DescribeGame(g)
				if err != nil {
					return err
				}
				reports = append(reports, r)
			}
			return a.print(map[string]any{"games": reports}, func(w io.Writer) error { return view.Games(w, reports) })
		},
	}
}

// strategiesCommand lists the strategies.
func strategiesCommand(a *app) *cobra.Command {
	var rules []string
	c := &cobra.Command{
		Use:   "strategies [GAME [STRATEGY]]",
		Short: "List the strategies of a game, or of all games, with their parameters",
		Long: `Lists strategies with their parameters: the possible values, the default, and the
condition under which a parameter has an effect. A parameter marked "fixed" is a
convention or a budget of thinking time: a study tunes it only if the study file
names it.`,
		Args: atMost(2, "a GAME and a STRATEGY at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			games, values, err := chosenGames(a, args, rules)
			if err != nil {
				return usage(err)
			}
			var reports []service.StrategiesInfo
			for _, g := range games {
				rs, err := g.OpenRules(values)
				if err != nil {
					return usage(err)
				}
				r, err := service.DescribeStrategies(rs, append(args, "", "")[1])
				if err != nil {
					return usage(err)
				}
				reports = append(reports, r)
			}
			return a.print(map[string]any{"games": reports}, func(w io.Writer) error { return view.Strategies(w, reports) })
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
			return nil, nil, fmt.Errorf("--rules needs a GAME")
		}
		return a.catalogue, nil, nil
	}
	g, err := a.catalogue.Game(args[0])
	return arena.Catalogue{g}, values, err
}
