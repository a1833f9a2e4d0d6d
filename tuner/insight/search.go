package insight

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Search is what a finished study has seen, as the calculations of this package take it.
type Search struct {
	Setup   *tuner.Setup
	Answers bool // the sampler answers with its model
	Trials  []*tuner.Trial
	Finals  []Finalist
	Duels   []tuner.Duel
	Batches int // asked
	Members int // of a finite space, 0 of any other
	Tried   int // parameter sets that have a trial
	// Values returns a trial's value of every block from..from+blocks of a phase, more
	// being better; nil where not all games are kept.
	Values func(ctx context.Context, phase arena.Phase, t *tuner.Trial, from, blocks int64) ([]float64, error)
}

// Finalist is a trial's estimate on the final's seeds.
type Finalist struct {
	Trial    *tuner.Trial
	Evidence []entry.Evidence
	Estimate tuner.Estimate
}

// Front returns the Pareto front of the trials that passed every rung, the best in the first
// objective first. The winner is added where others whose values are the search's have gone
// past it.
func (x *Search) Front(winner *tuner.Trial) []tuner.FrontPoint {
	trials, all := x.complete()
	measured, final := map[*tuner.Trial]*tuner.Estimate{}, map[*tuner.Trial]*tuner.Estimate{}
	for i := range x.Finals {
		final[x.Finals[i].Trial] = &x.Finals[i].Estimate
	}
	for i, t := range trials {
		if f := final[t]; f != nil {
			all[i] = f
		}
		measured[t] = all[i]
	}
	var on []*tuner.Trial
	for _, i := range x.Setup.Front(all) {
		on = append(on, trials[i])
	}
	if winner != nil && !slices.Contains(on, winner) {
		on = append(on, winner)
		if measured[winner] = final[winner]; measured[winner] == nil {
			measured[winner] = &winner.Estimate
		}
	}
	slices.SortStableFunc(on, func(a, b *tuner.Trial) int {
		return -slices.Compare(x.Setup.Merits(measured[a]), x.Setup.Merits(measured[b]))
	})
	out := []tuner.FrontPoint{}
	for _, t := range on {
		p := tuner.FrontPoint{Trial: t.Number, Params: t.Params.Values().Map(), Values: GoalValues(x.Setup, t.Estimate.Goals), Chosen: t == winner}
		if f := final[t]; f != nil {
			p.Final = GoalValues(x.Setup, f.Goals)
		}
		out = append(out, p)
	}
	return out
}

// GoalValues returns the values of several objectives by name.
func GoalValues(s *tuner.Setup, means []entry.Mean) []tuner.GoalValue {
	goals := s.Objective.Goals()
	out := make([]tuner.GoalValue, len(means))
	for i, m := range means {
		out[i] = tuner.GoalValue{Name: goals[i].Name(), Value: numeral.Finite(m.Value), Error: numeral.Finite(m.Error)}
	}
	return out
}

// complete returns the trials that passed every rung, with their estimates.
func (x *Search) complete() ([]*tuner.Trial, []*tuner.Estimate) {
	var trials []*tuner.Trial
	for _, t := range x.Trials {
		if t.State == entry.TrialComplete {
			trials = append(trials, t)
		}
	}
	return trials, tuner.Estimates(trials)
}

// mostCommon bounds the candidates, and mostCommonBlocks the blocks of each, of
// which the correlation is measured: enough for two digits.
const (
	mostCommon       = 32
	mostFellows      = 8 // of each batch
	mostCommonBlocks = 1024
)

// Common measures the correlation on the trials that passed every rung or, if there are
// fewer than two, on the first rung of all trials. It is nil if candidates share no blocks:
// pairs of trials, or a generation that plays itself.
func (x *Search) Common(ctx context.Context) (*tuner.Common, error) {
	if x.Setup.Evaluate != nil || x.Setup.Duels || len(x.Trials) == 0 {
		return nil, nil
	}
	rungs := x.Setup.Race.Rungs
	last := rungs[len(rungs)-1]
	if x.Setup.Race.Fresh() {
		return x.commonOf(ctx, x.fellows(), rungs[0], last)
	}
	trials, blocks := []*tuner.Trial{}, last
	for _, t := range x.Trials {
		if t.State == entry.TrialComplete && t.Blocks() >= last {
			trials = append(trials, t)
		}
	}
	if len(trials) < 2 {
		trials, blocks = trials[:0], rungs[0]
		for _, t := range x.Trials {
			if t.Blocks() >= blocks { // not a model's answer
				trials = append(trials, t)
			}
		}
	}
	return x.commonOf(ctx, [][]*tuner.Trial{trials[:min(len(trials), mostCommon)]}, min(blocks, mostCommonBlocks), 0)
}

