package arena

import (
	"context"
	"math"
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
	free    []*desk
	waiting []*request // first come first
	clock   float64    // of the share served last
	turns   int64      // series so far
	pending int64      // games that nobody has had yet, of all series
	known   *lru.Cache[string, *paces]

	open     bool // desks elsewhere may come
	attached int  // desks elsewhere

	played int64 // games, at desks of this process
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
		p.free = append(p.free, newDesk())
	}
	return p
}

// Workers is the number of workers in this process.
func (p *Pool) Workers() int { return p.workers }

// Played is how many games have been played at desks of this process.
func (p *Pool) Played() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played
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

// ahead is the key of what is played ahead.
type ahead struct{}

// Ahead is a context of which series are played before their turn: of one share they get the
// desks that its other series leave.
func Ahead(ctx context.Context) context.Context { return context.WithValue(ctx, ahead{}, true) }

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

// wait counts games that wait for desks.
func (p *Pool) wait(games int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += games
}

// chunkGames is how many games of a kind a desk gets at a time; 0 where it is not known what
// one costs.
func (p *Pool) chunkGames(known *paces, elsewhere bool) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return known.chunk(elsewhere, p.pending, max(1, p.workers+p.attached))
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
