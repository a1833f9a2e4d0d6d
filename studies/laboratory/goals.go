package laboratory

import (
	"math"

	"sakusen/tuner/contest/experiment"
)

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
