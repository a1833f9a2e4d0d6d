package arena

import "math/bits"

// Purpose separates the streams of one seat: a game gives a number of its own
// to every use it has for chance (the deal, the placement, the tie breaks).
type Purpose uint32

// Stream is a counter-based stream of random numbers. Its i-th number is a
// function of its key and i alone. It is a value: copy it to draw the same
// numbers again. The zero Stream is valid and always the same.
type Stream struct {
	a, b  uint64 // the key
	count uint64
}

// gamma is the odd integer nearest to 2^64 divided by the golden ratio.
const gamma = 0x9E3779B97F4A7C15

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, variant 13
// of Stafford).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// NewStream is the stream with the given 128-bit key.
func NewStream(a, b uint64) Stream { return Stream{a: mix(a + gamma), b: mix(b ^ mix(a))} }

// Sub is an independent stream of the same key, for the given purpose.
func (s Stream) Sub(purpose Purpose) Stream {
	return Stream{a: mix(s.a + gamma*(uint64(purpose)+1)), b: mix(s.b ^ uint64(purpose)<<32)}
}

// Uint64 draws 64 random bits. It satisfies math/rand/v2.Source. The second
// half of the key enters between the rounds, so that two streams are never
// shifted copies of each other.
func (s *Stream) Uint64() uint64 {
	z := s.a + s.count*gamma
	s.count++
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z ^= s.b
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z = (z ^ z>>31) * gamma
	return z ^ z>>32
}

// IntN draws an integer in [0, n); n must be positive. It takes exactly one
// number from the stream; the bias, below n/2^64, is far beneath anything that
// a number of games can show.
func (s *Stream) IntN(n int) int {
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(hi)
}

// Float64 draws a number in [0, 1) with 53 random bits.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// Bool draws a fair coin.
func (s *Stream) Bool() bool { return s.Uint64()>>63 == 1 }

// Shuffle permutes n elements uniformly (Fisher and Yates; Durstenfeld 1964).
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.IntN(i+1))
	}
}
