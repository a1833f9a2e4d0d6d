package laboratory

import (
	"fmt"
	"math"
	"strconv"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// sample is the mean of studies with its standard error.
type sample struct{ n, mean, se float64 }

// sampleOf is the mean over the studies for which the value is defined.
func sampleOf(outcomes []Outcome, value func(Outcome) *float64) sample {
	var s sample
	sum, squares := 0.0, 0.0
	for _, o := range outcomes {
		if x := value(o); x != nil {
			s.n++
			sum += *x
			squares += *x * *x
		}
	}
	s.mean, s.se = math.NaN(), math.NaN()
	if s.n > 0 {
		s.mean = sum / s.n
	}
	if s.n > 1 {
		s.se = math.Sqrt(math.Max(squares-sum*s.mean, 0) / (s.n - 1) / s.n)
	}
	return s
}

func truth(o Outcome) *float64     { return &o.Truth }
func claimed(o Outcome) *float64   { return o.Claimed }
func validated(o Outcome) *float64 { return o.Validated }

// row is a sample as a row; a sample of no studies is an empty row.
func (s sample) row(label, metric string) experiment.Row {
	r := experiment.Row{Label: label, Metric: metric}
	if !math.IsNaN(s.mean) {
		r.Measured = experiment.Number(stats.Known(math.Round(s.mean*1e4) / 1e4)) // the rest is below any error
	}
	r.CI = stats.Around(s.mean, stats.Deviate95*s.se)
	return r
}

// rows are what is said of a method in a cell: the true Elo of what it exports
// (whatever the verdict), what it claims of it, what the validation says, the
// share of studies whose validation passes, and the share whose interval holds
// the truth. The true Elo agrees with the reference simulation where it is not
// significantly below.
func rows(r Result) []experiment.Row {
	label := r.Method + " " + r.Cell.Label()
	t := sampleOf(r.Outcomes, truth)
	first := t.row(label, "true Elo")
	if printed, ok := reference(r.Method, r.Cell); ok {
		agrees := !(t.mean+stats.Deviate95*t.se < printed-0.5)
		first.Printed, first.Agrees = experiment.Number(stats.Known(printed)), &agrees
	}
	passed, covered, intervals := 0, 0, 0
	for _, o := range r.Outcomes {
		if o.Verdict == "pass" {
			passed++
		}
		if o.CI != nil {
			intervals++
			if o.CI[0] <= o.Truth && o.Truth <= o.CI[1] {
				covered++
			}
		}
	}
	return []experiment.Row{
		first,
		sampleOf(r.Outcomes, claimed).row(label, "claimed Elo"),
		sampleOf(r.Outcomes, validated).row(label, "validated Elo"),
		share(passed, len(r.Outcomes), label, "share of studies that pass"),
		share(covered, intervals, label, "share of intervals that hold the truth"),
	}
}

// share is a row of k of n, with Wilson's interval.
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

// atMost marks a row as a goal of so many digits that may not be exceeded.
func atMost(r experiment.Row, goal, measured float64, digits int) experiment.Row {
	agrees := measured <= goal+math.Pow10(-digits)/2
	r.Printed, r.Agrees = experiment.JSON(strconv.FormatFloat(goal, 'f', digits, 64)), &agrees
	if !agrees {
		r.Note = fmt.Sprintf("missed by %.*f", digits+1, measured-goal)
	}
	return r
}

// atLeast marks a row as a goal of so many digits: it agrees where the measured
// mean, rounded to them, reaches it.
func atLeast(r experiment.Row, goal, measured float64, digits int) experiment.Row {
	agrees := measured >= goal-math.Pow10(-digits)/2
	r.Printed, r.Agrees = experiment.JSON(strconv.FormatFloat(goal, 'f', digits, 64)), &agrees
	if !agrees {
		r.Note = fmt.Sprintf("missed by %.*f", digits+1, goal-measured)
	}
	return r
}

// goal is a share of the planted headroom: must for candidates that play the baseline only,
// stretch for candidates that play each other.
type goal struct{ must, stretch float64 }

// goalOf is the goal of a cell, docs/laboratory.md.
func goalOf(c Cell) (goal, bool) {
	if c.Landscape != "" {
		return goal{}, false
	}
	type key struct {
		d     int
		g     float64
		games int64
	}
	goals := map[key]goal{
		{1, 60, 5_000}: {.90, .98}, {1, 60, 20_000}: {.97, .995}, {1, 60, 100_000}: {.99, 1},
		{4, 60, 5_000}: {.80, .93}, {4, 60, 20_000}: {.92, .98}, {4, 60, 100_000}: {.97, .995},
		{16, 60, 5_000}: {.45, .75}, {16, 60, 20_000}: {.70, .86}, {16, 60, 100_000}: {.82, .92},
		{4, 20, 5_000}: {.55, .80}, {4, 20, 20_000}: {.80, .92},
	}
	g, ok := goals[key{c.Dimensions, c.Headroom, c.Games}]
	return g, ok
}

// goals are the rows of the goals that a cell has, from the results of all
// methods in it.
func goals(c Cell, results []Result) []experiment.Row {
	by := map[string]Result{}
	for _, r := range results {
		if r.Cell.Label() == c.Label() {
			by[r.Method] = r
		}
	}
	g, ok := goalOf(c)
	if !ok {
		return nil
	}
	var rows []experiment.Row
	for _, goals := range []struct {
		methods []string
		metric  string
		share   float64
	}{{must(), "share of the headroom, must", g.must}, {stretching(), "share of the headroom, stretch", g.stretch}} {
		for _, name := range goals.methods {
			if r, ok := by[name]; ok {
				s := sampleOf(r.Outcomes, truth).times(1 / c.Headroom)
				rows = append(rows, atLeast(s.row("goal of "+name+" "+c.Label(), goals.metric), goals.share, s.mean, 3))
			}
		}
	}
	return append(rows, comparisons(c, by)...)
}

// comparisons are the goals that compare our searches with the usual ways of tuning.
func comparisons(c Cell, by map[string]Result) []experiment.Row {
	if c.Dimensions != 4 || c.Games != 20_000 {
		return nil
	}
	rival, factors, names := FlatTPE200, []float64{1.1}, []string{"must"}
	if c.Headroom == 20 {
		rival, factors, names = FlatTPE32, []float64{2, 3}, []string{"must", "stretch"}
	}
	var rows []experiment.Row
	for _, name := range []string{Default, Surface, HeadToHead} {
		ours, ok := by[name]
		theirs, known := by[rival]
		if !ok || !known {
			continue
		}
		s := ratio(ours.Outcomes, theirs.Outcomes)
		for i, f := range factors {
			row := s.row(name+" against "+rival+" "+c.Label(), "ratio of true gains, "+names[i])
			rows = append(rows, atLeast(row, f, s.mean, 1))
		}
	}
	return rows
}

// times scales a sample.
func (s sample) times(x float64) sample { return sample{s.n, s.mean * x, s.se * x} }

// ratio is the ratio of the mean truths of studies with the same seeds, with the
// delta method's error.
func ratio(a, b []Outcome) sample {
	n := min(len(a), len(b))
	var x, y float64
	for i := range n {
		x, y = x+a[i].Truth, y+b[i].Truth
	}
	out := sample{n: float64(n), mean: x / y, se: math.NaN()}
	if n < 2 {
		return out
	}
	residual := 0.0
	for i := range n {
		e := a[i].Truth - out.mean*b[i].Truth
		residual += e * e
	}
	out.se = math.Sqrt(residual*float64(n)/float64(n-1)) / math.Abs(y)
	return out
}

// Report adds the rows of all results: those of all cells together, then the
// default's standing and the goals of each cell, then each method.
func Report(cells []Cell, results []Result, add func(experiment.Row)) {
	for _, row := range overall(cells, results) {
		add(row)
	}
	for _, c := range cells {
		if s, ok := standingOf(c, results); ok {
			for _, row := range s.rows() {
				add(row)
			}
		}
	}
	for _, c := range cells {
		for _, row := range goals(c, results) {
			add(row)
		}
		for _, r := range results {
			if r.Cell.Label() != c.Label() {
				continue
			}
			for _, row := range rows(r) {
				add(row)
			}
		}
	}
}
