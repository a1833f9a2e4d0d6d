package laboratory

import (
	"math"
	"slices"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// draw is the chance by which a landscape is drawn.
type draw struct{ arena.Stream }

// between draws from a range, ratio from one in which ratios are equal, count from the whole
// numbers of one, of which small ones are as likely as large ones.
func (d *draw) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

func (d *draw) ratio(low, high float64) float64 { return low * math.Pow(high/low, d.Float64()) }

func (d *draw) count(of [2]int) int {
	return min(int(d.ratio(float64(of[0]), float64(of[1])+1)), of[1])
}

func (d *draw) chance(p float64) bool { return d.Float64() < p }

// weights returns how much the numbers of a term count.
func (d *draw) weights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = d.ratio(0.4, 2.5)
	}
	return w
}

// direction draws a vector of length 1.
func (d *draw) direction(n int) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = math.Sqrt(-2*math.Log(1-d.Float64())) * math.Cos(2*math.Pi*d.Float64())
	}
	unit(a)
	return a
}

func pick[T any](d *draw, of []T) T { return of[d.IntN(len(of))] }

// draw draws the landscape of a kind, and the table at which it is played.
func (k *row) draw(r *Rules) *land {
	h := uint64(0)
	for _, b := range []byte(k.name) {
		h = fold(h, uint64(b)) // kinds with the same seed have nothing in common
	}
	d := &draw{arena.NewStream(uint64(r.landscapeSeed), h)}
	p := usual()
	k.set(d, &p)
	r.table = p.table
	b := builder{draw: d, plan: &p, land: &land{scale: 1}}
	b.build(r)
	return b.land
}

// builder makes a landscape of a plan.
type builder struct {
	*draw
	*plan
	*land
	from, to []float64 // places of the baseline and of the top
	terms    []term
	shares   []float64 // of the terms, of the height
}

func (b *builder) build(r *Rules) {
	n := b.count(b.plan.numbers)
	for i := range n {
		b.number(anyway)
		if b.ordered && i > 0 {
			b.land.numbers[i].domain, b.land.numbers[i].after = b.land.numbers[0].domain, i-1
		}
	}
	if b.ordered {
		slices.Sort(b.from)
		slices.Sort(b.to)
		for i := range n {
			b.settle(i)
		}
	}
	order := b.order(n)
	if m := b.matter; m[1] > 0 {
		order = order[:min(len(order), b.count(m))]
	}
	for len(order) > 0 {
		size := len(order)
		if b.group[1] > 0 {
			size = min(size, b.count(b.group))
		}
		b.shape(order[:size])
		order = order[size:]
	}
	for _, c := range b.plan.choices {
		c(b)
	}
	b.finish(r)
}

