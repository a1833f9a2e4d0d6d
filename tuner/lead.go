package tuner

import (
	"math"
	"slices"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/rating"
)

// leads proposes the pairs of a batch that meet at both settings, half of them: whom the cheap
// games believe best against the baseline.
func leads(st *Study, view *View, room int) ([][2]entry.Asked, error) {
	a, ok := st.proposer.(Answerer)
	if !ok || !cheap(st) || !linked(st.Setup, st.batches) || view.Baseline == nil || len(st.duels) == 0 {
		return nil, nil
	}
	best, ok, err := a.Answer(view)
	if err != nil || !ok {
		return nil, err
	}
	pair := [2]entry.Asked{
		st.Setup.sideOf(st.Setup.Tune.Params.Ordered(st.Setup.Tune.Fix, best.Values), givenDraw),
		st.Setup.sideOf(view.Baseline, givenDraw),
	}
	if pair[0].Params.Hash() == pair[1].Params.Hash() {
		return nil, nil
	}
	pair[0].Attrs = param.Values{{Name: "role", Text: leadRole}}
	return slices.Repeat([][2]entry.Asked{pair}, leadPairs(room)), nil
}

// leadsOf is the number of such pairs that were asked for.
func leadsOf(asked entry.Ask) int {
	n := 0
	for i := 0; i < len(asked.Trials); i += 2 {
		if role, _ := asked.Trials[i].Attrs.Get("role"); role == leadRole {
			n++
		}
	}
	return n
}

// meetTwice notes a duel of a pair that meets at both settings, the nth of its batch.
func meetTwice(st *Study, b *batch, d Duel, nth int) {
	noise := d.Noise * d.Noise
	if math.IsNaN(noise) {
		noise = linkNoise / float64(d.Blocks)
	}
	lead := 2*d.Score - 1
	noise *= 4
	if d.Cheap {
		st.fidelity.pairs = append(st.fidelity.pairs, rating.Twice{Cheap: lead, CheapNoise: noise})
		return
	}
	p := &st.fidelity.pairs[len(st.fidelity.pairs)-b.leads+nth-len(b.trials)/2]
	p.Dear, p.DearNoise = lead, noise
}

// sideOf is one side of a pair.
func (s *Setup) sideOf(proposed param.Values, draw int) entry.Asked {
	side := entry.Asked{Draw: draw, Params: s.Tune.Params.Activate(s.Tune.Fix, proposed)}
	if len(proposed) != len(side.Params) {
		side.Proposed = proposed
	}
	return side
}
