package laboratory

import "math"

// loss is what is lost at a distance from a bottom: 0 at none, more at any other.
type loss func(z []float64) float64

// form draws a loss. away is the distance of the baseline, at which the loss has to be
// positive; what it is there does not matter.
type form func(d *draw, away []float64) loss

// twist changes a loss of 1 at the baseline into another one, that is 0 where it was.
type twist func(d *draw, away []float64, of loss) loss

// bowl returns a sum of weighted powers of the distances.
func bowl(least, most float64) form {
	return func(d *draw, away []float64) loss {
		w, p := d.weights(len(away)), d.between(least, most)
		return func(z []float64) float64 {
			sum := 0.0
			for i, x := range z {
				sum += w[i] * math.Pow(math.Abs(x), p)
			}
			return sum
		}
	}
}

// lopsided returns a bowl that is steeper beyond the bottom than on the baseline's side.
func lopsided(d *draw, away []float64) loss {
	w, steep := d.weights(len(away)), d.ratio(3, 30)
	return func(z []float64) float64 {
		sum := 0.0
		for i, x := range z {
			v := w[i] * x * x
			if x*away[i] < 0 {
				v *= steep
			}
			sum += v
		}
		return sum
	}
}

// ridge returns a loss that is steep across a direction and gentle along it.
func ridge(d *draw, away []float64) loss {
	axis, steep := d.direction(len(away)), d.ratio(4, 60)
	if d.chance(0.5) { // the baseline stands on the ridge
		for i := range axis {
			axis[i] = away[i] + 0.1*axis[i]
		}
		unit(axis)
	}
	return func(z []float64) float64 {
		along := dot(axis, z)
		along *= along
		return along + steep*math.Max(dot(z, z)-along, 0)
	}
}

// bent returns a ridge along which each number follows the square of the one before.
func bent(d *draw, away []float64) loss {
	steep, curve := d.ratio(3, 20), d.between(1, 2.5)
	return func(z []float64) float64 {
		sum := z[0] * z[0]
		for i := 1; i < len(z); i++ {
			e := z[i] - curve*z[i-1]*z[i-1]
			sum += steep * e * e
		}
		return sum
	}
}

// worst counts the number alone that is farthest from its bottom.
func worst(d *draw, away []float64) loss {
	w := d.weights(len(away))
	return func(z []float64) float64 {
		most := 0.0
		for i, x := range z {
			most = math.Max(most, w[i]*math.Abs(x))
		}
		return most
	}
}

// angles returns a sum over numbers whose range is a circle.
func angles(d *draw, away []float64) loss {
	w := d.weights(len(away))
	return func(z []float64) float64 {
		sum := 0.0
		for i, x := range z {
			s := math.Sin(math.Pi * x)
			sum += w[i] * s * s
		}
		return sum
	}
}

// locks gains little unless all numbers are near the bottom.
func locks(d *draw, away []float64) loss {
	width := d.between(0.15, 0.3)
	return func(z []float64) float64 { return 1 - math.Exp(-dot(z, z)/(2*width*width)) }
}

// product multiplies what the numbers give, each between a rest and 1.
func product(d *draw, away []float64) loss {
	rest, w := d.between(0.1, 0.5), d.weights(len(away))
	return func(z []float64) float64 {
		p := 1.0
		for i, x := range z {
			p *= rest + (1-rest)*math.Exp(-4*w[i]*x*x)
		}
		return 1 - p
	}
}

// basin returns a loss that is level far from the bottom.
func basin(d *draw, away []float64, of loss) loss {
	depth := d.between(3, 8)
	return func(z []float64) float64 { return depth * (1 - math.Exp(-of(z)/depth)) }
}

// cone returns a loss that is as steep at the bottom as elsewhere.
func cone(d *draw, away []float64, of loss) loss {
	return func(z []float64) float64 { return math.Sqrt(of(z)) }
}

// steps goes down to the bottom in steps.
func steps(d *draw, away []float64, of loss) loss {
	n := float64(3 + d.IntN(6))
	return func(z []float64) float64 { return math.Ceil(n*of(z)-1e-9) / n }
}

// ripples has a wave on it in every number.
func ripples(d *draw, away []float64, of loss) loss {
	n, depth := d.between(2, 6), d.between(0.05, 0.25)
	return func(z []float64) float64 {
		sum := 0.0
		for _, x := range z {
			sum += 1 - math.Cos(2*math.Pi*n*x)
		}
		return of(z) + depth*sum/float64(len(z))
	}
}

// rough multiplies the loss by a mixture of waves in random directions.
func rough(d *draw, away []float64, of loss) loss {
	const waves = 8
	var along [waves][]float64
	var phase [waves]float64
	for i := range along {
		along[i] = d.direction(len(away))
		for k := range along[i] {
			along[i][k] *= d.between(5, 15)
		}
		phase[i] = d.between(0, 2*math.Pi)
	}
	deep := d.between(0.4, 0.9)
	return func(z []float64) float64 {
		sum := 0.0
		for i := range along {
			sum += math.Sin(dot(along[i], z) + phase[i])
		}
		return of(z) * (1 + deep*math.Tanh(sum/2))
	}
}

// pits returns a loss with rare deep cells of two numbers, none at the bottom or the
// baseline.
func pits(d *draw, away []float64, of loss) loss {
	size, share, depth, salt := d.between(0.08, 0.2), d.between(0.05, 0.15), d.between(2, 6), d.Uint64()
	shift := [2]float64{d.Float64(), d.Float64()}
	cell := func(z []float64) uint64 {
		h := salt
		for i := range min(2, len(z)) {
			h = fold(h, uint64(int64(math.Floor(z[i]/size+shift[i]))))
		}
		return h
	}
	none := [2]uint64{cell(make([]float64, len(away))), cell(away)}
	return func(z []float64) float64 {
		at := cell(z)
		if at == none[0] || at == none[1] || float64(at>>11)*0x1p-53 >= share {
			return of(z)
		}
		return of(z) + depth
	}
}

// cliff falls a little beyond the bottom, seen from the baseline.
func cliff(d *draw, away []float64, of loss) loss {
	edge, depth := d.between(0.02, 0.1), d.between(1, 3)
	axis := append([]float64(nil), away...)
	unit(axis)
	return func(z []float64) float64 {
		if dot(axis, z) < -edge {
			return of(z) + depth
		}
		return of(z)
	}
}

// lossy loses nearly all games in most of the range.
func lossy(d *draw, away []float64, of loss) loss {
	steep := d.ratio(2, 20)
	return func(z []float64) float64 { q := of(z); return q * (1 + steep*math.Max(0, q-1)) }
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// unit gives a vector the length 1.
func unit(a []float64) {
	if n := math.Sqrt(dot(a, a)); n > 0 {
		for i := range a {
			a[i] /= n
		}
	}
}
