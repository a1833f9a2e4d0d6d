package lifeboats_test

import (
	"math"
	"math/big"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/lifeboats"
)

// precision is that of the oracle's numbers, bits; a float64 has 53.
const precision = 200

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// bigPower returns v to the power of sixtyFourths / 64, from square roots and products alone.
func bigPower(v *big.Float, sixtyFourths int) *big.Float {
	p, root := number(1), v
	for n := sixtyFourths / 64; n > 0; n-- {
		p.Mul(p, v)
	}
	for bit := 32; bit > 0; bit /= 2 {
		root = new(big.Float).SetPrec(precision).Sqrt(root)
		if sixtyFourths&bit != 0 {
			p.Mul(p, root)
		}
	}
	return p
}

// bigLead returns E of a seat from the advantages of all players, for X = sixtyFourths / 64.
func bigLead(v []float64, seat, sixtyFourths int) *big.Float {
	num, den, sum, any := number(0), number(0), 0.0, false
	for q, x := range v {
		if q == seat {
			continue
		}
		sum += x
		any = any || x > 1e-9
		if x > 0 {
			w := bigPower(number(x), sixtyFourths)
			den.Add(den, w)
			num.Add(num, w.Mul(w, number(x)))
		}
	}
	if !any {
		return number(v[seat] - sum/float64(len(v)-1))
	}
	return num.Sub(number(v[seat]), num.Quo(num, den))
}

// TestVotesAreThoseOfExactPowers compares the votes for X that is not whole with those by powers
// of 200 bits: the same options are the best, and the same are tied.
func TestVotesAreThoseOfExactPowers(t *testing.T) {
	s := arena.NewStream(5, 5)
	games := 400
	if suite.Few() {
		games = 30
	}
	votes, tied := 0, 0
	for g := range games {
		w := draw(&s)
		sixtyFourths := 1 + s.IntN(16*64-1)
		if g%4 == 0 {
			sixtyFourths = 65 + s.IntN(190) // where evolved players are
		}
		w.X, w.Full = float64(sixtyFourths)/64, "aboard"
		if g%3 == 0 { // boats of equal worth: many options differ little or not at all
			w.Leaks, w.Parties = [4]float64{}, [7]float64{}
		}
		model := strategies.New(&w, 5)
		walk(5, &s, func(p *lifeboats.Position) {
			seat := s.IntN(5)
			best, e := number(math.Inf(-1)), map[int]*big.Float{}
			for set := p.Options(); set != 0; set = set.Rest() {
				next := follow(p, set.First())
				v := model.Advantages(&next)
				lead := bigLead(v[:5], seat, sixtyFourths)
				e[set.First()] = lead
				if lead.Cmp(best) > 0 {
					best = lead
				}
			}
			top, _ := best.Float64()
			var want lifeboats.Set
			for o, x := range e {
				gap, _ := new(big.Float).Sub(best, x).Float64()
				if near := lifeboats.Near * max(1, math.Abs(top)); gap <= near {
					want = want.With(o)
				} else if gap < near*(1+1e-3) {
					return // rounding decides whether this is tied
				}
			}
			votes++
			if want.Rest() != 0 {
				tied++
			}
			if got := model.Favour(p, seat); got != want {
				t.Fatalf("game %d, X %v, seat %d: favours %b, by exact powers %b of %v", g, w.X, seat, got, want, e)
			}
		})
	}
	t.Logf("%d votes, %d of them with ties", votes, tied)
}
