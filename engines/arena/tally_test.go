package arena_test

import (
	"testing"

	"sakusen/engines/arena"
)

// runOf returns a run of two-seat blocks with these transcripts, two for each block.
func runOf(from int64, digests ...uint64) *arena.Run {
	r := arena.NewRun(2, 0, 2, from, len(digests)/2)
	r.Blocks, r.Digests = len(digests)/2, digests
	r.Values = make([]int64, len(digests)*2*r.Width())
	return r
}

// A tally's digest tells apart which game was played in which rotation of which
// block, and is the same in whatever order blocks are added. Its value is fixed:
// logs of studies hold it.
func TestTallyDigest(t *testing.T) {
	digest := func(runs ...*arena.Run) uint64 {
		tally := arena.NewTally(2, 0)
		for _, r := range runs {
			tally.Add(r)
		}
		return tally.Digest
	}
	whole := digest(runOf(3, 1, 2, 3, 4))
	if got, want := whole, uint64(0x3657b7cf10a46fb1); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
	if got := digest(runOf(4, 3, 4), runOf(3, 1, 2)); got != whole {
		t.Errorf("blocks in another order: digest %#x, want %#x", got, whole)
	}
	a, b := arena.NewTally(2, 0), arena.NewTally(2, 0)
	a.Add(runOf(3, 1, 2))
	b.Add(runOf(4, 3, 4))
	if err := a.Merge(b); err != nil || a.Digest != whole {
		t.Errorf("merged: %v, digest %#x, want %#x", err, a.Digest, whole)
	}
	for name, r := range map[string]*arena.Run{
		"another first block": runOf(2, 1, 2, 3, 4), "rotations exchanged": runOf(3, 2, 1, 3, 4), "blocks exchanged": runOf(3, 3, 4, 1, 2),
		"games exchanged between blocks": runOf(3, 3, 2, 1, 4), "another game": runOf(3, 1, 2, 3, 5), "one block less": runOf(3, 1, 2),
	} {
		if digest(r) == whole {
			t.Errorf("%s: the same digest", name)
		}
	}
}
