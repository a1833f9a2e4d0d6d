package lifeboats

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// A metagame is what each kind of player wins with each company of four others.
type metagame struct {
	tables []composition
	wins   [][]share // by kind and table
}

// A composition is how many of the others are of each kind.
type composition []int

// compositions are all ways to fill so many seats with players of some kinds.
func compositions(kinds, seats int) []composition {
	if kinds == 1 {
		return []composition{{seats}}
	}
	var all []composition
	for n := range seats + 1 {
		for _, rest := range compositions(kinds-1, seats-n) {
			all = append(all, append(composition{n}, rest...))
		}
	}
	return all
}

// chance is the probability of a company of others that are drawn from a mixture.
func (c composition) chance(mix []float64) float64 {
	p, left := 1.0, 0
	for kind, n := range c {
		for i := 1; i <= n; i++ {
			left++
			p *= mix[kind] * float64(left) / float64(i)
		}
	}
	return p
}

// metagame plays every kind with every company, evenly with the players of all teams.
func (l *lab) metagame(ctx context.Context, tables []composition, blocks int64, teams [][]param.Values, seed uint64) (*metagame, error) {
	g := &metagame{tables: tables, wins: make([][]share, len(kinds()))}
	each := max(1, blocks/int64(len(teams)))
	level := func(kind int) param.Values { return param.Values{{Name: "level", Text: strconv.Itoa(kind)}} }
	for kind := range kinds() {
		for _, table := range tables {
			var scores []float64
			for i, team := range teams {
				var others []arena.Entrant
				for other, n := range table {
					for range n {
						seat := len(others) + 1
						e, err := l.rules.NewEntrant(fmt.Sprintf("evolved %d", seat), "levelk", join(team[seat], level(other)))
						if err != nil {
							return nil, err
						}
						others = append(others, e)
					}
				}
				s, err := l.scores(ctx, seed+uint64(i), each, "levelk", join(team[0], level(kind)), others...)
				if err != nil {
					return nil, err
				}
				scores = append(scores, s...)
			}
			g.wins[kind] = append(g.wins[kind], shareOf(scores))
		}
	}
	return g, nil
}

// payoff is the share of wins of a kind among others drawn from a mixture.
func (g *metagame) payoff(kind int, mix []float64) share {
	var out share
	variance := 0.0
	for i, table := range g.tables {
		p := table.chance(mix)
		s := g.wins[kind][i]
		out.Value += p * s.Value
		variance += p * p * s.Error * s.Error
		out.Games += s.Games
	}
	out.Error = math.Sqrt(variance)
	return out
}

// equilibrium follows the replicator dynamics, in discrete steps, from an even mixture; it
// returns the mean payoff too. A kind grows by what it wins above the mean.
func (g *metagame) equilibrium() (mix []float64, mean float64) {
	n := len(g.wins)
	mix = make([]float64, n)
	for i := range mix {
		mix[i] = 1 / float64(n)
	}
	for range 20000 {
		mean = 0
		payoffs := make([]float64, n)
		for i := range mix {
			payoffs[i] = g.payoff(i, mix).Value
			mean += mix[i] * payoffs[i]
		}
		for i := range mix {
			mix[i] *= payoffs[i] / mean
		}
	}
	return mix, mean
}
