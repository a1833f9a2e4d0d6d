package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/external/registry"
	"sakusen/engines/external/uci"
	"sakusen/tuner/report"
)

// openEngines returns the engines of the settings and those given as NAME=PROGRAM; the
// latter win.
func openEngines(a *app, given []string) (*registry.Stable, error) {
	var entries []registry.Entry
	for _, text := range given {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--engine: expected NAME=PROGRAM [ARGUMENT...], got %q", text)
		}
		entries = append(entries, registry.Entry{Name: name, Command: strings.Fields(command)})
	}
	for _, e := range a.settings.Engines {
		if slices.ContainsFunc(entries, func(x registry.Entry) bool { return x.Name == e.Name }) {
			continue
		}
		entry := registry.Entry{Name: e.Name, Protocol: e.Protocol, Command: e.Command, Directory: e.Directory, Environment: e.Environment, Fresh: e.Fresh}
		for _, o := range e.Options {
			entry.Options = append(entry.Options, uci.Setting(o))
		}
		entries = append(entries, entry)
	}
	return registry.Open(entries)
}

// engineCommand holds the commands about programs of other people.
func engineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "engine",
		Short: "Programs of other people that are registered as players",
		Long: `Programs of other people that may be run as players. They are registered in
config.yaml, so that no file that travels can have anything run:

  engines:
    toga: {command: [toga2], options: [{name: Hash, value: 16}]}`,
	}
	var given []string
	list := &cobra.Command{
		Use: "list", Short: "Lists the registered engines, without starting them", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			s, err := openEngines(a, given)
			if err != nil {
				return usage(err)
			}
			return printEngines(a, s.Entries())
		},
	}
	show := &cobra.Command{
		Use: "show NAME", Short: "Starts an engine and shows what it says of itself", Args: exactly(1, "the NAME of an engine"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := openEngines(a, given)
			if err != nil {
				return usage(err)
			}
			defer s.Close()
			info, err := s.Describe(args[0])
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
	if a.flags.asJSON {
		return a.printJSON(info)
	}
	fmt.Fprintf(a.out, "%s: %s by %s\n  command   %s (%s)\n  identity  %s\n  class     %s\n", info.Name, info.Title, info.Author,
		strings.Join(info.Command, " "), info.Protocol, info.Identity, info.Means())
	return report.Table(a.out, func(line func(...any)) {
		for _, s := range info.Set {
			line("  set", s.Name, s.Value)
		}
		for _, o := range info.Params {
			line("  parameter", o.Name, o.Values(), "default "+o.Default)
		}
		for _, name := range info.Other {
			line("  option", name, "only config.yaml sets it")
		}
	})
}
