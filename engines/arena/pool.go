package arena

import (
	"context"
	"errors"
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
	p := &Pool{workers: workers, patience: patience}
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
	if total == 0 {
		return tally, ctx.Err()
	}
	// Small chunks share the work evenly; large ones keep the bookkeeping rare.
	chunk := min(max(total/int64(8*p.desks()), 1), 512)
	chunks := int((total + chunk - 1) / chunk)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seek, found := context.WithCancel(ctx) // ends with the last chunk: nobody waits for a desk for nothing
	defer found()
	var (
		mu      sync.Mutex
		next    int              // the next chunk to hand out
		again   []int            // chunks that were given back
		here    = s.here()       // only desks of this process
		waiting = map[int]*Run{} // finished out of order
		emitted int
		failure error
		group   sync.WaitGroup
		key     = s.key()
	)
	fail := func(err error) {
		if failure == nil {
			failure = err
		}
		cancel()
	}
	// deliver passes finished chunks on in the order of their blocks.
	deliver := func(i int, run *Run, whole bool) {
		mu.Lock()
		defer mu.Unlock()
		if whole {
			waiting[i] = run
		}
		for failure == nil {
			r, ok := waiting[emitted]
			if !ok {
				return
			}
			delete(waiting, emitted)
			emitted++
			tally.Add(r)
			if observe != nil {
				if err := observe(r); err != nil {
					fail(err)
				}
			}
			if emitted == chunks {
				found()
			}
		}
	}
	work := func() {
		defer group.Done()
		for {
			mu.Lock()
			at := here
			mu.Unlock()
			d, err := p.acquire(seek, share, at)
			if err != nil {
				return
			}
			mu.Lock()
			i := next
			if len(again) > 0 {
				i, again = again[0], again[1:]
			} else {
				next++
			}
			mu.Unlock()
			if i >= chunks || ctx.Err() != nil {
				p.release(d, share, 0)
				return
			}
			from := s.From + int64(i)*chunk
			n := int(min(chunk, s.To-from))
			began := time.Now()
			run, err := d.play(ctx, &s, key, from, n)
			p.release(d, share, time.Since(began))
			only := errors.Is(err, ErrHereOnly) && p.workers > 0
			if only || errors.Is(err, ErrGivenBack) {
				mu.Lock()
				again, here = append(again, i), here || only
				mu.Unlock()
				continue
			}
			if err != nil {
				mu.Lock()
				fail(err)
				mu.Unlock()
				return
			}
			deliver(i, run, run.Blocks == n)
		}
	}
	for range p.requests(chunks) {
		group.Add(1)
		go work()
	}
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		select {
		case <-ended:
		case <-time.After(p.patience):
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if failure == nil && ctx.Err() != nil && emitted < chunks {
		failure = ctx.Err() // nothing that ends later is observed
	}
	if failure != nil {
		return tally, failure
	}
	if emitted < chunks {
		return tally, ctx.Err()
	}
	return tally, nil
}

// play plays one chunk at this desk.
func (d *desk) play(ctx context.Context, s *Series, key string, from int64, n int) (run *Run, err error) {
	defer func() {
		if v := recover(); v != nil { // of a game, or of a player being made
			if d.tables != nil {
				d.tables.Delete(key) // its tables may be anything now
			}
			at := from
			if run != nil {
				at += int64(run.Blocks)
			}
			err = &PanicError{Game: s.Ruleset.Game.Name, Block: at, Seed: s.Seed, Value: v, Stack: debug.Stack()}
		}
	}()
	if d.elsewhere != nil {
		return d.elsewhere.Play(ctx, s, from, n)
	}
	t, err := d.seat(s, key)
	if err != nil {
		return nil, err
	}
	run = NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), t.rotations(), from, n)
	done := ctx.Done()
	err = t.play(s, run, n, func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	return run, err
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

// desks is the number of desks, here and elsewhere.
func (p *Pool) desks() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(1, p.workers+p.attached)
}

// requests is how many desks a series of so many chunks asks for at a time.
func (p *Pool) requests(chunks int) int {
	n := p.desks()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		n += openRoom
	}
	return min(n, chunks)
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
