// Package surface is the search of a study whose file names no other: pairs of points climb,
// a model of all games chooses what the climb cannot, and the answer lies between where the
// climb has come to and the model's top. docs/research/surface.md has the formulas, and what was measured.
//
//	p, err := surface.New(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
//
// Reading order: surface.go (the sampler), box.go (points as coordinates), features.go and
// model.go (a regression of all games), climb.go (pairs on both sides of an iterate), choices.go
// (values of switches and choices), trials.go (whether the climb went to the wrong place), referee.go (the last games, and what is claimed), answer.go
// (the answer), explain.go (what games tell of each parameter).
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

	view     *tuner.View // the last one that was taken
	box      *box
	climb    *climb
	model    *model
	choices  chooser
	rows     []row
	taken    int // duels or observations in them
	fitNext  int // rows at which the model is fitted anew
	believed []float64
	trials   []*trial // begun so far
	returns  float64  // progress at which the second climb is judged, 0 where there is none
	circle   bool     // players beat one another in a circle
}

// Defaults of a study with this sampler: many short trials, since a regression does not mind how
// its games are spread over points, and many points are many steps.
const (
	batchSize      = 16
	gamesOfTrial   = 1250 // of a budget, for each game of a trial
	leastBlocks    = 2    // a shorter trial does not show its own noise
	proving        = 0.3  // share of the games; where there are many and many parameters:
	provingMany    = 0.2
	manyGames      = 10_000
	manyParameters = 8
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
func Traits(_ tuner.SamplerSpec, space tuner.Space, in tuner.SearchSize) tuner.Traits {
	t := tuner.Traits{Answers: true, Duels: true, Batch: batchSize, Proving: proving}
	t.Race = &tuner.Race{Method: "none", Rungs: []int64{max(leastBlocks, in.Games/gamesOfTrial/in.BlockGames)}, Keep: 0.5}
	if !in.Duels {
		t.Race.Blocks = "fresh"
	}
	if in.Games > manyGames && len(space) > manyParameters {
		t.Proving = provingMany
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
	if s.refereed() {
		if s.believed == nil {
			s.believed = s.answer(s.model)
		}
		return [2][]float64{s.believed, s.box.centre}
	}
	if n := len(s.trials); n > 0 && !s.trials[n-1].over {
		t := s.trials[n-1]
		return t.pairs[number%len(t.pairs)]
	}
	if s.circle {
		return [2][]float64{s.sides(number / 2)[number%2], s.box.centre}
	}
	return s.sides(number)
}

// sides returns both ends of a pair of the climb, or two tops that are looked at.
func (s *Surface) sides(number int) [2][]float64 {
	rng := arena.NewStream(s.seed, uint64(number))
	x, y := s.box.centre, s.box.centre
	if looking := s.looking(number); looking || len(s.box.choices) > 0 {
		reach := choiceReach
		if looking {
			reach = 1
		}
		x = s.choices.draw(s.seed, 2*number, reach)
		y = x
		if looking || !s.centred(number) {
			y = s.choices.draw(s.seed, 2*number+1, reach)
		}
		if looking && !slices.Equal(s.values(x), s.values(y)) {
			return [2][]float64{x, y}
		}
	}
	x, y = s.climb.pair(&rng, x, y)
	if s.centred(number) {
		y = s.climb.now().under(s.box, x)
	}
	return [2][]float64{x, y}
}

// values returns the parameter values that a point plays.
func (s *Surface) values(x []float64) param.Values {
	return s.space.Ordered(s.fixed, s.box.values(x))
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
	s.view, s.believed = v, nil
	for s.taken < n {
		if v.Plan.Duels {
			s.takeDuels()
		} else {
			s.takeScores()
		}
		s.climb.keep()
		s.try()
		if len(s.rows) >= s.fitNext {
			s.model.fit(s.rows)
			s.leap()
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
	s.choices = chooser{s.model, s.climb}
	s.trials, s.returns, s.circle = nil, 0, false
	s.rows, s.taken, s.fitNext = nil, 0, 0
}

// takeDuels takes the duels of a batch.
func (s *Surface) takeDuels() {
	v := s.view
	ends := map[int]*row{} // of pairs of which both meet the baseline
	batch := v.Duels[s.taken:]
	if n := slices.IndexFunc(batch, func(d tuner.Duel) bool { return d.Batch != batch[0].Batch }); n > 0 {
		batch = batch[:n]
	}
	s.taken += len(batch)
	x := func(d *tuner.Duel) []float64 { return s.box.point(v.At(d.A).Params) }
	same := slices.Equal(x(&batch[0]), x(&batch[len(batch)-1])) // the answer, and not ends of pairs
	for i := range batch {
		d := &batch[i]
		if d.Blocks == 0 || math.IsNaN(d.Score) {
			continue
		}
		r := row{value: d.Score, noise: d.Noise, blocks: float64(d.Blocks)}
		r.x, r.y = x(d), s.box.point(v.At(d.B).Params)
		games := float64(v.Seats) * r.blocks
		anchored := s.box.atCentre(r.y)
		r.last = anchored && s.climb.progress() >= 1-lastShare-0.02 && (same || !s.circle)
		s.rows = append(s.rows, r)
		switch {
		case r.last || s.tried(&r):
		case s.circle && anchored && d.Draw >= 0:
			if !s.looking(d.Draw / 4) {
				ends[d.Draw/2] = &r
			}
		case d.Draw < 0 || !s.looking(d.Draw/2):
			_, rate := s.climb.gains()
			wins := games * (2*r.value - 1)
			s.climb.move(r.x, wins, rate)
			s.climb.move(r.y, -wins, rate)
			if d.Draw >= 0 && s.centred(d.Draw/2) {
				s.climb.steer(1-r.value, games)
			}
		}
		s.climb.blocks += r.blocks
	}
	s.takeEnds(ends)
}

// takeScores takes the trials of a batch, which met others on the same blocks. With pairs on both
// sides of the iterate, the sum over trials of what each scored more than the mean, times its
// distance, is the sum over pairs of difference times half of what is between them.
func (s *Surface) takeScores() {
	v := s.view
	sum := 0.0
	var batch []row // of the climb
	for number := v.Observed[s.taken].Batch; s.taken < len(v.Observed) && v.Observed[s.taken].Batch == number; s.taken++ {
		o := &v.Observed[s.taken]
		if o.Blocks == 0 || math.IsNaN(o.Value) {
			continue
		}
		r := row{x: s.box.point(v.At(o.Trial).Params), value: o.Value, noise: o.Noise, blocks: float64(o.Blocks)}
		s.rows = append(s.rows, r)
		if d := v.At(o.Trial).Draw; d < 0 || !s.looking(d/2) {
			batch, sum = append(batch, r), sum+o.Value
		}
		s.climb.blocks += r.blocks / 2
	}
	if len(batch) == 0 {
		return
	}
	mean := sum / float64(len(batch))
	unit := s.climb.unit(batch, mean, v.Seats, v.Maximize)
	_, rate := s.climb.gains()
	blocks := 0.0
	for i := range batch {
		r := &batch[i]
		s.climb.move(r.x, float64(8*r.blocks*unit*(r.value-mean)), rate)
		blocks += r.blocks
	}
	if v.Pinned {
		even := 1 / (1 + float64(mean/(1-mean))*float64(v.Seats-1)) // of a game of two
		s.climb.steer(even, blocks/8*float64(v.Seats))
	}
}
