package arena

import (
	"fmt"
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

// String is the phase's name.
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

// Chance is the stream of what belongs to no seat: a deal, a board.
func (f *Fixture) Chance(p Purpose) Stream { return f.Stream(-1, p) }

// Stream is the stream of one seat for one purpose. It does not depend on the
// rotation: whoever sits there meets the same numbers.
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

// Sum is the digest.
func (t *Transcript) Sum() uint64 { return mix(t.h) }
