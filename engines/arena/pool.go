package arena

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/engines/lru"
)

// Pool is a Host of this process: a fixed number of workers, shared fairly by
// the series that are played at the same time; see Share.
type Pool struct {
	// Keep, unless nil, stores blocks of a series by a clock that are played here and elsewhere at
	// a time before they count, and returns those that do: where others are stored in their place,
	// those. It is set before anything is played.
	Keep func(ctx context.Context, s *Series, run *Run) (*Run, error)

	workers int
	room    *room  // of this process
	whole   *Share // of those who play in the pool itself
	gauge   atomic.Pointer[Gauge]

	patience time.Duration // how long an interrupted series waits for its games; shorter in tests

	mu      sync.Mutex
	free    []*slot
	waiting []*request // first come first
	clock   float64    // of the share served last
	turns   int64      // series so far
	pending int64      // games of all series that no worker has taken yet
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
	p := &Pool{workers: workers, room: &room{threads: PhysicalCores(), memory: FreeMemory()}, patience: patience, known: lru.New[string, *paces](pacesKept)}
	p.whole = p.Share(1)
	for range p.workers {
		d := newSlot()
		d.room = p.room
		p.free = append(p.free, d)
	}
	return p
}

// SetRoom changes how many threads think at a time in this process while clocks count, and how much
// memory the programs of such games may take, bytes, 0 for no bound.
func (p *Pool) SetRoom(threads int, memory int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.room.threads, p.room.memory = max(1, threads), memory
}

// slots returns how many games by a clock are played at a time in this process.
func (p *Pool) slots() int { return min(p.workers, p.room.threads) }

// room is what a machine has for games by a clock, which must not disturb each other, and what it
// plays. Guarded by the pool.
type room struct {
	threads int      // that think at a time while a clock counts, 0 for no bound
	memory  int64    // of the programs of games by a clock, bytes, 0 for no bound
	blocked *request // that finds no room yet and has those behind it wait, nil for none

	used  int   // threads that think
	timed int   // of these, those on which a clock counts
	held  int64 // memory
}

// fits reports whether a game finds room beside what is played. Alone it is played in any case.
func (r *room) fits(n *Needs) bool {
	if r.used == 0 || r.threads == 0 || !n.Timed && r.timed == 0 {
		return true
	}
	return r.used+n.threads() <= r.threads && (r.memory == 0 || r.held+n.Memory <= r.memory)
}

// add counts a game that begins, or with -1 one that ends.
func (r *room) add(n *Needs, sign int) {
	r.used += sign * n.threads()
	if n.Timed {
		r.timed += sign * n.threads()
		r.held += int64(sign) * n.Memory
	}
}

// Workers returns the number of workers in this process.
func (p *Pool) Workers() int { return p.workers }

// Played returns how many games have been played at slots of this process.
func (p *Pool) Played() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played
}

// openRoom is how many requests for slots a series of an open pool makes beyond the slots
// that there are, so that it uses those that come.
const openRoom = 64

// requests returns how many slots a series of so many games asks for at a time: so many
// more than there are that one always waits, and a later series does not come first.
func (p *Pool) requests(games int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 2 * max(1, p.workers+p.attached)
	if p.open {
		n += openRoom
	}
	return int(min(int64(n), games))
}

// helped reports whether there are slots elsewhere.
func (p *Pool) helped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attached > 0
}

// isOpen reports whether slots elsewhere may come.
func (p *Pool) isOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// ahead is the key of what is played ahead.
type ahead struct{}

// Ahead returns a context of which series are played before their turn: of one share they
// get the slots that its other series leave.
func Ahead(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, true) }

// InTurn returns a context of which series are played in their turn, whatever Ahead said.
func InTurn(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, nil) }

// here is the key of what is played in this process.
type here struct{}

// Here returns a context of which series are played at slots of this process alone, and at
// none on another machine.
func Here(ctx context.Context) context.Context { return context.WithValue(ctx, here{}, true) }

// turn returns a series' turn among those of its share: first come, first served, and what
// is played ahead last.
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

