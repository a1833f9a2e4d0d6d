package battleship

import (
	"fmt"
	"strings"

	"sakusen/engines/battleship"
)

// cell returns a square of a side's own fleet: the ship's letter, or water.
func cell(n *navy, s battleship.Square) string {
	for i, line := range n.ships {
		if line.Has(s) {
			return string(rune('A' + i))
		}
	}
	return "."
}

// draw draws a board, a text of up to two characters for each square.
func (g *consoleGame) draw(of func(s battleship.Square) string) string {
	b := g.table.Board()
	var text strings.Builder
	text.WriteString("  ")
	for column := range b.Width() {
		fmt.Fprintf(&text, "%3c", 'a'+column)
	}
	text.WriteString("\n")
	for row := range b.Height() {
		fmt.Fprintf(&text, "%2d", row+1)
		for column := range b.Width() {
			fmt.Fprintf(&text, "%3s", of(b.At(column, row)))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// show draws both boards beside each other: what the person knows of the enemy,
// and the person's fleet with the enemy's shots.
func (g *consoleGame) show() {
	mine, other := g.sides[g.Seat()], g.sides[1-g.Seat()]
	enemy := g.draw(func(s battleship.Square) string {
		switch k := mine.view.Knowledge; {
		case k.Misses().Has(s):
			return "o"
		case k.Settled().Has(s):
			return "#"
		case k.Hits().Has(s):
			return "x"
		}
		return "."
	})
	own := g.draw(func(s battleship.Square) string {
		switch k := other.view.Knowledge; {
		case k.Misses().Has(s):
			return "o"
		case k.Hits().Has(s):
			return "*" + cell(mine, s)
		}
		return cell(mine, s)
	})
	left, right := strings.Split(enemy, "\n"), strings.Split(own, "\n")
	width := len(left[0])
	g.Show("\n%-*s      %s\n", width, "the enemy", "you (* hit)")
	for i := range left[:len(left)-1] {
		g.Show("%-*s    %s\n", width, left[i], right[i])
	}
	var afloat []string
	fleet := g.table.Fleet()
	for i := range fleet.Ships() {
		if mine.view.IsAfloat(i) {
			afloat = append(afloat, fmt.Sprintf("%s %d", fleet.Ship(i).Class, fleet.Length(i)))
		}
	}
	if len(afloat) > 0 {
		g.Show("afloat: %s\n", strings.Join(afloat, ", "))
	}
}

// heatSteps is the most that a map may take, steps of about a nanosecond.
const heatSteps = 5e9

// showHeat draws the exact probability of a ship on every square not shot,
// percent, for fleets placed anywhere.
func (g *consoleGame) showHeat(mine *navy) {
	if e := g.counter.Effort(mine.view.Knowledge); e.Steps > heatSteps || e.Bytes > 1<<30 {
		g.Show("too many placements for a map of chances yet: %d ships afloat, %d squares not shot\n",
			mine.view.Afloat(), mine.view.Unshot().Len())
		return
	}
	g.counter.Count(mine.view.Knowledge)
	total := g.counter.Total().Float()
	g.Show("%s placements agree; the chance of a ship, percent:\n%s", g.counter.Total(),
		g.draw(func(s battleship.Square) string {
			if mine.view.Shots().Has(s) {
				return "-"
			}
			return fmt.Sprint(int(100*g.counter.At(s).Float()/total + 0.5))
		}))
}
