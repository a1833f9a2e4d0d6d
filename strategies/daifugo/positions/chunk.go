package positions

import "math/bits"

// maxChunkBits keeps the parts of a layer at most 4 096: enough to share
// evenly, and each large enough to pay for its scratch memory.
const maxChunkBits = 12

// chunks is the number of independent parts of a layer: one for each choice of
// the leading bits of the first two hands.
func (s *solver[W]) chunks() int { return 1 << min(2*s.shape.Rules.Cards, maxChunkBits) }

// chunk makes the entries of the groups that begin with some pairs of hands,
// and returns their number.
func (s *solver[W]) chunk(i int, next *layout, to []W) uint64 {
	w := walk[W]{solver: s, group: s.group(), next: next, to: to}
	bits := 2 * s.shape.Rules.Cards
	each := 1 << (bits - min(bits, maxChunkBits))
	for pair := i * each; pair < (i+1)*each; pair++ {
		w.pair(uint64(pair))
	}
	return w.made
}

// walk is one pass over the groups of a chunk.
type walk[W word] struct {
	*solver[W]
	group  *group[W]
	next   *layout
	to     []W
	first  uint64
	made   uint64
	solved uint // groups
}

// easedGroups are the groups between two calls of eased. Each touches about ten places of
// the layers, of which the system may bring 64 KiB each.
const easedGroups = 128

// pair makes the groups whose first two hands are given. Sets of hands that
// are rotations of one another are one group, done where the first hand is the
// smallest, so no two chunks write the same entry.
func (w *walk[W]) pair(pair uint64) {
	kinds := w.shape.Rules.Cards
	first, second := pair>>kinds, pair&w.one
	if second < first {
		return
	}
	left := w.next.cards - bits.OnesCount64(pair)
	if left < 0 || left > (w.Seats-2)*kinds {
		return
	}
	w.first = first
	w.deal(first|second<<kinds, 2, left)
}

// deal gives the seats from the given one on every set of hands with so many
// cards in all, none smaller than the first.
func (w *walk[W]) deal(hands uint64, seat, left int) {
	kinds := w.shape.Rules.Cards
	if seat == w.Seats {
		if w.smallest(hands) {
			w.solve(hands)
		}
		return
	}
	rest := (w.Seats - seat - 1) * kinds
	for h := w.first; h <= w.one; h++ {
		if after := left - bits.OnesCount64(h); after >= 0 && after <= rest {
			w.deal(hands|h<<(seat*kinds), seat+1, after)
		}
	}
}

// smallest tells whether no rotation of the hands is a smaller number.
func (w *walk[W]) smallest(hands uint64) bool {
	kinds := w.shape.Rules.Cards
	for i := 1; i < w.Seats; i++ {
		if hands>>(i*kinds)&w.one == w.first && w.turned(hands, i) < hands {
			return false
		}
	}
	return true
}

func (w *walk[W]) solve(hands uint64) {
	if w.solved++; w.eased != nil && w.solved%easedGroups == 0 {
		w.eased()
	}
	if !w.group.load(hands) {
		return
	}
	for i := range w.Seats {
		if w.turned(hands, i) == hands && i > 0 {
			break // the hands repeat: so do the entries
		}
		w.made += uint64(w.group.store(w.next, w.to, hands, i))
	}
}
