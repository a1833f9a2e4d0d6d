package laboratory

import (
	"math"

	"sakusen/engines/arena"
)

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
