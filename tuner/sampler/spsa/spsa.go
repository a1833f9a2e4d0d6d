// Package spsa is simultaneous perturbation stochastic approximation (J. Spall, 1992)
// with fishtest's schedule: it climbs
// by pairs of proposals on both sides of where it stands, which meet head to head
// in duels.
//
//	p, err := spsa.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package spsa

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/axis"
)

var _ tuner.Answerer = (*SPSA)(nil)

// SPSA is simultaneous perturbation stochastic approximation (J. Spall, IEEE
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
// are at least one step apart. It implements tuner.Answerer.
type SPSA struct {
	seed uint64
	axes []axis.Axis
	options

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

// New makes the sampler, or says why it does not serve the space or the options.
func New(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	o, err := readOptions(s.Options, space)
	if err != nil {
		return nil, err
	}
	return &SPSA{seed: s.Seed, axes: axis.Of(space), options: *o}, nil
}

// horizon is N, the blocks of all pairs that the budget lets the search play.
func (p *SPSA) horizon(plan *tuner.Plan) float64 {
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
func (p *SPSA) gains(k, n float64) (c, r float64) {
	k = math.Min(math.Max(k, 1), n)
	end := p.reach(n)
	c = end * math.Pow(n/k, spsaGamma)
	a := spsaStability * n
	r = p.learning(n) * float64((end/c)*(end/c)) * math.Pow((a+n)/(a+k), spsaAlpha)
	return c, r
}

// learn takes in what was told since the last batch. If the budget, and so the schedule,
// has changed, it takes in everything again.
func (p *SPSA) learn(v *tuner.View) {
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

func (p *SPSA) reset(v *tuner.View) {
	*p = SPSA{seed: p.seed, axes: p.axes, options: p.options, plan: v.Plan, iterate: make([]float64, len(p.axes))}
	for i := range p.axes {
		p.iterate[i] = 0.5
		if text, ok := v.Baseline.Get(p.axes[i].Name); ok && p.start == "baseline" {
			p.iterate[i] = p.axes[i].Place(text)
		}
		p.hold(i)
	}
}

// hold keeps a coordinate of the iterate inside the range.
func (p *SPSA) hold(i int) {
	low, high := 0.0, 1.0
	if a := &p.axes[i]; a.Cells > 0 {
		low, high = a.Middle(0), a.Middle(a.Cells-1)
	}
	p.iterate[i] = math.Min(math.Max(p.iterate[i], low), high)
}

// point is the coordinates of what a trial played.
func (p *SPSA) point(t *tuner.Told) []float64 {
	x := make([]float64, len(p.axes))
	for i := range p.axes {
		text, _ := t.Proposed.Get(p.axes[i].Name)
		x[i] = p.axes[i].Place(text)
	}
	return x
}

func (p *SPSA) takeDuels(v *tuner.View, n float64) {
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
func (p *SPSA) leave() { p.trail = append(p.trail, append([]float64(nil), p.iterate...)) }

// takeScores takes a batch's trials together: with pairs on both sides of the
// iterate, the sum over trials of score times distance from their middle is the
// sum over pairs of difference times half of what is between them.
func (p *SPSA) takeScores(v *tuner.View, n float64) {
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
func (p *SPSA) climb(points [][]float64, values []float64, blocks, n float64, v *tuner.View) {
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

// Propose implements tuner.Proposer.
func (p *SPSA) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	p.learn(v)
	c, _ := p.gains(float64(p.blocks+max(v.Plan.Blocks, 1)), p.horizon(&v.Plan))
	s := arena.NewStream(p.seed, uint64(draw/2))
	x := make([]float64, len(p.axes))
	for i := range p.axes {
		x[i] = pair(&p.axes[i], &s, p.iterate[i], c)[draw%2]
	}
	values, err := axis.Values(p.axes, x)
	return values, err == nil, err
}

// pair is x + c delta and x - c delta on one axis.
func pair(a *axis.Axis, s *arena.Stream, x, c float64) [2]float64 {
	up, round := s.Bool(), s.Float64()
	high, low := math.Min(x+c, 1), math.Max(x-c, 0)
	if a.Cells > 0 {
		i, k := a.Rounded(high, round), a.Rounded(low, round)
		if i == k && a.Cells > 1 {
			if k > 0 && (i == a.Cells-1 || round < 0.5) {
				k--
			} else {
				i++
			}
		}
		high, low = a.Middle(i), a.Middle(k)
	}
	if up {
		return [2]float64{high, low}
	}
	return [2]float64{low, high}
}

// Answer implements tuner.Answerer: it is the mean of the last iterates.
func (p *SPSA) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	p.learn(v)
	if len(p.trail) == 0 {
		return a, false, nil
	}
	at := meanPoint(p.trail[len(p.trail)-max(1, int(p.average*float64(len(p.trail)))):])
	a.Values, err = axis.Values(p.axes, at)
	return a, err == nil, err
}
