package daifugo

import (
	"fmt"
	"math/bits"

	"sakusen/engines/arena"
)

// phases that share the openings of a seed, each with a quarter of its own.
const phases = 4

// shuffling is the purpose of the stream that orders the openings.
const shuffling arena.Purpose = 2

// Openings is the number of distinct openings with unequal hands that each
// phase of a seed has: a quarter of all, all being every way to give each seat
// at least one card.
func Openings(r Rules) int64 {
	all := uint64(1)
	for range r.Seats {
		all *= 1<<r.Cards - 1
	}
	return int64(all / phases)
}

// Opening is the hands of one block. The seed permutes all openings; a phase
// has a stretch of them, in which the block is an index: so no opening is met
// twice in a seed, and what is tuned on is not validated on. A block beyond
// the last is an error.
func Opening(r Rules, fx *arena.Fixture) ([]Hand, error) {
	n := Openings(r)
	if fx.Block >= n {
		return nil, fmt.Errorf("daifugo-solve: block %d: expected a block below %d: %d players with %d kinds have no more distinct openings for each phase",
			fx.Block, n, r.Seats, r.Cards)
	}
	index := uint64(fx.Phase)*uint64(n) + uint64(fx.Block)
	var word uint64
	kinds := uint64(1)<<r.Cards - 1
	for i := range r.Seats {
		word |= (1 + index%kinds) << (i * r.Cards)
		index /= kinds
	}
	common := arena.Fixture{Seed: fx.Seed} // the same for all blocks and phases
	keys := common.Chance(shuffling)
	p := newPermutation(r.Seats*r.Cards, &keys)
	hands := make([]Hand, r.Seats)
	for {
		word = p.at(word)
		whole := true
		for i := range hands {
			hands[i] = Hand(word>>(i*r.Cards)) & FullHand(r.Cards)
			whole = whole && hands[i] != 0
		}
		// Walking on from words with an empty hand keeps it a permutation of
		// the rest (cycle walking, Black and Rogaway 2002).
		if whole {
			return hands, nil
		}
	}
}

// permutation is a keyed one-to-one map of words: alternating Feistel rounds
// between a low and a high part, of unequal sizes where the width is odd.
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

func (p *permutation) at(word uint64) uint64 {
	a, b := word&(1<<p.low-1), word>>p.low
	for i, k := range p.keys {
		if i%2 == 0 {
			b ^= scramble(a, k) >> (64 - p.high)
		} else if p.low > 0 {
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
