package daifugo

import (
	"math/bits"

	"sakusen/engines/daifugo"
)

// set is a set of ranks: bit r-1 is rank r.
type set uint8

// single tells whether the set has exactly one rank.
func (s set) single() bool { return s != 0 && s&(s-1) == 0 }

// best is the lowest rank in the set, 1 the best there is. The set is not empty.
func (s set) best() int { return bits.TrailingZeros8(uint8(s)) + 1 }

// worst is the highest rank in the set; 0 of an empty set.
func (s set) worst() int { return bits.Len8(uint8(s)) }

// ranks lists the set in ascending order.
func (s set) ranks() []int {
	ranks := make([]int, 0, bits.OnesCount8(uint8(s)))
	for ; s != 0; s &= s - 1 {
		ranks = append(ranks, s.best())
	}
	return ranks
}

// Value is one Set per seat: seat i has bits i*K .. i*K+K-1, K being the
// number of rank kinds of the rules.
type Value uint64

// at is the set of one seat.
func (v Value) at(seat, ranks int) set {
	return set(v>>(seat*ranks)) & set(1<<ranks-1)
}

// With is v with one more rank for a seat.
func (v Value) With(seat, rank, ranks int) Value {
	return v | 1<<(seat*ranks+rank-1)
}

// Sets lists the ranks of every seat, as `paper solve daifugo` prints them.
func (v Value) Sets(r daifugo.Rules) [][]int {
	sets := make([][]int, r.Seats)
	for i := range sets {
		sets[i] = v.at(i, r.Ranks).ranks()
	}
	return sets
}

// ranked has the ranks already given in p, and nothing for anybody else. It is
// the value of p when p is over.
func ranked(p *daifugo.Position) Value {
	var v Value
	r := p.Rules()
	for i := range r.Seats {
		if rank := p.Rank(i); rank != 0 {
			v = v.With(i, rank, r.Ranks)
		}
	}
	return v
}

// everything is the value that excludes nothing: every rank not yet given, for
// everybody unfinished.
func everything(p *daifugo.Position) Value {
	v := ranked(p)
	if p.Over() {
		return v
	}
	r := p.Rules()
	open := Value(1)<<r.Ranks - 1<<p.Out()
	for i := range r.Seats {
		if p.Rank(i) == 0 {
			v |= open << (i * r.Ranks)
		}
	}
	return v
}

// lift moves a value from the numbering of p's Canonical to the seats and ranks
// of p; ranks is the number of rank kinds that p has left to give. It has
// nothing for the seats that are ranked.
func lift(p *daifugo.Position, v Value, ranks int) Value {
	r := p.Rules()
	var out Value
	seat := p.Turn()
	for i := 0; i < r.Seats-p.Out(); {
		if p.Hand(seat) != 0 {
			out |= Value(v.at(i, ranks)) << (seat*r.Ranks + p.Out())
			i++
		}
		if seat++; seat == r.Seats {
			seat = 0
		}
	}
	return out
}

// lower is the inverse of Lift.
func lower(p *daifugo.Position, v Value, ranks int) Value {
	r := p.Rules()
	var out Value
	seat := p.Turn()
	for i := 0; i < r.Seats-p.Out(); {
		if p.Hand(seat) != 0 {
			out |= Value(v.at(seat, r.Ranks)>>p.Out()) << (i * ranks)
			i++
		}
		if seat++; seat == r.Seats {
			seat = 0
		}
	}
	return out
}

// firstMove is the value at which prune stops: the mover is first, and everybody else
// can be anything but.
func firstMove(mover int, r daifugo.Rules) Value {
	v := Value(0).With(mover, 1, r.Ranks)
	for i := range r.Seats {
		if i != mover {
			v |= (1<<r.Ranks - 2) << (i * r.Ranks)
		}
	}
	return v
}
