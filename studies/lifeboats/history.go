package lifeboats

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/strategies/lifeboats/worth"
	"sakusen/tuner/contest/experiment"
)

// Sizes of the paper's study.
const (
	fullLength      = 80             // generations of a run
	individuals     = 34 + 170       // of a generation: parents and reflections, children
	generationGames = (9 + 43) * 100 // at tables of four
	runGames        = fullLength * generationGames
	defaultRuns     = 3 // the fewest that show a band
)

// A history is several evolutions at the paper's setting, of as many
// generations each.
type history struct {
	runs        []*Evolution
	generations int
}

// scale is how many runs of how many generations a number of games allows: runs
// of 80 generations, or at least two of fewer.
func scale(games int64) (runs, generations int) {
	if games >= 2*runGames {
		return int(games / runGames), fullLength
	}
	return 2, int(max(1, games/2/generationGames))
}

// startX is the option that says where X starts: from 0 to so much.
const startX = "start.X"

// start declares where X starts, which the paper does not say. The study has 0..5.
func start(f *param.Fields) {
	var x float64
	f.Float(&x, startX, 5, param.Range(0.1, worth.Span), "upper end of the range from 0 in which X starts, an exponent")
}

// evolve makes runs of a study, each of which is kept when it ends. What is said of a generation is said of
// its parents: the population as it was before it.
func evolve(ctx context.Context, o experiment.Options, lab *Lab, name string) (*history, error) {
	runs, generations := scale(o.Games)
	h := &history{generations: generations}
	for i := range runs {
		parents, err := experiment.Cached(o, fmt.Sprintf("evolution %d%s", i, o.Rules.String()), func() ([][]param.Values, error) {
			spec, err := Study(name, studySeed(o, i))
			if err != nil {
				return nil, err
			}
			if x, ok := o.Rules.Get(startX); ok {
				spec.Sampler.Options = spec.Sampler.Options.With(startX, "0.."+x)
			}
			spec.Budget.Trials = generations * individuals
			spec.Final.Top, spec.Validation.MaxBlocks = 1, 64
			run, err := Evolve(ctx, spec, lab.Host)
			if err != nil {
				return nil, err
			}
			return run.Generations, nil
		})
		if err != nil {
			return nil, err
		}
		h.runs = append(h.runs, &Evolution{Generations: parents})
	}
	return h, nil
}

// historyBlocks is about as many blocks as evolve plays.
func historyBlocks(games int64) int64 {
	runs, generations := scale(games)
	return int64(runs) * (int64(generations*generationGames)/5 + 64)
}

// points are the generations that are looked at: every n-th, and the last.
func (h *history) points(every int) []int {
	var out []int
	for g := 0; g < h.generations-1; g += every {
		out = append(out, g)
	}
	return append(out, h.generations-1)
}
