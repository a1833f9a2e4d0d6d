package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// task is a chunk that is being played: in one slot, or in two if the first belongs to a
// machine that takes much longer than others. The first answer counts.
type task struct {
	chunk    chunk
	began    time.Time
	slots    int // that play it now
	twice    bool
	answered bool
	ctx      context.Context
	cancel   context.CancelFunc
}

// dispatch hands out a series in chunks and puts its results in order. The result does not
// depend on which slot plays a chunk, or when.
type dispatch struct {
	pool      *Pool
	share     *Share
	series    *Series
	key       string
	turn      int64
	rotations int // games of a block
	splits    bool
	timed     bool // by the clock: blocks whole, on one machine
	paces     *paces
	observe   func(*Run) error
	ctx       context.Context
	cancel    context.CancelFunc
	seek      context.Context    // of the wait for a slot
	found     context.CancelFunc // ends that wait
	done      chan struct{}      // closed when all is observed
	group     sync.WaitGroup
	asked     int // how many of work there have been

	mu      sync.Mutex
	where   where
	next    int64           // the first block not yet handed out
	open    chunk           // games left of a block that is partly handed out
	again   []*task         // given back, or late at another slot
	halves  map[int64]*half // blocks of which some games have been played
	out     map[*task]bool  // at slots elsewhere
	waiting map[int64]*Run  // finished out of order
	emitted int64           // the first block that is not observed
	tally   Tally
	failure error
}

// half is a block of which some games have been played.
type half struct {
	run  *Run
	left int // games
	void bool
}

// take takes a chunk for a slot; false where nothing is left for it.
func (h *dispatch) take(elsewhere bool) (*task, bool) {
	games := h.pool.chunkGames(h.paces, elsewhere, h.timed)
	h.mu.Lock()
	defer h.mu.Unlock()
	var got chunk
	switch {
	case elsewhere && h.where.here:
		return nil, false
	case len(h.again) > 0:
		e := h.again[0]
		h.again = h.again[1:]
		return e, !e.answered // it counts as handed out already
	case h.open.games > 0 && !elsewhere:
		got = h.open
		got.games = min(got.games, int(max(1, games)))
		h.open.rotation += got.games
		h.open.games -= got.games
	case h.next >= h.series.To:
		return nil, false
	case games > 0 && games < int64(h.rotations) && h.splits && !elsewhere:
		got = chunk{from: h.next, blocks: 1, games: int(games)}
		h.open = chunk{from: h.next, blocks: 1, rotation: got.games, games: h.rotations - got.games}
		h.halves[h.next] = &half{run: newHalf(h.series, h.rotations, h.next), left: h.rotations}
		h.next++
	default:
		got = chunk{from: h.next, blocks: int(min(max(games/int64(h.rotations), 1), h.mostBlocks(), h.series.To-h.next))}
		h.next += int64(got.blocks)
	}
	h.pool.wait(-int64(got.count(h.rotations)))
	return &task{chunk: got}, true
}

// mostBlocks bounds a chunk.
func (h *dispatch) mostBlocks() int64 {
	if h.timed {
		return mostTimedBlocks
	}
	return mostBlocks
}

// left returns the number of games that were not handed out yet.
func (h *dispatch) left() int64 {
	return (h.series.To-h.next)*int64(h.rotations) + int64(h.open.games)
}

// wanted reports whether something is left to be handed out, and which slots may have it.
func (h *dispatch) wanted() (some bool, at where) {
	h.mu.Lock()
	defer h.mu.Unlock()
	whole := len(h.again) > 0 || h.next < h.series.To
	at = h.where
	at.here = at.here || !whole && h.open.games > 0
	return whole || h.open.games > 0, at
}

// newHalf returns a block of which no game has been played.
func newHalf(s *Series, rotations int, block int64) *Run {
	r := NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), rotations, block, 1)
	r.Digests, r.Values = r.Digests[:cap(r.Digests)], r.Values[:cap(r.Values)]
	return r
}

