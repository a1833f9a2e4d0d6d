package spsa

import (
	"errors"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// options are the options of the sampler spsa.
type options struct {
	end     float64 // c_end, share of the range; 0 is chosen by the budget
	rate    float64 // R_end; 0 likewise
	start   string
	average float64 // share of the batches whose iterates the answer is the mean of
}

// fewBlocks is the number of blocks of pairs below which the two ends of a pair lie further
// apart and the steps are longer, so that a small budget makes progress. On hills of 60 Elo
// with duels, mean true Elo of 16 seeds with a seventh and 0.01 against a fifth and 0.015:
// 55 and 58 at four parameters and 5 000 games, 31 and 47 at sixteen; at 20 000 games 59.3
// and 58.7 at four parameters.
const fewBlocks = 4000

// reach is c_end for a search of n blocks.
func (o *options) reach(n float64) float64 {
	switch {
	case o.end > 0:
		return o.end
	case n < fewBlocks:
		return 1.0 / 5
	}
	return 1.0 / 7
}

// learning is R_end for a search of n blocks.
func (o *options) learning(n float64) float64 {
	switch {
	case o.rate > 0:
		return o.rate
	case n < fewBlocks:
		return 0.015
	}
	return 0.01
}

func readOptions(given param.Values, space tuner.Space) (*options, error) {
	if err := refuseNotNumbers(space); err != nil {
		return nil, err
	}
	o := &options{}
	fields, err := param.Bind(func(f *param.Fields) {
		f.Float(&o.end, "c_end", 0, param.Range(0, 0.5),
			"last perturbation, as a share of each range; 0: a seventh, a fifth where the search has less than 4 000 blocks of pairs")
		f.Float(&o.rate, "r_end", 0, param.Range(0, 1), "last learning rate; 0: 0.01, 0.015 where the search has less than 4 000 blocks of pairs")
		f.Float(&o.average, "average", 0.2, param.Range(0, 1), "share of the batches, the last ones, whose iterates the answer is the mean of")
		f.Choice(&o.start, "start", "baseline", []string{"baseline", "centre"}, "the first iterate: the baseline, where it lies in the space, or the centre")
	})
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return o, nil
}

// Traits asks for about a thousand pairs, and never fewer blocks than one.
func Traits(_ tuner.SamplerSpec, _ tuner.Space, in tuner.SearchSize) tuner.Traits {
	const pairs = 1000
	blocks := max(1, in.Games*7/10/max(1, in.BlockGames)/pairs)
	return tuner.Traits{Answers: true, Duels: true, Batch: 8, Race: &tuner.Race{Method: "none", Keep: 0.5, Rungs: []int64{blocks}, Blocks: "fresh"}}
}

// refuseNotNumbers refuses parameters that are not numbers.
func refuseNotNumbers(space tuner.Space) error {
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return fmt.Errorf("it tunes numbers only, and %s is not a number: give it a fixed value (tune.fix), or use the sampler tpe", d.Name)
		}
	}
	return nil
}
