package arena

import (
	"context"
	"errors"
	"time"
)

const (
	// late is how many times the median a chunk takes elsewhere when it is played a second
	// time while nothing else is left to play, and soonest what it takes at least.
	late    = 2
	soonest = time.Second
	// glance is the time between two looks for such chunks.
	glance = 250 * time.Millisecond
)

// work plays chunks at one desk after the other until nothing is left.
func (h *handout) work() {
	for {
		some, at := h.wanted()
		if !some {
			return
		}
		d, err := h.pool.acquire(h.seek, h.share, at, h.turn)
		if err != nil {
			return
		}
		if p, ok := h.take(d.elsewhere != nil); !ok || h.ctx.Err() != nil {
			h.pool.release(d, h.share, 0)
		} else {
			h.run(d, &errand{chunk: p})
		}
		if h.ctx.Err() != nil {
			return
		}
	}
}

// run plays a chunk at a desk, and releases it.
func (h *handout) run(d *desk, e *errand) {
	ctx := h.begin(d, e)
	began := time.Now()
	run, void, err := d.play(ctx, h.series, h.key, e.chunk)
	held := time.Since(began)
	h.pool.release(d, h.share, held)
	whole := run != nil && (e.chunk.games > 0 && len(run.Digests) == e.chunk.games || e.chunk.games == 0 && run.Blocks == e.chunk.blocks)
	if !h.end(e, err == nil && whole) {
		return // another desk has answered, or may
	}
	switch only := errors.Is(err, ErrHereOnly) && h.pool.workers > 0; {
	case only || errors.Is(err, ErrGivenBack):
		h.mu.Lock()
		h.again, h.where.here = append(h.again, e.chunk), h.where.here || only
		h.mu.Unlock()
	case err != nil:
		h.mu.Lock()
		h.fail(err)
		h.mu.Unlock()
	case whole:
		h.pool.mu.Lock()
		h.paces.of(d.elsewhere != nil).add(held, e.chunk.count(run.Rotations))
		if d.elsewhere == nil {
			h.pool.played += int64(len(run.Digests))
		}
		h.pool.mu.Unlock()
		h.deliver(e.chunk, run, void)
	}
}

// begin notes that a desk begins with a chunk, and returns the context of its game.
func (h *handout) begin(d *desk, e *errand) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.desks++; e.ctx == nil && d.elsewhere != nil {
		e.ctx, e.cancel = context.WithCancel(h.ctx)
		e.began = time.Now()
		h.out[e] = true
	}
	if e.ctx == nil {
		return h.ctx
	}
	return e.ctx
}

// end notes that a desk has done with a chunk, well or not, and tells whether what came of it
// counts.
func (h *handout) end(e *errand, well bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.desks--
	switch {
	case e.answered:
		return false
	case well, e.desks == 0:
		e.answered = true
		delete(h.out, e)
		if e.cancel != nil {
			e.cancel()
		}
		return true
	}
	return false
}

// watch has chunks that are late played a second time, at desks that have nothing else to do,
// until all is observed.
func (h *handout) watch() {
	for {
		select {
		case <-h.done:
			return
		case <-h.ctx.Done():
			return
		case <-time.After(glance):
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

// late is a chunk that takes much longer than others; nil where there is none.
func (h *handout) late() *errand {
	h.pool.mu.Lock()
	median := h.paces.elsewhere.median
	h.pool.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for e := range h.out {
		usual := time.Duration(median * float64(e.chunk.count(h.rotations)) * float64(time.Second))
		if median > 0 && !e.twice && time.Since(e.began) > max(late*usual, soonest) {
			return e
		}
	}
	return nil
}
