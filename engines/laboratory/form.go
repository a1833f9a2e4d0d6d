package laboratory

import "math"

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
)

// shaped is the loss of a point, in units of the default's loss, for the forms that have a
// rule of their own; ok is false for the others, which are in landscape.loss. delta is how
// far each number lies from the top on the scale 0..1, quadratic the loss on a plain hill.
func (l *landscape) shaped(delta []float64, quadratic float64, p Point) (loss float64, ok bool) {
	switch l.rules.form {
	case Basin:
		return basinDepth * (1 - math.Exp(-quadratic/basinDepth)), true
	case Cone:
		return math.Sqrt(quadratic), true
	case Narrow:
		peak := math.Exp(-squares(delta) / float64(2*narrowWidth*narrowWidth*float64(len(delta))))
		return float64((1-narrowShare)*quadratic) + float64(narrowShare*(1-peak)), true
	case Steps:
		return math.Ceil(float64(stepsUp*quadratic)-1e-9) / stepsUp, true
	case Saddle:
		return l.saddle(delta, quadratic), true
	case Oblique:
		return l.oblique(delta), true
	case Moved:
		return l.moved(delta, quadratic, p), true
	case Locks:
		return 1 - math.Exp(-squares(delta)/float64(2*lockWidth*lockWidth)), true
	}
	return 0, false
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
