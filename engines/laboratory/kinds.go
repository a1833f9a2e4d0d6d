package laboratory

// plan is what a kind draws. usual has what a row does not set.
type plan struct {
	numbers [2]int // least and most of them, conditional ones not counted
	matter  [2]int // how many of them count; 0 is all
	axes    []func(*draw) number
	ordered bool       // each number is at least as large as the one before
	at      [2]float64 // where the baseline's places lie
	far     float64    // distance of the top, of a usual one
	ends    float64    // share of the top's numbers that are ends of their ranges
	group   [2]int     // numbers of a term; 0 is all
	forms   []form
	twists  []twist
	others  [2]int // lower tops of a term
	choices []func(*builder)

	headroom [2]float64 // Elo
	table    table
}

func usual() plan {
	return plan{
		numbers: [2]int{2, 8}, axes: []func(*draw) number{straight}, at: [2]float64{0.3, 0.7}, far: 1, ends: 0.125,
		forms: []form{bowl(2, 2)}, headroom: [2]float64{40, 90}, table: table{players: 2, drawRate: 0.4},
	}
}

// row is a kind: what it sets of the plan.
type row struct {
	name, doc string
	set       func(d *draw, p *plan)
}

// drawn begins the names of landscapes of which everything is drawn.
const drawn = "drawn-"

// Kinds returns the landscapes of which everything is drawn, as the option landscape has them.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = drawn + kinds[i].name
	}
	return names
}

var anyScale = []func(*draw) number{straight, spread, logarithmic, whole, lattice, bentScale}

