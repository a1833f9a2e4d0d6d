package rating

import (
	"fmt"
	"math"
	"slices"
)

// choice is one place won from a field of players that includes the winner.
type choice struct {
	winner int
	field  []int
	weight float64
}

// fit is the likelihood of Luce's choice model for a set of choices: the winner
// is drawn with chance strength/(sum of strengths in the field).
type fit struct {
	n       int
	choices []choice
}

func newFit(n int) *fit { return &fit{n: n} }

func (f *fit) add(c choice) { f.choices = append(f.choices, c) }

// solve maximises the likelihood over the players that are linked to player 0.
func (f *fit) solve() Abilities {
	linked := f.linked()
	a := Abilities{Ability: make([]Number, f.n), SE: make([]Number, f.n)}
	var left []int
	for p := range f.n {
		if !linked[p] {
			left = append(left, p)
		}
	}
	if left != nil {
		a.Reason = fmt.Sprintf("no finite estimate for players %v: no chain of wins links them to player 0 in both directions", left)
	}
	// Against everybody else the linked players always win or always lose; in
	// the limit those choices say nothing about the order among the linked.
	inside := &fit{n: f.n}
	for _, c := range f.choices {
		if !linked[c.winner] {
			continue
		}
		// Players that the linked always beat leave the field. One that always
		// beats the linked cannot be in a field that a linked player won.
		c.field = slices.DeleteFunc(slices.Clone(c.field), func(p int) bool { return !linked[p] })
		if len(c.field) > 1 {
			inside.add(c)
		}
	}
	log := inside.newton(inside.minorise(linked), linked)
	variance := inside.variance(log, linked)
	for p := range f.n {
		if linked[p] {
			a.Ability[p] = Known(log[p] - log[0])
			a.SE[p] = Known(math.Sqrt(variance[p]))
		}
	}
	return a
}

// linked tells who beats player 0 by some chain of wins and is beaten by him by
// another: among those the maximum is finite (L. R. Ford, 1957).
func (f *fit) linked() []bool {
	reach := func(forward bool) []bool {
		seen := make([]bool, f.n)
		seen[0] = true
		for grown := true; grown; {
			grown = false
			for _, c := range f.choices {
				for _, p := range c.field {
					from, to := c.winner, p
					if !forward {
						from, to = to, from
					}
					if seen[from] && !seen[to] {
						seen[to], grown = true, true
					}
				}
			}
		}
		return seen
	}
	down, up := reach(true), reach(false)
	for p := range down {
		down[p] = down[p] && up[p]
	}
	return down
}
