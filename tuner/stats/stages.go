package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// stages is a test that is looked at a limited number of times: a random walk
// of unit variance per block, with bounds of its own at every look. Unlike
// [walk] it is exact for the looks it has, which matters where one look carries
// much: a walk with a strong drift stops at the first look, and how far it got
// says all there is to say.
//
// Everything is built from r, the chance of not having stopped before, given
// where the walk is now. A drift does not change it (given its ends a walk is a
// bridge), so one pass serves every drift.
// Source: P. Armitage, C. K. McPherson, B. C. Rowe (1969), in the form of
// bridges; Jennison and Turnbull, Group Sequential Methods (2000), chapter 19.
type stages struct {
	looks []look  // before the last one
	last  float64 // time of the last look, blocks
}

// look is one time at which the walk may stop.
type look struct {
	time   float64 // blocks
	bounds walk
	in     grid // between the bounds
	out    grid // beyond the upper bound
	// inside and beyond are r at the nodes of in and out.
	inside, beyond []float64
}

// maxLooks is the most looks that are worth the time; beyond it the walk in
// continuous time is as good.
const maxLooks = 200

// newStages are the looks at first, first+every, ... before last, and at last.
// bounds gives the bounds at a time, and false where the test cannot stop. A
// bound further out than limit is as good as none and is held there.
func newStages(bounds func(time float64) (walk, bool), limit, first, every, last float64) stages {
	s := stages{last: last}
	// Where the walk has so much room that its steps would fall between the
	// nodes, fewer looks will do.
	if coarse := 2 * limit / (3 * maxPanels); coarse*coarse > every {
		if b, ok := bounds(last); !ok || b.upper-b.lower > 3*maxPanels*math.Sqrt(every) {
			every *= math.Ceil(coarse * coarse / every)
			first = every * math.Ceil(first/every)
		}
	}
	for t := first; t < last; t += every {
		if b, ok := bounds(t); ok {
			s.add(t, walk{max(b.lower, -limit), min(b.upper, limit)}, every)
		}
	}
	return s
}

// stagesAt are the looks at the given times, ascending; the last is the one at
// which the walk ends. A bound may be infinite.
func stagesAt(times []float64, bounds func(look int) walk) stages {
	s := stages{last: times[len(times)-1]}
	for i, t := range times[:len(times)-1] {
		b, every, limit := bounds(i), t, 12*math.Sqrt(s.last)
		if i > 0 {
			every = t - times[i-1]
		}
		s.add(t, walk{max(b.lower, -limit), min(b.upper, limit)}, every)
	}
	return s
}

// add is a further look at time t, every blocks after the one before.
func (s *stages) add(t float64, b walk, every float64) {
	l := look{time: t, bounds: b}
	width := 3 * math.Sqrt(min(every, t))
	l.in = newGrid(b.lower, b.upper, width)
	if len(s.looks) == 0 {
		l.inside = make([]float64, len(l.in.x))
		for i := range l.inside {
			l.inside[i] = 1
		}
		s.looks = append(s.looks, l)
		return
	}
	// The walk passes the bound by a few steps, and by the drift of one stage; with more
	// drift it would have stopped at the first look.
	start := s.looks[0]
	before := s.looks[len(s.looks)-1]
	step := t - before.time
	reach := 6*math.Sqrt(step) + step*(start.bounds.upper+5*math.Sqrt(start.time))/start.time
	l.out = newGrid(b.upper, b.upper+reach, width)
	l.inside = before.carry(t, l.in.x)
	l.beyond = before.carry(t, l.out.x)
	s.looks = append(s.looks, l)
}

// carry takes r from one look to the places x of the next.
func (l look) carry(now float64, x []float64) []float64 {
	out := make([]float64, len(x))
	sd := math.Sqrt(l.time * (now - l.time) / now)
	for i, y := range x {
		mean := y * l.time / now
		sum := 0.0
		for k, z := range l.in.x {
			if d := (z - mean) / sd; math.Abs(d) < 7 {
				sum += l.in.weight[k] * l.inside[k] * math.Exp(-d*d/2)
			}
		}
		out[i] = min(sum/(sd*math.Sqrt(2*math.Pi)), 1)
	}
	return out
}

// atLeast is the chance, with the given drift per block, of stopping above at
// an earlier look, or of reaching the last one and being at x or higher.
func (s stages) atLeast(x, drift float64) float64 {
	if len(s.looks) == 0 {
		return distuv.UnitNormal.CDF((drift*s.last - x) / math.Sqrt(s.last))
	}
	first := s.looks[0]
	sum := distuv.UnitNormal.CDF((drift*first.time - first.bounds.upper) / math.Sqrt(first.time))
	for _, l := range s.looks[1:] {
		for i, y := range l.out.x {
			sum += l.out.weight[i] * l.beyond[i] * density(y, l.time, drift)
		}
	}
	l := s.looks[len(s.looks)-1]
	step := s.last - l.time
	for i, y := range l.in.x {
		if g := l.in.weight[i] * l.inside[i] * density(y, l.time, drift); g > 1e-12 {
			sum += g * distuv.UnitNormal.CDF((y+drift*step-x)/math.Sqrt(step))
		}
	}
	return min(max(sum, 0), 1)
}

// density of the free walk at y after t blocks.
func density(y, t, drift float64) float64 {
	d := (y - drift*t) / math.Sqrt(t)
	if math.Abs(d) > 38 {
		return 0
	}
	return math.Exp(-d*d/2) / math.Sqrt(2*math.Pi*t)
}

// grid is a rule of integration.
type grid struct{ x, weight []float64 }

// maxPanels is the most panels of a grid.
const maxPanels = 100

// newGrid covers an interval with panels of about the given width, of six
// Gauss-Legendre nodes each.
func newGrid(from, to, width float64) grid {
	panels := int(min(max(math.Ceil((to-from)/width), 1), maxPanels))
	half := (to - from) / float64(panels) / 2
	node := [3]float64{0.2386191860831969, 0.6612093864662645, 0.9324695142031521}
	weight := [3]float64{0.4679139345726910, 0.3607615730481386, 0.1713244923791704}
	var g grid
	for p := range panels {
		centre := from + half*float64(2*p+1)
		for side := -1.0; side <= 1; side += 2 {
			for i := range node {
				g.x = append(g.x, centre+side*half*node[i])
				g.weight = append(g.weight, half*weight[i])
			}
		}
	}
	return g
}