// chunkGames returns how many games of a kind a slot gets at a time; 0 where it is not
// known what one costs.
func (p *Pool) chunkGames(known *paces, elsewhere, timed bool) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return known.chunk(elsewhere, timed, p.pending, max(1, p.workers+p.attached))
}

// paces returns those of a series' kind: its rules and strategies.
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

// Share is a Host that plays in a Pool beside others. It gets workers in proportion to its
// weight, however many series each of them has in play, by start-time fair queueing over the
// time at the slots (Goyal, Vin and Cheng, "Start-time fair queueing", 1996). A share that was
// idle does not catch up. What is played, and its result, do not depend on it.
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
	give, err := s.hold(ctx, Needs{})
	if err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer give()
		work()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Hold waits for a slot of this process for games of some needs, until give is called.
func (p *Pool) Hold(ctx context.Context, n Needs) (give func(), err error) {
	return p.whole.hold(ctx, n)
}

func (s *Share) hold(ctx context.Context, n Needs) (give func(), err error) {
	d, err := s.pool.acquire(ctx, s, where{here: true, needs: n}, s.pool.turn(ctx))
	if err != nil {
		return nil, err
	}
	began := time.Now()
	return sync.OnceFunc(func() { s.pool.release(d, s, time.Since(began)) }), nil
}

// request is a share's place in the queue for a slot.
type request struct {
	share *Share
	turn  int64 // the earlier series of a share first
	at    where
	slot  chan *slot // has room for one
}

// before reports whether a request is served first of two.
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
	for _, d := range p.free { // it finds no room there
		if d.room.blocked == nil && at.fits(d) {
			d.room.blocked = r
		}
	}
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
			for i := 0; i < len(p.free); i++ {
				if m := p.free[i].room; m.blocked == r {
					p.hand(m)
					i = -1
				}
			}
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
	d.room.add(&d.needs, -1)
	if !d.gone {
		p.free = append(p.free, d)
		p.hand(d.room)
	}
}

// spare returns a slot for which no series waits, nil if there is none.
func (p *Pool) spare(s *Share, at where) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.take(at)
	if d != nil {
		s.busy++
	}
	return d
}

// take takes a free slot of some, if there is one with room: one of this process if it can.
func (p *Pool) take(at where) *slot {
	best := -1
	for i, d := range p.free {
		if (best < 0 || d.remote == nil) && at.fits(d) && d.room.blocked == nil && d.room.fits(&at.needs) {
			if best = i; d.remote == nil {
				break
			}
		}
	}
	if best < 0 {
		return nil
	}
	return p.free[best].begin(p, &at.needs)
}

// begin takes a free slot for games of some needs.
func (d *slot) begin(p *Pool, n *Needs) *slot {
	p.free = slices.DeleteFunc(p.free, func(x *slot) bool { return x == d })
	d.needs = *n
	d.room.add(n, 1)
	return d
}

// hand passes the free slots of a machine to those who wait, first to the share that has had the
// least time of those that they are right for. One that finds no room yet has those behind it wait.
func (p *Pool) hand(m *room) {
	for m.blocked = nil; len(p.waiting) > 0; {
		free := slices.IndexFunc(p.free, func(d *slot) bool { return d.room == m })
		if free < 0 {
			return
		}
		best := -1
		for i, r := range p.waiting {
			if (best < 0 || r.before(p.waiting[best])) && r.at.fits(p.free[free]) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		r := p.waiting[best]
		if !m.fits(&r.at.needs) {
			m.blocked = r
			return
		}
		p.waiting = slices.Delete(p.waiting, best, best+1)
		p.clock = max(p.clock, r.share.clock)
		r.slot <- p.free[free].begin(p, &r.at.needs)
	}
}

// look passes free slots to those who wait for what their machines may have by now.
func (p *Pool) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var rooms []*room
	for _, d := range p.free {
		if !slices.Contains(rooms, d.room) {
			rooms = append(rooms, d.room)
		}
	}
	for _, m := range rooms {
		p.hand(m)
	}
}
