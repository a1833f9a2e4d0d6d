// Package players makes engines, programs of other people, players of the games of
// a catalogue: those of the settings, of a study file and of a command line.
//
//	stable, games, err := players.Open(games, 0, []string{"toga=toga2"}, settings.Engines)
//	defer stable.Close()
package players

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/external/jsonl"
	"sakusen/engines/external/registry"
	"sakusen/engines/external/uci"
	"sakusen/tuner/config"
)

// Open joins engines to the games that they play: those given as
// NAME=PROGRAM [ARGUMENT...], which go before, and those of files and settings, of
// which the first of a name counts. memory is what the processes of all engines may
// hold together, bytes. Nothing is started, and games itself is not changed.
func Open(games catalogue.Games, memory int64, given []string, engines []config.Engine) (*registry.Stable, catalogue.Games, error) {
	var entries []registry.Entry
	for _, text := range given {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return nil, games, fmt.Errorf("--engine: expected NAME=PROGRAM [ARGUMENT...], got %q", text)
		}
		entries = append(entries, registry.Entry{Name: name, Command: strings.Fields(command)})
	}
	for _, e := range engines {
		if !slices.ContainsFunc(entries, func(x registry.Entry) bool { return x.Name == e.Name }) {
			entries = append(entries, entryOf(e))
		}
	}
	stable, err := registry.Open(entries)
	if err == nil {
		err = stable.SetMemory(memory)
	}
	if err != nil || len(entries) == 0 {
		return stable, games, err
	}
	joined := slices.Clone(games)
	for i := range joined {
		if joined[i].Game, err = registry.Joined(stable, joined[i].Game); err != nil {
			return stable, games, err
		}
	}
	for _, g := range []*arena.Game{stable.External(), stable.Go(), stable.UGI()} {
		if g != nil {
			joined = append(joined, catalogue.Game{Game: g})
		}
	}
	return stable, joined, nil
}

// OfFile reads the engines of a file, which has to have some.
func OfFile(file string) ([]config.Engine, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	engines, err := config.EnginesOf(file, text)
	if err == nil && len(engines) == 0 {
		err = fmt.Errorf("%s: expected the key engines, got none", file)
	}
	return engines, err
}

// OfStudy reads the engines that a study file brings itself. Only one on disk may,
// in a folder; their programs may stand beside it.
func OfStudy(file string, text []byte, folder string) ([]config.Engine, error) {
	if folder == "" {
		return nil, nil
	}
	engines, err := config.EnginesOf(file, text)
	for i := range engines {
		if engines[i].Directory == "" {
			engines[i].Directory = folder
		}
	}
	return engines, err
}

// entryOf is an engine of the settings as it is registered.
func entryOf(e config.Engine) registry.Entry {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	out := registry.Entry{
		Name: e.Name, Protocol: e.Protocol, Command: e.Command, Directory: e.Directory, Environment: e.Environment, Fresh: e.Fresh, Recorded: e.Recorded,
		Memory: e.Memory << 20, Files: e.Files, Metrics: e.Metrics, Setup: e.Setup, Game: e.Game, ClearHash: e.ClearHash,
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