// fellows returns the first trials of each batch, the same number of each. If every batch has
// blocks of its own, only trials of one batch share blocks.
func (x *Search) fellows() [][]*tuner.Trial {
	batches := make([][]*tuner.Trial, x.Batches)
	for _, t := range x.Trials {
		if t.Batch < x.Batches && t.Blocks() > 0 { // no model's answer
			batches[t.Batch] = append(batches[t.Batch], t)
		}
	}
	most := 0
	for _, b := range batches {
		most = max(most, min(len(b), mostFellows))
	}
	var out [][]*tuner.Trial
	for _, b := range batches {
		if len(b) >= most && most > 0 {
			out = append(out, b[:most])
		}
	}
	return out
}

// commonOf measures the correlation in groups of equally many trials, each group on blocks
// of its own; every is the distance between the first blocks of two groups.
func (x *Search) commonOf(ctx context.Context, groups [][]*tuner.Trial, blocks, every int64) (*tuner.Common, error) {
	groups = groups[:min(len(groups), int(max(1, mostCommonBlocks/blocks)))]
	if len(groups) == 0 {
		return nil, nil
	}
	trials := groups[0]
	for _, g := range groups { // games that repeat others would count twice
		blocks = min(blocks, max(2, different(g, blocks)))
	}
	rows := make([][]float64, len(trials))
	for _, g := range groups {
		for i, t := range g {
			row, err := x.Values(ctx, arena.Tune, t, int64(t.Batch)*every, blocks)
			if err != nil {
				return nil, err
			}
			if row == nil {
				return &tuner.Common{Candidates: len(trials), Reason: "no information: not all games are kept"}, nil
			}
			mean := 0.0
			for _, x := range row {
				mean += x / float64(len(row))
			}
			for _, x := range row { // about the group's own mean: other groups have other means
				rows[i] = append(rows[i], x-mean)
			}
		}
	}
	shared, err := stats.NewShared(rows)
	if err != nil {
		return nil, err
	}
	c := &tuner.Common{
		Candidates: shared.Candidates, Blocks: shared.Blocks, Correlation: shared.Correlation.Pointer(),
		CI95: shared.CI95.Ends(), VarianceSaved: shared.Correlation.Pointer(), Factor: shared.Factor.Pointer(),
	}
	switch {
	case len(trials) < 2:
		c.Reason = "no information: one candidate"
	case shared.Blocks < 2:
		c.Reason = "no information: one block"
	case c.Correlation == nil:
		c.Reason = "no information: the blocks do not vary"
	}
	return c, nil
}

// different returns how many of so many blocks count as evidence if trials repeat their games.
// It goes by the trial that repeats most.
func different(trials []*tuner.Trial, blocks int64) int64 {
	least := blocks
	for _, t := range trials {
		for i := range t.Evidence {
			if e := &t.Evidence[i]; e.Distinct > 0 {
				least = min(least, max(1, blocks*e.Distinct/e.Blocks))
			}
		}
	}
	return least
}

// Worth returns what the ways to let games tell more were worth, nil where nothing is known of it.
func (x *Search) Worth(c *tuner.Common, v *entry.Validation) *tuner.Worth {
	s := x.Setup
	w := &tuner.Worth{}
	if c != nil && c.Correlation != nil && s.Proved().Of == "score" {
		w.Blocks, w.Duels = c.Factor, nil
		ends := func(of func(rho float64) float64, low, high float64) *[2]float64 {
			return &[2]float64{of(low), of(high)}
		}
		blocks := func(rho float64) float64 { return 1 / (1 - rho) }
		duels := func(rho float64) float64 { return 4 * (1 - rho) }
		if c.CI95 != nil && c.CI95[1] < 1 {
			w.BlocksCI = ends(blocks, c.CI95[0], c.CI95[1])
		}
		if s.Ruleset.Seats == 2 {
			w.Duels = numeral.Finite(duels(*c.Correlation))
			if c.CI95 != nil {
				w.DuelsCI = ends(duels, c.CI95[1], c.CI95[0])
			}
		}
	}
	if v != nil && v.Metric == nil && v.Evidence.Distinct == 0 {
		played := v.Evidence.Sample(s.Ruleset.Seats).Moments().Variance
		if v.GameVariance != nil && played > 0 {
			w.Seats = numeral.Finite(*v.GameVariance / float64(s.Ruleset.Seats) / played)
		}
		if v.Pairs != nil {
			w.Pairs = numeral.Finite(played / v.Pairs.Variance)
		}
	}
	if *w == (tuner.Worth{}) {
		return nil
	}
	return w
}

