package arena

import (
	"context"
	"sync"
	"time"
)

// errand is a chunk at desks: at one, or at two where the first is a machine that takes much
// longer than others. The first answer counts.
type errand struct {
	chunk    chunk
	began    time.Time
	desks    int // that play it now
	twice    bool
	answered bool
	ctx      context.Context
	cancel   context.CancelFunc
}

// handout is a series that is being played: what of it is to be handed out, what is out, and
// what has come back. The result does not depend on who plays what, or when.
type handout struct {
	pool      *Pool
	share     *Share
	series    *Series
	key       string
	turn      int64
	rotations int // games of a block
	splits    bool
	paces     *paces
	observe   func(*Run) error
	ctx       context.Context
	cancel    context.CancelFunc
	seek      context.Context    // of who waits for a desk
	found     context.CancelFunc // nobody waits for a desk any more
	done      chan struct{}      // closed when all is observed
	group     sync.WaitGroup

	mu      sync.Mutex
	where   where
	next    int64            // the first block that nobody has had
	open    chunk            // the games of a block of which others are out
	again   []chunk          // given back
	halves  map[int64]*half  // blocks of which some games have been played
	out     map[*errand]bool // at desks elsewhere
	waiting map[int64]*Run   // finished out of order
	emitted int64            // the first block that is not observed
	tally   Tally
	failure error
}

// half is a block of which some games have been played.
type half struct {
	run  *Run
	left int // games
	void bool
}

// take takes a chunk for a desk; false where nothing is left for it.
func (h *handout) take(elsewhere bool) (chunk, bool) {
	games := h.pool.chunkGames(h.paces, elsewhere)
	h.mu.Lock()
	defer h.mu.Unlock()
	var got chunk
	switch {
	case len(h.again) > 0:
		got, h.again = h.again[0], h.again[1:]
		return got, true // it counts as handed out already
	case h.open.games > 0 && !elsewhere:
		got = h.open
		got.games = min(got.games, int(max(1, games)))
		h.open.rotation += got.games
		h.open.games -= got.games
	case h.next >= h.series.To:
		return got, false
	case games > 0 && games < int64(h.rotations) && h.splits && !elsewhere:
		got = chunk{from: h.next, blocks: 1, games: int(games)}
		h.open = chunk{from: h.next, blocks: 1, rotation: got.games, games: h.rotations - got.games}
		h.halves[h.next] = &half{run: newHalf(h.series, h.rotations, h.next), left: h.rotations}
		h.next++
	default:
		got = chunk{from: h.next, blocks: int(min(max(games/int64(h.rotations), 1), mostBlocks, h.series.To-h.next))}
		h.next += int64(got.blocks)
	}
	h.pool.wait(-int64(got.count(h.rotations)))
	return got, true
}

// left is how many games nobody has had yet.
func (h *handout) left() int64 {
	return (h.series.To-h.next)*int64(h.rotations) + int64(h.open.games)
}

// wanted tells whether something is left to be handed out, and which desks may have it.
func (h *handout) wanted() (some bool, at where) {
	h.mu.Lock()
	defer h.mu.Unlock()
	whole := len(h.again) > 0 || h.next < h.series.To
	at = h.where
	at.here = at.here || !whole && h.open.games > 0
	return whole || h.open.games > 0, at
}

// newHalf is a block of which no game has been played.
func newHalf(s *Series, rotations int, block int64) *Run {
	r := NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), rotations, block, 1)
	r.Digests, r.Values = r.Digests[:cap(r.Digests)], r.Values[:cap(r.Values)]
	return r
}

// deliver takes what was played of a chunk, and passes finished blocks on in their order.
func (h *handout) deliver(p chunk, run *Run, void bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.games == 0 {
		h.waiting[p.from] = run
	} else {
		b := h.halves[p.from]
		copy(b.run.Digests[p.rotation:], run.Digests)
		copy(b.run.Values[p.rotation*run.Seats*run.Width():], run.Values)
		b.void = b.void || void
		if b.left -= p.games; b.left == 0 {
			delete(h.halves, p.from)
			if b.void {
				b.run.voidLast(h.series.Ruleset.Component(VoidComponent))
			}
			b.run.Blocks = 1
			h.waiting[p.from] = b.run
		}
	}
	for h.failure == nil {
		r, ok := h.waiting[h.emitted]
		if !ok {
			return
		}
		delete(h.waiting, h.emitted)
		h.emitted += int64(r.Blocks)
		h.tally.Add(r)
		if h.observe != nil {
			if err := h.observe(r); err != nil {
				h.fail(err)
			}
		}
		if h.emitted == h.series.To && h.failure == nil {
			h.found()
			close(h.done)
			return
		}
	}
}

// fail ends the series with its first error; h.mu is held.
func (h *handout) fail(err error) {
	if h.failure == nil {
		h.failure = err
	}
	h.cancel()
}
