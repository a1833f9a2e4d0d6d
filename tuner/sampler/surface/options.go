package surface

import (
	"errors"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// options are the options of the sampler surface.
type options struct {
	near, far float64 // jitter, shares of a range
	warm      float64 // share of the games spent around the baseline
	cross     int     // parameters up to which products are features
	anchor    float64 // share of the duels in which a point meets the baseline
	tries     int     // candidates of which a proposal is the best
	share     float64 // of the pairs that the walk has at first
}

// declare declares the options.
func (o *options) declare(f *param.Fields) {
	f.Float(&o.near, "near", 0.03, param.Range(0.001, 1), "least jitter about the believed optimum, shares of a range")
	f.Float(&o.far, "far", 0.6, param.Range(0.001, 1), "largest jitter about the believed optimum, shares of a range")
	f.Float(&o.warm, "warm", 0.2, param.Range(0, 1), "share of the games whose points lie around the baseline")
	f.Int(&o.cross, "cross", 8, param.Range(0, 40), "parameters up to which products of two are features")
	f.Float(&o.anchor, "anchor", 0.15, param.Range(0, 1), "share of the duels in which a point meets the baseline, twice as many around the baseline")
	f.Int(&o.tries, "tries", 8, param.Range(1, 1000), "candidates of which a proposal is the one that tells most, points")
	f.Float(&o.share, "walk", 0.65, param.Range(0, 1), "share of the pairs that climb without a model, at first")
}

// Options returns the declarations of the options.
func Options() []param.Param { return param.List(new(options).declare) }

func readOptions(given param.Values) (*options, error) {
	o := &options{}
	fields, err := param.Bind(o.declare)
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.near > o.far {
		return nil, fmt.Errorf("options: near: expected at most far's %g, got %g", o.far, o.near)
	}
	return o, nil
}

// Defaults of a study with this sampler. There are many trials and they are short: a
// regression does not mind how its games are spread over points, and many points are many
// steps. A small budget proves little and gives half of its games to the proof; many
// parameters need four fifths for the search.
const (
	surfaceBatch   = 16
	surfaceGames   = 1250 // games of a budget for each game of a trial
	surfaceLeast   = 2    // blocks; a shorter trial does not show its own noise
	smallBudget    = 5000 // games
	provingSmall   = 0.5
	provingMany    = 0.2
	manyParameters = 8
)

// Traits are the defaults of a study that surface searches.
func Traits(_ tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	t := tuner.Traits{Answers: true, Duels: true, Batch: surfaceBatch}
	blocks := max(surfaceLeast, in.Games/surfaceGames/in.BlockGames)
	t.Race = &tuner.Race{Method: "none", Rungs: []int64{blocks}, Keep: 0.5}
	if !in.Duels {
		t.Race.Blocks = "fresh"
	}
	switch {
	case in.Games <= smallBudget:
		t.Proving = provingSmall
	case len(space) > manyParameters:
		t.Proving = provingMany
	}
	return t
}

// New makes the sampler, or says why it does not serve the space or the options.
func New(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readOptions(s.Options)
	if err != nil {
		return nil, err
	}
	return &Surface{seed: s.Seed, space: space, options: *o}, nil
}
