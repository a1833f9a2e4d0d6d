package worth

import "math"

// A curve holds the tables of power; it is filled once and only read.
type curve struct {
	centre [128]struct{ inverse, log float64 } // of 1 + (i + 1/2)/128, log to base 2
	root   [64]float64                         // 2^(i/64)
}

var tables = newCurve()

func newCurve() *curve {
	c := &curve{}
	for i := range c.centre {
		x := 1 + (float64(i)+0.5)/128
		c.centre[i].inverse, c.centre[i].log = 1/x, math.Log2(x)
	}
	for i := range c.root {
		c.root[i] = math.Exp2(float64(i) / 64)
	}
	return c
}

// power is t^x for t in [0, 1] and x > 0, within 1e-12 relative for x to 100;
// below 2^-1000 it is 0. math.Pow takes about five times as long, because it
// serves all of the plane to the last bit.
func power(t, x float64) float64 {
	if t < 1e-300 {
		return 0
	}
	bits := math.Float64bits(t)
	c := &tables.centre[bits>>45&127]
	// t = 2^e m with m in [1, 2), and m = centre (1 + r) with |r| < 1/256.
	r := float64(math.Float64frombits(bits&(1<<52-1)|1023<<52)*c.inverse) - 1
	r2 := float64(r * r)
	ln := r + float64(r2*(float64(r*(1./3))-0.5)) + float64(float64(r2*r2)*(float64(r*(1./5))-0.25))
	y := float64(x * (float64(int(bits>>52)-1023) + c.log + float64(ln*math.Log2E)))
	if y < -1000 {
		return 0
	}
	// 2^y = 2^(k/64) 2^f with |f| <= 1/128.
	k := int(float64(y*64)+(1<<20)+0.5) - 1<<20
	f := float64((y - float64(float64(k)*(1./64))) * math.Ln2)
	f2 := float64(f * f)
	e := 1 + f + float64(f2*(0.5+float64(f*(1./6)))) + float64(float64(f2*f2)*(1./24+float64(f*(1./120))))
	return float64(float64(e*tables.root[k&63]) * math.Float64frombits(uint64(1023+k>>6)<<52))
}
