// Positions solves Daifugo without searching its tree.
//
// A Solver values every position there is, layer by layer of cards left, from
// the fewest up. It needs no hashing: a layer is an array with one entry for
// each "this seat has just played this kind, and the hands are now these", up
// to rotation of the seats (layout). All entries with the same hands are made
// together, from the layer with one card less (group): every seat's children
// are looked up once, the leader's value is made of them, and the passes fold
// back from it. So two layers are all it keeps.
//
// A Graph is the canonical positions reachable from one position, with values.
// As the game has no cycles, the exact sizes of search trees of any size are
// sums over the graph (Count).
//
// Place in the flow: `paper solve daifugo --method positions` and --exact-count run
// these; studies/daifugo shows what they find beyond the paper. The
// package starts no goroutines and opens no files: the caller brings a Pool,
// and readers and writers for saved layers.
//
//	s, err := New(daifugo.Rules{Seats: 3, Cards: 8, Ranks: 3}, 1<<30)
//	if err != nil { ... }
//	for s.Cards() < Top(s.Rules()) {
//		s.Next(Serial)
//	}
//	v, err := opening(s)
//
// Source: ours; the game and its values are those of Goto, Inui, Kotani, "Game
// Tree Search for Ranking in Multiplayer Games".

package daifugo

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"sakusen/engines/daifugo"
)

// Pool runs work(0) .. work(n-1), in any order and, if the caller likes, at
// the same time; it returns when all are done. Serial is one.
type Pool func(n int, work func(i int))

// Serial runs the work on the caller's goroutine.
func Serial(n int, work func(i int)) {
	for i := range n {
		work(i)
	}
}

// Estimate returns the memory in bytes of the two layers a Solver keeps, with the
// tables that number them.
func Estimate(r daifugo.Rules) uint64 {
	even, odd := largest(r)
	others := uint((r.Seats - 1) * r.Cards)
	low := others / 2
	numbering := uint64(others-low+1)<<low*4 + uint64(1)<<(others-low)*8
	return (even+odd)*uint64(wordBytes(r)) + 2*numbering
}

// largest returns the entries of the largest layers with even and with odd numbers of
// cards.
func largest(r daifugo.Rules) (even, odd uint64) {
	for cards := 1; cards < r.Seats*r.Cards; cards++ {
		n := entries(r, cards)
		if cards%2 == 0 {
			even = max(even, n)
		} else {
			odd = max(odd, n)
		}
	}
	return even, odd
}

func wordBytes(r daifugo.Rules) int {
	switch bits := r.Seats * r.Ranks; {
	case bits <= 16:
		return 2
	case bits <= 32:
		return 4
	}
	return 8
}

// Solver values every position of a game, the positions with the fewest cards
// first. It holds one layer (cards left) and makes the next one of it.
type Solver interface {
	// Rules of the game.
	Rules() daifugo.Rules
	// Cards left in the positions of the layer held; 0 at first.
	Cards() int
	// Entries made so far: "this seat has just played this kind over these
	// hands", up to rotation of the seats.
	Entries() uint64
	// Next makes the layer with one card more. It may be called while Cards is
	// below Seats x Cards - 1, the layer that values the opening.
	Next(pool Pool)
	// Value of a position with Cards()+1 cards, or of one that is over.
	Value(p *daifugo.Position) (Value, error)
	// Save writes the layer held; Load goes on from it.
	Save(w io.Writer) error

	load(in io.Reader) error
	lend(parity int, words any)
	ease(eased func())
}

// New returns a Solver before its first layer, or says why the rules are beyond it: limit
// is the memory in bytes it may allocate, which is checked before it allocates anything.
func New(r daifugo.Rules, limit uint64) (Solver, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if need := Estimate(r); need > limit {
		return nil, fmt.Errorf("daifugo: positions: %d players with %d kinds and %d ranks need %s for two layers, the limit is %s",
			r.Seats, r.Cards, r.Ranks, size(need), size(limit))
	}
	return newOf(r), nil
}

// NewIn does what New does, with the two layers in memory that the caller brings, such as
// mapped files. room makes so many words of 2, 4 or 8 bytes, all 0, as a []uint16, []uint32 or
// []uint64, and is called twice. eased is called again and again while a layer is made, by all
// who make it, before more than a few hundred MiB can have been touched.
func NewIn(r daifugo.Rules, room func(words uint64, bytes int) (any, error), eased func()) (Solver, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	even, odd := largest(r)
	s := newOf(r)
	for i, n := range []uint64{even, odd} {
		words, err := room(n, wordBytes(r))
		if err != nil {
			return nil, err
		}
		s.lend(i, words)
	}
	s.ease(eased)
	return s, nil
}

func newOf(r daifugo.Rules) Solver {
	switch wordBytes(r) {
	case 2:
		return newSolver[uint16](r)
	case 4:
		return newSolver[uint32](r)
	}
	return newSolver[uint64](r)
}

