package arena

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/engines/lru"
)

// Pool is a Host of this process: a fixed number of workers, shared fairly by
// the series that are played at the same time; see Share.
type Pool struct {
	workers int
	whole   *Share // of those who play in the pool itself

	patience time.Duration // how long an interrupted series waits for its games; shorter in tests

	mu      sync.Mutex
	free    []*slot
	waiting []*request // first come first
	clock   float64    // of the share served last
	turns   int64      // series so far
	pending int64      // games that nobody has had yet, of all series
	known   *lru.Cache[string, *paces]

	open     bool // slots elsewhere may come
	attached int  // slots elsewhere

	played int64 // games, at slots of this process
}

// patience is how long an interrupted series waits for the games that are being played.
// Most end at once. A longer game is abandoned: its result is dropped, and its worker is
// busy until it ends.
const patience = 3 * time.Second

// NewPool makes a pool with the given number of workers, at least one.
func NewPool(workers int) *Pool { return newPool(max(1, workers)) }

func newPool(workers int) *Pool {
	p := &Pool{workers: workers, patience: patience, known: lru.New[string, *paces](pacesKept)}
	p.whole = p.Share(1)
	for range p.workers {
		p.free = append(p.free, newSlot())
	}
	return p
}

// Workers is the number of workers in this process.
func (p *Pool) Workers() int { return p.workers }

// Played is how many games have been played at slots of this process.
func (p *Pool) Played() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played
}

// openRoom is how many requests for slots a series of an open pool makes beyond the slots
// that there are, so that it uses those that come.
const openRoom = 64

// requests is how many slots a series of so many games asks for at a time: so many more than
// there are that one always waits, and a later series does not come first.
func (p *Pool) requests(games int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 2 * max(1, p.workers+p.attached)
	if p.open {
		n += openRoom
	}
	return int(min(int64(n), games))
}

// isOpen tells whether slots elsewhere may come.
func (p *Pool) isOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// ahead is the key of what is played ahead.
type ahead struct{}

// Ahead is a context of which series are played before their turn: of one share they get the
// slots that its other series leave.
func Ahead(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, true) }

// InTurn is a context of which series are played in their turn, whatever Ahead said.
func InTurn(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, nil) }

// here is the key of what is played in this process.
type here struct{}

// Here is a context of which series are played at slots of this process alone, and at none on
// another machine.
func Here(ctx context.Context) context.Context { return context.WithValue(ctx, here{}, true) }

// turn is a series' turn among those of its share: first come, first served, and what is
// played ahead last.
func (p *Pool) turn(ctx context.Context) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns++
	if ctx.Value(ahead{}) != nil {
		return p.turns + math.MaxInt64/2
	}
	return p.turns
}

// wait counts games that wait for slots.
func (p *Pool) wait(games int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += games
}

// chunkGames is how many games of a kind a slot gets at a time; 0 where it is not known what
// one costs.
func (p *Pool) chunkGames(known *paces, elsewhere, timed bool) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return known.chunk(elsewhere, timed, p.pending, max(1, p.workers+p.attached))
}

// paces are those of a series' kind: its rules and strategies.
func (p *Pool) paces(s *Series) *paces {
	names := make([]string, 0, len(s.Entrants)+1)
	for _, e := range s.Entrants {
		names = append(names, e.Strategy)
	}
	key := strings.Join(append(names, s.Ruleset.Hash()), "\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	if got, ok := p.known.Get(key); ok {
		return got
	}
	got := &paces{}
	p.known.Put(key, got)
	return got
}

// Share is a Host that plays in a Pool beside others and gets workers in
// proportion to its weight, however many series each of them has in play:
// start-time fair queueing over the time at the slots (Goyal, Vin and Cheng,
// "Start-time fair queueing", 1996). A share that was idle does not catch up.
// What is played, and its result, do not depend on it.
type Share struct {
	pool   *Pool
	weight float64
	busy   int     // slots in use or waited for; guarded by the pool
	clock  float64 // time at slots divided by the weight, seconds
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

// request is a share's place in the queue for a slot.
type request struct {
	share *Share
	turn  int64 // the earlier series of a share first
	at    where
	slot  chan *slot // has room for one
}

// before tells whether a request is served first of two.
func (r *request) before(o *request) bool {
	if r.share.clock != o.share.clock {
		return r.share.clock < o.share.clock
	}
	return r.turn < o.turn
}

// acquire waits for a slot of some; turn is the series'.
func (p *Pool) acquire(ctx context.Context, s *Share, at where, turn int64) (*slot, error) {
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
	r := &request{s, turn, at, make(chan *slot, 1)}
	p.waiting = append(p.waiting, r)
	p.mu.Unlock()
	select {
	case d := <-r.slot:
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
	p.release(<-r.slot, s, 0) // it was handed over in the meantime
	return nil, ctx.Err()
}

// release takes a slot back after it was held for a time, and passes it to the waiting
// share that has had the least time.
func (p *Pool) release(d *slot, s *Share, held time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.busy--
	s.clock += held.Seconds() / s.weight
	if !d.gone {
		p.hand(d)
	}
}

// spare takes a slot that nobody waits for, nil where there is none.
func (p *Pool) spare(s *Share, at where) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.take(at)
	if d != nil {
		s.busy++
	}
	return d
}

// take takes a free slot of some, if there is one: one of this process if it can.
func (p *Pool) take(at where) *slot {
	best := -1
	for i, d := range p.free {
		if d.remote == nil || best < 0 && at.fits(d) {
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

// hand passes a slot to the waiting share that has had the least time of those that it is
// right for, or keeps it free.
func (p *Pool) hand(d *slot) {
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
	r.slot <- d
}
