package classic

import (
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler/shared"
)

var _ tuner.Answerer = (*spsa)(nil)

// spsa is SPSA: simultaneous perturbation stochastic approximation (J. Spall, IEEE Transactions
// on Automatic Control 37(3), 1992) with the schedule of fishtest, the testing framework of
// Stockfish. It proposes pairs x + c delta and x - c delta, delta being +1 or -1 on each axis,
// and after each pair makes a step of R c delta times its wins less its losses, where
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
type spsa struct {
	seed uint64
	axes []shared.Axis
	spsaOptions

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

// NewSPSA makes the sampler, or says why it does not serve the space or the options.
func NewSPSA(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	if err := refuseNotNumbers(space); err != nil {
		return nil, err
	}
	p := &spsa{seed: s.Seed, axes: shared.Axes(space)}
	return p, param.Set(s.Options, p.spsaOptions.declare)
}

// horizon returns N, the blocks of all pairs that the budget lets the search play.
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

// gains returns c and R after k of n blocks.
func (p *spsa) gains(k, n float64) (c, r float64) {
	k = math.Min(math.Max(k, 1), n)
	end := p.reach(n)
	c = end * math.Pow(n/k, spsaGamma)
	a := spsaStability * n
	r = p.learning(n) * float64((end/c)*(end/c)) * math.Pow((a+n)/(a+k), spsaAlpha)
	return c, r
}

// learn takes in what was told since the last batch. If the budget, and so the schedule,
// has changed, it takes in everything again.
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
	*p = spsa{seed: p.seed, axes: p.axes, spsaOptions: p.spsaOptions, plan: v.Plan, iterate: make([]float64, len(p.axes))}
	for i := range p.axes {
		p.iterate[i] = 0.5
		if text, ok := v.Baseline.Get(p.axes[i].Name); ok && p.start == "baseline" {
			p.iterate[i] = p.axes[i].Place(text)
		}
		p.hold(i)
	}
}

// hold keeps a coordinate of the iterate inside the range.
func (p *spsa) hold(i int) {
	low, high := 0.0, 1.0
	if a := &p.axes[i]; a.Cells > 0 {
		low, high = a.Middle(0), a.Middle(a.Cells-1)
	}
	p.iterate[i] = math.Min(math.Max(p.iterate[i], low), high)
}

// point returns the coordinates of what a trial played.
func (p *spsa) point(t tuner.Told) []float64 {
	x := make([]float64, len(p.axes))
	for i := range p.axes {
		text, _ := t.Proposed.Get(p.axes[i].Name)
		x[i] = p.axes[i].Place(text)
	}
	return x
}

func (p *spsa) takeDuels(v *tuner.View, n float64) {
	for ; p.seen < len(v.Duels); p.seen++ {
		d := v.Duels[p.seen]
		p.blocks += d.Blocks
		if !math.IsNaN(d.Score) {
			_, r := p.gains(float64(p.blocks), n)
			wins := 2 * float64(d.Blocks) * (2*d.Score - 1) // less losses
			a, b := p.point(v.At(d.A)), p.point(v.At(d.B))
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
			if !math.IsNaN(o.Value) {
				points, values = append(points, p.point(v.At(o.Trial))), append(values, o.Value)
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

// Propose implements tuner.Proposer.
func (p *spsa) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	p.learn(v)
	c, _ := p.gains(float64(p.blocks+max(v.Plan.Blocks, 1)), p.horizon(&v.Plan))
	s := arena.NewStream(p.seed, uint64(draw/2))
	x := make([]float64, len(p.axes))
	for i := range p.axes {
		x[i] = pair(&p.axes[i], &s, p.iterate[i], c)[draw%2]
	}
	values, err := shared.Values(p.axes, x)
	return values, err == nil, err
}

// pair returns x + c delta and x - c delta on one axis.
func pair(a *shared.Axis, s *arena.Stream, x, c float64) [2]float64 {
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

// ByRow implements tuner.ByRow.
func (*spsa) ByRow() bool { return true }

// Answer implements tuner.Answerer: it is the mean of the last iterates.
func (p *spsa) Answer(v *tuner.View) (a tuner.Answer, ok bool, err error) {
	p.learn(v)
	if len(p.trail) == 0 {
		return a, false, nil
	}
	at := meanPoint(p.trail[len(p.trail)-max(1, int(p.average*float64(len(p.trail)))):])
	a.Values, err = shared.Values(p.axes, at)
	return a, err == nil, err
}

// spsaOptions are the options of the sampler spsa.
type spsaOptions struct {
	end     float64 // c_end, share of the range; 0 is chosen by the budget
	rate    float64 // R_end; 0 likewise
	start   string
	average float64 // share of the batches whose iterates the answer is the mean of
}

// fewBlocks is the number of blocks of pairs below which the two ends of a pair lie further
// apart and the steps are longer, so that a small budget makes progress. On hills of 60 Elo
// with duels, mean true Elo of 16 seeds with a seventh and 0.01 against a fifth and 0.015:
// 55 and 58 at four parameters and 5 000 games, 31 and 47 at sixteen. At 20 000 games 59.3
// and 58.7 at four parameters.
const fewBlocks = 4000

// reach returns c_end for a search of n blocks.
func (o *spsaOptions) reach(n float64) float64 {
	switch {
	case o.end > 0:
		return o.end
	case n < fewBlocks:
		return 1.0 / 5
	}
	return 1.0 / 7
}

// learning returns R_end for a search of n blocks.
func (o *spsaOptions) learning(n float64) float64 {
	switch {
	case o.rate > 0:
		return o.rate
	case n < fewBlocks:
		return 0.015
	}
	return 0.01
}

// declare declares the options of spsa.
func (o *spsaOptions) declare(f *param.Fields) {
	f.Float(&o.end, "c_end", 0, param.Range(0, 0.5),
		"last perturbation, as a share of each range; 0: a seventh, a fifth where the search has less than 4 000 blocks of pairs")
	f.Float(&o.rate, "r_end", 0, param.Range(0, 1), "last learning rate; 0: 0.01, 0.015 where the search has less than 4 000 blocks of pairs")
	f.Float(&o.average, "average", 0.2, param.Range(0, 1), "share of the batches, the last ones, whose iterates the answer is the mean of")
	f.Choice(&o.start, "start", "baseline", []string{"baseline", "centre"}, "the first iterate: the baseline, where it lies in the space, or the centre")
}

// SPSATraits asks for about a thousand pairs, and never fewer blocks than one.
func SPSATraits(in tuner.SearchSize) tuner.Traits {
	const pairs = 1000
	blocks := max(1, in.Games*7/10/max(1, in.BlockGames)/pairs)
	return tuner.Traits{Answers: true, Duels: true, Batch: 8, Race: &tuner.Race{Method: "none", Keep: 0.5, Rungs: []int64{blocks}, Blocks: "fresh"}}
}

// refuseNotNumbers refuses parameters that are not numbers.
func refuseNotNumbers(space tuner.Space) error {
	for _, d := range space {
		if d.Kind == param.Bool || d.Kind == param.Choice {
			return fmt.Errorf("it tunes numbers only, and %s is not a number: give it a fixed value (tune.fix), or use the sampler tpe", d.Name)
		}
	}
	return nil
}
