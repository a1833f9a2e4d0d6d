package lifeboats

import (
	"math"
	"testing"
)

// The chances of all companies add up to 1, and the dynamics find the mixture of a game
// whose equilibrium is known: who is rare wins, twice as much of one kind.
func TestMetagame(t *testing.T) {
	tables := compositions(3, 4)
	if len(tables) != 15 {
		t.Fatalf("%d companies, want 15", len(tables))
	}
	sum := 0.0
	for _, c := range tables {
		sum += c.chance([]float64{0.5, 0.3, 0.2})
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the chances add up to %g", sum)
	}
	g := &metagame{tables: compositions(2, 4)}
	for kind, scale := range []float64{2, 1} {
		var row []share
		for _, c := range g.tables {
			row = append(row, share{Value: 1 - float64(c[kind])/(8*scale), Error: 0.01})
		}
		g.wins = append(g.wins, row)
	}
	mix, _ := g.equilibrium()
	if math.Abs(mix[0]-2.0/3) > 1e-3 {
		t.Errorf("mixture %v, want 2/3 and 1/3", mix)
	}
	if a, b := g.payoff(0, mix), g.payoff(1, mix); math.Abs(a.Value-b.Value) > 1e-3 || a.Error <= 0 || a.Error >= 0.01 {
		t.Errorf("payoffs %+v and %+v", a, b)
	}
}
