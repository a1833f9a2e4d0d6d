package arena

// Seen tells games that were played from games that were played again. Two
// blocks whose transcripts are the same, game by game, are one observation,
// however often players without chance repeat it. The zero value has seen
// nothing.
//
//	var seen arena.Seen
//	tally.Add(seen.New(run)) // counts each block once
type Seen struct {
	blocks map[uint64]struct{} // digests
}

// New is the part of a run that was not seen before, in order: the run itself
// where that is all of it. What it returns counts in a tally; its blocks need not
// follow each other.
func (d *Seen) New(r *Run) *Run {
	if d.blocks == nil {
		d.blocks = map[uint64]struct{}{}
	}
	keep := make([]int, 0, r.Blocks)
	for b := range r.Blocks {
		digest := r.Transcripts(b)
		if _, ok := d.blocks[digest]; ok {
			continue
		}
		d.blocks[digest] = struct{}{}
		keep = append(keep, b)
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
	if d.blocks == nil {
		d.blocks = map[uint64]struct{}{}
	}
	for b := range r.Blocks {
		d.blocks[r.Transcripts(b)] = struct{}{}
	}
}

// Blocks is the number of different blocks seen so far.
func (d *Seen) Blocks() int64 { return int64(len(d.blocks)) }

// Transcripts is the digest of a block's games in the order of their rotations,
// without the block's index: equal where the games are.
func (r *Run) Transcripts(block int) uint64 {
	var t Transcript
	for _, d := range r.Digests[block*r.Rotations : (block+1)*r.Rotations] {
		t.Add(d)
	}
	return t.Sum()
}