var kinds = []row{
	{"smooth", "a quadratic hill of 1 to 16 numbers", func(d *draw, p *plan) { p.numbers = [2]int{1, 16} }},
	{"ridge", "a long ridge in a direction of its own", func(d *draw, p *plan) { p.forms, p.numbers = []form{ridge}, [2]int{2, 12} }},
	{"bent", "a ridge that bends", func(d *draw, p *plan) { p.forms = []form{bent} }},
	{"basin", "a small good region near the baseline", func(d *draw, p *plan) {
		p.far, p.ends, p.twists = d.between(0.1, 0.3), 0, []twist{basin}
	}},
	{"near", "a top near the baseline on ground that is steep everywhere else", func(d *draw, p *plan) { p.far, p.ends = d.between(0.05, 0.2), 0 }},
	{"cone", "as steep at the top as below", func(d *draw, p *plan) { p.twists = []twist{cone} }},
	{"roots", "tops like square roots in every number", func(d *draw, p *plan) { p.forms = []form{bowl(0.5, 1)} }},
	{"flat", "flat at the top", func(d *draw, p *plan) { p.forms = []form{bowl(3, 6)} }},
	{"lopsided", "steeper beyond the top than before it", func(d *draw, p *plan) { p.forms = []form{lopsided} }},
	{"steps", "a hill in steps", func(d *draw, p *plan) { p.twists, p.numbers = []twist{steps}, [2]int{1, 5} }},
	{"pits", "rare deep pits", func(d *draw, p *plan) { p.twists = []twist{pits} }},
	{"cliff", "a cliff behind the top", func(d *draw, p *plan) { p.twists = []twist{cliff} }},
	{"lossy", "most of the range loses every game", func(d *draw, p *plan) { p.twists = []twist{lossy} }},
	{"angles", "numbers whose range is a circle", func(d *draw, p *plan) { p.forms, p.at = []form{angles}, [2]float64{0, 1} }},
	{"corners", "little gained of two to four numbers unless all are near ends of their ranges", func(d *draw, p *plan) {
		p.forms, p.ends, p.group, p.numbers = []form{locks}, 1, [2]int{2, 4}, [2]int{2, 6}
	}},
	{"locks", "little gained unless all numbers are near the top", func(d *draw, p *plan) { p.forms, p.numbers = []form{locks}, [2]int{2, 4} }},
	{"product", "a product of what the numbers give", func(d *draw, p *plan) { p.forms = []form{product} }},
	{"worst", "only the worst number counts", func(d *draw, p *plan) { p.forms = []form{worst} }},
	{"ripples", "waves in every number", func(d *draw, p *plan) { p.twists = []twist{ripples} }},
	{"rough", "waves in random directions", func(d *draw, p *plan) { p.twists = []twist{rough} }},
	{"tops", "lower tops beside the highest", func(d *draw, p *plan) { p.others, p.numbers = [2]int{1, 4}, [2]int{1, 5} }},
	{"groups", "numbers in groups of different forms", func(d *draw, p *plan) {
		p.numbers, p.group = [2]int{4, 16}, [2]int{1, 4}
		p.forms = []form{bowl(1, 3), ridge, bent, lopsided, product, worst, locks}
	}},
	{"few", "two to four of many numbers count", func(d *draw, p *plan) { p.numbers, p.matter = [2]int{12, 40}, [2]int{2, 4} }},
	{"idle", "numbers and choices of which most do nothing", func(d *draw, p *plan) {
		p.numbers, p.matter = [2]int{4, 12}, [2]int{1, 3}
		p.choices = []func(*builder){func(b *builder) {
			b.opens(false)
			for range 1 + b.IntN(4) {
				b.choose(2+b.IntN(3), anyway)
			}
		}}
	}},
	{"many", "24 to 64 numbers", func(d *draw, p *plan) { p.numbers = [2]int{24, 64} }},
	{"scales", "ranges of 1e-6 to 1e6", func(d *draw, p *plan) { p.axes = []func(*draw) number{spread} }},
	{"logs", "two to six decades on a logarithmic scale", func(d *draw, p *plan) { p.axes = []func(*draw) number{logarithmic} }},
	{"bent-scales", "linear ranges of what works by its logarithm", func(d *draw, p *plan) { p.axes = []func(*draw) number{bentScale} }},
	{"lattices", "integers and steps", func(d *draw, p *plan) { p.axes = []func(*draw) number{whole, lattice} }},
	{"ordered", "numbers in ascending order", func(d *draw, p *plan) { p.ordered, p.numbers = true, [2]int{2, 6} }},
	{"edge", "a baseline near ends of the ranges", func(d *draw, p *plan) { p.at, p.headroom = [2]float64{0, 0.15}, [2]float64{60, 150} }},
	{"high", "far to go", func(d *draw, p *plan) { p.headroom = [2]float64{150, 400} }},
	{"low", "little to gain", func(d *draw, p *plan) { p.headroom = [2]float64{10, 30} }},
	{"switches", "two-valued choices in pairs", func(d *draw, p *plan) {
		p.numbers = [2]int{1, 2}
		p.choices = []func(*builder){func(b *builder) {
			for range 2 + b.IntN(4) {
				b.pair(b.chance(0.3))
			}
		}}
	}},
	{"category", "a choice that moves the top of the numbers", func(d *draw, p *plan) {
		p.choices, p.matter = []func(*builder){func(b *builder) { b.moves(b.order(len(b.from)), false) }}, [2]int{1, 2}
	}},
	{"deceptive", "a choice that is better only after its numbers are tuned", func(d *draw, p *plan) {
		p.choices, p.matter, p.numbers = []func(*builder){func(b *builder) { b.moves(b.order(len(b.from)), true) }}, [2]int{1, 2}, [2]int{2, 5}
	}},
	{"conditions", "choices with numbers of their own", func(d *draw, p *plan) {
		p.numbers, p.choices = [2]int{1, 4}, []func(*builder){func(b *builder) { b.opens(false) }}
	}},
	{"trap", "a choice with numbers of its own that pays only once they are tuned", func(d *draw, p *plan) {
		p.numbers, p.choices = [2]int{1, 3}, []func(*builder){func(b *builder) { b.opens(true) }}
	}},
	{"tree", "choices under choices with numbers of their own", func(d *draw, p *plan) {
		p.numbers, p.choices = [2]int{1, 3}, []func(*builder){func(b *builder) { b.tree(b.chance(0.3)) }}
	}},
	{"mixed", "numbers of all scales, switches and choices with conditions", func(d *draw, p *plan) {
		p.numbers, p.axes, p.group, p.forms = [2]int{2, 8}, anyScale, [2]int{1, 4}, []form{bowl(1, 3), ridge, product}
		p.choices = []func(*builder){func(b *builder) { b.pair(false); b.opens(b.chance(0.3)) }}
	}},
	{"cycle", "players that beat one another in a circle", func(d *draw, p *plan) { p.table.cycle, p.numbers = d.between(40, 200), [2]int{2, 5} }},
	{"three", "three players", func(d *draw, p *plan) { p.table = table{players: 3} }},
	{"four", "four players", func(d *draw, p *plan) { p.table = table{players: 4} }},
	{"seats", "two to four seats, of which the first is worth much", func(d *draw, p *plan) {
		p.table = table{players: 2 + d.IntN(3), seatElo: d.between(100, 400)}
	}},
	{"quiet", "nearly all games are drawn", func(d *draw, p *plan) { p.table.drawRate, p.headroom = d.between(0.8, 0.95), [2]float64{20, 60} }},
	{"swings", "positions without end that suit some players and not others", func(d *draw, p *plan) { p.table.swing = d.between(60, 200) }},
	{"starts", "few starting positions that suit some players and not others", func(d *draw, p *plan) {
		p.table.swing, p.table.starts, p.table.declared = d.between(60, 200), 2*d.count([2]int{10, 100})+1, d.Bool()
	}},
	{"luck", "blocks that are lucky for one side", func(d *draw, p *plan) { p.table.noise = d.between(60, 250) }},
	{"common", "games that are decided by chance that all players share", func(d *draw, p *plan) { p.table.correlation = d.between(0.3, 0.8) }},
	{"any", "all of these at once", func(d *draw, p *plan) {
		p.numbers, p.axes, p.group = [2]int{1, 24}, anyScale, [2]int{1, 6}
		p.at, p.headroom = pick(d, [][2]float64{{0.3, 0.7}, {0.05, 0.95}, {0, 0.2}}), [2]float64{30, 120}
		p.forms = []form{bowl(0.7, 3), bowl(2, 2), ridge, bent, lopsided, product, worst, locks, angles}
		p.far = pick(d, []float64{1, 1, 1, 0.3})
		if d.chance(0.5) {
			p.twists = []twist{pick(d, []twist{basin, cone, steps, ripples, rough, pits, cliff, lossy})}
		}
		if d.chance(0.3) {
			p.others = [2]int{1, 3}
		}
		if d.chance(0.3) {
			p.matter = [2]int{2, 6}
		}
		if d.chance(0.5) {
			p.choices = []func(*builder){pick(d, []func(*builder){
				func(b *builder) { b.pair(b.chance(0.3)) }, func(b *builder) { b.opens(b.chance(0.3)) }, func(b *builder) { b.tree(b.chance(0.3)) },
			})}
		}
		p.table = table{players: pick(d, []int{2, 2, 2, 3, 4}), seatElo: d.between(0, 150) * float64(d.IntN(2))}
		if p.table.players == 2 {
			p.table.drawRate, p.table.cycle = d.between(0, 0.8), d.between(40, 150)*float64(d.IntN(4)/3)
			if d.chance(0.3) {
				p.table.swing, p.table.starts = d.between(40, 150), pick(d, []int{0, 51, 201})
			}
		}
	}},
}

