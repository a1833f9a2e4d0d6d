package arena

import (
	"context"
	"fmt"
	"math/bits"
)

// Series is the blocks From..To (To excluded) of the same entrants.
type Series struct {
	Ruleset  *Ruleset
	Entrants []Entrant // entrant e sits in seat (e + rotation) mod seats
	Seed     uint64
	Phase    Phase
	From, To int64
	// Story, unless nil, is told every game line by line; see Fixture. Only a
	// pool of one worker tells the games in order.
	Story func(line string)
	// Tell, unless nil, chooses the story of each game instead, nil for none.
	Tell func(block int64, rotation int) (story func(line string))
	// Streams, unless nil, is told of the streams of every game; see Fixture. Ask
	// a pool of one worker.
	Streams func(seat int, p Purpose)
	// Watch, unless nil, chooses who watches each game, nil for nobody; see
	// Fixture.
	Watch func(block int64, rotation int) (watch func(event any))
	// Noted has what the players answer written down in the runs, where the game can do that.
	Noted bool
	// Scale is what the clocks are multiplied by; see Fixture.
	Scale float64
	// Reference is the machine for which the clocks are meant; clocks are not scaled where it is
	// empty. A pool sets both.
	Reference Speeds
	// Fix, unless nil, returns the reference of what the series is a part of, given the speeds of
	// this machine: those, where none was fixed before.
	Fix func(own Speeds) (Speeds, error)
}

// Host plays series: a local pool, or workers elsewhere.
type Host interface {
	// Play plays a series and returns its tally. observe, unless nil, is handed
	// the runs in the order of their blocks, one at a time; it may keep them. On
	// an error or a cancelled context the tally covers the runs observed so far.
	Play(ctx context.Context, s Series, observe func(*Run) error) (Tally, error)
}

// Check says what is wrong with a series.
func (s *Series) Check() error {
	switch {
	case s.Ruleset == nil:
		return fmt.Errorf("series: it has no rules")
	case len(s.Entrants) != s.Ruleset.Seats:
		return fmt.Errorf("%s takes %d entrants, got %d", s.Ruleset.Game.Name, s.Ruleset.Seats, len(s.Entrants))
	case s.From < 0 || s.To < s.From:
		return fmt.Errorf("series: expected blocks 0 <= from <= to, got %d..%d", s.From, s.To)
	}
	return nil
}

// key identifies the players and the referee that a series needs.
func (s *Series) key() string {
	k := s.Ruleset.Hash()
	for _, e := range s.Entrants {
		k += "\n" + e.Canonical()
	}
	return k
}

// Seen tells games that were played from games that were played again. Two
// blocks whose transcripts are the same, game by game, are one observation,
// however often players without chance repeat it. The zero value has seen
// nothing.
//
//	var seen arena.Seen
//	tally.Add(seen.New(run)) // counts each block once
type Seen struct {
	// A hash table with linear probing, of digests: it takes 10 to 15 bytes a block, where a
	// map takes up to 38, and a long match keeps a digest of every block.
	slots []uint64 // 0 where none is
	zero  bool     // the digest 0 was seen
	n     int      // digests seen
}

// New is the part of a run that was not seen before, in order: the run itself
// where that is all of it. What it returns counts in a tally; its blocks need not
// follow each other.
func (d *Seen) New(r *Run) *Run {
	keep := make([]int, 0, r.Blocks)
	for b := range r.Blocks {
		if d.add(r.Transcripts(b)) {
			keep = append(keep, b)
		}
	}
	if len(keep) == r.Blocks {
		return r
	}
	out := NewRun(r.Seats, r.Components, r.Rotations, r.From, len(keep))
	out.Worker = r.Worker
	for _, b := range keep {
		out.Join(r.Slice(r.From+int64(b), r.From+int64(b)+1))
	}
	return out
}

// Add notes the blocks of a run.
func (d *Seen) Add(r *Run) {
	for b := range r.Blocks {
		d.add(r.Transcripts(b))
	}
}

// Blocks is the number of different blocks seen so far.
func (d *Seen) Blocks() int64 { return int64(d.n) }

// add notes a digest and tells whether it is new.
func (d *Seen) add(digest uint64) bool {
	if digest == 0 {
		isNew := !d.zero
		if d.zero = true; isNew {
			d.n++
		}
		return isNew
	}
	if 5*d.n >= 4*len(d.slots) {
		old := d.slots
		d.slots = make([]uint64, max(16, len(old)*3/2))
		for _, x := range old {
			if x != 0 {
				d.slots[d.place(x)] = x
			}
		}
	}
	at := d.place(digest)
	if d.slots[at] == digest {
		return false
	}
	d.slots[at] = digest
	d.n++
	return true
}

// place is the slot of a digest, or the free one where it belongs.
func (d *Seen) place(digest uint64) int {
	high, _ := bits.Mul64(mix(digest), uint64(len(d.slots)))
	at := int(high)
	for d.slots[at] != 0 && d.slots[at] != digest {
		if at++; at == len(d.slots) {
			at = 0
		}
	}
	return at
}

// Transcripts is the digest of a block's games in the order of their rotations,
// without the block's index: equal where the games are.
func (r *Run) Transcripts(block int) uint64 {
	var t Transcript
	for _, d := range r.Digests[block*r.Rotations : (block+1)*r.Rotations] {
		t.Add(d)
	}
	return t.Sum()
}
