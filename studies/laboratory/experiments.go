package laboratory

import (
	"context"
	"fmt"
	"os"
	"slices"

	"sakusen/engines/laboratory"
	"sakusen/tuner/contest/experiment"
)

// Experiments are the tables of searches on games with a known answer.
func Experiments() []experiment.Experiment {
	all := laboratory.Kinds()
	return []experiment.Experiment{
		tableOf(suiteName, "What the default finds beside other searches on ground that is drawn, 5 000 and 20 000 games: true Elo, share of the best search, coverage of intervals.",
			2, append(drawn(all, 5_000, false), drawn(all, 20_000, false)...), methods()),
		tableOf("tuners-games", "The same on Pig, Battleship, Connect Four, Lifeboats and M-UCT.", 2, append(Real(5_000), Real(20_000)...), methods()),
		tableOf("tuners-nothing", "How often the default exports something where nothing is to be found, and whether its intervals hold; 2 000 games.", 4, drawn(all, 2_000, true), methods()[:1]),
		tableOf("tuners-flight", "The default with one, two and three batches out at a time (`sampler.flight`), 5 000 and 20 000 games.",
			2, append(drawn([]string{"drawn-smooth", "drawn-groups", "drawn-many"}, 5_000, false), drawn([]string{"drawn-smooth", "drawn-groups", "drawn-many"}, 20_000, false)...), flights()),
	}
}

// suiteName is the experiment to which rows of others can be added.
const suiteName = "tuners"

// mostSeed is the largest seed of a first study, so that the following ones have room.
const mostSeed = 1 << 53

// tableOf is the experiment of all methods in some cells.
func tableOf(name, doc string, studies int64, cells []cell, methods []method) experiment.Experiment {
	first := uint64(1)
	return experiment.Experiment{
		Name: name, Doc: doc, Source: "ours: goals, docs/laboratory.md", Games: studies, Studies: true, Seed: &first,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			if *o.Seed < 1 || *o.Seed > mostSeed {
				return &experiment.InvalidError{Err: fmt.Errorf("seed: expected 1 to %d, that of the first study, got %d", int64(mostSeed), *o.Seed)}
			}
			methods := methods
			if name == suiteName {
				rows, err := outside(os.Getenv(outsideVariable))
				if err != nil {
					return &experiment.InvalidError{Err: err}
				}
				methods = append(slices.Clip(methods), rows...)
			}
			if o.Keep != "" {
				kept, err := keep(o.Keep)
				if err != nil {
					return &experiment.InvalidError{Err: err}
				}
				defer kept.Close()
				o.Pieces = kept
			}
			b := &bench{Seeds: int(o.Games), First: int(*o.Seed), Workers: o.Workers, Options: o}
			done, of := int64(0), b.Games(cells, methods)
			b.Progress = func(games int64) {
				done += games
				if o.Progress != nil {
					o.Progress(done/2, of/2, games)
				}
			}
			var results []result
			if err := b.Run(ctx, cells, methods, func(r result) { results = append(results, r) }); err != nil {
				return err
			}
			report(cells, results, add)
			return nil
		},
	}
}