// order returns the numbers of 0 to n-1 in a drawn order.
func (d *draw) order(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	d.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// number draws a number with the places of the baseline and of the top.
func (b *builder) number(under when) int {
	i := len(b.land.numbers)
	n := pick(b.draw, b.axes)(b.draw)
	n.when, n.after = under, -1
	b.land.numbers = append(b.land.numbers, n)
	base := b.between(b.at[0], b.at[1])
	top := b.away(base)
	b.from, b.to = append(b.from, base), append(b.to, top)
	b.settle(i)
	for b.from[i] == b.to[i] { // a lattice has put both on one point
		b.to[i] = b.Float64()
		b.settle(i)
	}
	return i
}

// away draws the place of a top: not at the baseline, one in eight at an end of the range.
func (b *builder) away(base float64) float64 {
	top := base
	for math.Abs(top-base) < 0.12 {
		top = b.Float64()
		if b.chance(b.ends) {
			top = math.Round(top)
		}
	}
	return base + b.far*(top-base)
}

// settle puts a number's places on values that it can take.
func (b *builder) settle(i int) {
	n := &b.land.numbers[i]
	n.base, n.top = n.short(b.from[i]), n.short(b.to[i])
	b.from[i], b.to[i] = n.place(n.base), n.place(n.top)
}

// hollow draws a loss about a bottom, 1 at the baseline's numbers.
func (b *builder) hollow(members []int, bottom []float64) hollow {
	h := hollow{members: members, bottom: bottom}
	away := make([]float64, len(members))
	for k, i := range members {
		away[k] = b.from[i] - bottom[k]
	}
	for {
		of := pick(b.draw, b.forms)(b.draw, away)
		if !(of(away) > 1e-9) {
			continue // as that of an angle that is a whole turn away
		}
		of = of.scaled(away)
		for _, t := range b.twists {
			of = t(b.draw, away, of).scaled(away)
		}
		h.loss = of
		return h
	}
}

// scaled returns a loss in units of what it is at the baseline.
func (of loss) scaled(away []float64) loss {
	unit := of(away)
	return func(z []float64) float64 { return of(z) / unit }
}

// times multiplies what a hollow loses beside its gap.
func (h hollow) times(x float64) hollow {
	of := h.loss
	h.loss = func(z []float64) float64 { return x * of(z) }
	return h
}

// of returns the places of members.
func of(places []float64, members []int) []float64 {
	out := make([]float64, len(members))
	for k, i := range members {
		out[k] = places[i]
	}
	return out
}

// shape adds a term of numbers, with lower tops beside the highest where the plan has some.
func (b *builder) shape(members []int) {
	t := term{hollows: []hollow{b.hollow(members, of(b.to, members))}}
	if b.others[1] > 0 {
		for range b.count(b.others) {
			bottom := make([]float64, len(members))
			for k := range bottom {
				bottom[k] = b.Float64()
			}
			h := b.hollow(members, bottom).times(b.between(0.3, 1))
			h.gap = b.between(0.2, 0.7)
			t.hollows = append(t.hollows, h)
		}
	}
	b.add(t, b.ratio(0.5, 2)*float64(len(members)))
}

func (b *builder) add(t term, share float64) {
	b.terms = append(b.terms, t)
	b.shares = append(b.shares, share)
}

// choose adds a choice whose best value is not the baseline's.
func (b *builder) choose(values int, under when) int {
	c := choice{values: values, base: b.IntN(values), when: under}
	c.top = (c.base + 1 + b.IntN(values-1)) % values
	b.land.choices = append(b.land.choices, c)
	return len(b.land.choices) - 1
}

// finish gives the terms their shares, and the top the Elo that it shall have.
func (b *builder) finish(r *Rules) {
	terms, choices := b.terms, b.land.choices
	base := b.base()
	u, total := b.places(base), 0.0
	for i := range terms {
		terms[i].scale = b.shares[i]
		if at := terms[i].lost(u, base.C, choices) / terms[i].scale; at > 0 {
			terms[i].scale /= at
			total += b.shares[i]
		}
	}
	b.lost = func(u []float64, c []int) float64 {
		sum := 0.0
		for i := range terms {
			sum += terms[i].lost(u, c, choices)
		}
		return sum / total
	}
	r.order = b.order(r.starts)
	b.along = [2][]float64{b.direction(len(u)), b.direction(len(u))}
	elo := b.ratio(b.headroom[0], b.headroom[1]) * r.headroom / usualHeadroom
	low, high := 0.0, 1.0
	for high < 1e5 && elo > r.elo(high, 0) {
		low, high = high, 2*high
	}
	for range 60 {
		if b.height = (low + high) / 2; r.elo(b.height, 0) < elo {
			low = b.height
		} else {
			high = b.height
		}
	}
	if elo == 0 {
		b.height = 0
	}
}

// straight and the functions below draw the scale of a number.
func straight(*draw) number { return number{domain: param.Range(0, 1)} }

func spread(d *draw) number {
	span := digits(d.ratio(1e-6, 1e6), 2)
	low := 0.0
	if d.Bool() {
		low = -span
	}
	return number{domain: param.Range(low, span)}
}

func logarithmic(d *draw) number {
	low := digits(d.ratio(1e-4, 1), 2)
	return number{domain: param.Log(low, digits(low*d.ratio(100, 1e6), 2))}
}

func whole(d *draw) number {
	low := float64(d.IntN(40) - 20)
	return number{whole: true, domain: param.Range(low, low+math.Floor(d.ratio(4, 400)))}
}

func lattice(d *draw) number {
	step := pick(d, []float64{0.05, 0.1, 0.2, 0.5, 2, 5, 10})
	low := float64(d.IntN(5)-2) * step
	return number{domain: param.Grid(low, low+step*float64(d.count([2]int{5, 40})), step)}
}

func bentScale(d *draw) number {
	bend := d.between(2, 6)
	if d.Bool() {
		bend = -bend
	}
	return number{domain: param.Range(0, 1), bend: bend}
}

// digits returns a number of so many digits: the same on every processor.
func digits(x float64, n int) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	return x
}

// short returns a value of few digits at a place.
func (n *number) short(u float64) float64 {
	x := n.value(u)
	if n.domain.Step > 0 {
		return x
	}
	return math.Min(math.Max(digits(x, 6), n.domain.Low), n.domain.High)
}
