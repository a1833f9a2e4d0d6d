package service

import (
	"encoding/json"
	"fmt"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lru"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
)

// reach knows how many trials studies can reach, and what their values are: lists are
// read often, and the members of a finite space are counted one by one.
type reach struct {
	mu    sync.Mutex
	known *lru.Cache[string, reached] // by spec and budget
}

// reached is the number of trials that a study can reach, 0 where that cannot be told,
// and the number of seats where its values are scores against the baseline, else 0.
type reached struct{ trials, seats int }

// of is that of a study without a result.
func (r *reach) of(l store.Listing, games arena.Catalogue, samplers sampler.Kinds) reached {
	if l.Pending == nil {
		return reached{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = lru.New[string, reached](4096)
	}
	key := fmt.Sprint(l.SpecHash, l.BudgetTrials, l.BudgetGames)
	n, ok := r.known.Get(key)
	if !ok {
		n = reachable(l, games, samplers)
		r.known.Put(key, n)
	}
	return n
}

func reachable(l store.Listing, games arena.Catalogue, samplers sampler.Kinds) reached {
	spec := new(tuner.Spec)
	if json.Unmarshal(l.Pending, spec) != nil {
		return reached{}
	}
	spec.Budget = tuner.Budget{Trials: l.BudgetTrials, Games: l.BudgetGames}
	setup, err := tuner.PrepareRules(spec, games)
	if err != nil {
		return reached{}
	}
	out := reached{trials: MostTrials(setup, samplers)}
	if len(spec.Pool) == 0 {
		out.seats = tuner.GainSeats(setup)
	}
	return out
}

// MostTrials is the number of trials that a study can reach before its games or its
// space end.
func MostTrials(s *tuner.Setup, samplers sampler.Kinds) int {
	size := tuner.SearchSize{Games: s.Budget.Games, BlockGames: s.BlockGames(), Duels: s.Duels}
	return s.MostTrials(samplers.Traits(s.Sampler, s.Tune.Params, size).Answers)
}
