package main

import (
	"context"
	"fmt"

	"sakusen/cmd/sakusen/tuners"
	"sakusen/tuner/experiment"
)

// tunersSource is where the printed numbers of the tables of searches stand.
const tunersSource = "ours: reference simulation and goals, docs/laboratory.md"

// tunersExperiments are the tables of searches on games with a known answer.
func tunersExperiments() []experiment.Experiment {
	hills := func(games ...int64) (cells []tuners.Cell) {
		for _, n := range games {
			cells = append(cells, tuners.Cells(n)...)
		}
		return cells
	}
	return []experiment.Experiment{
		tunersExperiment("tuners", "True Elo of what each search exports, of 60 or 20 planted: 5 000 and 20 000 games, 1, 4 and 16 parameters.",
			tunersStudies, hills(5_000, 20_000)),
		tunersExperiment("tuners-100k", "The same with 100 000 games.", 2, hills(100_000)),
		tunersExperiment("tuners-landscapes", "The same with 20 000 games and 4 parameters on other landscapes than hills.",
			2, tuners.Landscapes()),
	}
}

// tunersStudies is the default number of studies of each search in each column.
const tunersStudies = 4

// mostTunersSeed leaves room for the seeds of the studies that follow the first.
const mostTunersSeed = 1 << 53

// tunersExperiment is the table of all searches in some cells.
func tunersExperiment(name, doc string, studies int64, cells []tuners.Cell) experiment.Experiment {
	first := uint64(1)
	return experiment.Experiment{
		Name: name, Doc: doc, Source: tunersSource, Games: studies, Studies: true, Seed: &first,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			if *o.Seed < 1 || *o.Seed > mostTunersSeed {
				return usage(fmt.Errorf("seed: expected 1 to %d, that of the first study, got %d", int64(mostTunersSeed), *o.Seed))
			}
			b := &tuners.Bench{Seeds: int(o.Games), First: int(*o.Seed), Workers: o.Workers}
			if o.Turn != nil || o.Pieces != nil {
				b.Turn = func(ctx context.Context, key string, run func() (tuners.Outcome, error)) (tuners.Outcome, error) {
					return experiment.Part(ctx, o, "study "+key, run)
				}
			}
			if o.Keep != "" {
				kept, err := tuners.Keep(o.Keep)
				if err != nil {
					return usage(err)
				}
				defer kept.Close()
				b.Kept = kept
			}
			methods := tuners.Methods()
			done, of := int64(0), b.Games(cells, methods)
			b.Progress = func(games int64) {
				done += games
				if o.Progress != nil {
					o.Progress(done/2, of/2, games)
				}
			}
			var results []tuners.Result
			if err := b.Run(ctx, cells, methods, func(r tuners.Result) { results = append(results, r) }); err != nil {
				return err
			}
			tuners.Report(cells, results, add)
			return nil
		},
	}
}
