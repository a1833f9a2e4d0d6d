package arena

import (
	"context"
	"math"
	"runtime/debug"
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
	free    []*desk
	waiting []*request // first come first
	clock   float64    // of the share served last
	turns   int64      // series so far
	pending int64      // games that nobody has had yet, of all series
	known   *lru.Cache[string, *paces]

	open     bool // desks elsewhere may come
	attached int  // desks elsewhere
}

// desk is what one worker keeps between chunks: the tables it used last, so
// that a player's tables and caches survive from rung to rung.
type desk struct {
	tables    *lru.Cache[string, table]
	elsewhere Elsewhere // nil at the desks of this process
	gone      bool      // guarded by the pool
}

// tablesKept bounds the tables a worker keeps.
const tablesKept = 16

func newDesk() *desk { return &desk{tables: lru.New[string, table](tablesKept)} }

// NewPool makes a pool with the given number of workers, at least one.
func NewPool(workers int) *Pool { return newPool(max(1, workers)) }

func newPool(workers int) *Pool {
	p := &Pool{workers: workers, patience: patience, known: lru.New[string, *paces](pacesKept)}
	p.whole = p.Share(1)
	for range p.workers {
		p.free = append(p.free, newDesk())
	}
	return p
}

// Workers is the number of workers in this process.
func (p *Pool) Workers() int { return p.workers }

// Play implements Host.
func (p *Pool) Play(ctx context.Context, s Series, observe func(*Run) error) (Tally, error) {
	return p.play(ctx, p.whole, s, observe)
}

// patience is how long an interrupted series waits for the games that are being played.
// Most end at once. A longer game is abandoned: its result is dropped, and its worker is
// busy until it ends.
const patience = 3 * time.Second

// play plays a series for a share.
func (p *Pool) play(ctx context.Context, share *Share, s Series, observe func(*Run) error) (Tally, error) {
	if err := s.Check(); err != nil {
		return Tally{}, err
	}
	tally := NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	total := s.To - s.From
	if total == 0 || ctx.Err() != nil {
		return tally, ctx.Err()
	}
	rotations := s.Ruleset.Seats
	if AllEqual(s.Entrants) {
		rotations = 1
	}
	h := &handout{
		pool: p, share: share, series: &s, key: s.key(), turn: p.turn(ctx), rotations: rotations, paces: p.paces(&s), observe: observe,
		splits: rotations > 1 && s.Story == nil && s.Streams == nil, here: s.here(), next: s.From, emitted: s.From, tally: tally,
		halves: map[int64]*half{}, out: map[*errand]bool{}, waiting: map[int64]*Run{}, done: make(chan struct{}),
	}
	h.ctx, h.cancel = context.WithCancel(ctx)
	defer h.cancel()
	seek, found := context.WithCancel(h.ctx) // ends with the last game: nobody waits for a desk for nothing
	defer found()
	h.found = found
	p.wait(total * int64(rotations))
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		p.wait(-h.left())
	}()
	for range p.requests(total * int64(rotations)) {
		h.group.Add(1)
		go h.work(seek)
	}
	if !h.here && p.isOpen() {
		h.group.Go(h.watch)
	}
	select {
	case <-h.done:
	case <-h.ctx.Done():
		ended := make(chan struct{})
		go func() { h.group.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(p.patience):
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failure == nil && h.emitted < s.To {
		h.failure = h.ctx.Err() // nothing that ends later is observed
	}
	return h.tally, h.failure
}

// play plays one part at this desk, and says whether a game of it made its block void.
func (d *desk) play(ctx context.Context, s *Series, key string, p chunk) (run *Run, void bool, err error) {
	defer func() {
		if v := recover(); v != nil { // of a game, or of a player being made
			if d.tables != nil {
				d.tables.Delete(key) // its tables may be anything now
			}
			at := p.from
			if run != nil {
				at += int64(run.Blocks)
			}
			err = &PanicError{Game: s.Ruleset.Game.Name, Block: at, Seed: s.Seed, Value: v, Stack: debug.Stack()}
		}
	}()
	if d.elsewhere != nil {
		run, err = d.elsewhere.Play(ctx, s, p.from, p.blocks)
		return run, false, err
	}
	t, err := d.seat(s, key)
	if err != nil {
		return nil, false, err
	}
	run = NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), t.rotations(), p.from, p.blocks)
	done := ctx.Done()
	stop := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	if p.games > 0 {
		void, err = t.games(s, run, p.rotation, p.games, stop)
		return run, void, err
	}
	return run, false, t.play(s, run, p.blocks, stop)
}

// seat finds or makes the table for a series.
func (d *desk) seat(s *Series, key string) (table, error) {
	if t, ok := d.tables.Get(key); ok {
		return t, nil
	}
	t, err := s.Ruleset.table(s.Entrants)
	if err != nil {
		return nil, err
	}
	d.tables.Put(key, t)
	return t, nil
}

// openRoom is how many requests for desks a series of an open pool makes beyond the desks
// that there are, so that it uses those that come.
const openRoom = 64

// requests is how many desks a series of so many games asks for at a time: so many more than
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

// isOpen tells whether desks elsewhere may come.
func (p *Pool) isOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// InTurn is a context of which series are played in their turn, whatever Ahead said.
func InTurn(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, nil) }

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

// ahead is the key of what is played ahead.
type ahead struct{}

// Ahead marks series that are played before their turn: of one share they get the desks that
// its other series leave.
func Ahead(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, true) }

// wait counts games that wait for desks.
func (p *Pool) wait(games int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += games
}

// here tells whether a series is played in this process only: somebody watches its
// games, or another program plays in it.
func (s *Series) here() bool {
	for _, e := range s.Entrants {
		if s.Ruleset.Game.Outside(e.Strategy) {
			return true
		}
	}
	return s.Story != nil || s.Tell != nil || s.Streams != nil || s.Watch != nil
}
