package laboratory

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"sakusen/engines/laboratory"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// sample is a mean with its standard error.
type sample struct{ n, mean, se float64 }

// sampleOf returns the mean of numbers.
func sampleOf(x []float64) sample {
	s := sample{n: float64(len(x)), mean: math.NaN(), se: math.NaN()}
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum, squares = sum+v, squares+v*v
	}
	if s.n > 0 {
		s.mean = sum / s.n
	}
	if s.n > 1 {
		s.se = math.Sqrt(math.Max(squares-sum*s.mean, 0) / (s.n - 1) / s.n)
	}
	return s
}

// String returns "41.2 +- 0.8".
func (s sample) String() string { return fmt.Sprintf("%.1f +- %.1f", s.mean, s.se) }

// row returns a sample as a row; a sample of no studies is an empty row.
func (s sample) row(label, metric string) experiment.Row {
	r := experiment.Row{Label: label, Metric: metric}
	if !math.IsNaN(s.mean) {
		r.Measured = experiment.Number(stats.Known(math.Round(s.mean*1e4) / 1e4)) // the rest is below any error
	}
	r.CI = stats.Around(s.mean, stats.Deviate95*s.se)
	return r
}

// ratio returns the ratio of the means of numbers that belong to each other in pairs, with
// the delta method's error, at least 0.
func ratio(a, b []float64) sample {
	x, y := sampleOf(a), sampleOf(b)
	out := sample{n: x.n, mean: x.mean / y.mean, se: math.NaN()}
	if !(y.mean > 0) {
		return sample{n: x.n, mean: 1, se: 0} // no study has found anything
	}
	residual := make([]float64, len(a))
	for i := range a {
		residual[i] = a[i] - out.mean*b[i]
	}
	out.se = sampleOf(residual).se / y.mean
	out.mean = math.Max(0, out.mean)
	return out
}

// counts are of studies: how many, whose answers lie below the baseline, that pass, that pass
// with an answer which is truly no better than the baseline, and of their intervals those that
// hold the truth.
type counts struct {
	studies, below, passed, wrong      int
	claims, held, validations, covered int
	seconds                            float64
}

// belowBaseline is by how much, in Elo, an answer lies below the baseline that is counted as
// such.
const belowBaseline = 5

func (c *counts) add(o *Outcome) {
	holds := func(ci *[2]float64) (n, held int) {
		if ci == nil {
			return 0, 0
		}
		if ci[0] <= o.Truth && o.Truth <= ci[1] {
			held = 1
		}
		return 1, held
	}
	c.studies++
	c.seconds += o.Seconds
	if o.Truth < -belowBaseline {
		c.below++
	}
	if o.Verdict == "pass" {
		c.passed++
		if o.Truth <= 0 {
			c.wrong++
		}
	}
	n, held := holds(o.ClaimCI)
	c.claims, c.held = c.claims+n, c.held+held
	n, held = holds(o.CI)
	c.validations, c.covered = c.validations+n, c.covered+held
}

// standing is how the first of the methods does in a cell beside the best of all. Elo are scaled to
// a top of 60.
type standing struct {
	cell   cell
	names  []string // of the methods
	truths []sample // by method
	best   int
	share  sample      // of the best
	pairs  [][]float64 // by method, what the first one has over it on the same landscape
	counts []counts    // by method
}

// standing finds it from the results of all cells; ok is false where there are no results. The best method is one that can be
// used on all ground of the cell.
func (c cell) standing(results []result) (s standing, ok bool) {
	s.cell = c
	results = slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.cell.label() != c.label() })
	var ours, best []float64
	for k, r := range results {
		var x, over []float64
		var n counts
		for i, o := range r.Outcomes {
			if o == nil {
				continue
			}
			n.add(o)
			x = append(x, o.scaled())
			if first := results[0].Outcomes[i]; k > 0 && first != nil {
				over = append(over, first.scaled()-o.scaled())
			}
		}
		s.names, s.truths = append(s.names, r.Method), append(s.truths, sampleOf(x))
		s.pairs, s.counts = append(s.pairs, over), append(s.counts, n)
		if k == 0 {
			ours, best = x, x
		} else if len(x) == len(ours) && s.truths[k].mean > s.truths[s.best].mean {
			s.best, best = k, x
		}
	}
	if len(results) == 0 {
		return s, false
	}
	s.share = ratio(ours, best)
	return s, true
}

