// Package surface is the search of a study whose file names no other. Pairs of points climb, a
// model of all games chooses what the climb cannot, and the answer lies between the end of the
// climb and the model's top. docs/search.md has the algorithm with its formulas and what each
// part is worth.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
//
// Reading order: surface.go (the sampler), box.go (points as coordinates), features.go and
// model.go (a regression of all games), climb.go (pairs on both sides of an iterate), choices.go
// (values of switches and choices). Then referee.go (games that answer a separate question, the
// last games among them), answer.go (the answer and its claim), explain.go (what games tell of
// each parameter).
package surface

import (
	"errors"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

var (
	_ tuner.Answerer  = (*Surface)(nil)
	_ tuner.Explainer = (*Surface)(nil)
	_ tuner.ByRow     = (*Surface)(nil)
)

// Surface is the sampler. Its proposals are a function of seed, draw and view: what is kept
// from one view to the next could be computed again.
type Surface struct {
	seed  uint64
	space tuner.Space
	fixed param.Values

	view    *tuner.View // the last one that was taken
	box     *box
	climb   *climb
	model   *model
	rows    []row
	taken   int      // duels or observations in them
	fitNext int      // rows at which the model is fitted anew
	blocks  float64  // blocks of pairs, without those of an earlier study
	trials  []*trial // begun so far
	last    *trial   // the answer against the baseline
	returns float64  // progress at which the second climb is judged, 0 where there is none
}

// Defaults of a study with this sampler: many short trials, since a regression does not mind how
// its games are spread over points, and many points are many steps.
const (
	batchSize    = 16
	gamesOfTrial = 1250 // of a budget, for each game of a trial
	leastBlocks  = 2    // a shorter trial does not show its own noise
	proving      = 0.3  // share of the games
	// refit is by how much the rows have grown when the model is fitted anew.
	refit = 1.2
)

// New makes the sampler; it has no options.
func New(s tuner.SamplerSpec, space tuner.Space, fixed param.Values) (tuner.Proposer, error) {
	if len(space) == 0 {
		return nil, errors.New("there is no parameter to search")
	}
	return &Surface{seed: s.Seed, space: space, fixed: fixed}, nil
}

// Traits returns the defaults of a study that surface searches.
func Traits(in tuner.SearchSize) tuner.Traits {
	t := tuner.Traits{Answers: true, Duels: true, Batch: batchSize, Proving: proving}
	t.Race = &tuner.Race{Method: "none", Rungs: []int64{max(leastBlocks, in.Games/gamesOfTrial/in.BlockGames)}, Keep: 0.5}
	if !in.Duels {
		t.Race.Blocks = "fresh"
	}
	return t
}

// Propose implements tuner.Proposer.
func (s *Surface) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	s.follow(v)
	return s.values(s.pair(draw / 2)[draw%2]), true, nil
}

// ByRow implements tuner.ByRow.
func (*Surface) ByRow() bool { return true }

// pair returns the two points of a pair.
func (s *Surface) pair(number int) [2][]float64 {
	if t := s.asking(); t != nil {
		return t.pairs[number%len(t.pairs)]
	}
	if s.model.circle {
		return [2][]float64{s.sides(number / 2)[number%2], s.box.centre}
	}
	return s.sides(number)
}

// sides returns both ends of a pair of the climb, or two tops that are looked at.
func (s *Surface) sides(number int) [2][]float64 {
	rng := arena.NewStream(s.seed, uint64(number))
	x := s.climb.under(s.box.centre)
	y, looking, centred := x, s.looking(number), s.centred(number)
	if looking || len(s.box.choices) > 0 {
		from, reach := x, choiceReach
		if looking {
			reach = 1
		}
		x = s.model.draw(s.seed, 2*number, from, reach)
		if y = x; looking || !centred {
			y = s.model.draw(s.seed, 2*number+1, from, reach)
		}
		if looking && !slices.Equal(s.values(x), s.values(y)) {
			return [2][]float64{x, y}
		}
	}
	x, y = s.climb.pair(&rng, x, y)
	if centred {
		y = s.climb.under(x)
	}
	return [2][]float64{x, y}
}

// centred reports whether a pair is the iterate and one end, which tells how much is lost there.
func (s *Surface) centred(pair int) bool {
	return s.view.Plan.Duels && !s.model.circle && pair%centredEvery == 0
}

// values returns the parameter values that a point plays.
func (s *Surface) values(x []float64) param.Values {
	return s.space.Ordered(s.fixed, s.box.values(x))
}

// played returns the point that is played for one.
func (s *Surface) played(x []float64) []float64 {
	return s.box.point(s.space.Activate(s.fixed, s.values(x)))
}

