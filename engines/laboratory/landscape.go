package laboratory

import (
	"math"

	"sakusen/engines/arena"
)

const (
	// A coordinate of the top lies between these distances from the default 1/2, so that
	// the gain of a parameter is neither a spike at the default nor always at the end of
	// the range.
	nearest, farthest = 0.15, 0.5
	// atEnd is the share of coordinates whose optimum is an end of the range.
	atEnd = 0.125
	// weightRange is how much more one parameter can matter than another.
	weightRange = 4

	bendDefault = 0.5
	// letterLoss is what the worst letter costs, in squared units of distance:
	// as much as a numeric parameter at its default.
	letterLoss = 0.12

	rippleWaves = 5    // ripples over a range
	rippleDepth = 0.15 // of the height of the hill that they lie on
	lowerLoss   = 0.4  // of the second hill's top, of the first hill's loss at the default
	lowerSlope  = 0.5  // of the second hill, of the first's
	cliffEdge   = 0.05 // beyond the top
	cliffDepth  = 2    // headrooms
	flatLoss    = 1.2  // of the loss at the default
)

// landscape is a planted top and what is lost away from it.
type landscape struct {
	rules  *Rules
	top    [MaxDimensions]float64 // on the scale 0..1
	second [MaxDimensions]float64 // the lower hill's
	weight [MaxDimensions]float64
	best   [MaxCategories]int
	letter [MaxCategories][len(letters)]float64 // loss by letter
	bend   float64
	scale  float64 // 1 / loss of the default parameters
}

// newLandscape draws a landscape.
func newLandscape(r *Rules) *landscape {
	l := &landscape{rules: r, scale: 1}
	s := arena.NewStream(uint64(r.landscapeSeed), 0x6c6162)
	for i := range r.dimensions {
		offset := nearest + float64((farthest-nearest)*s.Float64())
		if s.Float64() < atEnd {
			offset = 0.5
		}
		if s.Bool() {
			offset = -offset
		}
		l.weight[i] = math.Pow(weightRange, s.Float64()-0.5)
		switch {
		case r.form == basin:
			offset *= basinWidth
		case r.form == useless && i >= usefulNumbers:
			l.weight[i] = 0
		}
		l.top[i] = r.unit(i, r.value(i, 0.5+offset))
		l.second[i] = 0.5 - float64(0.8*offset)
	}
	for j := range r.categories {
		l.best[j] = 1 + s.IntN(len(letters)-1) // never the default
		order := [len(letters) - 1]float64{0.5, 0.8, 1}
		s.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for k, at := 0, 0; k < len(letters); k++ {
			if k != l.best[j] {
				l.letter[j][k] = letterLoss * order[at]
				at++
			}
		}
	}
	l.bend = nearest + float64((1-2*nearest)*s.Float64())
	if loss := l.loss(r.Default()); loss > 0 {
		l.scale = 1 / loss
	}
	return l
}

// height is the strength of a point, Elo above the default parameters.
func (l *landscape) height(p Point) float64 {
	return l.rules.headroom * (1 - float64(l.scale*l.loss(p)))
}

// loss is 0 at the top and positive elsewhere.
func (l *landscape) loss(p Point) float64 {
	r := l.rules
	var delta [MaxDimensions]float64
	first, second := 0.0, 0.0
	for i := range r.dimensions {
		u := r.unit(i, p.X[i])
		delta[i] = u - l.top[i]
		first += l.weight[i] * float64(delta[i]*delta[i])
		e := u - l.second[i]
		second += l.weight[i] * float64(e*e)
	}
	switch r.form {
	case ridge:
		for i := 1; i < r.dimensions; i++ {
			oblique := delta[i] + delta[i-1]
			first += float64(2 * float64(oblique*oblique))
		}
	case ripples:
		for i := range r.dimensions {
			wave := (1 - math.Cos(2*math.Pi*rippleWaves*delta[i])) / 2
			first += float64(rippleDepth * letterLoss * wave)
		}
	case twoHills:
		first = math.Min(first, float64(lowerLoss*l.atDefault())+float64(lowerSlope*second))
	case cliff:
		if over := delta[0] * sign(l.top[0]-0.5); over > cliffEdge {
			first += float64(cliffDepth * l.atDefault())
		}
	case plateau:
		first = math.Min(first, float64(flatLoss*l.atDefault()))
	}
	if loss, ok := l.shaped(delta[:r.dimensions], first/l.atDefault(), p); ok {
		first = l.atDefault() * loss
	}
	for j := range r.categories {
		first += l.letter[j][p.C[j]]
	}
	if r.conditional {
		if p.C[0] != l.best[0] {
			p.Bend = bendDefault
		}
		e := p.Bend - l.bend
		first += e * e
	}
	return first
}

// atDefault is the quadratic loss of the default numeric parameters.
func (l *landscape) atDefault() float64 {
	sum := 0.0
	for i := range l.rules.dimensions {
		d := 0.5 - l.top[i]
		sum += l.weight[i] * float64(d*d)
	}
	return sum
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}
