package rating

import "math"

// Twice is a pair of candidates that met at a cheap and at a dear setting, on blocks of
// their own: by how much of a point a game the first was ahead at each, with the variance of
// that.
type Twice struct {
	Cheap, Dear           float64
	CheapNoise, DearNoise float64
}

// Linked is what pairs that met at both settings say of the cheap one.
type Linked struct {
	Pairs                 int
	Cheap, Dear           float64 // mean leads
	CheapError, DearError float64 // their standard errors
	DearNoise             float64 // mean variance of the noise of one dear pair
	// Slope is the dear lead over the cheap one, with its standard error and 95 % interval;
	// NaN where the cheap lead is less than two standard errors.
	Slope, SlopeError float64
	SlopeCI           [2]float64
}

// Link works out what a lead at the cheap setting is worth at the dear one. The first of each
// pair is whom the cheap games believe ahead, so that noise in them does not pull the ratio of
// the means to 0, as it does the slope of a regression (A. Wald, The fitting of straight lines
// if both variables are subject to error, 1940). The error is the delta method's.
func Link(pairs []Twice) Linked {
	l := Linked{Pairs: len(pairs), Slope: math.NaN(), SlopeError: math.NaN()}
	n := float64(max(1, len(pairs)))
	cheap, dear := 0.0, 0.0
	for _, p := range pairs {
		l.Cheap += p.Cheap / n
		l.Dear += p.Dear / n
		cheap += p.CheapNoise / n
		dear += p.DearNoise / n
	}
	l.DearNoise = dear
	l.CheapError, l.DearError = math.Sqrt(cheap/n), math.Sqrt(dear/n)
	if len(pairs) < 2 || l.Cheap <= 2*l.CheapError {
		return l
	}
	l.Slope = l.Dear / l.Cheap
	own := float64(l.Slope * l.CheapError)
	l.SlopeError = math.Hypot(l.DearError, own) / l.Cheap
	l.SlopeCI = [2]float64{l.Slope - float64(1.96*l.SlopeError), l.Slope + float64(1.96*l.SlopeError)}
	return l
}

// Shrunk is the slope drawn to 1 as far as it is uncertain: what is believed of it before is
// 1, give or take one half.
func (l *Linked) Shrunk() float64 {
	const before = 0.5
	own := 1 / float64(l.SlopeError*l.SlopeError)
	prior := 1 / float64(before*before)
	return (prior + float64(own*l.Slope)) / (prior + own)
}
