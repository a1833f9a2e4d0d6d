package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/contest/experiment"
)

// switchingSource is the paper; its figures are plots without numbers, so that
// only what its text says is printed.
const switchingSource = "R. Sagehashi, K. Muto and J. Nishino, IPSJ SIG Technical Report 2017-GI-37 No. 10"

// paperMap stands for the map of the paper. The paper prints it as figure 3, a
// picture that no file of units and terrain was published for; whoever has read it
// off plays it by the rule map.
const paperMap = "paper12b"

// paperBudget is what the figures are measured with by default, a tenth of the
// paper's 20 000 simulations a unit action.
const paperBudget = 2000

// paperSeed is the seed when no other is asked for.
func paperSeed() *uint64 {
	seed := uint64(complexity.Seed)
	return &seed
}

// paperLab opens the paper's map, or the rules that are asked for, with the seed
// that is asked for.
func paperLab(game *arena.Game, o experiment.Options, simulations int64) (*complexity.Lab, error) {
	rules := o.Rules
	if rules == nil {
		rules = complexity.Named(paperMap)
	}
	lab, err := complexity.NewLab(game, rules, simulations)
	if err == nil && o.Seed != nil {
		lab.Seed = *o.Seed
	}
	return lab, err
}
