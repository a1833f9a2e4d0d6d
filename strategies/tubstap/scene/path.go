package scene

import (
	"fmt"
	"math"
	"strings"

	"sakusen/engines/tubstap"
)

// walk is the cells a unit went through, from its start to its end: a cheapest
// way past its enemies, of several the one whose last steps come first in the
// order right, up, left, down. Where there is none (a record from elsewhere) it
// is the straight line.
func walk(e *tubstap.Acted) [][2]int {
	m, s := e.Board.Map, e.Step
	from, to := [2]int{s.FromX, s.FromY}, [2]int{s.ToX, s.ToY}
	if from == to {
		return [][2]int{from}
	}
	unit := e.Board.Units[s.Unit]
	blocked := map[[2]int]bool{}
	for id, u := range e.Board.Units {
		if u.Team != unit.Team && (u.Alive() || id == s.Target) {
			blocked[[2]int{int(u.X), int(u.Y)}] = true
		}
	}
	const far = math.MaxInt32
	cost := make([]int, m.SizeX*m.SizeY)
	for c := range cost {
		cost[c] = far
	}
	cost[from[1]*m.SizeX+from[0]] = 0
	steps := [4][2]int{{1, 0}, {0, -1}, {-1, 0}, {0, 1}}
	for queue := [][2]int{from}; len(queue) > 0; queue = queue[1:] { // costs are small: settle again where better
		at := queue[0]
		for _, d := range steps {
			next := [2]int{at[0] + d[0], at[1] + d[1]}
			if !m.Playable(next[0], next[1]) || blocked[next] {
				continue
			}
			c := cost[at[1]*m.SizeX+at[0]] + unit.Kind.Cost(m.At(next[0], next[1]))
			if c <= unit.Kind.MovePoints() && c < cost[next[1]*m.SizeX+next[0]] {
				cost[next[1]*m.SizeX+next[0]] = c
				queue = append(queue, next)
			}
		}
	}
	if cost[to[1]*m.SizeX+to[0]] == far {
		return [][2]int{from, to}
	}
	way := [][2]int{to}
	for at := to; at != from; {
		c := cost[at[1]*m.SizeX+at[0]] - unit.Kind.Cost(m.At(at[0], at[1]))
		for _, d := range steps {
			back := [2]int{at[0] - d[0], at[1] - d[1]}
			if m.Playable(back[0], back[1]) && cost[back[1]*m.SizeX+back[0]] == c {
				at = back
				break
			}
		}
		way = append([][2]int{at}, way...)
	}
	return way
}

// drawWalk draws the way a unit came, below the units.
func drawWalk(b *strings.Builder, e *tubstap.Acted) {
	way := walk(e)
	u := e.Board.Units[e.Step.Unit]
	cx, cy := middle(way[0][0], way[0][1])
	if len(way) > 1 {
		fmt.Fprintf(b, `<use class="tb-ghost tb-%s" href="#tb-s%d" x="%d" y="%d"/><path class="tb-way tb-%s" d="M%d %d`,
			u.Team, u.Team, cx, cy, u.Team, cx, cy)
		for _, c := range way[1:] {
			x, y := middle(c[0], c[1])
			fmt.Fprintf(b, "L%d %d", x, y)
		}
		b.WriteString(`"/>`)
	}
	x, y := e.Step.ToX, e.Step.ToY
	fmt.Fprintf(b, `<rect class="tb-here" x="%d" y="%d" width="%d" height="%d" rx="5"/>`, (x-1)*tile+1, (y-1)*tile+1, tile-2, tile-2)
}

// drawAttack draws the blow, the counter-blow and what they took, above the
// units.
func drawAttack(b *strings.Builder, e *tubstap.Acted) {
	s := e.Step
	if s.Target == tubstap.NoUnit {
		return
	}
	ax, ay := middle(s.ToX, s.ToY)
	dx, dy := middle(s.TargetX, s.TargetY)
	lx, ly := float64(dx-ax), float64(dy-ay)
	long := math.Hypot(lx, ly)
	lx, ly = lx/long, ly/long
	// The counter-blow comes back beside the blow.
	drawArrow(b, "tb-blow", float64(ax)+11*lx, float64(ay)+11*ly, float64(dx)-10*lx, float64(dy)-10*ly, -5*ly, 5*lx)
	if s.Counter > 0 {
		drawArrow(b, "tb-counter", float64(dx)-11*lx, float64(dy)-11*ly, float64(ax)+10*lx, float64(ay)+10*ly, 6*ly, -6*lx)
	}
	drawLoss(b, float64(dx)+17*lx, float64(dy)+17*ly, s.Damage)
	if s.Counter > 0 {
		drawLoss(b, float64(ax)-17*lx, float64(ay)-17*ly, s.Counter)
	}
}

// drawArrow draws an arrow, moved sideways by sx, sy.
func drawArrow(b *strings.Builder, class string, x0, y0, x1, y1, sx, sy float64) {
	x0, y0, x1, y1 = x0+sx, y0+sy, x1+sx, y1+sy
	lx, ly := x1-x0, y1-y0
	long := math.Hypot(lx, ly)
	lx, ly = lx/long, ly/long
	bx, by := x1-8*lx, y1-8*ly
	fmt.Fprintf(b, `<path class="%s" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fz"/>`, class,
		x0-2*ly, y0+2*lx, bx-2*ly, by+2*lx, bx-6*ly, by+6*lx, x1, y1, bx+6*ly, by-6*lx, bx+2*ly, by-2*lx, x0+2*ly, y0-2*lx)
}

// drawLoss writes the HP a unit lost where no arrow covers its symbol.
func drawLoss(b *strings.Builder, x, y float64, points int) {
	loss := "0"
	if points > 0 {
		loss = fmt.Sprintf("−%d", points)
	}
	fmt.Fprintf(b, `<text class="tb-loss" x="%.1f" y="%.1f">%s</text>`, x, y+6, loss)
}
