package surface

import (
	"math"
	"slices"
)

const (
	// mirrorFrom is the progress from which the point across the baseline meets the answer, circleFrom
	// that from which a circle is looked for, and secondClimb is how long a second climb lasts before
	// both answers meet.
	mirrorFrom, circleFrom, secondClimb = 0.2, 0.4, 0.15
	// shortShare, backMost and circleMost are the most blocks of the three trials, a share of the search's.
	shortShare, backMost, circleMost = 0.05, 0.1, 0.2
	// sure is the standard errors that end a trial. After shortShare of the blocks it ends below nothing,
	// too, and its answer counts beyond something. tellable is the largest standard error, Elo, that the
	// height of a pair may have after the most blocks: else the trial is not begun.
	sure, nothing, something, tellable = 3.5, 0.7, 2.5, 14
	// In a circle a duel of two points other than the centre has the weight duelWeight, and circleLooks
	// of the pairs are looks.
	duelWeight, circleLooks = 0.2, 0.5
	// lastShare is the share of the games of a search in duels, the last ones, in which the answer
	// plays the baseline.
	lastShare = 0.06
)

// trial is a question that games of a few pairs answer: whether a sum of heights, that of the first of
// each pair above the second times a sign, is other than 0.
type trial struct {
	pairs [][2][]float64
	signs []float64
	seen  []row
	low   float64 // sum, in standard errors, below which the trial ends
	most  float64 // blocks, a share of the search's
	over  bool
}

// newTrial makes a trial of a share of the search's blocks.
func (s *Surface) newTrial(low, most float64, pairs [][2][]float64, signs ...float64) *trial {
	n := float64(len(pairs))
	_, slope := s.model.score(0)
	unclear := math.Sqrt(n*s.model.noise/(most*s.climb.of)) > tellable*slope
	return &trial{pairs: pairs, signs: signs, seen: make([]row, len(pairs)), low: low, most: most,
		over: unclear || slices.Equal(pairs[0][0], pairs[0][1])}
}

// asking returns the trial that is under way, nil if there is none.
func (s *Surface) asking() *trial {
	if n := len(s.trials); s.last == nil && n > 0 && !s.trials[n-1].over {
		return s.trials[n-1]
	}
	return s.last
}

// answers reports whether a row is one of a trial, which takes it.
func (s *Surface) answers(r *row) bool {
	for _, t := range append(s.trials[:len(s.trials):len(s.trials)], s.last) {
		if t != nil && t.take(r) {
			return true
		}
	}
	return false
}

// take takes a row if it is one of the trial's, and reports whether it is.
func (t *trial) take(r *row) bool {
	for k, p := range t.pairs {
		if slices.Equal(r.x, p[0]) && slices.Equal(r.y, p[1]) {
			s := &t.seen[k]
			s.value = (float64(s.value*s.blocks) + float64(r.value*r.blocks)) / (s.blocks + r.blocks)
			s.blocks += r.blocks
			return true
		}
	}
	return false
}

// ends ends a trial that is under way if it has its answer now, and reports whether it does; z is the
// sum in standard errors.
func (s *Surface) ends(t *trial) (z float64, now bool) {
	if t.over {
		return 0, false
	}
	sum, variance, share := 0.0, 0.0, 0.0
	for k := range t.seen {
		h, sd := s.model.shown(&t.seen[k])
		sum, variance = sum+float64(t.signs[k]*h), variance+float64(sd*sd)
		share += t.seen[k].blocks / s.climb.of
	}
	z = sum / math.Sqrt(variance)
	t.over = z < t.low || z > sure || share >= t.most || share >= shortShare && math.Abs(z) < nothing
	return z, t.over
}

// ask ends the present trial, and begins the next. They ask whether the answer's mirror image is
// higher, whether the point that a climb finds from there is, whether players beat one another in
// a circle, and at last how high the answer is.
func (s *Surface) ask() {
	if !s.view.Plan.Duels || s.view.Baseline == nil || s.last != nil {
		return
	}
	progress := s.blocks / s.climb.of
	if progress >= 1-lastShare {
		s.last = &trial{pairs: [][2][]float64{{s.played(s.answer(s.model)), s.box.centre}}, seen: make([]row, 1)}
		return
	}
	var t *trial
	z, now := 0.0, false
	if n := len(s.trials); n > 0 {
		t = s.trials[n-1]
		z, now = s.ends(t)
	}
	switch n := len(s.trials); {
	case n == 0 && progress >= mirrorFrom:
		x := s.played(s.answer(s.model))
		s.trials = append(s.trials, s.newTrial(-something, shortShare, [][2][]float64{{s.mirrored(x), x}}, 1))
	case n == 1:
		if now && z > -something {
			s.jump(t.pairs[0][0])
			s.returns = progress + secondClimb
		}
		if t.over && progress >= s.returns {
			x := s.played(s.answer(s.model))
			back := s.newTrial(-something, backMost, [][2][]float64{{t.pairs[0][1], x}}, 1)
			back.over = back.over || s.returns == 0
			s.trials = append(s.trials, back)
		}
	case n == 2:
		if now && z > 0 {
			s.jump(t.pairs[0][0])
		}
		if t.over && progress >= circleFrom {
			low, high := s.beside(s.answer(s.model))
			s.trials = append(s.trials, s.newTrial(-sure, circleMost, [][2][]float64{{low, high}, {low, s.box.centre}, {high, s.box.centre}}, -1, 1, -1))
		}
	case n == 3 && now && math.Abs(z) > something:
		s.model.circle = true
		s.model.fit(s.rows)
	}
}

// jump moves the climb to a point, with pairs as wide as at first.
func (s *Surface) jump(x []float64) {
	on := s.box.active(x)
	for _, i := range s.box.numbers {
		if on[i] {
			s.climb.at[i] = x[i]
		}
	}
	s.climb.factor = 1
}

// mirrored returns the point that lies as far beyond the baseline as a given one before it.
func (s *Surface) mirrored(x []float64) []float64 {
	y := append([]float64(nil), x...)
	for _, i := range s.box.numbers {
		y[i] = s.box.hold(i, 2*s.box.centre[i]-x[i])
	}
	return s.played(y)
}

// beside returns two points on both sides of a point: half as far from the baseline and half as far
// again, or the width of pairs away if that is more. If strength is transitive, the difference of
// their scores against the baseline equals what they show against each other.
func (s *Surface) beside(x []float64) (low, high []float64) {
	low, high = append([]float64(nil), x...), append([]float64(nil), x...)
	for _, i := range s.box.numbers {
		step := (x[i] - s.box.centre[i]) / 2
		step = math.Copysign(math.Max(math.Abs(step), width), step)
		low[i], high[i] = s.box.hold(i, x[i]-step), s.box.hold(i, x[i]+step)
	}
	return s.played(low), s.played(high)
}
