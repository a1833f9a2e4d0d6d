package count

import "sakusen/engines/battleship"

// An Effort is what a count takes: steps, each about a nanosecond on one core
// of a server of 2020, and bytes of memory beyond the Counter's own.
type Effort struct{ Steps, Bytes float64 }

// formSteps is the steps that one closed form takes for each square of the
// board.
const formSteps = 130

// fewForms is the closed forms that are counted without looking for a cheaper
// way.
const fewForms = 2000

// Effort estimates what Count will take for k; infinite steps if there is no
// way. The estimate is worth a few milliseconds itself when many ships are
// afloat, and hardly anything when at most five are.
func (c *Counter) Effort(k *battleship.Knowledge) Effort {
	t := c.task(k, battleship.Set{})
	if c.least(&t) > t.free.Len()+t.open.Len() {
		return Effort{} // there is no room
	}
	forms := c.Cost(k)
	least := Effort{Steps: forms * formSteps * float64(c.board.Squares())}
	if t.ships-c.single(&t) <= 5 || forms <= fewForms {
		return least
	}
	if swept := c.swept(&t); swept.Steps < least.Steps {
		return swept
	}
	return least
}

// swept is the effort of sweeping a task.
func (c *Counter) swept(t *task) Effort {
	var e Effort
	for open := range c.residues(t) {
		next := *t
		next.loose, next.open = 0, open
		one := c.sweepEffort(&next)
		e.Steps += one.Steps
		e.Bytes = max(e.Bytes, one.Bytes)
	}
	return e
}

func (c *Counter) sweepEffort(t *task) Effort {
	if t.ships == c.single(t) {
		return Effort{Steps: 1000}
	}
	if c.longest(t) < battleship.MaxSide {
		p := c.plan(t)
		return Effort{p.steps, 8 * p.words}
	}
	// A ship as long as a board may be goes through its places.
	from := c.fits(battleship.MaxSide, t.free.Or(t.open), t.open)
	next := *t
	next.left[0]--
	next.ships--
	one := c.sweepEffort(&next)
	one.Steps *= float64(from[0].Len() + from[1].Len())
	return one
}

// choose reports whether a count of a task should be swept.
func (c *Counter) choose(t *task, k *battleship.Knowledge) bool {
	if t.ships-c.single(t) <= 5 || c.least(t) > t.free.Len()+t.open.Len() {
		return false
	}
	forms := c.Cost(k)
	return forms > fewForms && c.swept(t).Steps < forms*formSteps*float64(c.board.Squares())
}

// residues returns the open hits that the loose sinkings of a task leave to the
// ships afloat, with the number of ways in which they do.
func (c *Counter) residues(t *task) map[battleship.Set]int64 {
	ways := map[battleship.Set]int64{}
	var deeper func(loose uint16, open battleship.Set)
	deeper = func(loose uint16, open battleship.Set) {
		if loose == 0 {
			ways[open]++
			return
		}
		next := task{loose: loose, open: open}
		i, from := c.tightest(&next)
		for o, starts := range from {
			for !starts.Empty() {
				deeper(loose&^(1<<i), open.AndNot(c.board.Line(starts.Pop(), c.sinking[i].length, o == 1)))
			}
		}
	}
	deeper(t.loose, t.open)
	return ways
}

// Cost estimates how many closed forms of up to four ships a count of k takes,
// without those for hits when at most four ships are left. One takes 5 to 40
// microseconds.
func (c *Counter) Cost(k *battleship.Knowledge) float64 {
	t := c.task(k, battleship.Set{})
	from := c.starts(&t, t.free, t.open)
	hits := t.open.Len()
	cover := 0 // placements that may cover a hit
	for i := range c.sizes {
		cover += 2 * c.length[i]
	}
	forms := 1.0
	t.ships -= c.single(&t)
	var looped [battleship.MaxShips]int
	for ; t.ships > len(c.kernel.lists); t.ships-- {
		size, fewest := 0, 1<<30
		for i := range c.sizes {
			if n := from[i][0].Len() + from[i][1].Len(); t.left[i] > 0 && c.length[i] > 1 && n < fewest {
				size, fewest = i, n
			}
		}
		t.left[size]--
		if hits > 0 && cover < fewest {
			forms *= float64(cover)
			hits--
			continue
		}
		looped[size]++
		forms *= float64(fewest) / float64(looped[size])
	}
	return forms
}
