package cmaes

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// options are the options of the sampler cmaes.
type options struct {
	population int
	spread     float64 // first sigma, share of the range
	start      string
}

func readOptions(given param.Values, space tuner.Space) (*options, error) {
	if err := refuseNominal(space); err != nil {
		return nil, err
	}
	o := &options{}
	fields, err := param.Bind(func(f *param.Fields) {
		f.Int(&o.population, "population", 0, param.Range(0, 10000),
			"individuals of a generation; 0: 32 where games are scored, 4 + 3 ln(parameters) where a metric is measured")
		f.Float(&o.spread, "sigma", 0, param.Range(0, 1), "first standard deviation, as a share of each range; 0: 0.3 where games are scored, 0.16 where a metric is measured")
		f.Choice(&o.start, "start", "baseline", []string{"baseline", "centre"}, "the first mean: the baseline, where it lies in the space, or the centre")
	})
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.population > 0 && o.population < leastPopulation {
		return nil, &param.Error{Name: "options: population", Want: fmt.Sprintf("0, or at least %d", leastPopulation), Got: fmt.Sprint(o.population)}
	}
	return o, nil
}

const (
	leastPopulation = 4
	// noisyPopulation is the population where values are scores of games. On a
	// hill of 60 Elo in four dimensions, 20 000 games, the mean of 30 seeds was 44
	// Elo with 8 individuals of 16 blocks, 51 with 16, 56 with 32 and with 50.
	noisyPopulation = 32
)

// First standard deviations. Noise shortens steps that are right: with 20 000
// games, four and sixteen parameters, 0.2 reached 50.8 and 24.5 Elo of 60, 0.3
// reached 52.2 and 28.0 (30 seeds).
const (
	noisySpread = 0.3
	exactSpread = 0.16
)

// first is the first standard deviation.
func (o *options) first(seats int) float64 {
	switch {
	case o.spread > 0:
		return o.spread
	case seats > 0:
		return noisySpread
	}
	return exactSpread
}

// size is the population, for a study of n parameters.
func (o *options) size(n, seats int) int {
	switch {
	case o.population > 0:
		return o.population
	case seats > 0:
		return noisyPopulation
	}
	return 4 + int(3*math.Log(float64(n)))
}

// Traits asks for a generation at once, with few blocks each: what the
// ranks of one generation get wrong, the next puts right.
func Traits(s tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	blocks := min(max(in.Games/1250, 8), 128)
	t := tuner.Traits{Answers: true, Batch: noisyPopulation, Race: &tuner.Race{Method: "none", Keep: 0.5, Rungs: []int64{blocks}, Blocks: "fresh"}}
	if o, err := readOptions(s.Options, space); err == nil && o.population > 0 {
		t.Batch = min(o.population, 1024)
	}
	return t
}

// refuseNominal refuses choices of three and more, which have no order.
func refuseNominal(space tuner.Space) error {
	var names []string
	for _, d := range space {
		if d.Kind == param.Choice && len(d.Choices) > 2 {
			names = append(names, d.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("it tunes numbers, switches and choices of two values; %s has more values, which have no order: use the sampler tpe, or give it a fixed value (tune.fix)", strings.Join(names, ", "))
	}
	return nil
}
