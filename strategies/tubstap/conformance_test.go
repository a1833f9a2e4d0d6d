package tubstap_test

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/arenatest"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	strategies "sakusen/strategies/tubstap"
)

func game() *arena.Game {
	return arena.Enter(tubstap.Definition(), strategies.Random(), strategies.Single(), strategies.Muct(), strategies.Switching(), strategies.DLMC(), strategies.Guided())
}

// TestConformance seats every strategy of the game, on a small map and on a
// generated one with noise.
func TestConformance(t *testing.T) {
	entrants := []string{
		"random", "single", "muct(simulations=20)", "muct(simulations=20,mode=corrected)",
		"switch(measure=units,units_threshold=3,muct.simulations=20)", "switch(measure=predicted,muct.simulations=20)", "dlmc(sequences=5,rollouts=3)", "guided(simulations=20)",
	}
	t.Run("own02", func(t *testing.T) {
		arenatest.Run(t, game(), arenatest.Options{
			Rules: param.Values{{Name: "map", Text: "own02"}}, Entrants: entrants, Blocks: 3,
			Golden: "testdata/playthrough.txt",
		})
	})
	t.Run("generated", func(t *testing.T) {
		arenatest.Run(t, game(), arenatest.Options{
			Rules: param.Values{
				{Name: "map", Text: "generated"}, {Name: "map_seed", Text: "7"}, {Name: "map_width", Text: "6"},
				{Name: "map_height", Text: "5"}, {Name: "map_units", Text: "3"}, {Name: "map_planes", Text: "34"},
				{Name: "map_turn_limit", Text: "16"}, {Name: "antiair_infantry", Text: "115"},
				{Name: "noise_hp", Text: "true"}, {Name: "noise_pos", Text: "true"},
			},
			Entrants: entrants, Blocks: 2,
		})
	})
}
