package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/external/jsonl"
	"sakusen/engines/external/registry"
	"sakusen/engines/external/uci"
	"sakusen/tuner/config"
	"sakusen/tuner/match"
	"sakusen/tuner/report"
)

// openEngines makes the engines of the settings players of their games, after those
// given as NAME=PROGRAM and those of a file, which go before. Nothing is started.
func (a *app) openEngines(given []string, file []config.Engine) error {
	var entries []registry.Entry
	for _, text := range given {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--engine: expected NAME=PROGRAM [ARGUMENT...], got %q", text)
		}
		entries = append(entries, registry.Entry{Name: name, Command: strings.Fields(command)})
	}
	for _, e := range slices.Concat(file, a.settings.Engines) {
		if !slices.ContainsFunc(entries, func(x registry.Entry) bool { return x.Name == e.Name }) {
			entries = append(entries, entryOf(e))
		}
	}
	a.closeEngines()
	var err error
	if a.engines, err = registry.Open(entries); err != nil {
		return err
	}
	if err := a.engines.SetMemory(int64(a.settings.Integer("engine_memory")) << 20); err != nil {
		return err
	}
	if a.builtIn == nil {
		if len(entries) == 0 {
			return nil
		}
		a.builtIn = a.games
	}
	a.games = slices.Clone(a.builtIn)
	for i := range a.games {
		if a.games[i].Game, err = a.engines.Join(a.games[i].Game); err != nil {
			return err
		}
	}
	if g := a.engines.External(); g != nil {
		a.games = append(a.games, catalogue.Game{Game: g})
	}
	a.catalogue = a.games.Arena()
	return nil
}

// entryOf is an engine of the settings as it is registered.
func entryOf(e config.Engine) registry.Entry {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	out := registry.Entry{
		Name: e.Name, Protocol: e.Protocol, Command: e.Command, Directory: e.Directory, Environment: e.Environment, Fresh: e.Fresh, Recorded: e.Recorded,
		Memory: e.Memory << 20, Files: e.Files, Metrics: e.Metrics,
		Deadlines: uci.Deadlines{Start: seconds(e.Deadlines.Start), Ready: seconds(e.Deadlines.Ready), Move: seconds(e.Deadlines.Move), Stop: seconds(e.Deadlines.Stop)},
	}
	for _, p := range e.Params {
		out.Params = append(out.Params, jsonl.Param{Name: p.Name, Kind: p.Kind, Doc: p.Doc, Default: jsonl.Text(p.Default), Low: p.Low, High: p.High, Step: p.Step, Log: p.Log, Choices: p.Choices})
	}
	for _, o := range e.Options {
		out.Options = append(out.Options, uci.Setting(o))
	}
	return out
}

// studyEngines opens the engines that a study file on disk brings itself, beside
// those of the command line and the settings.
func (a *app) studyEngines(f studyFile, given []string, other string) error {
	var all []config.Engine
	if other != "" {
		text, err := os.ReadFile(other)
		if err == nil {
			all, err = config.EnginesOf(other, text)
		}
		if err != nil {
			return fmt.Errorf("--engine-file: %w", err)
		}
		if len(all) == 0 {
			return fmt.Errorf("--engine-file: %s: expected the key engines, got none", other)
		}
	}
	if f.dir != "" {
		own, err := config.EnginesOf(f.name, f.text)
		if err != nil {
			return err
		}
		for i := range own {
			if own[i].Directory == "" {
				own[i].Directory = f.dir // so that its programs may stand beside it
			}
			a.say("engine %s: %s runs %s", own[i].Name, f.name, strings.Join(own[i].Command, " "))
		}
		all = append(all, own...)
	}
	if len(all)+len(given) == 0 {
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
		for _, p := range info.Fields {
			values := fmt.Sprintf("%g..%g", p.Low, p.High)
			if p.Kind == "bool" || p.Kind == "choice" {
				values = strings.Join(p.Choices, ", ")
			}
			line("  parameter", p.Name, p.Kind+" "+values, "default "+string(p.Default))
		}
		for _, name := range info.Other {
			line("  option", name, "only config.yaml sets it")
		}
	})
}
