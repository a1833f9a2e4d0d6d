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
	"sakusen/engines/arena"
	"sakusen/studies"
	"sakusen/studies/battleship"
	"sakusen/studies/daifugo"
	"sakusen/studies/laboratory"
	"sakusen/studies/lifeboats"
	"sakusen/studies/tubstap"
	"sakusen/tuner/experiment"
	"sakusen/tuner/tournament"
)

// All are the experiments on a catalogue's games, in the order of the list that
// people see. Those of TUBSTAP need the game and are left out where the
// catalogue lacks it.
func All(catalogue arena.Catalogue) ([]experiment.Experiment, error) {
	var list []experiment.Experiment
	for _, name := range studies.ExperimentNames() {
		text, err := studies.ReadExperiment(name)
		if err != nil {
			return nil, err
		}
		f, err := tournament.Read(name+".yaml", text, catalogue)
		if err != nil {
			return nil, err
		}
		list = append(list, experiment.FromFile(f))
	}
	tables, err := daifugo.Experiments()
	if err != nil {
		return nil, err
	}
	list = append(append(list, battleship.Figure5()), tables...)
	if game, err := catalogue.Game("tubstap"); err == nil {
		list = append(list, tubstap.Experiments(game)...)
	}
	list = append(list, lifeboats.Experiments()...)
	return append(list, laboratory.Experiments()...), nil
}