// follow takes what is new in a view, batch by batch, so that what is known after a batch does not
// depend on when it is looked at.
func (s *Surface) follow(v *tuner.View) {
	if s.view == v {
		return
	}
	n := len(v.Observed)
	if v.Plan.Duels {
		n = len(v.Duels)
	}
	if s.view == nil || s.taken > n || s.view.Plan.Games != v.Plan.Games || s.view.Begun != v.Begun {
		s.begin(v)
	}
	s.view = v
	for s.taken < n {
		s.take(s.next())
		s.climb.keep()
		s.ask()
		if len(s.rows) >= s.fitNext {
			s.model.fit(s.rows)
			s.fitNext = max(len(s.rows)+1, int(refit*float64(len(s.rows))))
		}
	}
}

// begin forgets everything.
func (s *Surface) begin(v *tuner.View) {
	s.box = newBox(s.space, s.fixed, v.Baseline)
	s.model = newModel(newFeatures(s.box, !v.Pinned && !v.Plan.Duels), v.Seats, v.Maximize)
	blocks := float64(v.Plan.Games) / float64(max(1, v.Plan.BlockGames))
	if !v.Plan.Duels {
		blocks /= 2
	}
	s.climb = newClimb(s.box, math.Max(1, blocks))
	s.trials, s.last, s.returns = nil, nil, 0
	s.rows, s.taken, s.fitNext, s.blocks = nil, 0, 0, 0
}

// next returns the rows of the next batch.
func (s *Surface) next() (batch []row) {
	v := s.view
	add := func(r row) {
		if r.blocks > 0 && !math.IsNaN(r.value) {
			batch = append(batch, r)
		}
	}
	if v.Plan.Duels {
		for number := v.Duels[s.taken].Batch; s.taken < len(v.Duels) && v.Duels[s.taken].Batch == number; s.taken++ {
			d := &v.Duels[s.taken]
			add(row{x: s.box.point(v.At(d.A).Params), y: s.box.point(v.At(d.B).Params), number: d.Draw >> 1, begun: d.Batch < 0,
				value: d.Score, noise: d.Noise, blocks: float64(d.Blocks)})
		}
		return batch
	}
	for number := v.Observed[s.taken].Batch; s.taken < len(v.Observed) && v.Observed[s.taken].Batch == number; s.taken++ {
		o := &v.Observed[s.taken]
		t := v.At(o.Trial)
		add(row{x: s.box.point(t.Params), number: t.Draw, begun: o.Batch < 0, value: o.Value, noise: o.Noise, blocks: float64(o.Blocks)})
	}
	return batch
}

// take takes the rows of a batch: the model takes all, the climb those of its pairs.
func (s *Surface) take(batch []row) {
	var ends []row // that met the baseline or other opponents
	seats := float64(s.view.Seats)
	for _, r := range batch {
		s.rows = append(s.rows, r)
		switch {
		case s.answers(&r):
		case r.y == nil || s.model.circle && s.box.atCentre(r.y):
			if r.number < 0 || !s.looking(r.number/2) {
				ends = append(ends, r)
			}
		case r.number < 0 || !s.looking(r.number):
			_, rate := s.climb.gains()
			wins := seats * r.blocks * (2*r.value - 1)
			s.climb.move(r.x, wins, rate)
			s.climb.move(r.y, -wins, rate)
			if r.number >= 0 && s.centred(r.number) {
				s.climb.steer(1-r.value, seats*r.blocks)
			}
		}
		if r.y == nil {
			r.blocks /= 2 // the budget is counted in pairs
		}
		s.climb.blocks += r.blocks
		if !r.begun {
			s.blocks += r.blocks
		}
	}
	if len(ends) > 0 {
		s.takeEnds(ends)
	}
}

// takeEnds moves the climb by what points scored against the baseline or other opponents: towards each
// of them by its score above the batch's mean. Two ends of a pair move it as far as a duel in which
// the better one scores 1/2 and the difference of their scores.
func (s *Surface) takeEnds(ends []row) {
	mean, blocks := 0.0, 0.0
	for i := range ends {
		mean += ends[i].value / float64(len(ends))
		blocks += ends[i].blocks
	}
	seats := float64(s.view.Seats)
	unit := s.climb.unit(ends, mean, s.view.Seats, s.view.Maximize)
	_, rate := s.climb.gains()
	for i := range ends {
		r := &ends[i]
		s.climb.move(r.x, float64(8*r.blocks*unit*(r.value-mean)), rate)
	}
	if s.view.Pinned || s.view.Plan.Duels {
		even := 1 / (1 + float64(mean/(1-mean))*(seats-1)) // of a game of two
		s.climb.steer(even, blocks/8*seats)
	}
}
