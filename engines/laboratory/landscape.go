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

const (
	basinWidth    = 0.2  // of a basin's top from the default, of a hill's
	basinDepth    = 6    // headrooms below the top at which a basin's surroundings lie
	narrowWidth   = 0.05 // standard deviation of the peak, as a share of the range
	narrowShare   = 0.6  // of the headroom that the peak has
	stepsUp       = 6    // steps from the default to the top
	wrongSide     = 0.3  // what the lower of two tops lies below the higher, headrooms
	obliqueAcross = 12   // how much steeper a ridge is across than along
	movedLoss     = 0.35 // of the best place with another letter, headrooms
	usefulNumbers = 2
	lockWidth     = 0.25 // how far from the right place a number has an effect, as a share of the range
	stormElo      = 300  // luck of a block at the upper end of x1
	curvedAcross  = 6    // how much steeper a bent ridge is across than along
	curvedBend    = 2    // by how much a number must follow the square of the one before
	lopsidedSteep = 8    // beyond the top, of what it is before
	pairWidth     = 0.2  // how far from the right place two numbers have an effect
	lesserTops    = 5    // besides the highest
)

// shaped is the loss of a point, in units of the default's loss, for the forms that have a
// rule of their own; ok is false for the others, which are in landscape.loss. delta is how
// far each number lies from the top on the scale 0..1, quadratic the loss on a plain hill.
func (l *landscape) shaped(delta []float64, quadratic float64, p Point) (loss float64, ok bool) {
	switch l.rules.form {
	case basin:
		return basinDepth * (1 - math.Exp(-quadratic/basinDepth)), true
	case cone:
		return math.Sqrt(quadratic), true
	case narrow:
		peak := math.Exp(-squares(delta) / float64(2*narrowWidth*narrowWidth*float64(len(delta))))
		return float64((1-narrowShare)*quadratic) + float64(narrowShare*(1-peak)), true
	case steps:
		return math.Ceil(float64(stepsUp*quadratic)-1e-9) / stepsUp, true
	case saddle:
		return l.saddle(delta, quadratic), true
	case oblique:
		return l.oblique(delta), true
	case moved:
		return l.moved(delta, quadratic, p), true
	case locks:
		return 1 - math.Exp(-squares(delta)/float64(2*lockWidth*lockWidth)), true
	case curved:
		return l.relative(delta, l.curved), true
	case sharp:
		return l.relative(delta, l.sharp), true
	case lopsided:
		return l.relative(delta, l.lopsided), true
	case pairs:
		return l.relative(delta, l.pairs), true
	case peaks:
		return l.relative(delta, l.peaks), true
	}
	return 0, false
}

// relative is a loss in units of the default's.
func (l *landscape) relative(delta []float64, loss func(delta []float64) float64) float64 {
	var at [MaxDimensions]float64
	for i := range delta {
		at[i] = 0.5 - l.top[i]
	}
	return loss(delta) / loss(at[:len(delta)])
}

// curved is a ridge along which every number follows the square of the one before.
func (l *landscape) curved(delta []float64) float64 {
	sum := l.weight[0] * float64(delta[0]*delta[0])
	for i := 1; i < len(delta); i++ {
		d := delta[i] - curvedBend*float64(delta[i-1]*delta[i-1])
		sum += curvedAcross * float64(d*d)
	}
	return sum
}

// sharp falls as fast at the top as anywhere.
func (l *landscape) sharp(delta []float64) float64 {
	sum := 0.0
	for i, d := range delta {
		sum += l.weight[i] * math.Abs(d)
	}
	return sum
}

// lopsided is steeper beyond the top than between it and the default.
func (l *landscape) lopsided(delta []float64) float64 {
	sum := 0.0
	for i, d := range delta {
		w := l.weight[i]
		if d*(l.top[i]-0.5) > 0 {
			w *= lopsidedSteep
		}
		sum += w * float64(d*d)
	}
	return sum
}

// pairs gains little of two numbers unless both are near the top.
func (l *landscape) pairs(delta []float64) float64 {
	sum := 0.0
	for i := 0; i < len(delta); i += 2 {
		two := delta[i:min(i+2, len(delta))]
		sum += l.weight[i] * (1 - math.Exp(-squares(two)/float64(2*pairWidth*pairWidth)))
	}
	return sum
}

// peaks has lesser tops at places of their own; one is as high as the highest of
// those that reach there.
func (l *landscape) peaks(delta []float64) float64 {
	n := float64(len(delta))
	s := arena.NewStream(uint64(l.rules.landscapeSeed), 0x7065616b73)
	height := func(at float64, width float64) float64 { return math.Exp(-at / (width * width * n)) }
	most := height(squares(delta), 0.15+float64(0.2*s.Float64()))
	for range lesserTops {
		share, width := 0.25+float64(0.5*s.Float64()), 0.15+float64(0.2*s.Float64())
		far := 0.0
		for i, d := range delta {
			e := l.top[i] + d - (0.1 + float64(0.8*s.Float64()))
			far += float64(e * e)
		}
		most = math.Max(most, share*height(far, width))
	}
	return 1 - most
}

func squares(delta []float64) float64 {
	sum := 0.0
	for _, d := range delta {
		sum += float64(d * d)
	}
	return sum
}

// saddle has two tops in the first number, one on either side of the default,
// and a hill in the others.
func (l *landscape) saddle(delta []float64, quadratic float64) float64 {
	a := l.top[0] - 0.5
	e := (delta[0] + a) / a // 0 at the default, 1 at the top, -1 at the lower top
	well := float64(e*e) - 1
	loss := float64(well*well) + float64(wrongSide*math.Min(math.Max(1-e, 0), 2)/2)
	return loss + quadratic - l.weight[0]*float64(delta[0]*delta[0])/l.atDefault()
}

// oblique is a long ridge; the default lies a little off it.
func (l *landscape) oblique(delta []float64) float64 {
	along, length := 0.0, 0.0
	for i, d := range delta {
		a := l.top[i] - 0.5
		if i%2 == 1 {
			a /= 2
		}
		along += float64(d * a)
		length += float64(a * a)
	}
	along = float64(along*along) / length
	return (along + float64(obliqueAcross*math.Max(squares(delta)-along, 0))) / length
}

// moved is a hill whose top lies elsewhere, and lower, with every letter of c1
// but the best.
func (l *landscape) moved(delta []float64, quadratic float64, p Point) float64 {
	if p.C[0] == l.best[0] {
		return quadratic
	}
	sum := 0.0
	for i, d := range delta {
		e := d + l.top[i] - l.second[i]
		sum += l.weight[i] * float64(e*e)
	}
	return movedLoss + float64(sum/l.atDefault())
}
