package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sakusen/engines/arena"
)

// clockTerms are what a job by the clock says beside its games.
type clockTerms struct {
	// Reference is how fast the machine is for which the clocks are meant: nodes a second of
	// each engine. Clocks are not scaled where it is empty.
	Reference map[string]float64 `json:"reference,omitempty"`
	// Threads is how many threads think at a time in a game.
	Threads int `json:"threads"`
}

// errBeyond says that a machine is too slow or too fast for a job's clocks.
var errBeyond = errors.New("the machine is more than four times as fast, or as slow, as the one for which the clocks are meant")

// scale returns what clocks are multiplied by on a machine of these speeds: the mean of reference
// over own, as factors, over the engines.
func (c *clockTerms) scale(own map[string]float64) (float64, error) {
	sum := 0.
	for name, reference := range c.Reference {
		if !(own[name] > 0) || !(reference > 0) {
			return 0, fmt.Errorf("engine %s: expected a speed above 0, got %g, with %g as the reference", name, own[name], reference)
		}
		sum += math.Log(reference / own[name])
	}
	scale := math.Exp(sum / float64(max(1, len(c.Reference))))
	if math.IsNaN(scale) || scale < arena.LeastScale || scale > arena.MostScale {
		return 0, errBeyond
	}
	return arena.RoundScale(scale), nil
}

// gauge is the speeds of engines on a machine.
type gauge struct {
	measure func(ctx context.Context, name string) (nodes float64, err error)
	again   time.Duration // after which a speed is measured anew, 0 for never

	turn sync.Mutex // held while an engine is measured

	mu    sync.Mutex
	known map[string]measured
}

type measured struct {
	nodes float64
	at    time.Time
}

// of returns the speeds of engines, and measures those that are not known, or not any more.
func (g *gauge) of(ctx context.Context, names []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, name := range names {
		nodes, err := g.one(ctx, name)
		if err != nil {
			return nil, err
		}
		out[name] = nodes
	}
	return out, nil
}

func (g *gauge) one(ctx context.Context, name string) (float64, error) {
	g.turn.Lock()
	defer g.turn.Unlock()
	g.mu.Lock()
	m, ok := g.known[name]
	g.mu.Unlock()
	if ok && (g.again == 0 || time.Since(m.at) < g.again) {
		return m.nodes, nil
	}
	nodes, err := g.measure(ctx, name)
	if err != nil {
		return 0, fmt.Errorf("the speed of engine %s: %w", name, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		g.known = map[string]measured{}
	}
	g.known[name] = measured{nodes, time.Now()}
	return nodes, nil
}

// all returns the speeds that are known.
func (g *gauge) all() map[string]float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := map[string]float64{}
	for name, m := range g.known {
		out[name] = m.nodes
	}
	return out
}

// places are the cores of a worker. Those who wait for some come in their order.
type places struct {
	cores, physical int   // with and without what hyperthreads add
	memory          int64 // for the games by the clock, bytes, 0 for no bound

	mu      sync.Mutex
	used    claim
	waiting []*waitingClaim
}

// claim is what a game takes of a machine.
type claim struct {
	cores  int
	timed  int   // of these, those on which a clock counts
	memory int64 // bytes
	whole  bool  // all of it
}

type waitingClaim struct {
	claim
	ready chan struct{} // closed when it is given
}

// fits reports whether a claim can be given now. The caller holds mu.
func (p *places) fits(c *claim) bool {
	free := p.used == (claim{})
	switch {
	case free:
		return true
	case c.whole || p.used.whole:
		return false
	case c.timed+p.used.timed > 0:
		return p.used.cores+c.cores <= p.physical && (p.memory == 0 || p.used.memory+c.memory <= p.memory)
	}
	return p.used.cores+c.cores <= p.cores
}