// pair adds two switches of which one alone gains less than half, or less than none where it
// deceives.
func (b *builder) pair(deceives bool) {
	i, j := b.choose(2, anyway), b.choose(2, anyway)
	t := term{choices: []int{i, j}, hollows: make([]hollow, 4)}
	one := [2]float64{0.55, 0.8}
	if deceives {
		one = [2]float64{1, 1.4}
	}
	c := b.land.choices
	for k := range t.hollows {
		wrong := 0
		if k/2 != c[i].top {
			wrong++
		}
		if k%2 != c[j].top {
			wrong++
		}
		switch wrong {
		case 1:
			t.hollows[k].gap = b.between(one[0], one[1])
		case 2:
			t.hollows[k].gap = 1
		}
	}
	b.add(t, b.ratio(0.5, 2))
}

// moves adds a choice with whose values the numbers have different tops.
func (b *builder) moves(members []int, deceives bool) {
	j := b.choose(2+b.IntN(4), anyway)
	t, c := term{choices: []int{j}}, b.land.choices[j]
	for v := range c.values {
		bottom := of(b.to, members)
		if v != c.top {
			for k, i := range members {
				bottom[k] = b.away(b.from[i])
			}
		}
		t.hollows = append(t.hollows, b.branch(c, v, members, bottom, deceives))
	}
	b.add(t, 2*float64(len(members)))
}

// opens adds a choice whose values have numbers of their own.
func (b *builder) opens(deceives bool) {
	j := b.choose(2+b.IntN(4), anyway)
	t := term{choices: []int{j}}
	for v := range b.land.choices[j].values {
		t.hollows = append(t.hollows, b.own(j, v, deceives))
	}
	b.add(t, 3)
}

// tree adds a choice whose best value has another choice, each with numbers of its own.
func (b *builder) tree(deceives bool) {
	i := b.choose(2+b.IntN(2), anyway)
	outer := b.land.choices[i]
	j := b.choose(2+b.IntN(2), when{i, outer.top})
	t := term{choices: []int{i, j}}
	for v := range outer.values {
		inner := b.land.choices[j].values
		if v == outer.top {
			for w := range inner {
				t.hollows = append(t.hollows, b.own(j, w, deceives))
			}
			continue
		}
		h := b.own(i, v, deceives)
		for range inner {
			t.hollows = append(t.hollows, h)
		}
	}
	b.add(t, 3)
}

// own returns what a value of a choice loses that has up to three numbers of its own; the
// best value has some.
func (b *builder) own(j, v int, deceives bool) hollow {
	c := b.land.choices[j]
	var members []int
	if v == c.top || b.chance(0.7) {
		for range 1 + b.IntN(3) {
			members = append(members, b.number(when{j, v}))
		}
	}
	return b.branch(c, v, members, of(b.to, members), deceives)
}

// branch returns what a value of a choice loses: at the baseline's numbers 1 with the
// baseline's value, and with the best one more where the choice deceives, else less.
func (b *builder) branch(c choice, v int, members []int, bottom []float64, deceives bool) hollow {
	gap, more := b.between(0.5, 0.9), b.between(0.2, 0.8)
	switch {
	case v == c.top && deceives:
		gap, more = 0, b.between(1.1, 1.8)
	case v == c.top:
		gap = 0
	case v == c.base:
		more = 1 - gap
	}
	if len(members) == 0 {
		return hollow{gap: gap + more}
	}
	h := b.hollow(members, bottom).times(more)
	h.gap = gap
	return h
}
