package classic

import (
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

// tpe is TPE: a multivariate tree-structured Parzen estimator (Bergstra et al.,
// "Algorithms for hyper-parameter optimization", 2011; multivariate kernels:
// Falkner, Klein and Hutter, "BOHB", 2018; what matters among its settings:
// Watanabe, "Tree-structured Parzen estimator", 2023). The told trials are split
// into the good, a tenth of them, and the others; of the points drawn from the
// density of the good, the one is proposed at which it exceeds the density of
// the others by most. Both densities are kept as logarithms, so that far away
// from all observations their ratio is still a number.
//
// Parameters that are active under the same conditions form a group with
// densities of its own, learnt from the trials in which the group is active: so
// a branch is judged among its own trials. Values told are shrunken means, which
// is how noise enters: a trial with few blocks is drawn towards the mean of all
// and is seldom among the good.
type tpe struct {
	seed uint64
	tpeOptions
	axes   []shared.Axis
	groups []group
	first  halton

	places [][]float64 // coordinates of the told trials; NaN where inactive
	view   *tuner.View
	fitted int // told trials when the groups were fitted
}

// group is parameters that share their conditions.
type group struct {
	members []int // axes
	axes    []shared.Axis
	good    *parzen
	other   *parzen
}

// NewTPE makes the sampler, or says why it does not serve the space or the options.
func NewTPE(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	var o tpeOptions
	if err := param.Set(s.Options, o.declare); err != nil {
		return nil, err
	}
	first, err := newHalton(s.Seed, len(space))
	if err != nil {
		return nil, err
	}
	t := &tpe{seed: s.Seed, tpeOptions: o, axes: shared.Axes(space), first: first}
	byCondition := map[string]int{}
	for i := range t.axes {
		key := fmt.Sprint(space[i].When)
		at, ok := byCondition[key]
		if !ok {
			at = len(t.groups)
			byCondition[key] = at
			t.groups = append(t.groups, group{})
		}
		g := &t.groups[at]
		g.members, g.axes = append(g.members, i), append(g.axes, t.axes[i])
	}
	return t, nil
}

// Propose implements tuner.Proposer.
func (t *tpe) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	t.learn(v)
	var x []float64
	if draw+v.Begun < t.startup || len(v.Told) == 0 {
		x = make([]float64, len(t.axes))
		for i, u := range t.first.row(draw) {
			x[i] = t.axes[i].Snap(u)
		}
	} else {
		x = t.best(draw)
	}
	values, err := shared.Values(t.axes, x)
	return values, err == nil, err
}

// best returns the best of the candidates of every group.
func (t *tpe) best(draw int) []float64 {
	out := make([]float64, len(t.axes))
	for n := range t.groups {
		g := &t.groups[n]
		s := arena.NewStream(t.seed, uint64(draw)<<16|uint64(n))
		top := math.Inf(-1)
		for range t.candidates {
			x := g.good.draw(&s)
			if v := g.good.density(x) - g.other.density(x); v > top {
				top = v
				for i, m := range g.members {
					out[m] = x[i]
				}
			}
		}
	}
	return out
}

// learn takes in what was told and fits the groups, once a batch.
func (t *tpe) learn(v *tuner.View) {
	if t.view == v && t.fitted == len(v.Told) {
		return
	}
	if len(v.Told) < len(t.places) {
		t.places = nil
	}
	for i := len(t.places); i < len(v.Told); i++ {
		x := make([]float64, len(t.axes))
		for k := range t.axes {
			x[k] = math.NaN()
			if text, ok := v.Told[i].Params.Get(t.axes[k].Name); ok {
				x[k] = t.axes[k].Place(text)
			}
		}
		t.places = append(t.places, x)
	}
	t.view, t.fitted = v, len(v.Told)
	for n := range t.groups {
		t.fit(&t.groups[n], v)
	}
}

// fit splits a group's trials and fits both densities.
func (t *tpe) fit(g *group, v *tuner.View) {
	var all []int
	for i, x := range t.places {
		if !math.IsNaN(x[g.members[0]]) {
			all = append(all, i)
		}
	}
	n := min(int(math.Ceil(float64(t.good*float64(len(all))))), mostGood)
	good := topFew(all, n, func(i int) float64 { return v.Told[i].Value }, v.Maximize)
	var others []int
	for k := len(all) - 1; k >= 0 && len(others) < mostOthers; k-- {
		if !slices.Contains(good, all[k]) {
			others = append(others, all[k])
		}
	}
	g.good = newParzen(g.axes, t.coordinates(g, good), 1)
	// The prior has more weight among the others, since there are more of them. With equal
	// weights the ratio is highest far away from everything; with equal shares it never is.
	// On seven functions neither was clearly better.
	share := math.Max(1, float64(len(others))/math.Max(1, float64(n)))
	g.other = newParzen(g.axes, t.coordinates(g, others), math.Sqrt(share))
}

// topFew returns the n best trials, from the best; ties go to the lower number,
// undefined values come last.
func topFew(trials []int, n int, value func(int) float64, up bool) []int {
	before := func(a, b int) bool {
		x, y := value(a), value(b)
		if math.IsNaN(x) || math.IsNaN(y) {
			return !math.IsNaN(x)
		}
		return x != y && (x > y) == up
	}
	out := make([]int, 0, n+1)
	for _, t := range trials {
		if n == 0 || len(out) == n && !before(t, out[n-1]) {
			continue
		}
		at := len(out)
		for at > 0 && before(t, out[at-1]) {
			at--
		}
		if out = slices.Insert(out, at, t); len(out) > n {
			out = out[:n]
		}
	}
	return out
}

// coordinates returns those of trials, on the axes of a group.
func (t *tpe) coordinates(g *group, trials []int) [][]float64 {
	out := make([][]float64, len(trials))
	for i, at := range trials {
		out[i] = g.part(t.places[at])
	}
	return out
}

// part returns the coordinates of a point on the axes of the group.
func (g *group) part(x []float64) []float64 {
	out := make([]float64, len(g.members))
	for k, m := range g.members {
		out[k] = x[m]
	}
	return out
}

// tpeOptions are the options of the sampler tpe.
type tpeOptions struct {
	startup    int     // proposals before the first model
	candidates int     // points drawn for one proposal
	good       float64 // share of the trials
}

const (
	// mostGood is the most trials that count as good.
	mostGood = 25
	// mostOthers is the most trials that are not good and shape the density of
	// their kind: the latest, so that a proposal costs the same in a long study.
	mostOthers = 500
)

// declare declares the options of tpe.
func (o *tpeOptions) declare(f *param.Fields) {
	f.Int(&o.startup, "startup", 10, param.Range(1, 1000), "quasi-random proposals before the first model")
	f.Int(&o.candidates, "candidates", 24, param.Range(1, 1000), "points that compete for one proposal")
	f.Float(&o.good, "good", 0.1, param.Range(0.01, 0.5), "share of the trials that count as good, 25 at most")
}