// take waits for a part of the machine; give returns it.
func (p *places) take(ctx context.Context, c claim) (give func(), err error) {
	w := &waitingClaim{c, make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.hand()
	p.mu.Unlock()
	give = sync.OnceFunc(func() { p.add(c, -1) })
	select {
	case <-w.ready:
		return give, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	n := len(p.waiting)
	p.waiting = slices.DeleteFunc(p.waiting, func(x *waitingClaim) bool { return x == w })
	given := len(p.waiting) == n
	p.hand() // others may have waited behind it
	p.mu.Unlock()
	if given {
		give()
	}
	return nil, ctx.Err()
}

// add counts a claim that is given or returned.
func (p *places) add(c claim, sign int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(c, sign)
	p.hand()
}

func (p *places) count(c claim, sign int) {
	p.used.cores += sign * c.cores
	p.used.timed += sign * c.timed
	p.used.memory += int64(sign) * c.memory
	p.used.whole = c.whole && sign > 0
}

// hand gives to those who wait, first come first. The caller holds mu.
func (p *places) hand() {
	for len(p.waiting) > 0 && p.fits(&p.waiting[0].claim) {
		p.count(p.waiting[0].claim, 1)
		close(p.waiting[0].ready)
		p.waiting = p.waiting[1:]
	}
}

// slots is how many games by the clock are played at a time, of one thread.
func (p *places) slots() int { return max(1, p.physical) }

// claim returns what a job takes of this worker's machine.
func (l *worker) claim(j *job) claim {
	c := claim{cores: 1}
	if j.Clock != nil {
		c.cores = min(max(1, j.Clock.Threads), l.places.slots())
		c.timed = c.cores
		for _, p := range j.Programs {
			c.memory += l.o.Engines.Memory(p.Name)
		}
		if len(j.Programs) == 1 { // against itself
			c.memory *= 2
		}
	}
	return c
}

// measure measures an engine with all slots at work, while nothing is played.
func (l *worker) measure(ctx context.Context, name string) (float64, error) {
	give, err := l.places.take(ctx, claim{cores: 1, whole: true})
	if err != nil {
		return 0, err
	}
	defer give()
	nodes, spread, err := l.o.Engines.Speed(ctx, name, l.places.slots(), l.o.times.measure)
	if err == nil {
		l.o.Log.Info("an engine's speed is measured", "engine", name, "processes", l.places.slots(), "nodes_per_second", math.Round(nodes), "spread", math.Round(100*spread)/100)
	}
	return nodes, err
}

// clock returns the factor of the clocks of a job, and the speeds from which it follows.
func (l *worker) clock(ctx context.Context, j *job) (scale float64, speeds map[string]float64, err error) {
	if j.Clock == nil {
		return 0, nil, nil
	}
	if len(j.Clock.Reference) == 0 {
		return 1, nil, nil
	}
	if l.o.Engines == nil {
		return 0, nil, errors.New("no engines are registered here")
	}
	before := l.speeds.all()
	if speeds, err = l.speeds.of(ctx, slices.Sorted(maps.Keys(j.Clock.Reference))); err != nil {
		return 0, nil, err
	}
	if !maps.Equal(before, l.speeds.all()) {
		l.say(ctx, false) // it may have become too slow or too fast for a job
	}
	scale, err = j.Clock.scale(speeds)
	return scale, speeds, err
}

// terms completes a job by the clock: the speeds for which its clocks are meant.
func (q *Queue) terms(ctx context.Context, j *job) error {
	if j.Clock == nil || q.o.Engines == nil {
		return nil
	}
	all, err := q.speeds.of(ctx, names(j.Programs))
	j.Clock.Reference = all
	return err
}

// measure measures an engine on this machine with all slots at work, while the pool plays nothing
// there.
func (q *Queue) measure(_ context.Context, name string) (float64, error) {
	n := q.o.Pool.Workers()
	share, held, over := q.o.Pool.Share(1), make(chan struct{}, max(1, n)), make(chan struct{})
	defer close(over)
	for range n {
		go share.Do(q.ctx, func() { held <- struct{}{}; <-over })
	}
	for range n {
		select {
		case <-held:
		case <-q.ctx.Done():
			return 0, q.ctx.Err()
		}
	}
	if n == 0 {
		n = physicalCores()
	}
	nodes, spread, err := q.o.Engines.Speed(q.ctx, name, n, q.o.times.measure)
	if err == nil {
		q.o.Log.Info("an engine's speed is measured", "engine", name, "processes", n, "nodes_per_second", math.Round(nodes), "spread", math.Round(100*spread)/100)
	}
	return nodes, err
}

// room is how many games by the clock a worker plays and has slots for, and which it cannot play.
// The pool asks for it while it is locked.
type room struct {
	slots, used atomic.Int64

	mu     sync.Mutex
	unable map[string]time.Time // by engines: until when it is not asked again
}

// free reports whether a game finds a slot, or is the one that waits for it, and is none that the
// worker has just said it cannot play.
func (r *room) free(needs *arena.Needs) bool {
	if r.used.Load() >= r.slots.Load()+int64(needs.Threads) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return !time.Now().Before(r.unable[fmt.Sprint(names(needs.Programs))])
}

// refuse notes that games of these engines cannot be played there, for a while.
func (r *room) refuse(programs []arena.Program, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unable == nil {
		r.unable = map[string]time.Time{}
	}
	r.unable[fmt.Sprint(names(programs))] = time.Now().Add(d)
}

// reopen forgets what could not be played.
func (r *room) reopen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.unable)
}

// enter counts a game of so many threads until leave is called.
func (r *room) enter(threads int) (leave func()) {
	r.used.Add(int64(threads))
	return func() { r.used.Add(-int64(threads)) }
}

// clockWorker returns the worker of a slot where it can play a job by the clock; nil where it is
// gone. The caller holds mu.
func (r *roster) clockWorker(w *state, j *job) *state {
	if w.detach == nil || !has(w.programs, j.Programs) {
		return nil
	}
	return w
}

// playElsewhere gives a job by the clock that a worker cannot play to another. The worker is asked
// for games of these engines again when it tells other speeds, has been started again, or has had
// time to measure them anew.
func (q *Queue) playElsewhere(w *state, a *asked, why string) string {
	q.o.Log.Warn("a worker cannot play games by the clock, which others play", "worker", w.name, "game", a.job.Game, "error", why)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Unable++
	a.stale = true
	w.room.refuse(a.job.Programs, q.o.times.again)
	q.release(a)
	return replyCounted
}

// checkClock returns the run of a job by the clock as this program's referee tells it from what
// the players answered there; an error where that is not what the worker says.
func (a *asked) checkClock(r *jobResult) (*arena.Run, error) {
	if len(r.Run.Tapes) != len(r.Run.Digests) {
		return nil, errors.New("expected what the players answered in each game")
	}
	scale, err := a.job.Clock.scale(r.Speeds)
	if err != nil {
		return nil, err
	}
	for _, tape := range r.Run.Tapes {
		if got, err := arena.TapeScale(tape); err != nil || got != scale {
			return nil, fmt.Errorf("the clocks were scaled by %g, expected %g by the speeds of that machine", got, scale)
		}
	}
	watched := *a.series
	watched.Watch = nil
	run, err := watched.Retell(a.job.From, a.job.Blocks, r.Run.Tapes)
	if err == nil && !equal(run, r.Run) {
		err = errors.New("the games end otherwise than was told, by the moves and times that were told")
	}
	return run, err
}
