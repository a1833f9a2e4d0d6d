package arena

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Phase says what a series is for. Seeds of different phases are disjoint.
type Phase uint8

// The phases.
const (
	Match Phase = iota
	Tune
	Final
	Validation
)

var phases = [...]string{"match", "tune", "final", "validation"}

// String returns the phase's name.
func (p Phase) String() string {
	if int(p) < len(phases) {
		return phases[p]
	}
	return fmt.Sprintf("phase %d", uint8(p))
}

// ParsePhase reads a phase's name.
func ParsePhase(name string) (Phase, error) {
	for i, p := range phases {
		if p == name {
			return Phase(i), nil
		}
	}
	return 0, fmt.Errorf("phase: expected one of %s, got %q", strings.Join(phases[:], ", "), name)
}

// Fixture is one game to play: a block's chance and a rotation of the entrants
// over the seats.
type Fixture struct {
	Seed     uint64
	Phase    Phase
	Block    int64 // index of the block in its series
	Rotation int   // entrant e sits in seat (e + Rotation) mod seats
	// Starts is the number of the game's starting positions, 0 for unlimited; Start is the
	// one of this game.
	Starts int64
	// Scale is what the clocks of this game are multiplied by, since the machine is slower or
	// faster than the one that the rules are meant for; 0 is 1.
	Scale float64
	// Story, unless nil, is told the game line by line, for people: playthroughs,
	// replays. A referee formats nothing while it is nil.
	Story func(line string)
	// Streams, unless nil, is called for every random stream that is asked for, with its
	// seat and purpose, and for Start with the purpose Starting. The conformance tests use
	// it.
	Streams func(seat int, p Purpose)
	// Watch, unless nil, receives the game event by event, for drawings. Events are values
	// of types of the game's own package, copies that may be kept; a referee makes none
	// while Watch is nil. Watch must not change anything. The moves of one side may arrive
	// before moves of the other side that were played earlier.
	Watch func(event any)
}

// scale returns the factor of the clocks.
func (f *Fixture) scale() float64 {
	if f.Scale == 0 {
		return 1
	}
	return f.Scale
}

// Scaled returns a time of the rules as it counts in this game, in the same unit, 1 at least where there is one.
func (f *Fixture) Scaled(time int64) int64 {
	if f.Scale == 0 || f.Scale == 1 || time <= 0 {
		return time
	}
	return max(1, int64(math.Round(float64(time)*f.Scale)))
}

// Chance returns the stream of what belongs to no seat: a deal, a board.
func (f *Fixture) Chance(p Purpose) Stream { return f.Stream(-1, p) }

// Stream returns the stream of one seat for one purpose. It does not depend on the
// rotation: every player in that seat meets the same numbers.
func (f *Fixture) Stream(seat int, p Purpose) Stream {
	if f.Streams != nil {
		f.Streams(seat, p)
	}
	a := f.Seed ^ mix(uint64(f.Block)+gamma)
	b := uint64(f.Phase)<<56 | uint64(uint8(seat))<<32 | uint64(p)
	return NewStream(a, b)
}

// Transcript is the running digest of a game's events in order: a fast 64-bit
// mixer, not a cryptographic one. It tells two different games apart but for
// one chance in about 2^64.
type Transcript struct{ h uint64 }

// Add folds one event into the digest.
func (t *Transcript) Add(event uint64) {
	z := (t.h ^ event) * 0xD6E8FEB86659FD93
	t.h = z ^ z>>32 + gamma
}

// Sum returns the digest.
func (t *Transcript) Sum() uint64 { return mix(t.h) }

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

// mix returns the finaliser of SplitMix64 (Steele, Lea and Flood 2014, variant 13
// of Stafford).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// NewStream returns the stream with the given 128-bit key.
func NewStream(a, b uint64) Stream { return Stream{a: mix(a + gamma), b: mix(b ^ mix(a))} }

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
