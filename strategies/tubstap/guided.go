// Guided is the strongest player here, the yardstick of the others:
// M-UCT's tree over unit actions, led by prior chances and scored by short
// playouts.
//
// A child's prior comes from what the action wins at once (weighted HP taken
// less HP lost), as F-UCT starts its children from a fuzzy value and PV-MCTS
// from a policy; it is weighed against the mean as in PUCT. A playout goes
// on for a few half-turns only and is scored by the lead in weighted HP,
// through a logistic curve, as depth-limited Monte Carlo does: played to the
// end at random, the effect of one action drowns in noise.
//
//	p := guidedPlayer{guidedSettings: tuned()}
//
// Sources: Muto, F-UCT (thesis, UEC 2017); Kimura and Ikeda, PV-MCTS for
// TUBSTAP (ICAART 2020); PUCT: Rosin (2011), Silver et al. (2017); M3Lee's
// weights (GAT 2016).

package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// guidedSettings are the player's parameters.
type guidedSettings struct {
	Simulations int     // playouts for each unit action
	Expansion   int     // visits from which on a child is expanded, playouts
	C           float64 // weight of the prior
	Temperature float64 // gain that makes an attack e times as likely to be tried, tenths of HP
	HalfTurns   int     // length of a playout, half-turns
	Candidates  int     // attacks drawn for one action of a playout
	Attack      int     // chance of drawing an attack in a playout, per cent
	Scale       float64 // lead that is worth a chance of winning of 73 per cent, tenths of HP
	Flatness    int     // share of equal weights in the kinds' weights, per cent
}

// declare binds the settings.
func (s *guidedSettings) declare(f *param.Fields) {
	tuned := tuned()
	f.Int(&s.Simulations, "simulations", tuned.Simulations, param.Log(10, 1_000_000), "playouts for each unit action", param.Fixed())
	f.Int(&s.Expansion, "expansion", tuned.Expansion, param.Range(1, 100), "visits from which on a child is expanded, playouts")
	f.Float(&s.C, "c", tuned.C, param.Range(0, 5), "weight of the prior chances")
	f.Float(&s.Temperature, "temperature", tuned.Temperature, param.Range(1, 500), "gain that makes an attack e times as likely to be tried, tenths of HP")
	f.Int(&s.HalfTurns, "half_turns", tuned.HalfTurns, param.Range(1, 50), "length of a playout, half-turns")
	f.Int(&s.Attack, "attack_rate", tuned.Attack, param.Range(0, 100), "chance of drawing an attack in a playout where there is one, per cent")
	f.Int(&s.Candidates, "candidates", tuned.Candidates, param.Range(1, 10), "attacks drawn for one action of a playout, of which the best is made")
	f.Float(&s.Scale, "scale", tuned.Scale, param.Range(1, 1000), "lead that is worth a chance of winning of 73 per cent, tenths of HP")
	f.Int(&s.Flatness, "flatness", tuned.Flatness, param.Range(0, 100), "how far the weights of the kinds of unit are made equal, per cent")
}

// m3lee are the weights of the kinds' HP in M3Lee, in tenths.
var m3lee = rollout.Weights{20, 20, 15, 10, 7, 2}

// weights mixes M3Lee's weights with equal ones.
func (s *guidedSettings) weights() rollout.Weights {
	var w rollout.Weights
	for k := range w {
		w[k] = (m3lee[k]*int32(100-s.Flatness) + 10*int32(s.Flatness) + 50) / 100
	}
	return w
}

// guidedPlayer implements tubstap.Player.
type guidedPlayer struct {
	guidedSettings
	search
	chance *arena.Stream
}

// Turn implements tubstap.Player.
func (p *guidedPlayer) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.chance = chance
	p.known = false
}

// Act implements tubstap.Player.
func (p *guidedPlayer) Act(s *tubstap.State) tubstap.Action {
	if p.table == nil {
		p.prepare(&p.guidedSettings)
	}
	return p.find(&p.guidedSettings, s, p.chance.Uint64())
}

// Guided is the catalogue's entry.
func Guided() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "guided", Doc: "M-UCT led by priors, with short playouts scored by HP.",
		Source: "after Muto's F-UCT (2017), Kimura and Ikeda's PV-MCTS (2020) and depth-limited Monte Carlo (2015)",
		New: func(f *param.Fields, _ *tubstap.Options) arena.Maker[tubstap.Player] {
			p := &guidedPlayer{}
			p.declare(f)
			return arena.Made[tubstap.Player](p)
		},
		Sign: param.Values{{Name: "simulations", Text: "30"}},
	}
}

// tuned are the settings found by matches against M-UCT at equal simulations.
// Their scores against muct(mode=corrected), 95 % intervals by blocks, draws
// half, seed 7:
//
//	simulations    200 (30 blocks)      2000 (12 blocks)
//	paper10a       0.95 [0.90, 1.00]    0.96 [0.90, 1.00]
//	paper12b       0.99 [0.98, 1.00]    0.98 [0.94, 1.00]
//	paper12a       1.00                 1.00
func tuned() guidedSettings {
	return guidedSettings{
		Simulations: 200, Expansion: 2, C: 1, Temperature: 60,
		HalfTurns: 4, Candidates: 5, Attack: 100, Scale: 100, Flatness: 0,
	}
}
