package service

import (
	"context"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/insight/forecast"
)

// probes remembers what is known of the games of studies, so that they are played
// once and not for every key that is pressed in a form.
type probes struct {
	mu    sync.Mutex
	known map[string]forecast.Known
}

// mostProbes bounds what is remembered.
const mostProbes = 200

// of is what is known of a study's games.
func (p *probes) of(ctx context.Context, s *tuner.Setup, pool *arena.Pool) forecast.Known {
	key := strings.Join(append([]string{s.Game, s.Ruleset.Hash(), s.Tune.Strategy, s.Tune.Fix.String(), s.Baseline, s.Proved().Name()}, s.Pool...), "\n")
	p.mu.Lock()
	defer p.mu.Unlock() // one at a time: two would take the processors from each other
	if k, ok := p.known[key]; ok {
		return k
	}
	if pool == nil {
		pool = arena.NewPool(1)
	}
	k := forecast.Probe(ctx, s, pool, forecast.Patience)
	if ctx.Err() != nil {
		return k
	}
	if len(p.known) >= mostProbes || p.known == nil {
		p.known = map[string]forecast.Known{}
	}
	p.known[key] = k
	return k
}
