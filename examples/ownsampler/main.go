// Command ownsampler has every command of Sakusen, and two samplers of its own, which study
// files name like those of Sakusen:
//
//	go run . tune narrowing.yaml
//	go run . tune --help           # lists them
package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/c-bata/goptuna"

	"sakusen/cmd/sakusen/cli"
	"sakusen/strategies"
	"sakusen/tuner/sampler"
	adapter "sakusen/tuner/sampler/goptuna"
)

func main() {
	os.Exit(cli.Main(strategies.All(),
		sampler.Own{Name: "narrowing", Doc: "draws ever closer to the best trial", Begins: true, New: adapter.Single(newNarrowing)},
		sampler.Own{Name: "lattice", Doc: "all parameters of a trial at once, on a lattice", New: adapter.Relative(newLattice)},
	))
}

// lattice is a goptuna.RelativeSampler: it is asked for all parameters of a trial at once.
type lattice struct{ shift float64 }

func newLattice(seed int64) goptuna.RelativeSampler {
	return &lattice{rand.New(rand.NewPCG(uint64(seed), 0)).Float64()}
}

// SampleRelative implements goptuna.RelativeSampler: the multiples of the powers of the root
// of x^(d+1) = x + 1, modulo 1 (Roberts 2018), spread evenly over the ranges.
func (l *lattice) SampleRelative(_ *goptuna.Study, trial goptuna.FrozenTrial, space map[string]any) (map[string]float64, error) {
	root := 2.0
	for range 40 {
		root = math.Pow(1+root, 1/float64(len(space)+1))
	}
	out, step := map[string]float64{}, 1.0
	for _, name := range slices.Sorted(maps.Keys(space)) {
		step /= root
		_, u := math.Modf(l.shift + step*float64(trial.Number+1))
		low, high, err := ends(space[name])
		if err != nil {
			return nil, err
		}
		out[name] = rounded(low + u*(high-low))
	}
	return out, nil
}

// ends returns the two ends of a range of numbers.
func ends(distribution any) (low, high float64, err error) {
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Low, d.High, nil
	case goptuna.DiscreteUniformDistribution:
		return d.Low, d.High, nil
	case goptuna.IntUniformDistribution:
		return float64(d.Low), float64(d.High), nil
	case goptuna.StepIntUniformDistribution:
		return float64(d.Low), float64(d.High), nil
	}
	return 0, 0, fmt.Errorf("expected a range of numbers, got %T", distribution)
}

// rounded returns a number rounded to a few digits.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// narrowing is a goptuna.Sampler: it is asked for one parameter of a trial.
type narrowing struct{ rng *rand.Rand }

func newNarrowing(seed int64) goptuna.Sampler {
	return &narrowing{rand.New(rand.NewPCG(uint64(seed), 0))}
}

// Sample implements goptuna.Sampler: a draw from the half, then the third, ... of the range
// around the best trial's value.
func (n *narrowing) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	low, high, err := ends(distribution)
	if err != nil {
		return 0, err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return 0, err
	}
	best, value := math.Inf(-1), (low+high)/2
	for _, t := range trials {
		worth := t.Value
		if study.Direction() == goptuna.StudyDirectionMinimize {
			worth = -worth
		}
		if at, ok := t.InternalParams[name]; ok && worth > best {
			best, value = worth, at
		}
	}
	half := (high - low) / 2 / float64(1+trial.Number/8)
	return rounded(min(max(value+half*(2*n.rng.Float64()-1), low), high)), nil
}
