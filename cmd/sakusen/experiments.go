package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sakusen/cmd/sakusen/evolution"
	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner/experiment"
	"sakusen/tuner/tournament"
)

// experiments are all that can be run by name: the embedded tournament files,
// then those that are code.
func (a *app) experiments() ([]experiment.Experiment, error) {
	var all []experiment.Experiment
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		f, err := tournament.Read(name+".yaml", text, a.catalogue)
		if err != nil {
			return nil, err
		}
		all = append(all, experiment.FromFile(f))
	}
	daifugo, err := daifugoExperiments()
	if err != nil {
		return nil, err
	}
	all = append(append(all, battleshipFigure5()), daifugo...)
	if game, err := a.catalogue.Game("tubstap"); err == nil {
		all = append(append(all, tubstapExperiments(game)...), beyondPaper(game)...)
	}
	all = append(all, evolution.Experiments()...)
	return append(all, tunersExperiments()...), nil
}

// findExperiment finds an experiment by name, or reads a tournament file with
// printed values by its path.
func (a *app) findExperiment(name string) (experiment.Experiment, error) {
	if isPath(name) {
		f, _, err := a.readTournament(name)
		if err != nil {
			return experiment.Experiment{}, err
		}
		if len(f.Expect) == 0 {
			return experiment.Experiment{}, usage(fmt.Errorf("%s: expected rows under expect, got none (sakusen tournament plays it)", name))
		}
		return experiment.FromFile(f), nil
	}
	return a.namedExperiment(name)
}

// namedExperiment finds an experiment by name; nothing is read from a path.
func (a *app) namedExperiment(name string) (experiment.Experiment, error) {
	all, err := a.experiments()
	if err != nil {
		return experiment.Experiment{}, err
	}
	var names []string
	for _, e := range all {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if near, ok := param.Nearest(name, names); ok {
		return experiment.Experiment{}, usage(fmt.Errorf("no experiment %.100q (did you mean %s?)", name, near))
	}
	return experiment.Experiment{}, usage(fmt.Errorf("no experiment %.100q (expected one of %s)", name, strings.Join(names, ", ")))
}

// isPath tells a path from a name.
func isPath(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// tournamentSource is a tournament file's name for messages and its text, with
// the maps themselves where it names them by their paths.
type tournamentSource struct {
	name string
	text []byte
}

// readTournament reads a tournament file by its path, or an embedded
// experiment's by its name.
func (a *app) readTournament(arg string) (*tournament.File, tournamentSource, error) {
	var text []byte
	var err error
	name, dir := arg, ""
	if isPath(arg) {
		dir = filepath.Dir(arg)
		if text, err = os.ReadFile(arg); err != nil {
			return nil, tournamentSource{}, usage(fmt.Errorf("tournament file: %w", err))
		}
	} else {
		if text, err = studies.ReadExperiment(arg); err != nil {
			return nil, tournamentSource{}, usage(errors.Join(fmt.Errorf("tournament file: expected a path (with a slash, or ending in .yaml), got %q", arg), err))
		}
		name += ".yaml"
	}
	f, err := tournament.Read(name, text, a.catalogueOf(dir))
	return f, tournamentSource{filepath.Base(name), a.settleMaps(text, dir)}, usage(err)
}
