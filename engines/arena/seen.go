package arena

import "math/bits"

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
