package tuner

import (
	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// sameness tells whether all blocks that were played are the same games, which
// count once however often they are played: nothing is left to chance.
type sameness struct {
	blocks int64
	first  uint64 // transcripts of the first block, 0 before it
	varies bool   // another block has others
}

// watch notes the transcripts of a run.
func (s *sameness) watch(r *arena.Run) {
	s.blocks += int64(r.Blocks)
	for b := 0; b < r.Blocks && !s.varies; b++ {
		var t arena.Transcript
		for _, d := range r.Digests[b*r.Rotations : (b+1)*r.Rotations] {
			t.Add(d)
		}
		sum := t.Sum() | 1 // not 0, which is nothing seen
		s.varies = s.first != 0 && s.first != sum
		s.first = sum
	}
}

// all tells so of blocks enough to tell.
func (s *sameness) all() bool {
	return s.blocks >= rating.FewBlocks && s.first != 0 && !s.varies
}
