package arena

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Speeds are how many nodes a second engines search on a machine with all its slots at work, by name.
type Speeds map[string]float64

// errSpeeds is what speeds are expected to be.
var errSpeeds = errors.New("ENGINE:NODES a second, each engine once, with spaces between several")

// ParseSpeeds reads speeds that are written "NAME:NODES", with spaces between several. An error is what
// was expected.
func ParseSpeeds(text string) (Speeds, error) {
	out := Speeds{}
	for word := range strings.FieldsSeq(text) {
		name, number, _ := strings.Cut(word, ":")
		nodes, err := strconv.ParseFloat(number, 64)
		if _, twice := out[name]; err != nil || name == "" || twice || !(nodes > 0) || math.IsInf(nodes, 1) {
			return nil, errSpeeds
		}
		out[name] = nodes
	}
	if len(out) == 0 {
		return nil, errSpeeds
	}
	return out, nil
}

// String writes speeds as ParseSpeeds reads them, by name.
func (s Speeds) String() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		words = append(words, name+":"+strconv.FormatFloat(s[name], 'f', -1, 64))
	}
	return strings.Join(words, " ")
}

// ErrBeyond says that a machine is too slow or too fast for a job's clocks.
var ErrBeyond = errors.New("the machine is more than four times as fast, or as slow, as the one for which the clocks are meant")

// Scale returns what clocks that are meant for these speeds are multiplied by on a machine: the mean
// of reference over own, as factors, over the engines; 1 where nothing is named.
func (s Speeds) Scale(own Speeds) (float64, error) {
	sum := 0.
	for name, reference := range s {
		if !(own[name] > 0) || !(reference > 0) {
			return 0, fmt.Errorf("engine %s: expected a speed above 0, got %g, with %g as the reference", name, own[name], reference)
		}
		sum += math.Log(reference / own[name])
	}
	scale := math.Exp(sum / float64(max(1, len(s))))
	if math.IsNaN(scale) || scale < leastScale || scale > mostScale {
		return 0, ErrBeyond
	}
	return roundScale(scale), nil
}

// Gauge measures the speeds of engines on this machine, each when it is first asked for and then again
// now and then.
type Gauge struct {
	pool   *Pool
	search func(ctx context.Context, name string, processes int, span time.Duration) (nodes, spread float64, err error)
	span   time.Duration
	again  time.Duration
	log    *slog.Logger

	turn sync.Mutex // held while an engine is measured

	mu    sync.Mutex
	known map[Program]measured
}

type measured struct {
	nodes float64
	at    time.Time
}

// For how long an engine's speed is usually measured, and after which time anew.
const SpeedSpan, SpeedAge = 5 * time.Second, 30 * time.Minute

// NewGauge makes the gauge of a pool. search has an engine search in so many processes at once for a
// span, while the pool plays nothing, and returns the nodes a second of the median process. An engine
// is measured anew when again has passed.
func NewGauge(p *Pool, search func(ctx context.Context, name string, processes int, span time.Duration) (nodes, spread float64, err error), span, again time.Duration, log *slog.Logger) *Gauge {
	g := &Gauge{pool: p, search: search, span: span, again: again, log: log, known: map[Program]measured{}}
	p.gauge.Store(g)
	return g
}

// Of returns the speeds of engines.
func (g *Gauge) Of(ctx context.Context, programs []Program) (Speeds, error) {
	g.turn.Lock()
	defer g.turn.Unlock()
	out := Speeds{}
	for _, p := range programs {
		g.mu.Lock()
		m, ok := g.known[p]
		g.mu.Unlock()
		if !ok || time.Since(m.at) >= g.again {
			nodes, err := g.measure(ctx, p.Name)
			if err != nil {
				return nil, fmt.Errorf("the speed of engine %s: %w", p.Name, err)
			}
			m = measured{nodes, time.Now()}
			g.mu.Lock()
			maps.DeleteFunc(g.known, func(old Program, _ measured) bool { return old.Name == p.Name })
			g.known[p] = m
			g.mu.Unlock()
		}
		out[p.Name] = m.nodes
	}
	return out, nil
}

// doubt has speeds that cannot be used measured anew soon, as the machine may have been busy.
func (g *Gauge) doubt(programs []Program) {
	g.mu.Lock()
	defer g.mu.Unlock()
	soon := time.Now().Add(g.again/30 - g.again)
	for _, p := range programs {
		if m := g.known[p]; m.at.After(soon) {
			g.known[p] = measured{m.nodes, soon}
		}
	}
}

func (g *Gauge) measure(ctx context.Context, name string) (float64, error) {
	if g.pool.workers > 0 {
		give, err := g.pool.Hold(ctx, Needs{Timed: true, Threads: math.MaxInt32}) // for which there is room when nothing is played
		if err != nil {
			return 0, err
		}
		defer give()
	}
	nodes, spread, err := g.search(ctx, name, g.pool.slots(), g.span)
	if err == nil {
		g.log.Info("an engine's speed is measured", "engine", name, "processes", g.pool.slots(), "nodes_per_second", math.Round(nodes), "spread", math.Round(100*spread)/100)
	}
	return nodes, err
}

// Known returns the speeds that are known, of no gauge none.
func (g *Gauge) Known() Speeds {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	out := Speeds{}
	for p, m := range g.known {
		out[p.Name] = m.nodes
	}
	return out
}

// speedRule is the rule that names the machine for which clocks are meant.
const speedRule = "speed"

// scaleClocks notes for which speeds the clocks of a series are meant, and by what they are multiplied in
// this process: those of the rule speed, else those that the series has fixed. Where neither is so,
// and where only this process plays, the clocks are those of the rules.
func (g *Gauge) scaleClocks(ctx context.Context, s *Series, n *Needs) error {
	text, named := s.Ruleset.Rules.Get(speedRule)
	if g == nil || !named && !g.pool.isOpen() {
		return nil
	}
	var err error
	programs := n.Programs
	if named {
		if s.Reference, err = ParseSpeeds(text); err != nil {
			return fmt.Errorf("rule speed: expected %w, got %.80q", err, text)
		}
		maps.DeleteFunc(s.Reference, func(name string, _ float64) bool {
			return !slices.ContainsFunc(programs, func(p Program) bool { return p.Name == name })
		})
		programs = slices.DeleteFunc(slices.Clone(programs), func(p Program) bool { return s.Reference[p.Name] == 0 })
		if len(programs) == 0 {
			return fmt.Errorf("rule speed: it names none of the engines that play, got %s", text)
		}
	}
	own, err := g.Of(ctx, programs)
	if err == nil && !named {
		if s.Reference = own; s.Fix != nil {
			s.Reference, err = s.Fix(own)
		}
	}
	if err != nil || g.pool.workers == 0 {
		return err
	}
	if s.Scale, err = s.Reference.Scale(own); err != nil {
		g.doubt(programs)
		g.log.Warn("games by the clock are not played on this machine", "error", err, "reference", s.Reference, "own", own)
		err = fmt.Errorf("games by the clock in this process: %w; go on when it is less busy, or with workers", err)
	}
	return err
}
