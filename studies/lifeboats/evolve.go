package lifeboats

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

// Evolution is an evolution, run to its end.
type Evolution struct {
	Result *tuner.Result
	// Generations are the parents of each, in the order of the generations: a
	// random sample of the population as it was then.
	Generations [][]param.Values
}

// Evolve runs a coevolution study whose sampler tells roles and generations.
func Evolve(ctx context.Context, spec *tuner.Setup, host arena.Host) (*Evolution, error) {
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		return nil, err
	}
	r := store.NewMemory()
	study, err := study.Open(ctx, spec, study.Options{Host: host, Proposer: proposer, Record: r})
	if err != nil {
		return nil, err
	}
	result, err := study.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("evolution %s, seed %d: %w", spec.Name, spec.Sampler.Seed, err)
	}
	run := &Evolution{Result: result}
	for _, e := range r.Log() {
		if e.Kind != entry.KindAsk {
			continue
		}
		if err := run.read(e.Payload); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// read takes the parents from an ask entry of the log.
func (r *Evolution) read(payload json.RawMessage) error {
	var asked struct {
		Trials []struct {
			Params param.Values `json:"params"`
			Attrs  param.Values `json:"attrs"`
		} `json:"trials"`
	}
	if err := json.Unmarshal(payload, &asked); err != nil {
		return err
	}
	for _, t := range asked.Trials {
		role, _ := t.Attrs.Get("role")
		text, _ := t.Attrs.Get("generation")
		generation, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("a trial without a generation: only a sampler that tells it can be looked at")
		}
		if role != "parent" {
			continue
		}
		for len(r.Generations) <= generation {
			r.Generations = append(r.Generations, nil)
		}
		r.Generations[generation] = append(r.Generations[generation], t.Params)
	}
	return nil
}
