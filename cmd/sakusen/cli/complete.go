package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/studies"
	"sakusen/tuner/service"
)

// completeArguments lets a shell complete what stands for the names in a command's
// usage line: games, strategies, studies, experiments; and the formats of export.
func completeArguments(a *app, c *cobra.Command) {
	for _, sub := range c.Commands() {
		completeArguments(a, sub)
	}
	_, usage, _ := strings.Cut(c.Use, " ")
	places := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
	if c.Runnable() && len(places) > 0 && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			names := namesAt(a, c, places, args)
			if names == nil { // then it is a file, or nothing that is known
				return nil, cobra.ShellCompDirectiveDefault
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if c.Name() == "export" && c.Flags().Lookup("front") != nil {
		formats := service.ExportFormats()
		c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	}
}

// namesAt is what may stand next on a command line; nil where that is not known.
func namesAt(a *app, c *cobra.Command, places, args []string) []string {
	place := places[min(len(args), len(places)-1)]
	if len(args) >= len(places) && !strings.HasSuffix(place, "...") {
		return []string{}
	}
	if a.configure(c) != nil {
		return nil
	}
	var names []string
	switch name := strings.TrimSuffix(place, "..."); {
	case name == "GAME":
		for _, g := range a.catalogue {
			names = append(names, g.Name)
		}
	case (name == "ENTRANT" || name == "STRATEGY") && len(args) > 0:
		if game, err := a.catalogue.Game(args[max(0, slices.Index(places, "GAME"))]); err == nil {
			for _, s := range game.Strategies {
				names = append(names, s.Name)
			}
		}
	case c.Name() == "tune" || c.Name() == "submit":
		names = studies.Names()
	case c.Name() == "tournament":
		names = studies.ExperimentNames()
	case c.CommandPath() == "sakusen experiment run":
		list, _ := a.experiments()
		for _, e := range list {
			names = append(names, e.Name)
		}
	case name == "STUDY":
		if s, end, err := a.read(c.Context()); err == nil {
			list, _ := s.Studies.After(c.Context(), 0, 1000)
			for _, l := range list {
				names = append(names, l.Name)
			}
			end()
		}
	}
	return names
}
