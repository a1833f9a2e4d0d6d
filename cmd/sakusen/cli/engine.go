package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/external/registry"
	"sakusen/tuner/config"
	"sakusen/tuner/match"
	"sakusen/tuner/players"
	"sakusen/tuner/report"
)

// openEngines makes the engines of the settings players of their games, after those
// given as NAME=PROGRAM and those of a file, which go before. Nothing is started.
func (a *app) openEngines(given []string, file []config.Engine) error {
	if a.builtIn == nil {
		a.builtIn = a.games
	}
	a.closeEngines()
	var err error
	if a.engines, a.games, err = players.Open(a.builtIn, int64(a.settings.Integer("engine_memory"))<<20, given, slices.Concat(file, a.settings.Engines)); err == nil {
		a.catalogue = a.games.Arena()
	}
	return err
}

// studyEngines opens the engines that a study file on disk brings itself, beside
// those of the command line and the settings.
func (a *app) studyEngines(f studyFile, given []string, other string) error {
	var all []config.Engine
	if other != "" {
		var err error
		if all, err = players.OfFile(other); err != nil {
			return fmt.Errorf("--engine-file: %w", err)
		}
	}
	own, err := players.OfStudy(f.name, f.text, f.dir)
	if err != nil {
		return err
	}
	for _, e := range own {
		a.say("engine %s: %s runs %s", e.Name, f.name, strings.Join(e.Command, " "))
	}
	if all = append(all, own...); len(all)+len(given) == 0 {
		return nil
	}
	return a.openEngines(given, all)
}

// unrepeatable tells whether a match's games cannot be played again. Where nothing of
// them is kept, that is not looked into.
func (a *app) unrepeatable(m *match.Match) (bool, error) {
	var names []string
	for _, e := range m.Series.Entrants {
		names = append(names, e.Strategy)
	}
	if a.engines.Unkept {
		return m.Series.Ruleset.Game.Outside(names...), nil
	}
	why, err := m.Series.Ruleset.Recorded(names...)
	return why != "", err
}

// closeEngines ends the processes of engines.
func (a *app) closeEngines() {
	if a.engines != nil {
		a.engines.Close()
	}
}

// engineCommand holds the commands about programs of other people.
func engineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "engine",
		Short: "List or show the engines (programs of other people) that can play",
		Long: `Engines are programs of other people that can play. They must be registered in
config.yaml: a study file from somebody else can then not start any program.

  engines:
    toga: {command: [toga2], options: [{name: Hash, value: 16}]}`,
	}
	var given []string
	list := &cobra.Command{
		Use: "list", Short: "List the registered engines, without starting them", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := a.openEngines(given, nil); err != nil {
				return usage(err)
			}
			return printEngines(a, a.engines.Entries())
		},
	}
	show := &cobra.Command{
		Use: "show NAME", Short: "Start an engine and show its name and its options", Args: exactly(1, "the NAME of an engine"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.openEngines(given, nil); err != nil {
				return usage(err)
			}
			info, err := a.engines.Describe(args[0])
			if err != nil {
				return usage(err)
			}
			return printEngine(a, info)
		},
	}
	for _, sub := range []*cobra.Command{list, show} {
		sub.Flags().StringArrayVar(&given, "engine", nil, "an engine besides those of config.yaml, NAME=PROGRAM [ARGUMENT...] (repeatable)")
		c.AddCommand(sub)
	}
	return c
}

// engineLine is an engine in the list.
type engineLine struct {
	Name     string   `json:"name"`
	Protocol string   `json:"protocol"`
	Command  []string `json:"command"`
}

func printEngines(a *app, entries []registry.Entry) error {
	lines := []engineLine{}
	for _, e := range entries {
		lines = append(lines, engineLine{e.Name, e.Speaks(), e.Command})
	}
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"engines": lines})
	}
	return report.Table(a.out, func(line func(...any)) {
		for _, e := range lines {
			line(e.Name, e.Protocol, strings.Join(e.Command, " "))
		}
	})
}

func printEngine(a *app, info *registry.Info) error {
	return a.print(info, func(w io.Writer) error { return info.WriteText(w) })
}
