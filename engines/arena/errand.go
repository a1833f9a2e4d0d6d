package arena

import (
	"context"
	"time"
)

// errand is a part at desks: at one, or at two where the first is a machine that takes much
// longer than others. The first answer counts.
type errand struct {
	part     chunk
	began    time.Time
	desks    int // that play it now
	twice    bool
	answered bool
	ctx      context.Context
	cancel   context.CancelFunc
}

const (
	// late is how many times the median a part takes elsewhere when it is played a second
	// time while nothing else is left to play, and soonest what it takes at least.
	late    = 2
	soonest = time.Second
	// glance is the time between two looks for such parts.
	glance = 250 * time.Millisecond
)

// begin notes that a desk begins with a part, and returns the context of its game.
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

// end notes that a desk has done with a part, well or not, and tells whether what came of it
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

// watch has parts that are late played a second time, at desks that have nothing else to do,
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
			here := h.here
			h.mu.Unlock()
			d := h.pool.spare(h.share, here)
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
			h.group.Go(func() { h.run(d, e) })
		}
	}
}

// late is a part that takes much longer than others; nil where there is none.
func (h *handout) late() *errand {
	h.pool.mu.Lock()
	median := h.paces.elsewhere.median
	h.pool.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for e := range h.out {
		usual := time.Duration(median * float64(e.part.count(h.rotations)) * float64(time.Second))
		if median > 0 && !e.twice && time.Since(e.began) > max(late*usual, soonest) {
			return e
		}
	}
	return nil
}