// share returns a row of k of n, with Wilson's interval.
func share(k, n int, label, metric string) experiment.Row {
	r := experiment.Row{Label: label, Metric: metric}
	if n == 0 {
		return r
	}
	r.Measured = experiment.Number(stats.Known(float64(k) / float64(n)))
	if i, err := stats.Wilson(float64(k), float64(n), 0.95); err == nil {
		r.CI = i
	}
	return r
}

// goal marks a row as one that has to reach a number of so many digits, at most or at least:
// it agrees where the measured number, rounded to them, does.
func goal(r experiment.Row, most bool, goal, measured float64, digits int) experiment.Row {
	short := goal - measured
	if most {
		short = -short
	}
	agrees := !(short > math.Pow10(-digits)/2)
	r.Printed, r.Agrees = experiment.JSON(strconv.FormatFloat(goal, 'f', digits, 64)), &agrees
	if !agrees {
		note := fmt.Sprintf("missed by %.*f", digits+1, short)
		if r.Note != "" {
			note = r.Note + "; " + note
		}
		r.Note = note
	}
	return r
}

// The goals of the default, by games: its mean share of the best method, and the least
// of a kind; and at any number of games.
var goals = map[int64][2]float64{5_000: {0.95, 0.88}, 20_000: {0.98, 0.93}}

const (
	overSPSA  = 3 // Elo of 60, in pairs on numbers alone
	mostBelow = 0.01
	leastHeld = 0.93 // share of the intervals of claims, and of validations, that hold the truth
)

// report adds the rows of all results: those of all cells of a number of games together, then
// those of each cell.
func report(cells []cell, results []result, add func(experiment.Row)) {
	var order []int64
	by := map[int64][]standing{}
	for _, c := range cells {
		if s, ok := c.standing(results); ok {
			if len(by[c.Games]) == 0 {
				order = append(order, c.Games)
			}
			by[c.Games] = append(by[c.Games], s)
		}
	}
	for _, games := range order {
		together(games, by[games], add)
	}
	for _, games := range order {
		for _, s := range by[games] {
			s.rows(add)
		}
	}
}

// together adds the rows of all cells of a number of games.
func together(games int64, all []standing, add func(experiment.Row)) {
	label := fmt.Sprintf("%s, %d cells of %s games", all[0].names[0], len(all), thousands(games))
	shares, squares, least := 0.0, 0.0, all[0]
	pairs := map[string][]float64{}
	var names []string
	var n counts
	for _, s := range all {
		shares, squares = shares+s.share.mean, squares+s.share.se*s.share.se
		if s.share.mean < least.share.mean {
			least = s
		}
		for k, name := range s.names {
			if pairs[name] == nil && k > 0 {
				names = append(names, name)
			}
			pairs[name] = append(pairs[name], s.pairs[k]...)
		}
		n.merge(s.counts[0])
	}
	k := float64(len(all))
	mean := sample{n: k, mean: shares / k, se: math.Sqrt(squares) / k}
	row := mean.row(label, "mean share of the best method")
	lowest := least.share.row(label, "least share of the best method")
	lowest.Note = least.cell.Name + ", the best: " + least.names[least.best]
	if g, ok := goals[games]; ok {
		row = goal(row, false, g[0], mean.mean, 2)
		lowest = goal(lowest, false, g[1], least.share.mean+least.share.se, 2)
	}
	add(row)
	add(lowest)
	for _, name := range names {
		if x := sampleOf(pairs[name]); x.n > 0 {
			row := x.row(label, "over "+name+" in pairs, Elo of 60")
			if name == headToHead {
				row = goal(row, false, overSPSA, x.mean, 0)
			}
			add(row)
		}
	}
	add(goal(share(n.below, n.studies, label, "share of answers below the baseline"), true, mostBelow, portion(n.below, n.studies), 2))
	n.rows(label, add)
}

