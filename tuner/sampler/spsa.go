package sampler

import (
	"math"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// spsa is simultaneous perturbation stochastic approximation (J. Spall, IEEE
// Transactions on Automatic Control 37(3), 1992) with the schedule of fishtest,
// the testing framework of Stockfish: pairs of proposals x + c delta and x - c
// delta, delta being +1 or -1 on each axis, and after each pair a step of R c
// delta times its wins less its losses, where
//
//	c_k = c_end (N/k)^gamma, R_k = R_end (c_end/c_k)^2 ((A+N)/(A+k))^alpha,
//
// k being the blocks played so far, of N in all, A a tenth of N, alpha 0.602 and
// gamma 0.101 (Spall 1998). The iterate is a function of what the log holds: the
// pairs' values and scores, and the budget.
//
// Where pairs meet each other (evaluate: {mode: duels}) a duel's score is the
// result. Where both meet the baseline, on blocks of their own batch, it is the
// difference of their scores. Of a metric, differences are measured in their own
// root mean square, as their unit says nothing.
//
// On axes with cells both ends of a pair are rounded up or down by one draw, and
// are at least one step apart.
type spsa struct {
	seed uint64
	axes []axis
	spsaOptions
	view *tuner.View

	plan    tuner.Plan  // of the schedule that the iterate followed
	seen    int         // duels or observations that it has taken in
	blocks  int64       // played in them
	iterate []float64   // coordinates
	trail   [][]float64 // iterates after each batch
	squares float64     // of a metric's differences
	count   float64
}

// Exponents and stability of the schedule, as fishtest has them.
const (
	spsaAlpha     = 0.602
	spsaGamma     = 0.101
	spsaStability = 0.1 // A, as a share of N
)

func newSPSA(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (*asker, error) {
	o, err := readSPSA(s.Options, space)
	if err != nil {
		return nil, err
	}
	p := &spsa{seed: s.Seed, axes: axesOf(space), spsaOptions: *o}
	return &asker{relative: p, model: p}, nil
}

// horizon is N, the blocks of all pairs that the budget lets the search play.
func (p *spsa) horizon(plan *tuner.Plan) float64 {
	games := max(plan.BlockGames, 1)
	if !plan.Duels {
		games *= 2
	}
	n := plan.Games / games
	if most := int64(plan.Trials) / 2 * max(plan.Blocks, 1); most > 0 {
		n = min(n, most)
	}
	return math.Max(float64(n), 1)
}

// gains are c and R after k of n blocks.
func (p *spsa) gains(k, n float64) (c, r float64) {
	k = math.Min(math.Max(k, 1), n)
	end := p.reach(n)
	c = end * math.Pow(n/k, spsaGamma)
	a := spsaStability * n
	r = p.learning(n) * float64((end/c)*(end/c)) * math.Pow((a+n)/(a+k), spsaAlpha)
	return c, r
}

// learn takes in what was told since the last batch, or all of it where the
// budget, and so the schedule, has changed.
func (p *spsa) learn(v *tuner.View) {
	n := p.horizon(&v.Plan)
	if p.iterate == nil || n != p.horizon(&p.plan) || p.seen > max(len(v.Duels), len(v.Observed)) {
		p.reset(v)
	}
	if v.Plan.Duels {
		p.takeDuels(v, n)
	} else {
		p.takeScores(v, n)
	}
}

func (p *spsa) reset(v *tuner.View) {
	*p = spsa{seed: p.seed, axes: p.axes, spsaOptions: p.spsaOptions, view: p.view, plan: v.Plan, iterate: make([]float64, len(p.axes))}
	for i := range p.axes {
		p.iterate[i] = 0.5
		if text, ok := v.Baseline.Get(p.axes[i].Name); ok && p.start == "baseline" {
			p.iterate[i] = p.axes[i].place(text)
		}
		p.hold(i)
	}
}

// hold keeps a coordinate of the iterate inside the range.
func (p *spsa) hold(i int) {
	low, high := 0.0, 1.0
	if a := &p.axes[i]; a.cells > 0 {
		low, high = a.middle(0), a.middle(a.cells-1)
	}
	p.iterate[i] = math.Min(math.Max(p.iterate[i], low), high)
}

// point is the coordinates of what a trial played.
func (p *spsa) point(t *tuner.Told) []float64 {
	x := make([]float64, len(p.axes))
	for i := range p.axes {
		text, _ := t.Proposed.Get(p.axes[i].Name)
		x[i] = p.axes[i].place(text)
	}
	return x
}

func (p *spsa) takeDuels(v *tuner.View, n float64) {
	for ; p.seen < len(v.Duels); p.seen++ {
		d := v.Duels[p.seen]
		p.blocks += d.Blocks
		if d.A < len(v.Told) && d.B < len(v.Told) && !math.IsNaN(d.Score) {
			_, r := p.gains(float64(p.blocks), n)
			wins := 2 * float64(d.Blocks) * (2*d.Score - 1) // less losses
			a, b := p.point(&v.Told[d.A]), p.point(&v.Told[d.B])
			for i := range p.iterate {
				p.iterate[i] += float64(r * float64(wins*float64((a[i]-b[i])/2)))
				p.hold(i)
			}
		}
		if p.seen+1 == len(v.Duels) || v.Duels[p.seen+1].Batch != d.Batch {
			p.leave()
		}
	}
}

// leave notes the iterate.
func (p *spsa) leave() { p.trail = append(p.trail, append([]float64(nil), p.iterate...)) }

// takeScores takes a batch's trials together: with pairs on both sides of the
// iterate, the sum over trials of score times distance from their middle is the
// sum over pairs of difference times half of what is between them.
func (p *spsa) takeScores(v *tuner.View, n float64) {
	for p.seen < len(v.Observed) {
		batch := v.Observed[p.seen].Batch
		var points [][]float64
		var values []float64
		blocks := int64(0)
		for ; p.seen < len(v.Observed) && v.Observed[p.seen].Batch == batch; p.seen++ {
			o := &v.Observed[p.seen]
			if o.Trial < len(v.Told) && !math.IsNaN(o.Value) {
				points, values = append(points, p.point(&v.Told[o.Trial])), append(values, o.Value)
				blocks += o.Blocks
			}
		}
		if len(values) < 2 {
			continue
		}
		p.blocks += blocks / 2
		p.climb(points, values, float64(blocks)/float64(len(values)), n, v)
		p.leave()
	}
}

// climb moves the iterate by a batch of trials with some blocks each.
func (p *spsa) climb(points [][]float64, values []float64, blocks, n float64, v *tuner.View) {
	middle, mean := meanPoint(points), 0.0
	for _, x := range values {
		mean += x / float64(len(values))
	}
	unit := 1.0
	if v.Seats == 0 {
		for _, x := range values {
			p.squares, p.count = p.squares+float64((x-mean)*(x-mean)), p.count+1
		}
		if unit = 0; p.squares > 0 {
			unit = metricUnit / math.Sqrt(blocks) / math.Sqrt(p.squares/p.count)
		}
	}
	if !v.Maximize {
		unit = -unit
	}
	_, r := p.gains(float64(p.blocks), n)
	for i := range p.iterate {
		g := 0.0
		for j := range points {
			g += float64((values[j] - mean) * (points[j][i] - middle[i]))
		}
		p.iterate[i] += float64(r * float64(4*blocks*float64(unit*g)))
		p.hold(i)
	}
}

// metricUnit is the standard deviation of a block's score between equals who
// seldom draw.
const metricUnit = 0.35

func meanPoint(points [][]float64) []float64 {
	m := make([]float64, len(points[0]))
	for _, x := range points {
		for i := range x {
			m[i] += x[i] / float64(len(points))
		}
	}
	return m
}

// see implements model.
func (p *spsa) see(v *tuner.View) { p.view = v }

// claimed implements model: it has no opinion of its answer.
func (p *spsa) claimed() (mean, standardError float64, ok bool) { return 0, 0, false }

// SampleRelative implements goptuna.RelativeSampler.
func (p *spsa) SampleRelative(_ *goptuna.Study, trial goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	p.learn(p.view)
	c, _ := p.gains(float64(p.blocks+max(p.view.Plan.Blocks, 1)), p.horizon(&p.view.Plan))
	s := arena.NewStream(p.seed, uint64(trial.Number/2))
	out := make(map[string]float64, len(p.axes))
	for i := range p.axes {
		pair := p.axes[i].pair(&s, p.iterate[i], c)
		out[p.axes[i].Name] = p.axes[i].internal(pair[trial.Number%2])
	}
	return out, nil
}

// pair is x + c delta and x - c delta.
func (a *axis) pair(s *arena.Stream, x, c float64) [2]float64 {
	up, round := s.Bool(), s.Float64()
	high, low := math.Min(x+c, 1), math.Max(x-c, 0)
	if a.cells > 0 {
		i, k := a.rounded(high, round), a.rounded(low, round)
		if i == k && a.cells > 1 {
			if k > 0 && (i == a.cells-1 || round < 0.5) {
				k--
			} else {
				i++
			}
		}
		high, low = a.middle(i), a.middle(k)
	}
	if up {
		return [2]float64{high, low}
	}
	return [2]float64{low, high}
}

// rounded is the cell of a coordinate, rounded up with a chance that grows from
// 0 at the middle of one cell to 1 at the middle of the next.
func (a *axis) rounded(u, round float64) int {
	t := float64(u*float64(a.cells)) - 0.5
	if a.logCells() {
		t = math.Exp(a.low+float64(u*a.width)) - a.Domain.Low
	}
	return int(math.Min(math.Max(math.Floor(t+round), 0), float64(a.cells-1)))
}

// answer is the mean of the last iterates.
func (p *spsa) answer(v *tuner.View) (param.Values, bool, error) {
	p.learn(v)
	if len(p.trail) == 0 {
		return nil, false, nil
	}
	at := meanPoint(p.trail[len(p.trail)-max(1, int(p.average*float64(len(p.trail)))):])
	out := make(param.Values, len(p.axes))
	for i := range p.axes {
		out[i] = param.Value{Name: p.axes[i].Name, Text: p.axes[i].text(at[i])}
	}
	return out, true, nil
}
