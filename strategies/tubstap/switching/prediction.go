package switching

import (
	"math"

	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

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

// Declare binds the prediction's coefficients.
func (p *Prediction) Declare(f *param.Fields) {
	l := Learned()
	f.Float(&p.Base, "base", l.Base, param.Range(-50, 50), "threshold at one simulation without planes, log10 of moves")
	f.Float(&p.PerDecade, "per_decade", l.PerDecade, param.Range(0, 50), "added for each tenfold number of simulations, log10 of moves")
	f.Float(&p.PerAir, "per_air", l.PerAir, param.Range(-100, 50), "added to the threshold for armies of planes alone, in proportion for others, log10 of moves")
}

// Threshold is the predicted threshold, log10 of moves.
func (p *Prediction) Threshold(m *tubstap.Map, simulations int) float64 {
	return p.Base + float64(p.PerDecade*math.Log10(float64(simulations))) + float64(p.PerAir*Air(m))
}

// Air is the share of planes among a map's units, from 0 to 1.
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
