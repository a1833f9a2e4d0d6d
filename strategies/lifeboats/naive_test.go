package lifeboats_test

import (
	"math"

	"sakusen/engines/lifeboats"
	strategies "sakusen/strategies/lifeboats"
)

// naive is the formulas as they are printed: each option is played on a copy of
// the position, and everything is summed up anew. It is the oracle of the tests
// and the yardstick of the benchmarks.
type naive struct {
	w       strategies.Weights
	players int
}

// follow returns the position that follows if the vote on p is won by an option: for
// an expulsion after the removal and with the leak counted, for a leak of a
// full boat with everybody still aboard.
func follow(p *lifeboats.Position, option int) lifeboats.Position {
	next := *p
	switch p.Phase {
	case lifeboats.Leak:
		next.Flood(option)
	case lifeboats.Expel:
		next.Remove(p.Boat, option)
		next.Flood(p.Boat)
	default:
		next.Move(option)
	}
	return next
}

func (n naive) Evaluate(p *lifeboats.Position, seat int, e *lifeboats.Values) {
	for set := p.Options(); set != 0; set = set.Rest() {
		o := set.First()
		if n.w.Full != "aboard" && p.Phase == lifeboats.Leak && p.Expels(o) {
			e[o] = n.beyond(p, o, seat)
			continue
		}
		next := follow(p, o)
		e[o] = n.lead(&next, seat)
	}
}

func (n naive) beyond(p *lifeboats.Position, boat, seat int) float64 {
	expulsion := *p
	expulsion.Phase, expulsion.Boat = lifeboats.Expel, boat
	best, sum, votes := math.Inf(-1), 0.0, 0
	for set := expulsion.Options(); set != 0; set = set.Rest() {
		q := set.First()
		next := follow(&expulsion, q)
		x := n.lead(&next, seat)
		best = math.Max(best, x)
		sum += x * float64(expulsion.Votes(q))
		votes += expulsion.Votes(q)
	}
	if n.w.Full == "optimistic" {
		return best
	}
	return sum / float64(votes)
}

func (n naive) boat(p *lifeboats.Position, b int) float64 {
	if p.Home.Has(b) {
		return n.w.Home
	}
	if !p.Afloat.Has(b) {
		return 0
	}
	rank, aboard := 1, 0
	for o := range p.Boats {
		if p.Afloat.Has(o) && p.Steps[o] < p.Steps[b] {
			rank++
		}
	}
	for q := range n.players {
		if p.Crew[b][q] > 0 {
			aboard++
		}
	}
	x := n.w.Steps[p.Steps[b]] + n.w.Leaks[p.Leaks[b]]
	if aboard >= 2 {
		x += n.w.Parties[aboard]
	}
	if rank <= n.players {
		x += n.w.Rank[rank]
	}
	return x
}

func (n naive) lead(p *lifeboats.Position, seat int) float64 {
	v := make([]float64, n.players)
	for b := range p.Boats {
		worth := n.boat(p, b)
		for q := range v {
			v[q] += worth * p.Crew[b][q]
		}
	}
	exponent, top, sum := math.Max(n.w.X, 0), 0.0, 0.0
	for q, x := range v {
		if q != seat {
			top = math.Max(top, x)
			sum += x
		}
	}
	if top <= 1e-9 || exponent == 0 {
		return v[seat] - sum/float64(n.players-1)
	}
	num, den := 0.0, 0.0
	for q, x := range v {
		if q != seat {
			w := math.Pow(math.Max(x, 0)/top, exponent)
			num += w * x
			den += w
		}
	}
	return v[seat] - num/den
}
