package laboratory

import (
	"math"
	"math/rand/v2"
)

// unseenForms are kinds of landscapes by which no constant of the search was chosen.
var unseenForms = []string{"corner", "cornersmall", "maxnorm", "rosen", "egg", "saturate", "ratios", "net", "fourier", "cyclic", "lossy", "thirds", "few", "needleslope", "quiet"}

// newUnseen draws the landscape of the rules.
func newUnseen(r unseenRules) *unseen {
	d := r.dimensions
	rng := rand.New(rand.NewPCG(uint64(r.seed)*7919+uint64(len(r.form)), uint64(d)))
	between := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	u := &unseen{scale: 1, draws: 0.3, top: 60}
	o, w := make([]float64, d), make([]float64, d)
	for i := range d {
		u.base = append(u.base, 0.5)
		o[i] = between(0.05, 0.95)
		w[i] = math.Exp(between(-1, 1))
	}
	hill := func(x []float64) float64 {
		s := 0.0
		for i := range x {
			s += w[i] * (x[i] - o[i]) * (x[i] - o[i])
		}
		return s
	}
	u.height = func(x []float64) float64 { return -hill(x) }
	switch r.form {
	case "corner": // the baseline near an end of each range, the top anywhere: 150 Elo
		for i := range u.base {
			u.base[i] = between(0, 0.2)
		}
		u.top = 150
	case "cornersmall": // both near the same end
		for i := range u.base {
			u.base[i] = between(0, 0.15)
			o[i] = between(0.02, 0.3)
		}
	case "maxnorm": // the worst number alone counts
		u.height = func(x []float64) float64 {
			s := 0.0
			for i := range x {
				s = math.Max(s, w[i]*math.Abs(x[i]-o[i]))
			}
			return -s
		}
	case "rosen": // a bent valley (Rosenbrock 1960), by its logarithm
		u.height = func(x []float64) float64 {
			s := 0.0
			for i := 1; i < len(x); i++ {
				a, b := 2*x[i-1]-o[i-1]*2+0.6, 2*x[i]-o[i]*2+0.36
				s += 5*(b-a*a)*(b-a*a) + (0.6-a)*(0.6-a)
			}
			return -math.Log1p(4 * s)
		}
	case "egg": // waves of two numbers each on a hill
		u.height = egg(hill, phases(d, 6, between))
	case "saturate": // more is better, or worse, ever less so
		u.height = func(x []float64) float64 {
			s := 0.0
			for i := range x {
				sign := 1.0
				if i%3 == 0 {
					sign = -1
				}
				s += w[i] * (1 - math.Exp(-5*x[i])) * sign
			}
			return s
		}
	case "ratios": // the direction of the weights alone counts, as in an evaluation
		truth := make([]float64, d)
		for i := range truth {
			truth[i] = rng.NormFloat64()
			u.base[i] = between(0.3, 0.8)
		}
		u.height = cosine(truth)
	case "net": // a net of eight hidden units
		u.height = net(d, 8, rng)
	case "fourier": // forty waves of random direction
		u.height = waves(d, 40, rng, between)
	case "cyclic": // a hill on which players also beat one another in a circle
		sa, sb := make([]float64, d), make([]float64, d)
		for i := range sa {
			sa[i], sb[i] = rng.NormFloat64()*2, rng.NormFloat64()*2
		}
		u.skew = circle(u.base, sa, sb, between(-1, 1))
	case "lossy": // most of the box loses every game
		u.height = func(x []float64) float64 { h := hill(x); return -h - 30*h*h }
	case "thirds": // level in each third of a number
		level := make([]float64, 3*d)
		for i := range level {
			level[i] = rng.Float64()
		}
		if level[1] > max(level[0], level[2]) {
			level[0], level[1] = level[1], level[0] // the baseline is not the top
		}
		u.height = func(x []float64) float64 {
			s := 0.0
			for i := range x {
				s += level[3*i+min(2, int(3*x[i]))]
			}
			return s
		}
	case "few": // two of many count, and together
		u.height = func(x []float64) float64 {
			a, b := x[0]-o[0], x[d-1]-o[d-1]
			return -(a*a + b*b + 1.2*a*b)
		}
	case "needleslope": // all tops at ends of ranges, steeper near them than a parabola
		u.height = func(x []float64) float64 {
			s := 0.0
			for i := range x {
				s += w[i] * math.Pow(math.Abs(x[i]-math.Round(o[i])), 1.5)
			}
			return -s
		}
	case "quiet": // nearly all games are draws, and 30 Elo
		u.draws, u.top = 0.9, 30
	}
	skew := u.skew
	u.skew = nil
	u.scale = u.top / u.find(rng, o)
	if u.skew = skew; skew != nil {
		u.top = u.find(rng, o)
	}
	return u
}

func phases(n int, most float64, between func(low, high float64) float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = between(0, most)
	}
	return all
}

func egg(hill func(x []float64) float64, phase []float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		s := -2 * hill(x)
		for i := range x {
			s += 0.25 * math.Cos(7*x[i]+phase[i]) * math.Cos(5*x[(i+1)%len(x)]+phase[i]*2)
		}
		return s
	}
}

func cosine(truth []float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		a, b, c := 0.0, 1e-9, 0.0
		for i := range x {
			v := 2*x[i] - 1
			a += v * truth[i]
			b += v * v
			c += truth[i] * truth[i]
		}
		return a / math.Sqrt(b*c)
	}
}

func net(d, hidden int, rng *rand.Rand) func(x []float64) float64 {
	in, out := make([][]float64, hidden), make([]float64, hidden)
	for k := range in {
		out[k] = rng.NormFloat64()
		for range d + 1 {
			in[k] = append(in[k], rng.NormFloat64()*3/math.Sqrt(float64(d)))
		}
	}
	return func(x []float64) float64 {
		s := 0.0
		for k := range in {
			t := in[k][d]
			for i := range x {
				t += in[k][i] * (2*x[i] - 1) * 1.5
			}
			s += out[k] * math.Tanh(t)
		}
		return s
	}
}

func waves(d, n int, rng *rand.Rand, between func(low, high float64) float64) func(x []float64) float64 {
	number, phase := make([][]float64, n), make([]float64, n)
	for j := range number {
		for range d {
			number[j] = append(number[j], rng.NormFloat64()*4/math.Sqrt(float64(d)/2))
		}
		phase[j] = between(0, 2*math.Pi)
	}
	return func(x []float64) float64 {
		s := 0.0
		for j := range number {
			t := phase[j]
			for i := range x {
				t += number[j][i] * x[i]
			}
			s += math.Cos(t)
		}
		return s
	}
}

// circle is a part of a pairing that is not a difference of heights: of rank two.
func circle(base, first, second []float64, off float64) func(a, b []float64) float64 {
	at := func(x []float64) (p, q float64) {
		for i := range x {
			p += first[i] * (x[i] - base[i])
			q += second[i] * (x[i] - base[i])
		}
		return math.Sin(p), math.Sin(q)
	}
	return func(a, b []float64) float64 {
		p, q := at(a)
		s, t := at(b)
		return 40 * ((p+off)*(t+1) - (q+1)*(s+off)) / 1.5
	}
}
