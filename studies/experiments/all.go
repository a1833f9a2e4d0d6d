// Package experiments lists every experiment that the program can run by name:
// the tournament files beside it, then those that are Go code, game by game. It
// stands apart from the package studies, whose files are read without any
// strategy.
//
// Place in the flow: the command line and the daemon list and run these.
//
//	list, err := experiments.All(strategies.Catalogue())
//	e, err := experiment.Find(list, "battleship-table1")
package experiments

import (
	"regexp"

	"sakusen/engines/arena"
	"sakusen/studies"
	"sakusen/studies/battleship"
	"sakusen/studies/daifugo"
	"sakusen/studies/laboratory"
	"sakusen/studies/lifeboats"
	"sakusen/studies/tubstap"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/experiment"
)

// gameLine is the line of a tournament file that names its game.
var gameLine = regexp.MustCompile(`(?m)^game: *([a-z0-9-]+)`)

// All returns the experiments on a catalogue's games, in the order of the list that
// people see. Those of a game that the catalogue lacks are left out: a program may
// have games of its own alone.
func All(catalogue arena.Catalogue) ([]experiment.Experiment, error) {
	has := func(game string) bool {
		_, err := catalogue.Game(game)
		return err == nil
	}
	var list []experiment.Experiment
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		if game := gameLine.FindSubmatch(text); game != nil && !has(string(game[1])) {
			continue
		}
		f, err := contest.ReadTournament(name+".yaml", text, catalogue)
		if err != nil {
			return nil, err
		}
		list = append(list, experiment.FromFile(f))
	}
	if game, err := catalogue.Game("battleship"); err == nil {
		list = append(list, battleship.Experiments(game)...)
	}
	if has("daifugo") {
		tables, err := daifugo.Experiments()
		if err != nil {
			return nil, err
		}
		list = append(list, tables...)
	}
	if game, err := catalogue.Game("tubstap"); err == nil {
		list = append(list, tubstap.Experiments(game)...)
	}
	if has("lifeboats") {
		list = append(list, lifeboats.Experiments()...)
	}
	if has("laboratory") {
		list = append(list, laboratory.Experiments()...)
	}
	return list, nil
}