// deliver takes what was played of a chunk, and passes finished blocks on in their order.
func (h *dispatch) deliver(p chunk, run *Run, void bool) {
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
func (h *dispatch) fail(err error) {
	if h.failure == nil {
		h.failure = err
	}
	h.cancel()
}

const (
	// late is how many times the median a chunk takes elsewhere when it is played a second
	// time while nothing else is left to play, and soonest what it takes at least.
	late    = 2
	soonest = time.Second
	// lateTimed is that of games by the clock, while there is more to play as well.
	lateTimed = 4
	// glance is the time between two looks for such chunks.
	glance = 250 * time.Millisecond
)

// ask has as many slots asked for as the pool has by now, where so many games are left.
func (h *dispatch) ask(games int64) {
	for n := h.pool.requests(games); h.asked < n; h.asked++ {
		h.group.Go(h.work)
	}
}

// work plays chunks at one slot after the other until nothing is left.
func (h *dispatch) work() {
	for {
		some, at := h.wanted()
		if !some {
			return
		}
		d, err := h.pool.acquire(h.seek, h.share, at, h.turn)
		if err != nil {
			return
		}
		if e, ok := h.take(d.remote != nil); !ok || h.ctx.Err() != nil {
			h.pool.release(d, h.share, 0)
		} else {
			h.run(d, e)
		}
		if h.ctx.Err() != nil {
			return
		}
	}
}

// run plays a chunk at a slot, and releases it.
func (h *dispatch) run(d *slot, e *task) {
	ctx := h.begin(d, e)
	began := time.Now()
	run, void, err := d.play(ctx, h.series, h.key, e.chunk)
	held := time.Since(began)
	only := errors.Is(err, ErrHereOnly) && h.pool.workers > 0 && !h.where.away
	if only { // said before another takes the slot
		h.mu.Lock()
		h.where.here = true
		h.mu.Unlock()
	}
	h.pool.release(d, h.share, held)
	if h.pool.Keep != nil && err == nil && h.timed && d.remote == nil && ctx != h.ctx && ctx.Err() == nil {
		if run, err = h.pool.Keep(ctx, h.series, run); run == nil && err == nil {
			err = ErrGivenBack
		}
	}
	whole := run != nil && (e.chunk.games > 0 && len(run.Digests) == e.chunk.games || e.chunk.games == 0 && run.Blocks == e.chunk.blocks)
	if !h.end(e, err == nil && whole) {
		return // another slot has answered, or may
	}
	switch {
	case only || errors.Is(err, ErrGivenBack):
		h.mu.Lock()
		h.again = append(h.again, &task{chunk: e.chunk})
		h.mu.Unlock()
	case err != nil:
		h.mu.Lock()
		h.fail(err)
		h.mu.Unlock()
	case whole:
		h.pool.mu.Lock()
		h.paces.of(d.remote != nil).add(held, e.chunk.count(run.Rotations))
		if d.remote == nil {
			h.pool.played += int64(len(run.Digests))
		}
		h.pool.mu.Unlock()
		h.deliver(e.chunk, run, void)
	}
}

// begin notes that a slot begins with a chunk, and returns the context of its game.
func (h *dispatch) begin(d *slot, e *task) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.slots++; e.ctx == nil && d.remote != nil {
		e.ctx, e.cancel = context.WithCancel(h.ctx)
		e.began = time.Now()
		h.out[e] = true
	}
	if e.ctx == nil {
		return h.ctx
	}
	return e.ctx
}

// end notes that a slot has done with a chunk, well or not, and tells whether what came of it
// counts.
func (h *dispatch) end(e *task, well bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.slots--
	switch {
	case e.answered:
		return false
	case well, e.slots == 0:
		e.answered = true
		delete(h.out, e)
		if e.cancel != nil {
			e.cancel()
		}
		return true
	}
	return false
}

// watch has chunks that are late played a second time, at slots that have nothing else to do,
// until all is observed.
func (h *dispatch) watch() {
	for {
		select {
		case <-h.done:
			return
		case <-h.ctx.Done():
			return
		case <-time.After(glance):
		}
		h.pool.look()
		h.mu.Lock()
		left := h.left()
		h.mu.Unlock()
		h.ask(left)
		if h.timed {
			h.handAgain()
			continue
		}
		for some, _ := h.wanted(); !some; {
			e := h.late()
			if e == nil {
				break
			}
			h.mu.Lock()
			at := h.where
			h.mu.Unlock()
			d := h.pool.spare(h.share, at)
			if d == nil {
				break
			}
			h.mu.Lock()
			e.twice = true
			over := e.answered
			h.mu.Unlock()
			if over {
				h.pool.release(d, h.share, 0)
				continue
			}
			h.group.Go(func() {
				h.run(d, e)
				h.work() // both may have given it back
			})
		}
	}
}

// handAgain has blocks by the clock that take far too long played at another slot as well, before
// blocks that are not handed out yet: the results behind them wait for them.
func (h *dispatch) handAgain() {
	for e := h.late(); e != nil; e = h.late() {
		h.mu.Lock()
		e.twice = true
		if !e.answered {
			h.again = append(h.again, e)
			h.group.Go(h.work) // those that wait for slots may have ended
		}
		h.mu.Unlock()
	}
}

// late returns a chunk that takes much longer than others; nil where there is none.
func (h *dispatch) late() *task {
	h.pool.mu.Lock()
	median := h.paces.elsewhere.median
	h.pool.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for e := range h.out {
		usual := time.Duration(median * float64(e.chunk.count(h.rotations)) * float64(time.Second))
		if median > 0 && !e.twice && time.Since(e.began) > max(h.patience()*usual, soonest) {
			return e
		}
	}
	return nil
}

// patience returns how many times the median a chunk may take elsewhere.
func (h *dispatch) patience() time.Duration {
	if h.timed {
		return lateTimed
	}
	return late
}

// PanicError says that a game panicked: a mistake in its code or in a player's,
// which ends the series, and not the process with all that runs beside it.
type PanicError struct {
	Game  string
	Block int64 // index
	Seed  uint64
	Value any
	Stack []byte // where
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("%s: block %d of seed %d: panic: %v", e.Game, e.Block, e.Seed, e.Value)
}
