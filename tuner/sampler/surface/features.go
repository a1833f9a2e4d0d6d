package surface

import "math"

// group is a kind of features, whose weights share a scale before anything is seen.
type group int

const (
	common  group = iota // the sum of the squares: all sides of a hill are bent the same way
	line                 // numbers
	bend                 // their squares
	product              // products of two numbers
	kink                 // changes of the slope along a number
	level                // values of choices, but the centre's
	shift                // products of a value and a number: a choice may move the top
	both                 // two values together
	one                  // a constant, where the height of the centre is not known
	groups
)

const (
	// mostKnots is the most kinks of a number.
	mostKnots = 15
	// mostOfGroup is the most kinks, the most products of numbers and the most products with values
	// of choices.
	mostOfGroup = 96
)

// features are the features of a point: differences from the centre, at which all but the
// constant are 0. Inactive parameters stand at the centre.
type features struct {
	*box
	group  []group // by feature
	from   [groups]int
	count  [groups]int
	cross  bool
	knots  [][]float64 // by number, the places of its kinks
	kinks  []int       // by number, the first feature of its kinks
	passed []float64   // by kink, how far the centre lies behind it
	levels [][2]int    // choice and value
	first  []int       // by parameter, the first level of a choice
	shifts [][2]int    // level and number
	pairs  [][2]int    // two levels
	z      []float64
	is, on []bool
}

func newFeatures(b *box, constant bool) *features {
	f := &features{box: b, z: make([]float64, len(b.numbers)), on: make([]bool, len(b.axes)), first: make([]int, len(b.axes))}
	for _, i := range b.choices {
		f.first[i] = len(f.levels)
		for v := range b.axes[i].Cells {
			if float64(v) != b.centre[i] {
				f.levels = append(f.levels, [2]int{i, v})
			}
		}
	}
	for l := range f.levels {
		for a := range b.numbers {
			f.shifts = append(f.shifts, [2]int{l, a})
		}
	}
	for l := range f.levels {
		for k := range l {
			if f.levels[l][0] != f.levels[k][0] {
				f.pairs = append(f.pairs, [2]int{l, k})
			}
		}
	}
	if len(f.shifts) > mostOfGroup {
		f.shifts = nil
	}
	if len(f.pairs) > mostOfGroup {
		f.pairs = nil
	}
	f.is = make([]bool, len(f.levels))
	n := len(b.numbers)
	kinks := f.place(min(mostKnots, mostOfGroup/max(1, n)))
	f.count = [groups]int{common: 1, line: n, bend: n, kink: kinks, level: len(f.levels), shift: len(f.shifts), both: len(f.pairs)}
	if products := n * (n - 1) / 2; products <= mostOfGroup {
		f.cross, f.count[product] = true, products
	}
	if constant {
		f.count[one] = 1
	}
	for g, c := range f.count {
		f.from[g] = len(f.group)
		for range c {
			f.group = append(f.group, group(g))
		}
	}
	return f
}

// place lays at most so many knots on the range of each number, on the cells where there are so few,
// and returns the number of all.
func (f *features) place(most int) (all int) {
	for _, i := range f.numbers {
		var at []float64
		if a := &f.axes[i]; a.Cells > 0 && a.Cells <= most+2 {
			for c := 1; c < a.Cells-1; c++ {
				at = append(at, a.Middle(c))
			}
		} else if most > 1 {
			for c := range most {
				at = append(at, float64(c+1)/float64(most+1))
			}
		}
		f.knots, f.kinks = append(f.knots, at), append(f.kinks, all)
		all += len(at)
		for _, t := range at {
			f.passed = append(f.passed, max(f.centre[i]-t, 0))
		}
	}
	return all
}

// has reports whether there are features of a group.
func (f *features) has(g group) bool { return f.count[g] > 0 }

// size returns the number of features.
func (f *features) size() int { return len(f.group) }

// look notes what parameters are active at a point, how far its numbers are from the centre, and what
// levels it has.
func (f *features) look(x []float64) {
	f.mark(f.on, x)
	for a, i := range f.numbers {
		if f.z[a] = 0; f.on[i] {
			f.z[a] = x[i] - f.centre[i]
		}
	}
	for l, v := range f.levels {
		f.is[l] = f.on[v[0]] && x[v[0]] == float64(v[1])
	}
}