func portion(k, n int) float64 { return float64(k) / math.Max(1, float64(n)) }

func (c *counts) merge(o counts) {
	c.studies, c.below, c.passed, c.wrong = c.studies+o.studies, c.below+o.below, c.passed+o.passed, c.wrong+o.wrong
	c.claims, c.held, c.validations, c.covered = c.claims+o.claims, c.held+o.held, c.validations+o.validations, c.covered+o.covered
	c.seconds += o.seconds
}

// rows adds what intervals and verdicts are worth.
func (c *counts) rows(label string, add func(experiment.Row)) {
	add(goal(share(c.held, c.claims, label, "share of claims that hold the truth"), false, leastHeld, portion(c.held, max(1, c.claims)), 2))
	add(goal(share(c.covered, c.validations, label, "share of validations that hold the truth"), false, leastHeld, portion(c.covered, max(1, c.validations)), 2))
	add(share(c.passed, c.studies, label, "share of studies that pass"))
	add(goal(share(c.wrong, c.studies, label, "share of studies that pass at or below the baseline"), true, alpha, portion(c.wrong, c.studies), 3))
}

// alpha is the chance at which a study may export what is no gain.
const alpha = 0.025

// rows adds the rows of one cell.
func (s standing) rows(add func(experiment.Row)) {
	label := s.names[0] + " " + s.cell.label()
	row := s.share.row(label, "share of the best method")
	row.Note = "the best: " + s.names[s.best]
	add(row)
	s.counts[0].rows(label, add)
	for k, name := range s.names {
		add(s.truths[k].row(name+" "+s.cell.label(), "true Elo of 60"))
	}
}

// Experiments returns the tables of searches on games with a known answer.
func Experiments() []experiment.Experiment {
	all := laboratory.Kinds()
	return []experiment.Experiment{
		tableOf(suiteName, "What the default finds beside other searches on ground that is drawn, 5 000 and 20 000 games: true Elo, share of the best search, coverage of intervals.",
			2, append(drawn(all, 5_000, false), drawn(all, 20_000, false)...), methods()),
		tableOf("tuners-games", "The same on Pig, Battleship, Connect Four, Lifeboats and M-UCT.", 2, append(realCells(5_000), realCells(20_000)...), methods()),
		tableOf("tuners-nothing", "How often the default exports something where nothing is to be found, and whether its intervals hold; 2 000 games.", 4, drawn(all, 2_000, true), methods()[:1]),
		tableOf("tuners-flight", "The default with one, two and three batches out at a time (`sampler.flight`), 5 000 and 20 000 games.",
			2, append(drawn([]string{"drawn-smooth", "drawn-groups", "drawn-many"}, 5_000, false), drawn([]string{"drawn-smooth", "drawn-groups", "drawn-many"}, 20_000, false)...), flights()),
	}
}

// suiteName is the experiment to which rows of others can be added.
const suiteName = "tuners"

// mostSeed is the largest seed of a first study, so that the following ones have room.
const mostSeed = 1 << 53

// tableOf returns the experiment of all methods in some cells.
func tableOf(name, doc string, studies int64, cells []cell, methods []method) experiment.Experiment {
	first := uint64(1)
	return experiment.Experiment{
		Name: name, Doc: doc, Source: "ours: goals, docs/research/laboratory.md", Games: studies, Studies: true, Seed: &first,
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
			done, of := int64(0), b.games(cells, methods)
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
