package complexity

import (
	"context"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// ClockMaps is how many generated maps ClockRules has for each share of planes.
const ClockMaps = 8

// ClockRules are the rules of a fair map of 10 x 10 cells with 12 units a side, of
// which planes per cent are planes: what can be read from the paper of its map. i
// counts from 0.
func ClockRules(i, planes int) param.Values {
	d := tubstap.DefaultDesign()
	d.Seed, d.Width, d.Height, d.Units, d.Planes = 5000+i, 10, 10, 12, planes
	return rulesOf(d)
}

// Paced is switch with the given values and M-UCT, both with the lab's
// simulations and further values of their search. Without values the first is the best
// single action alone, which searches nothing.
func (l *Lab) Paced(values, search param.Values) (player, muct arena.Entrant, err error) {
	own := append(slices.Clone(values), l.budget("muct.simulations"))
	other := param.Values{l.budget("simulations")}
	for _, v := range search {
		own = append(own, param.Value{Name: "muct." + v.Name, Text: v.Text})
		other = append(other, v)
	}
	if player = l.single; len(values) > 0 {
		if player, err = l.rules.NewEntrant("switch", "switch", own); err != nil {
			return player, muct, err
		}
	}
	muct, err = l.rules.NewEntrant("muct", "muct", other)
	return player, muct, err
}

// MeetOther plays blocks of two players in a phase.
func (l *Lab) MeetOther(ctx context.Context, host arena.Host, player, opponent arena.Entrant, phase arena.Phase, blocks int64, tell func(games int64)) (Score, error) {
	return meet(ctx, host, arena.Series{Ruleset: l.rules, Entrants: []arena.Entrant{player, opponent}, Seed: l.Seed, Phase: phase, To: blocks}, tell)
}
