package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"sakusen/engines/arena"
)

// clockTerms are what a job by the clock says beside its games.
type clockTerms struct {
	// Reference is how fast the machine is for which the clocks are meant: nodes a second of
	// each engine. Clocks are not scaled where it is empty.
	Reference map[string]float64 `json:"reference,omitempty"`
	// Threads is how many threads think at a time in a game, and Memory what its programs may
	// take, bytes.
	Threads int   `json:"threads"`
	Memory  int64 `json:"memory,omitempty"`
}

// needs returns what a job takes of the machine that plays it.
func (c *clockTerms) needs(slots int) (n arena.Needs) {
	if c != nil {
		n = arena.Needs{Timed: true, Threads: min(max(1, c.Threads), slots), Memory: c.Memory}
	}
	return n
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
	pool    *arena.Pool
	engines Engines
	slots   int // processes that search at once
	span    time.Duration
	again   time.Duration // after which a speed is measured anew, 0 for never
	log     *slog.Logger

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

// measure measures an engine with so many processes at once, while a pool plays nothing here.
func (g *gauge) measure(ctx context.Context, name string) (float64, error) {
	give, err := g.pool.HoldAll(ctx)
	if err != nil {
		return 0, err
	}
	defer give()
	nodes, spread, err := g.engines.Speed(ctx, name, g.slots, g.span)
	if err == nil {
		g.log.Info("an engine's speed is measured", "engine", name, "processes", g.slots, "nodes_per_second", math.Round(nodes), "spread", math.Round(100*spread)/100)
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

// playElsewhere gives a job by the clock that a worker cannot play to another. The worker is asked
// for games of these engines again when it tells other speeds, has been started again, or has had
// time to measure them anew.
func (q *Queue) playElsewhere(w *state, a *asked, why string) string {
	q.o.Log.Warn("a worker cannot play games by the clock, which others play", "worker", w.name, "game", a.job.Game, "error", why)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Unable++
	a.stale = true
	w.wants.refuse(a.job.Programs, q.o.times.again)
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
