package arena

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
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
	// Watch, unless nil, chooses the watcher of each game, nil for none; see Fixture.
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

// Check returns an error that says what is wrong with a series.
func (s *Series) Check() error {
	switch {
	case s.Ruleset == nil:
		return fmt.Errorf("series: it has no rules")
	case len(s.Entrants) != s.Ruleset.Seats:
		return fmt.Errorf("%s takes %d entrants, got %d", s.Ruleset.Game.Name, s.Ruleset.Seats, len(s.Entrants))
	case s.From < 0 || s.To < s.From:
		return fmt.Errorf("series: expected blocks 0 <= from <= to, got %d..%d", s.From, s.To)
	case s.Ruleset.Blocks > 0 && s.To > s.Ruleset.Blocks:
		return fmt.Errorf("%s has %d blocks for each phase under these rules, asked for block %d", s.Ruleset.Game.Name, s.Ruleset.Blocks, s.To-1)
	}
	return nil
}

// key identifies the players and the referee that a series needs. A program of the same name
// that was joined later is another player.
func (s *Series) key() string {
	k := fmt.Sprintf("%d %s", s.Ruleset.Game.signed.number, s.Ruleset.Hash())
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

// New returns the part of a run that was not seen before, in order: the run itself where that is
// all of it. Its result counts in a tally; its blocks need not follow each other.
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

// Blocks returns the number of different blocks seen so far.
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

// place returns the slot of a digest, or the free one where it belongs.
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

// Transcripts returns the digest of a block's games in the order of their rotations,
// without the block's index: equal where the games are.
func (r *Run) Transcripts(block int) uint64 {
	var t Transcript
	for _, d := range r.Digests[block*r.Rotations : (block+1)*r.Rotations] {
		t.Add(d)
	}
	return t.Sum()
}

// Run is the exact result of consecutive blocks, all integers: what is stored,
// and what a tally is added up from.
type Run struct {
	Seats, Components int
	// Rotations is the number of games of each block: Seats, or 1 for mirror
	// blocks: between equal entrants all rotations are one game.
	Rotations int
	From      int64 // index of the first block
	Blocks    int
	// Digests holds the transcript digest of each game, block by block and
	// rotation by rotation.
	Digests []uint64
	// Values holds, in the same order and seat by seat, Width() integers: the
	// score in units of 1/Scale(Seats), 1 for a fault, and the components.
	Values []int64
	// Worker is the name of the worker who played it, empty if it has none. It is no part
	// of the result. Runs of two workers that are joined have none.
	Worker string
	// Tapes is what the players of each game answered, compressed, where it was noted; see
	// [Tape]. It is no part of the result either.
	Tapes [][]byte `json:",omitempty"`
}

// NewRun returns an empty run with room for n blocks.
func NewRun(seats, components, rotations int, from int64, n int) *Run {
	r := &Run{Seats: seats, Components: components, Rotations: rotations, From: from}
	r.Digests = make([]uint64, 0, n*rotations)
	r.Values = make([]int64, 0, n*rotations*seats*r.Width())
	return r
}

// Width returns the number of integers of one seat in one game.
func (r *Run) Width() int { return 2 + r.Components }

// Game returns the integers of one seat in one game: score, fault, components.
func (r *Run) Game(block, rotation, seat int) []int64 {
	w := r.Width()
	at := ((block*r.Rotations+rotation)*r.Seats + seat) * w
	return r.Values[at : at+w]
}

// Mirror reports whether the blocks are mirror blocks.
func (r *Run) Mirror() bool { return r.Rotations == 1 && r.Seats > 1 }

// Slice returns the run of the blocks from..to, which must lie inside r. It shares
// r's memory.
func (r *Run) Slice(from, to int64) *Run {
	i, j := int(from-r.From), int(to-r.From)
	per := r.Rotations * r.Seats * r.Width()
	out := &Run{
		Seats: r.Seats, Components: r.Components, Rotations: r.Rotations, From: from, Blocks: j - i, Worker: r.Worker,
		Digests: r.Digests[i*r.Rotations : j*r.Rotations],
		Values:  r.Values[i*per : j*per],
	}
	if len(r.Tapes) == len(r.Digests) && len(r.Tapes) > 0 {
		out.Tapes = r.Tapes[i*r.Rotations : j*r.Rotations]
	}
	return out
}

// add appends one game's outcome.
func (r *Run) add(o *Outcome) {
	r.Digests = append(r.Digests, o.Transcript.Sum())
	for s, score := range o.Scores {
		fault := int64(0)
		if o.Faults[s] {
			fault = 1
		}
		r.Values = append(r.Values, score, fault)
		r.Values = append(r.Values, o.Counts(s)...)
	}
}

// Join appends the run that follows r, block after block.
func (r *Run) Join(next *Run) {
	if r.Blocks == 0 {
		r.Worker = next.Worker
	} else if r.Worker != next.Worker {
		r.Worker = ""
	}
	if len(r.Tapes) == len(r.Digests) && len(next.Tapes) == len(next.Digests) {
		r.Tapes = append(r.Tapes, next.Tapes...)
	} else {
		r.Tapes = nil
	}
	r.Digests = append(r.Digests, next.Digests...)
	r.Values = append(r.Values, next.Values...)
	r.Blocks += next.Blocks
}

// VoidComponent is the component that counts the games of void blocks, where a game
// has it.
const VoidComponent = "void"

// voidLast makes draws of the games of the last block, whole in r but not yet
// counted, and counts them in a component, unless that is negative.
func (r *Run) voidLast(component int) {
	share := Scale(r.Seats) / int64(r.Seats)
	for rotation := range r.Rotations {
		for seat := range r.Seats {
			values := r.Game(r.Blocks, rotation, seat)
			values[0] = share
			if component >= 0 {
				values[2+component] = 1
			}
		}
	}
}

// mostComponent bounds what a game may count, so that sums and products of
// components do not overflow: far above any game's.
const mostComponent = 1 << 50

// Check returns an error that says why a run, from any machine, cannot be a result of games: the
// scores of a game add up to one win, or are all 0, and a fault is 0 or 1.
func (r *Run) Check() error {
	for block := range r.Blocks {
		for rotation := range r.Rotations {
			if err := r.checkGame(block, rotation); err != nil {
				return fmt.Errorf("block %d, game %d: %w", r.From+int64(block), rotation, err)
			}
		}
	}
	return nil
}

func (r *Run) checkGame(block, rotation int) error {
	whole, sum := Scale(r.Seats), int64(0)
	for seat := range r.Seats {
		g := r.Game(block, rotation, seat)
		if g[0] < 0 || g[0] > whole {
			return fmt.Errorf("seat %d: expected a score from 0 to %d, got %d", seat, whole, g[0])
		}
		if g[1] < 0 || g[1] > 1 {
			return fmt.Errorf("seat %d: expected a fault of 0 or 1, got %d", seat, g[1])
		}
		for _, x := range g[2:] {
			if x < -mostComponent || x > mostComponent {
				return fmt.Errorf("seat %d: expected what is counted to be at most 2^50, got %d", seat, x)
			}
		}
		sum += g[0]
	}
	if sum != whole && sum != 0 {
		return fmt.Errorf("expected the seats' scores to be %d together, or 0 where nobody wins, got %d", whole, sum)
	}
	return nil
}

// Possible returns an error that says why a run cannot be a result of this game under any
// rules. Beyond [Run.Check], a game has a winner unless its players cannot win or one was at
// fault, and counts are not below 0.
func (g *Game) Possible(r *Run) error {
	if err := r.Check(); err != nil {
		return err
	}
	if r.Components != len(g.Components) {
		return fmt.Errorf("expected %d numbers that %s counts, got %d", len(g.Components), g.Name, r.Components)
	}
	for block := range r.Blocks {
		for rotation := range r.Rotations {
			if err := g.possible(r, block, rotation); err != nil {
				return fmt.Errorf("block %d, game %d: %w", r.From+int64(block), rotation, err)
			}
		}
	}
	return nil
}

func (g *Game) possible(r *Run, block, rotation int) error {
	decided := g.Unscored
	for seat := range r.Seats {
		values := r.Game(block, rotation, seat)
		decided = decided || values[0] > 0 || values[1] > 0
		for i, x := range values[2:] {
			if x < 0 && !slices.Contains(g.Negative, g.Components[i]) {
				return fmt.Errorf("seat %d: expected %s from 0, got %d", seat, g.Components[i], x)
			}
		}
	}
	if !decided {
		return fmt.Errorf("expected the seats' scores to be %d together, got 0: a game of %s without a fault has a winner", Scale(r.Seats), g.Name)
	}
	return nil
}
