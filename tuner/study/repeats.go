package study

import (
	"context"
	"math"
	"sync"

	"sakusen/engines/arena"
)

// repeats counts which games of a candidate are new, by their transcripts. Players without
// chance who begin from few starts repeat their games, and a repetition is no further
// evidence.
type repeats struct {
	mu   sync.Mutex
	seen map[repeatsKey]*arena.Seen
}

type repeatsKey struct {
	entrant, opponent string // canonical
	seed              uint64
	phase             arena.Phase
}

// stretch is the blocks from..to.
type stretch struct{ from, to int64 }

// sightings is what a candidate has played against an opponent so far. If that is not in
// memory, as after a resumption, it is read from the stored blocks. It is nil in games
// where repetitions are coincidences.
func (st *Study) sightings(ctx context.Context, s arena.Series, earlier []stretch) (*arena.Seen, error) {
	if s.Ruleset.Game.FreshChance {
		return nil, nil
	}
	key := repeatsKey{s.Entrants[0].Canonical(), s.Entrants[len(s.Entrants)-1].Canonical(), s.Seed, s.Phase}
	st.repeats.mu.Lock()
	seen, ok := st.repeats.seen[key]
	st.repeats.mu.Unlock()
	if ok {
		return seen, nil
	}
	seen = &arena.Seen{}
	for _, e := range earlier {
		s.From, s.To = e.from, e.to
		if err := again(ctx, st, s, func(r *arena.Run) error { seen.Add(r); return nil }); err != nil {
			return nil, err
		}
	}
	st.repeats.mu.Lock()
	defer st.repeats.mu.Unlock()
	if st.repeats.seen == nil {
		st.repeats.seen = map[repeatsKey]*arena.Seen{}
	}
	st.repeats.seen[key] = seen
	return seen, nil
}

// supply estimates how many different games exist, given that d of n were different: the N
// for which n random draws from N give d different ones on average; +Inf if all were
// different.
func supply(n, d int64) float64 {
	if d >= n {
		return math.Inf(1)
	}
	// d = N (1 - e^(-n/N)) rises with N.
	lo, hi := float64(d), float64(n)*float64(n)
	for range 100 {
		mid := math.Sqrt(lo * hi)
		if mid*-math.Expm1(-float64(n)/mid) < float64(d) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Sqrt(lo * hi)
}
