package replay

import (
	"iter"
	"math"
)

const (
	// perShare is the number of blocks of which one is played again where nothing else
	// is asked for: 1 %.
	perShare = 100
	// least is the number of blocks that are played again of a small whole: a player
	// that plays one block in a hundred otherwise is found among them with a chance of
	// 95 %.
	least = 300
	// most bounds the price of that, as a part of all blocks.
	most = 0.1
)

// Size is how many of n blocks are played again. share is what was asked for, nil
// for the usual: one in a hundred, but 300 of a small whole, and no more than a
// tenth of it.
func Size(n int64, share *float64) int64 {
	if share != nil {
		return min(n, int64(math.Ceil(*share*float64(n))))
	}
	return max((n+perShare-1)/perShare, min(least, int64(math.Ceil(most*float64(n)))))
}

// picked yields k of the numbers 0..n-1, ascending and evenly spread; which
// ones is a function of seed.
func picked(seed uint64, n, k int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range k {
			lo, hi := int64(float64(i)*float64(n)/float64(k)), int64(float64(i+1)*float64(n)/float64(k))
			if i == k-1 {
				hi = n
			}
			at := lo
			if hi > lo {
				at += int64(mix(seed^uint64(i)*0x9e3779b97f4a7c15) % uint64(hi-lo))
			}
			if !yield(at) {
				return
			}
		}
	}
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
