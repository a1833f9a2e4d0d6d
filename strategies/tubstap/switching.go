// Switching changes its strategy with the complexity of the
// position: the best single action while a turn is too complex to search,
// M-UCT from then on.
//
// At the start of each of its turns it measures the position and plays the
// whole turn by single at or above a threshold, by muct below it. The measure
// is the number of its own units or the estimated number of legal moves; the
// threshold is given, or predicted from the map and from M-UCT's budget.
//
//	switch(measure=moves,moves_threshold=21,muct.simulations=20000)
//	switch(measure=predicted,muct.simulations=50)
//
// Source: Sagehashi, Muto and Nishino 2017, section 4. The best thresholds
// there: 10 and 11 units; 10^16, 10^21 and 10^22 moves. The prediction, for
// which section 7 wishes, is ours: see Prediction.

package tubstap

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// The measures of complexity.
const (
	Units     = "units"     // |U|, own units on the board
	Moves     = "moves"     // log10 of |U|! times the product of |A(s,u)|
	Predicted = "predicted" // as Moves, with a threshold of Prediction's
)

// switchingSettings are the player's parameters.
type switchingSettings struct {
	Measure    string
	Units      int     // threshold with measure units, units
	LogMoves   float64 // threshold with measure moves, log10 of moves
	Prediction Prediction
	Muct       MuctSettings
}

// declare binds the settings.
func (s *switchingSettings) declare(f *param.Fields) {
	f.Choice(&s.Measure, "measure", Moves, []string{Units, Moves, Predicted}, "what complexity is measured by")
	f.When("measure", Units, func(f *param.Fields) {
		f.Int(&s.Units, "units_threshold", 10, param.Range(0, 25), "a turn with at least so many own units is played by single, units")
	})
	f.When("measure", Moves, func(f *param.Fields) {
		f.Float(&s.LogMoves, "moves_threshold", 21, param.Range(0, 50), "a turn with at least so many legal moves (estimated) is played by single, log10 of moves")
	})
	f.When("measure", Predicted, s.Prediction.declare)
	f.Group("muct", s.Muct.declare)
}

// complex reports whether the mover's turn is to be played by single.
func (s *switchingSettings) complex(state *tubstap.State) bool {
	switch s.Measure {
	case Units:
		return state.Alive(state.Mover()) >= s.Units
	case Predicted:
		return state.LogMoves(state.Mover()) >= s.Prediction.Threshold(state.Map(), s.Muct.Simulations)
	}
	return state.LogMoves(state.Mover()) >= s.LogMoves
}

// switchingPlayer plays every turn by one of its two parts; it implements
// tubstap.Player.
type switchingPlayer struct {
	switchingSettings
	simple   singlePlayer
	deep     MuctPlayer
	searches bool
}

// Turn implements tubstap.Player: it decides who plays the turn.
func (p *switchingPlayer) Turn(s *tubstap.State, chance *arena.Stream) {
	p.searches = !p.complex(s)
	if p.searches {
		p.deep.Turn(s, chance)
	} else {
		p.simple.Turn(s, chance)
	}
}

// Act implements tubstap.Player.
func (p *switchingPlayer) Act(s *tubstap.State) tubstap.Action {
	if p.searches {
		return p.deep.Act(s)
	}
	return p.simple.Act(s)
}

// Switching returns the catalogue's entry.
func Switching() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "switch", Doc: "Best single action in complex positions, M-UCT in the others.",
		Source: "Sagehashi, Muto and Nishino 2017, section 4",
		New: func(f *param.Fields, _ *tubstap.Options) arena.Maker[tubstap.Player] {
			p := &switchingPlayer{}
			p.declare(f)
			return func() (tubstap.Player, error) {
				p.deep.MuctSettings = p.Muct
				return p, nil
			}
		},
		Sign: param.Values{{Name: "muct.simulations", Text: "30"}},
	}
}

// Prediction tells the threshold from what is known before the first turn: the
// simulations for each unit action and the share of planes in the armies.
//
// More simulations let M-UCT search more complex turns; planes favour the best
// single action.
type Prediction struct {
	Base      float64 // log10 of moves at one simulation, without planes
	PerDecade float64 // log10 of moves for each tenfold number of simulations
	PerAir    float64 // log10 of moves from no planes to planes alone
}

// declare binds the prediction's coefficients.
func (p *Prediction) declare(f *param.Fields) {
	l := Learned()
	f.Float(&p.Base, "base", l.Base, param.Range(-50, 50), "threshold at one simulation without planes, log10 of moves")
	f.Float(&p.PerDecade, "per_decade", l.PerDecade, param.Range(0, 50), "added for each tenfold number of simulations, log10 of moves")
	f.Float(&p.PerAir, "per_air", l.PerAir, param.Range(-100, 50), "added to the threshold for armies of planes alone, in proportion for others, log10 of moves")
}

// Threshold returns the predicted threshold, log10 of moves.
func (p *Prediction) Threshold(m *tubstap.Map, simulations int) float64 {
	return p.Base + float64(p.PerDecade*math.Log10(float64(simulations))) + float64(p.PerAir*Air(m))
}

// Air returns the share of planes among a map's units, from 0 to 1.
func Air(m *tubstap.Map) float64 {
	if len(m.Units) == 0 {
		return 0
	}
	planes := 0
	for _, u := range m.Units {
		if u.Kind.Air() {
			planes++
		}
	}
	return float64(planes) / float64(len(m.Units))
}

// Learned returns coefficients that were learned on 24 generated maps of 7 to 12 by 7 to 10
// cells with 5 to 16 units a side, up to a quarter of them planes. They are of 25, 100 and 400
// simulations, from 1 152 games (experiment tubstap-threshold-rule, --games 2). It is not shown
// that they are worth more on other maps than a rule that ignores the position
// (docs/research/tubstap.md). The threshold is 10^14 moves with 100 simulations, 10^22 with
// 200.
func Learned() Prediction { return Prediction{Base: -38, PerDecade: 26, PerAir: -20} }
