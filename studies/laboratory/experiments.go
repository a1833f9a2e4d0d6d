package laboratory

import (
	"context"
	"fmt"
	"os"
	"slices"

	"sakusen/tuner/contest/experiment"
)

// tablesSource is where the printed numbers of the tables of searches stand.
const tablesSource = "ours: reference simulation and goals, docs/laboratory.md"

// Experiments are the tables of searches on games with a known answer.
func Experiments() []experiment.Experiment {
	hills := func(games ...int64) (cells []Cell) {
		for _, n := range games {
			cells = append(cells, Cells(n)...)
		}
		return cells
	}
	return []experiment.Experiment{
		tableOf(suiteName, "The suite: what the default loses to the best of eight searches, on 25 kinds of landscape, on Pig, Battleship, Connect Four, Lifeboats and M-UCT, 5 000 and 20 000 games.",
			2, Suite(5_000, 20_000), suiteMethods()),
		tableOf("tuners-hills", "True Elo of what each search exports, of 60 or 20 planted: 5 000 and 20 000 games, 1, 4 and 16 parameters.",
			usualStudies, hills(5_000, 20_000), Methods()),
		tableOf("tuners-100k", "The same with 100 000 games.", 2, hills(100_000), Methods()),
		tableOf("tuners-landscapes", "The same with 20 000 games and 4 parameters on other landscapes than hills.",
			2, Landscapes(), Methods()),
		tableOf("tuners-flight", "The default search with one, two and three batches out at a time (`sampler.flight`), on hills of 4 and 16 parameters, 5 000 and 20 000 games.",
			2, flightCells(), flightMethods()),
	}
}

// suiteName is the experiment to which rows of others can be added.
const suiteName = "tuners"

// usualStudies is the default number of studies of each search in each column.
const usualStudies = 4

// mostSeed is the largest seed of a first study, so that the following ones have room.
const mostSeed = 1 << 53

// tableOf is the experiment of all searches in some cells.
func tableOf(name, doc string, studies int64, cells []Cell, methods []Method) experiment.Experiment {
	first := uint64(1)
	return experiment.Experiment{
		Name: name, Doc: doc, Source: tablesSource, Games: studies, Studies: true, Seed: &first,
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
			b := &Bench{Seeds: int(o.Games), First: int(*o.Seed), Workers: o.Workers}
			if o.Acquire != nil || o.Pieces != nil {
				b.Execute = func(ctx context.Context, key string, run func() (Outcome, error)) (Outcome, error) {
					return experiment.RunCached(ctx, o, "study "+key, run)
				}
			}
			if o.Keep != "" {
				kept, err := Keep(o.Keep)
				if err != nil {
					return &experiment.InvalidError{Err: err}
				}
				defer kept.Close()
				b.Kept = kept
			}
			done, of := int64(0), b.Games(cells, methods)
			b.Progress = func(games int64) {
				done += games
				if o.Progress != nil {
					o.Progress(done/2, of/2, games)
				}
			}
			var results []Result
			if err := b.Run(ctx, cells, methods, func(r Result) { results = append(results, r) }); err != nil {
				return err
			}
			Report(cells, results, add)
			return nil
		},
	}
}
