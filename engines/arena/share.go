package arena

import (
	"context"
	"slices"
	"time"
)

// Share is a Host that plays in a Pool beside others and gets workers in
// proportion to its weight, however many series each of them has in play:
// start-time fair queueing over the time at the desks (Goyal, Vin and Cheng,
// "Start-time fair queueing", 1996). A share that was idle does not catch up.
// What is played, and its result, do not depend on it.
type Share struct {
	pool   *Pool
	weight float64
	busy   int     // desks in use or waited for; guarded by the pool
	clock  float64 // time at desks divided by the weight, seconds
}

// Share makes a share of the pool; weight is positive, 1 that of Pool.Play.
func (p *Pool) Share(weight float64) *Share { return &Share{pool: p, weight: weight} }

// Do does work that is no series at a worker, in the share's turn. Where the
// context ends first it returns its error at once, and the worker is given back
// when the work has ended.
func (s *Share) Do(ctx context.Context, work func()) error {
	d, err := s.pool.acquire(ctx, s, where{here: true}, s.pool.turn(ctx))
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		began := time.Now()
		defer func() {
			s.pool.release(d, s, time.Since(began))
			close(done)
		}()
		work()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// request is a share's place in the queue for a desk.
type request struct {
	share *Share
	turn  int64 // the earlier series of a share first
	at    where
	desk  chan *desk // has room for one
}

// before tells whether a request is served first of two.
func (r *request) before(o *request) bool {
	if r.share.clock != o.share.clock {
		return r.share.clock < o.share.clock
	}
	return r.turn < o.turn
}

// acquire waits for a desk of some; turn is the series'.
func (p *Pool) acquire(ctx context.Context, s *Share, at where, turn int64) (*desk, error) {
	p.mu.Lock()
	if err := ctx.Err(); err != nil {
		p.mu.Unlock()
		return nil, err
	}
	if s.busy == 0 {
		s.clock = max(s.clock, p.clock)
	}
	s.busy++
	if d := p.take(at); d != nil {
		p.clock = max(p.clock, s.clock)
		p.mu.Unlock()
		return d, nil
	}
	r := &request{s, turn, at, make(chan *desk, 1)}
	p.waiting = append(p.waiting, r)
	p.mu.Unlock()
	select {
	case d := <-r.desk:
		return d, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	for i, w := range p.waiting {
		if w == r {
			p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
			s.busy--
			p.mu.Unlock()
			return nil, ctx.Err()
		}
	}
	p.mu.Unlock()
	p.release(<-r.desk, s, 0) // it was handed over in the meantime
	return nil, ctx.Err()
}

// release takes a desk back after it was held for a time, and passes it to the waiting
// share that has had the least time.
func (p *Pool) release(d *desk, s *Share, held time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.busy--
	s.clock += held.Seconds() / s.weight
	if !d.gone {
		p.hand(d)
	}
}

// spare takes a desk that nobody waits for, nil where there is none.
func (p *Pool) spare(s *Share, at where) *desk {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.take(at)
	if d != nil {
		s.busy++
	}
	return d
}

// take takes a free desk of some, if there is one: one of this process if it can.
func (p *Pool) take(at where) *desk {
	best := -1
	for i, d := range p.free {
		if d.elsewhere == nil || best < 0 && at.fits(d) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	d := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	return d
}

// hand passes a desk to the waiting share that has had the least time of those that it is
// right for, or keeps it free.
func (p *Pool) hand(d *desk) {
	best := -1
	for i, r := range p.waiting {
		if (best < 0 || r.before(p.waiting[best])) && r.at.fits(d) {
			best = i
		}
	}
	if best < 0 {
		p.free = append(p.free, d)
		return
	}
	r := p.waiting[best]
	p.waiting = slices.Delete(p.waiting, best, best+1)
	p.clock = max(p.clock, r.share.clock)
	r.desk <- d
}
