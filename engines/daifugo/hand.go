package daifugo

import (
	"fmt"
	"math/bits"
)

// Hand is a set of cards, one of each kind: bit v-1 is the card of kind v.
type Hand uint16

// fullHand holds one card of every kind 1..cards.
func fullHand(cards int) Hand { return Hand(1)<<cards - 1 }

// handOf makes a hand of the given kinds, or says which of them is repeated
// or out of 1..cards.
func handOf(kinds []int, cards int) (Hand, error) {
	var h Hand
	for _, v := range kinds {
		if v < 1 || v > cards {
			return 0, fmt.Errorf("card: expected a kind from 1 to %d, got %d", cards, v)
		}
		if h.Has(v) {
			return 0, fmt.Errorf("card: expected each kind once in a hand, got %d twice", v)
		}
		h |= 1 << (v - 1)
	}
	return h, nil
}

// Has tells whether the hand holds kind v.
func (h Hand) Has(v int) bool { return h>>(v-1)&1 != 0 }

// Len is the number of cards held.
func (h Hand) Len() int { return bits.OnesCount16(uint16(h)) }

// Above is the part of the hand strictly higher than kind v; v = 0 keeps all.
func (h Hand) Above(v int) Hand { return h >> v << v }

// Lowest is the lowest kind held, 0 of an empty hand.
func (h Hand) Lowest() int {
	if h == 0 {
		return 0
	}
	return bits.TrailingZeros16(uint16(h)) + 1
}

// Highest is the highest kind held, 0 of an empty hand.
func (h Hand) Highest() int { return bits.Len16(uint16(h)) }

// Kinds lists the cards in ascending order.
func (h Hand) Kinds() []int {
	kinds := make([]int, 0, h.Len())
	for ; h != 0; h &= h - 1 {
		kinds = append(kinds, h.Lowest())
	}
	return kinds
}
