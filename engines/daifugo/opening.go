package daifugo

import (
	"fmt"
	"math/bits"

	"sakusen/engines/arena"
)

// phases that share the openings of a seed, each with a quarter of its own.
const phases = 4

// Purposes of the streams that order the openings.
const (
	shuffling arena.Purpose = 2 + iota // all openings, the same for every seed
	ordering                           // a phase's openings, by seed
)

// openings is the number of distinct openings with unequal hands that each
// phase has: a quarter of all, all being every way to give each seat at least
// one card.
func openings(r Rules) int64 {
	all := uint64(1)
	for range r.Seats {
		all *= 1<<r.Cards - 1
	}
	return int64(all / phases)
}

// opening is the hands of one block. All openings are shuffled once and for
// all, and each phase has a stretch of them: so what is tuned on is never
// validated on, whatever the seeds. The seed orders the stretch, and the block
// is an index in it: so no opening is met twice in a series. A block beyond the
// last is an error.
func opening(r Rules, fx *arena.Fixture) ([]Hand, error) {
	n := openings(r)
	if fx.Block >= n {
		return nil, fmt.Errorf("daifugo-solve: block %d: expected a block below %d: %d players with %d kinds have no more distinct openings for each phase",
			fx.Block, n, r.Seats, r.Cards)
	}
	own := arena.Fixture{Seed: fx.Seed, Phase: fx.Phase}
	keys := own.Chance(ordering)
	order := newPermutation(bits.Len64(uint64(n-1)), &keys)
	index := order.within(uint64(fx.Block), func(i uint64) bool { return i < uint64(n) })
	index += uint64(fx.Phase) * uint64(n)
	var word uint64
	kinds := uint64(1)<<r.Cards - 1
	for i := range r.Seats {
		word |= (1 + index%kinds) << (i * r.Cards)
		index /= kinds
	}
	keys = (&arena.Fixture{}).Chance(shuffling)
	all := newPermutation(r.Seats*r.Cards, &keys)
	word = all.within(word, func(w uint64) bool {
		for i := range r.Seats {
			if w>>(i*r.Cards)&kinds == 0 {
				return false
			}
		}
		return true
	})
	hands := make([]Hand, r.Seats)
	for i := range hands {
		hands[i] = Hand(word >> (i * r.Cards) & kinds)
	}
	return hands, nil
}

// permutation is a one-to-one map of words that depends on a key: Feistel rounds that
// change a low and a high part in turn, of unequal sizes if the width is odd.
type permutation struct {
	low, high uint
	keys      [8]uint64
}

func newPermutation(width int, keys *arena.Stream) permutation {
	p := permutation{low: uint(width) / 2}
	p.high = uint(width) - p.low
	for i := range p.keys {
		p.keys[i] = keys.Uint64()
	}
	return p
}

// within is the permutation of those words for which in holds; word is one of them. It
// repeats the map until the result is one of them too (cycle walking, Black and Rogaway
// 2002).
func (p *permutation) within(word uint64, in func(word uint64) bool) uint64 {
	for {
		if word = p.at(word); in(word) {
			return word
		}
	}
}

func (p *permutation) at(word uint64) uint64 {
	a, b := word&(1<<p.low-1), word>>p.low
	for i, k := range p.keys {
		if i%2 == 0 {
			b ^= scramble(a, k) >> (64 - p.high) // by 64 where the part is empty: 0
		} else {
			a ^= scramble(b, k) >> (64 - p.low)
		}
	}
	return a | b<<p.low
}

// scramble makes the high bits of the result depend on all of x and key.
func scramble(x, key uint64) uint64 {
	hi, lo := bits.Mul64(x^key, 0x9E3779B97F4A7C15)
	z := hi ^ lo ^ key
	return (z ^ z>>29) * 0xBF58476D1CE4E5B9
}
