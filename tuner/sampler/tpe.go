package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// tpe is a multivariate tree-structured Parzen estimator (Bergstra et al.,
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
	seed  uint64
	space tuner.Space
	tpeOptions
	axes   []axis
	groups []group
	first  halton

	points [][]float64 // coordinates of the told trials; NaN where inactive
	view   *tuner.View
	fitted int // told trials when the groups were fitted
}

// group is parameters that share their conditions.
type group struct {
	members []int // axes
	axes    []axis
	good    *parzen
	other   *parzen
}

func newTPE(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (*asker, error) {
	o, err := readTPE(s.Options)
	if err != nil {
		return nil, err
	}
	if len(space) > maxHalton {
		return nil, fmt.Errorf("at most %d parameters, not %d", maxHalton, len(space))
	}
	t := &tpe{seed: s.Seed, space: space, tpeOptions: *o, axes: axesOf(space)}
	t.first = halton{seed: s.Seed, dims: len(space)}
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
	return &asker{relative: t}, nil
}

// SampleRelative implements goptuna.RelativeSampler.
func (t *tpe) SampleRelative(study *goptuna.Study, trial goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	view, err := viewOf(study)
	if err != nil {
		return nil, err
	}
	t.learn(view)
	var x []float64
	if trial.Number < t.startup || len(view.Told) == 0 {
		x = make([]float64, len(t.axes))
		for i, u := range t.first.row(trial.Number) {
			x[i] = t.axes[i].snap(u)
		}
	} else {
		x = t.best(trial.Number)
	}
	out := make(map[string]float64, len(x))
	for i := range t.axes {
		out[t.axes[i].Name] = t.axes[i].internal(x[i])
	}
	return out, nil
}

// best is the best of the candidates of every group.
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
	if len(v.Told) < len(t.points) {
		t.points = nil
	}
	for i := len(t.points); i < len(v.Told); i++ {
		x := make([]float64, len(t.axes))
		for k := range t.axes {
			x[k] = math.NaN()
			if text, ok := v.Told[i].Params.Get(t.axes[k].Name); ok {
				x[k] = t.axes[k].place(text)
			}
		}
		t.points = append(t.points, x)
	}
	t.view, t.fitted = v, len(v.Told)
	for n := range t.groups {
		t.fit(&t.groups[n], v)
	}
}

// fit splits a group's trials and fits both densities.
func (t *tpe) fit(g *group, v *tuner.View) {
	var all []int
	for i, x := range t.points {
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
	// The prior weighs more among the others, as they are more: between equal
	// weights, with which far away is where the ratio is highest, and equal shares,
	// with which it never is. On seven functions neither end was clearly better.
	share := math.Max(1, float64(len(others))/math.Max(1, float64(n)))
	g.other = newParzen(g.axes, t.coordinates(g, others), math.Sqrt(share))
}

// topFew is the n best trials, from the best; ties go to the lower number,
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

// coordinates are those of trials, on the axes of a group.
func (t *tpe) coordinates(g *group, trials []int) [][]float64 {
	out := make([][]float64, len(trials))
	for i, at := range trials {
		out[i] = g.part(t.points[at])
	}
	return out
}

// part is the coordinates of a point on the axes of the group.
func (g *group) part(x []float64) []float64 {
	out := make([]float64, len(g.members))
	for k, m := range g.members {
		out[k] = x[m]
	}
	return out
}

// viewOf is the view behind the study that a sampler is asked with.
func viewOf(study *goptuna.Study) (*tuner.View, error) {
	s, ok := study.Storage.(*stage)
	if !ok || s.shown == nil {
		return nil, errors.New("it is asked without a view of the study")
	}
	return s.shown, nil
}
