package queue

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Games by the clock are not played again. What shows a machine that cannot be trusted with them
// is how its games end beside those of all others on the same entrants.

const (
	// apartAlpha is the chance, over the life of a job and all workers, of setting a sound one
	// aside.
	apartAlpha = 1e-4
	// fromGames is the number of games from which a share of losses on time counts.
	fromGames = 200
	// mostLate is the share of its games that a worker may lose on time where others have less
	// than usualLate.
	mostLate, usualLate = .01, .002
	// lookBlocks is how many blocks more of a series are waited for before it is looked at
	// again, at least, and lookShare how many of those looked at.
	lookBlocks, lookShare = 8, 20
	// mostStrata bounds the series that are remembered.
	mostStrata = 4096
)

// residuals are the games by the clock of each series, by worker.
type residuals struct {
	looking sync.Mutex // held while they are compared

	mu     sync.Mutex
	series map[string]*stratum
}

// stratum is a series: blocks that have come, those of them that were looked at, and who has
// played what of them.
type stratum struct {
	came, looked int64
	records      map[string]stats.Record
}

// due counts blocks of a series and reports whether it is time to look at it.
func (r *residuals) due(s *arena.Series, blocks int) (key string, due bool) {
	parts := []string{s.Ruleset.Hash(), fmt.Sprint(s.Seed, s.Phase)}
	for _, e := range s.Entrants {
		parts = append(parts, e.Canonical())
	}
	key = strings.Join(parts, "\n")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.series == nil || len(r.series) >= mostStrata {
		r.series = map[string]*stratum{}
	}
	one := r.series[key]
	if one == nil {
		one = &stratum{}
		r.series[key] = one
	}
	one.came += int64(blocks)
	return key, one.came-one.looked >= max(lookBlocks, one.looked/lookShare)
}

// look reads who has played what of a series, compares all workers and sets one aside that is
// apart from the others.
func (q *Queue) look(ctx context.Context, s *arena.Series, key string) {
	q.residuals.looking.Lock()
	defer q.residuals.looking.Unlock()
	whole := *s
	whole.To = math.MaxInt64 // also what lies behind the part that is played now
	records, err := q.o.Records(ctx, &whole)
	if err != nil {
		q.o.Log.Error("who has played what cannot be read", "error", err)
		return
	}
	q.residuals.mu.Lock()
	if one := q.residuals.series[key]; one != nil {
		one.looked, one.records = one.came, records
	}
	worst, why := q.residuals.worst()
	q.residuals.mu.Unlock()
	if worst == "" {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.registry.worker(worst)
	if w.quarantined {
		return
	}
	q.o.Log.Error("a worker is set aside: its games by the clock do not count", "worker", worst, "reason", why)
	q.registry.setAside(w, "set aside for its games by the clock: "+why)
	q.residuals.mu.Lock()
	q.residuals.series = nil // its blocks go
	q.residuals.mu.Unlock()
}

// worst returns the worker that is furthest beyond what a sound one would be, and why; empty where
// none is. Of two machines neither can be blamed, unless one is the daemon's. The caller holds mu.
func (r *residuals) worst() (name, why string) {
	total, all := map[string]stats.Record{}, stats.Record{}
	for _, one := range r.series {
		for name, x := range one.records {
			t := total[name]
			t.Games, t.Late, t.Blocks = t.Games+x.Games, t.Late+x.Late, t.Blocks+x.Blocks
			total[name] = t
			all.Games, all.Late = all.Games+x.Games, all.Late+x.Late
		}
	}
	most := 1.
	for _, worker := range slices.Sorted(maps.Keys(total)) {
		t := total[worker]
		if worker == "" {
			continue
		}
		if others := all.Games - t.Games; t.Games >= fromGames && others >= fromGames {
			share, usual := float64(t.Late)/float64(t.Games), float64(all.Late-t.Late)/float64(others)
			if ratio := 1000 * share; share > mostLate && usual < usualLate && ratio >= most {
				most, name = ratio, worker
				why = fmt.Sprintf("%.1f %% of its %d games were lost on time or by a program that was gone, and %.2f %% of the others'", 100*share, t.Games, 100*usual)
			}
		}
		if _, here := total[""]; len(total) < 3 && !here {
			continue
		}
		if a := stats.Apart(r.strata(worker), apartAlpha/float64(len(total))); a.Ratio >= most {
			most, name, why = a.Ratio, worker, a.Excess
		}
	}
	return name, why
}

// strata returns a worker's blocks beside those of all others. The caller holds mu.
func (r *residuals) strata(worker string) []stats.Stratum {
	var all []stats.Stratum
	for _, one := range r.series {
		if len(one.records[worker].Scores) > 0 {
			all = append(all, stats.StratumOf(2, one.records, worker))
		}
	}
	return all
}