// size returns a number of bytes in people's units.
func size(bytes uint64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

// positionsSolver is a Solver with values of one size.
type positionsSolver[W word] struct {
	shape
	cards   int
	entries uint64
	held    *layout // of the layer held
	values  []W     // of the layer held
	spare   []W     // the layer before, whose memory the next one takes
	eased   func()  // called every few groups; nil for none
	lent    [2][]W  // room for layers with even and with odd numbers of cards; nil where it is made
}

func newSolver[W word](r daifugo.Rules) *positionsSolver[W] {
	return &positionsSolver[W]{shape: newShape(r)}
}

func (s *positionsSolver[W]) Rules() daifugo.Rules { return s.shape.Rules }
func (s *positionsSolver[W]) Cards() int           { return s.cards }
func (s *positionsSolver[W]) Entries() uint64      { return s.entries }

// Next makes the groups of the next layer in chunks, one for every choice of
// the first two hands.
func (s *positionsSolver[W]) Next(pool Pool) {
	next := newLayout(s.Rules(), s.cards+1)
	to := s.room(s.cards+1, next.size)
	n := s.chunks()
	made := make([]uint64, n)
	pool(n, func(i int) { made[i] = s.chunk(i, next, to) })
	for _, m := range made {
		s.entries += m
	}
	s.cards++
	s.held, s.values, s.spare = next, to, s.values
}

// room returns memory for a layer: that of the layer before last, or new memory that
// will do for every second layer from this one on. Entries that no game
// reaches are left as they are: none is ever read.
func (s *positionsSolver[W]) room(cards int, n uint64) []W {
	if to := s.lent[cards%2]; to != nil {
		return to[:n]
	}
	if uint64(cap(s.spare)) >= n {
		return s.spare[:n]
	}
	most := n
	for ; cards <= Top(s.Rules()); cards += 2 {
		most = max(most, entries(s.Rules(), cards))
	}
	return make([]W, n, most)
}

// lend takes memory for the layers with an even (0) or odd (1) number of cards.
func (s *positionsSolver[W]) lend(parity int, words any) { s.lent[parity], _ = words.([]W) }

func (s *positionsSolver[W]) ease(eased func()) { s.eased = eased }

// Value evaluates one position from the layer below it.
func (s *positionsSolver[W]) Value(p *daifugo.Position) (Value, error) {
	if p.Over() {
		return ranked(p), nil
	}
	if p.Rules() != s.Rules() {
		return 0, fmt.Errorf("daifugo: positions: expected a position of %+v, got %+v", s.Rules(), p.Rules())
	}
	var hands uint64
	left := 0
	for i := range s.Seats {
		hands |= uint64(p.Hand(i)) << (i * s.shape.Rules.Cards)
		left += p.Hand(i).Len()
	}
	if left != s.cards+1 {
		return 0, fmt.Errorf("daifugo: positions: expected a position with %d cards, got %d", s.cards+1, left)
	}
	g := s.group()
	g.load(hands)
	if p.Table() == 0 {
		return g.lead[p.Turn()] | ranked(p), nil
	}
	turns := (p.Last() - p.Turn() + s.Seats) % s.Seats
	return g.fold(g.passed(p.Last()), p.Last(), turns, p.Table()) | ranked(p), nil
}

func (s *positionsSolver[W]) group() *group[W] {
	return &group[W]{shape: s.shape, below: s.held, values: s.values}
}

// Top returns the number of cards of the layer below the opening: the last layer
// that a Solver makes.
func Top(r daifugo.Rules) int { return r.Seats*r.Cards - 1 }

// Solve values the opening of some rules, layer by layer, whatever the memory.
func Solve(r daifugo.Rules, pool Pool) (Value, error) {
	s, err := New(r, math.MaxUint64)
	if err != nil {
		return 0, err
	}
	for s.Cards() < Top(r) {
		s.Next(pool)
	}
	return opening(s)
}

// opening returns the value of the opening, from a Solver that holds the last layer.
func opening(s Solver) (Value, error) {
	p, err := daifugo.New(s.Rules())
	if err != nil {
		return 0, err
	}
	return s.Value(&p)
}

// maxChunkBits keeps the parts of a layer at most 4 096: enough to share
// evenly, and each large enough to pay for its scratch memory.
const maxChunkBits = 12

// chunks returns the number of independent parts of a layer: one for each choice of
// the leading bits of the first two hands.
func (s *positionsSolver[W]) chunks() int { return 1 << min(2*s.shape.Rules.Cards, maxChunkBits) }

// chunk makes the entries of the groups that begin with some pairs of hands,
// and returns their number.
func (s *positionsSolver[W]) chunk(i int, next *layout, to []W) uint64 {
	w := walk[W]{positionsSolver: s, group: s.group(), next: next, to: to}
	bits := 2 * s.shape.Rules.Cards
	each := 1 << (bits - min(bits, maxChunkBits))
	for pair := i * each; pair < (i+1)*each; pair++ {
		w.pair(uint64(pair))
	}
	return w.made
}

// walk is the state of one pass over the groups of a chunk.
type walk[W word] struct {
	*positionsSolver[W]
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

// smallest reports whether no rotation of the hands is a smaller number.
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
