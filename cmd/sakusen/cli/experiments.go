package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sakusen/studies"
	"sakusen/studies/experiments"
	"sakusen/tuner/experiment"
	"sakusen/tuner/tournament"
)

// experiments are all that can be run by name.
func (a *app) experiments() ([]experiment.Experiment, error) { return experiments.All(a.catalogue) }

// findExperiment finds an experiment by name, or reads a tournament file with
// printed values by its path.
func findExperiment(a *app, name string) (experiment.Experiment, error) {
	if isPath(name) {
		f, _, err := readTournament(a, name)
		if err != nil {
			return experiment.Experiment{}, err
		}
		if len(f.Expect) == 0 {
			return experiment.Experiment{}, usage(fmt.Errorf("%s: expected rows under expect, got none (sakusen tournament plays it)", name))
		}
		return experiment.FromFile(f), nil
	}
	return namedExperiment(a, name)
}

// namedExperiment finds an experiment by name; nothing is read from a path.
func namedExperiment(a *app, name string) (experiment.Experiment, error) {
	list, err := a.experiments()
	if err != nil {
		return experiment.Experiment{}, err
	}
	return experiment.Find(list, name)
}

// isPath tells a path from a name.
func isPath(arg string) bool {
	return strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// tournamentSource is a tournament file's name for messages and its text. Maps that it
// names by their paths are already put in.
type tournamentSource struct {
	name string
	text []byte
}

// readTournament reads a tournament file by its path, or an embedded
// experiment's by its name.
func readTournament(a *app, arg string) (*tournament.File, tournamentSource, error) {
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
	return f, tournamentSource{filepath.Base(name), a.settleFiles(text, dir)}, usage(err)
}