// add adds a point's features, times w.
func (f *features) add(phi, x []float64, w float64) {
	f.look(x)
	squares := 0.0
	for a, i := range f.numbers {
		z := float64(w * f.z[a])
		phi[f.from[line]+a] += z
		z *= f.z[a]
		phi[f.from[bend]+a] += z
		squares += z
		if kinks, passed := phi[f.from[kink]+f.kinks[a]:], f.passed[f.kinks[a]:]; f.z[a] != 0 {
			for k, t := range f.knots[a] {
				kinks[k] += float64(w * (max(x[i]-t, 0) - passed[k]))
			}
		}
		if f.cross {
			k := f.from[product] + a*(a-1)/2
			for c := range a {
				phi[k+c] += float64(w * f.z[a] * f.z[c])
			}
		}
	}
	phi[f.from[common]] += squares
	for l, is := range f.is {
		if is {
			phi[f.from[level]+l] += w
		}
	}
	for k, v := range f.shifts {
		if f.is[v[0]] {
			phi[f.from[shift]+k] += float64(w * f.z[v[1]])
		}
	}
	for k, v := range f.pairs {
		if f.is[v[0]] && f.is[v[1]] {
			phi[f.from[both]+k] += w
		}
	}
	if k := f.from[one]; f.has(one) {
		phi[k] += w
	}
}

// part returns what a level adds to the height of the point that was looked at, if no other parameter
// depends on its choice.
func (f *features) part(w []float64, l int) float64 {
	sum := w[f.from[level]+l]
	if f.has(shift) {
		for a, z := range f.z {
			sum += float64(w[f.from[shift]+l*len(f.z)+a] * z)
		}
	}
	for k, v := range f.pairs {
		if v[0] == l && f.is[v[1]] || v[1] == l && f.is[v[0]] {
			sum += w[f.from[both]+k]
		}
	}
	return sum
}

// sweep moves each active number of a point to its best place, the others staying where they are,
// none farther than reach from a given point. It returns how far the one that moved most went.
func (f *features) sweep(w, x, from []float64, reach float64) float64 {
	f.look(x)
	moved := 0.0
	for a, i := range f.numbers {
		if !f.on[i] {
			continue
		}
		slope, bent := f.along(w, a)
		low, high := f.ends(i)
		low, high = math.Max(low, from[i]-reach)-f.centre[i], math.Min(high, from[i]+reach)-f.centre[i]
		at := f.summit(w, a, slope, bent, low, high)
		moved = math.Max(moved, math.Abs(at-f.z[a]))
		f.z[a] = at
		x[i] = at + f.centre[i]
	}
	return moved
}

// summit returns the highest place of a number between two, of which slope and bend at the centre
// are given; slopes change at the knots.
func (f *features) summit(w []float64, a int, slope, bent, low, high float64) float64 {
	c := f.centre[f.numbers[a]]
	kinks, knots := w[f.from[kink]+f.kinks[a]:], f.knots[a]
	best, most := low, math.Inf(-1)
	from, height := low, 0.0 // of the piece that begins at from
	for k := 0; k <= len(knots); k++ {
		to := high
		if k < len(knots) {
			to = math.Min(knots[k]-c, high)
		}
		if to >= from {
			rise := func(z float64) float64 {
				return height + float64(slope*(z-from)) + float64(bent*(float64(z*z)-float64(from*from)))
			}
			if bent < 0 {
				if z := clamp(-slope/(2*bent), from, to); rise(z) > most {
					best, most = z, rise(z)
				}
			} else if rise(from) > most {
				best, most = from, rise(from)
			}
			if rise(to) > most {
				best, most = to, rise(to)
			}
			height, from = rise(to), to
		}
		if k < len(knots) {
			slope += kinks[k]
		}
	}
	return best
}

// along returns the slope at the centre and the bend of the heights along a number.
func (f *features) along(w []float64, a int) (slope, bent float64) {
	slope, bent = w[f.from[line]+a], w[f.from[common]]+w[f.from[bend]+a]
	if f.cross {
		for c, z := range f.z {
			switch {
			case c < a:
				slope += float64(w[f.from[product]+a*(a-1)/2+c] * z)
			case c > a:
				slope += float64(w[f.from[product]+c*(c-1)/2+a] * z)
			}
		}
	}
	n := len(f.numbers)
	for k := a; k < len(f.shifts); k += n {
		if f.is[f.shifts[k][0]] {
			slope += w[f.from[shift]+k]
		}
	}
	return slope, bent
}
