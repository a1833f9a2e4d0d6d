package surface

import (
	"maps"
	"math"
	"slices"
)

const (
	// mirrorFrom is the progress from which the point across the baseline meets the answer, mirrorMost
	// the most blocks, a share of the search's, and unlikely the standard errors below which it is given
	// up. secondClimb is how long the climb goes on from it before both answers meet, backMost the
	// most blocks then.
	mirrorFrom, mirrorMost, unlikely = 0.2, 0.05, -2.0
	secondClimb, backMost            = 0.15, 0.1
	// circleFrom is the progress from which a circle is looked for, circleLeast and circleMost are the
	// least and the most blocks for it. Below nothing, in standard errors, there is none, and from
	// something on there is one when the games are over.
	circleFrom, circleLeast, circleMost = 0.4, 0.05, 0.2
	nothing, something                  = 0.7, 2.5
	// sure is the standard errors that end a trial, and tellable the largest standard error, Elo, that
	// the height of a pair may have after its most blocks: else it is not begun.
	sure, tellable = 3.5, 14
	// In a circle a row of two points that are not the centre counts duelWeight, and circleLooks of the
	// pairs are tops of what may be.
	duelWeight, circleLooks = 0.2, 0.5
)

// trial is a question that games of a few pairs answer: whether a sum of heights, that of the first of
// each pair above the second times a sign, is other than 0.
type trial struct {
	pairs [][2][]float64
	signs []float64
	seen  []row
	over  bool
}

// newTrial makes a trial of a share of the search's blocks.
func (s *Surface) newTrial(most float64, pairs [][2][]float64, signs ...float64) *trial {
	n := float64(len(pairs))
	_, slope := s.model.score(0)
	unclear := math.Sqrt(n*s.model.noise/(most*s.climb.of)) > tellable*slope
	return &trial{pairs: pairs, signs: signs, seen: make([]row, len(pairs)), over: unclear || slices.Equal(pairs[0][0], pairs[0][1])}
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

// standing returns the sum in standard errors, and the blocks that show it as a share of the search's.
func (s *Surface) standing(t *trial) (z, share float64) {
	sum, variance := 0.0, 0.0
	for k := range t.seen {
		h, sd := s.model.shown(&t.seen[k])
		sum, variance = sum+float64(t.signs[k]*h), variance+float64(sd*sd)
		share += t.seen[k].blocks / s.climb.of
	}
	return sum / math.Sqrt(variance), share
}

// ends ends a trial that is under way if it has its answer now, and reports whether it does.
func (t *trial) ends(now bool) bool {
	if t.over {
		return false
	}
	t.over = now
	return now
}

// try ends the trial that is under way, and begins the next: whether the answer's mirror image is
// higher, whether what a climb finds from there is, and whether players beat one another in a circle.
func (s *Surface) try() {
	if !s.view.Plan.Duels || s.view.Baseline == nil {
		return
	}
	var t *trial
	z, share := 0.0, 0.0
	if n := len(s.trials); n > 0 {
		t = s.trials[n-1]
		z, share = s.standing(t)
	}
	progress, settled := s.climb.progress(), share > 0 && (z < unlikely || z > sure)
	switch len(s.trials) {
	case 0:
		if progress >= mirrorFrom {
			x := s.played(s.answer(s.model))
			s.trials = append(s.trials, s.newTrial(mirrorMost, [][2][]float64{{s.mirrored(x), x}}, 1))
		}
	case 1:
		if t.ends(settled || share >= mirrorMost) && z > unlikely {
			s.climb.jump(t.pairs[0][0])
			s.climb.factor = 1
			s.returns = progress + secondClimb
		}
		if t.over && progress >= s.returns {
			x := s.played(s.answer(s.model))
			back := s.newTrial(backMost, [][2][]float64{{t.pairs[0][1], x}}, 1)
			back.over = back.over || s.returns == 0
			s.trials = append(s.trials, back)
		}
	case 2:
		if t.ends(settled || share >= backMost) && z > 0 {
			s.climb.jump(t.pairs[0][0])
		}
		if t.over && progress >= circleFrom {
			low, high := s.beside(s.answer(s.model))
			s.trials = append(s.trials, s.newTrial(circleMost, [][2][]float64{{low, high}, {low, s.box.centre}, {high, s.box.centre}}, -1, 1, -1))
		}
	case 3:
		z = math.Abs(z)
		if t.ends(share >= circleLeast && (z < nothing || z > sure) || share >= circleMost) && z > something {
			s.circle, s.model.circle = true, true
			s.model.fit(s.rows)
		}
	}
}

// mirrored returns the point that lies as far beyond the baseline as a given one before it.
func (s *Surface) mirrored(x []float64) []float64 {
	y := append([]float64(nil), x...)
	for _, i := range s.box.numbers {
		y[i] = s.box.hold(i, 2*s.box.centre[i]-x[i])
	}
	return s.played(y)
}

// beside returns two points on both sides of a point, half as far from the baseline and half as far
// again, or the width of pairs away where that is more: where players are of one order, by what the two
// score against the baseline they differ by what they show against each other.
func (s *Surface) beside(x []float64) (low, high []float64) {
	low, high = append([]float64(nil), x...), append([]float64(nil), x...)
	for _, i := range s.box.numbers {
		step := (x[i] - s.box.centre[i]) / 2
		step = math.Copysign(math.Max(math.Abs(step), width), step)
		low[i], high[i] = s.box.hold(i, x[i]-step), s.box.hold(i, x[i]+step)
	}
	return s.played(low), s.played(high)
}

// played returns the point that is played for one.
func (s *Surface) played(x []float64) []float64 {
	return s.box.point(s.space.Activate(s.fixed, s.values(x)))
}

// tried reports whether a row is one of a trial.
func (s *Surface) tried(r *row) bool {
	for _, t := range s.trials {
		if t.take(r) {
			return true
		}
	}
	return false
}

// takeEnds takes ends of pairs that met the baseline, by their numbers.
func (s *Surface) takeEnds(ends map[int]*row) {
	_, rate := s.climb.gains()
	for _, k := range slices.Sorted(maps.Keys(ends)) {
		x, y := ends[k], ends[k+1]
		if k%2 == 1 || y == nil {
			continue
		}
		ahead, games := x.value-y.value, float64(s.view.Seats)*x.blocks
		if s.centred(k / 2) { // of a game of two
			mean := (x.value + y.value) / 2
			s.climb.steer(clamp(0.5-ahead/4/math.Max(mean*(1-mean), 0.01), 0, 1), games)
		}
		s.climb.move(x.x, 2*games*ahead, rate)
		s.climb.move(y.x, -2*games*ahead, rate)
	}
}