// rivalLevel is the chance that the truly best candidate is not among those named.
const rivalLevel = 0.05

// Rivals compares the finalists or, without a final, the trials that passed every
// rung. It is nil if the answer is a model's, or if candidates are not compared by one
// mean on blocks that they share.
func (x *Search) Rivals(ctx context.Context, winner *tuner.Trial) (*tuner.Rivals, error) {
	if winner == nil || x.Setup.Pareto() || x.Setup.Objective.Over != "mean" {
		return nil, nil
	}
	phase, blocks := arena.Final, x.Setup.Final.Blocks
	evidence := blocks // different ones, of the candidate that repeats most
	var trials []*tuner.Trial
	for _, f := range x.Finals {
		if !f.Estimate.Feasible || math.IsNaN(f.Estimate.Value) {
			continue
		}
		trials = append(trials, f.Trial)
		for i := range f.Evidence {
			evidence = min(evidence, f.Evidence[i].Effective())
		}
	}
	if len(x.Finals) == 0 {
		if x.Answers || x.Setup.Evaluate != nil || x.Setup.Duels || x.Setup.Race.Fresh() {
			return nil, nil
		}
		phase, blocks = arena.Tune, x.Setup.Race.Rungs[len(x.Setup.Race.Rungs)-1]
		for _, t := range x.Trials {
			if t.State == entry.TrialComplete && t.Blocks() >= blocks && t.Estimate.Feasible && !math.IsNaN(t.Estimate.Value) {
				trials = append(trials, t)
			}
		}
		x.Setup.Rank(trials)
		trials = trials[:min(len(trials), mostCommon)]
		evidence = different(trials, blocks)
	}
	if len(trials) < 2 {
		return nil, nil
	}
	rows := make([][]float64, len(trials))
	for i, t := range trials {
		var err error
		if rows[i], err = x.Values(ctx, phase, t, 0, blocks); err != nil {
			return nil, err
		}
	}
	out := &tuner.Rivals{Compared: len(trials), Blocks: blocks, Alike: []tuner.Rival{}}
	best, own := 0, -1
	means := make([]float64, len(rows))
	for i, row := range rows {
		if means[i] = stat.Mean(row, nil); means[i] > means[best] {
			best = i
		}
		if trials[i] == winner {
			own = i
		}
	}
	if own < 0 {
		return nil, nil
	}
	elo := func(mean float64) float64 { return stats.Elo(mean, x.Setup.Ruleset.Seats) }
	for i, t := range trials {
		if i == own || !mayBeBest(rows[best], rows[i], evidence, len(rows)-1) {
			continue
		}
		rival := tuner.Rival{Trial: t.Number, Params: t.Params.Values().Map(), Behind: means[own] - means[i]}
		if x.Setup.Objective.Goals()[0].Of == "score" {
			rival.Elo = numeral.Finite(elo(means[own]) - elo(means[i]))
		}
		out.Alike = append(out.Alike, rival)
	}
	return out, nil
}

// mayBeBest reports whether a row lies behind the best one of so many others by no more
// than chance explains; evidence is the number of different blocks in them.
func mayBeBest(best, row []float64, evidence int64, others int) bool {
	differences := make([]float64, len(row))
	for i := range row {
		differences[i] = best[i] - row[i]
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if evidence < 2 || !(sd > 0) {
		return mean <= 0
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(evidence - 1)}
	return mean <= t.Quantile(1-rivalLevel/float64(others))*sd/math.Sqrt(float64(evidence))
}

// SoFar returns the trials of a log that no other is as good as in all objectives, by the search's estimates;
// none of a study that has ended, which has its own.
func SoFar(c *Log, ended bool) []int {
	if ended {
		return nil
	}
	all := make([]*tuner.Estimate, len(c.Trials))
	for i := range all {
		all[i] = &tuner.Estimate{Feasible: c.Trials[i].End == entry.Whole && c.Trials[i].Feasible}
		for g := range c.Several() {
			all[i].Goals = append(all[i].Goals, entry.Mean{Value: c.Goal(i, g)})
		}
	}
	return c.Spec.Front(all)
}
