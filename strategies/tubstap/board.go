package tubstap

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/tubstap"
)

// Sizes of what surrounds a TUBSTAP board, units of the drawing.
const (
	tubRim    = 24  // column and row numbers
	tubHead   = 64  // the head over a board of tubWidth
	tubWidth  = 400 // the narrowest drawing
	tubBorder = 6
)

// tubstapScene is what one picture of TUBSTAP shows.
type tubstapScene struct {
	board   *tubstap.Board
	acted   *tubstap.Acted // what was just done; nil between turns
	terrain string         // of the map, drawn
	names   []string       // of the players
	from    int            // HP of the stronger side at the start, the length of the bars
	over    string         // the result, once there is one
	legend  bool           // below the board
	label   string         // what a screen reader says
}

// draw returns the picture.
func (s *tubstapScene) draw() string {
	m := s.board.Map
	columns, rows := m.SizeX-2, m.SizeY-2
	width := columns*tile + tubRim + tubBorder
	full := max(width, tubWidth)
	scale := float64(full) / tubWidth
	head := int(tubHead * scale)
	board := head + tubRim + rows*tile + tubBorder
	legend, high := "", 0
	if s.legend {
		legend, high = legendOf(s.board)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="board tubstap" viewBox="0 0 %d %d" role="group" aria-label="%s">`,
		full, board+int(float64(high)*scale), html.EscapeString(s.label))
	fmt.Fprintf(&b, `<g transform="scale(%.3f)">`, scale)
	s.drawHead(&b)
	b.WriteString("</g>")
	left := (full-width)/2 + tubRim
	fmt.Fprintf(&b, `<g transform="translate(%d %d)"><rect class="tb-frame" x="-2" y="-2" width="%d" height="%d" rx="3"/>`,
		left, head+tubRim, columns*tile+4, rows*tile+4)
	for x := range columns {
		fmt.Fprintf(&b, `<text class="tb-rim" x="%d" y="-7">%d</text>`, x*tile+tile/2, x+1)
	}
	for y := range rows {
		fmt.Fprintf(&b, `<text class="tb-rim" x="-13" y="%d">%d</text>`, y*tile+tile/2+5, y+1)
	}
	b.WriteString(s.terrain)
	s.drawUnits(&b)
	b.WriteString("</g>")
	if s.legend {
		fmt.Fprintf(&b, `<g transform="translate(0 %d) scale(%.3f)">%s</g>`, board+4, scale, legend)
	}
	b.WriteString("</svg>")
	return b.String()
}

// drawUnits draws the way of the unit that acted, all units, and its attack.
func (s *tubstapScene) drawUnits(b *strings.Builder) {
	if s.acted != nil {
		drawWalk(b, s.acted)
	}
	for id, u := range s.board.Units {
		switch {
		case u.Alive():
			look := ""
			if s.acted != nil && s.acted.Step.Unit == id {
				look = " tb-now"
			}
			drawUnit(b, s.board.Map, id, u, look)
		case s.acted != nil && (s.acted.Step.Target == id || s.acted.Step.Unit == id):
			drawFallen(b, u)
		}
	}
	if s.acted != nil {
		drawAttack(b, s.acted)
	}
}

// drawHead draws the turn, whose it is, and the HP of both sides as bars.
func (s *tubstapScene) drawHead(b *strings.Builder) {
	turn := fmt.Sprintf("turn %d of %d", min(s.board.Counter+1, s.board.Map.TurnLimit), s.board.Map.TurnLimit)
	if s.over != "" {
		turn = s.over
	}
	fmt.Fprintf(b, `<text class="tb-turn" x="200" y="16">%s</text>`, html.EscapeString(turn))
	for _, t := range []tubstap.Team{tubstap.Red, tubstap.Blue} {
		hp := s.board.HP(t)
		bar := 0
		if s.from > 0 {
			bar = min(120, 120*hp/s.from)
		}
		x, barX, nameX, textX, anchor := 18, 38, 38, 162, "tb-left"
		if t == tubstap.Blue {
			x, barX, nameX, textX, anchor = 382, 362-bar, 362, 238, "tb-right"
		}
		fmt.Fprintf(b, `<g class="tb-%s"><use class="tb-plate" href="#tb-s%d" transform="translate(%d 40) scale(.75)"/>`, t, t, x)
		if s.over == "" && s.board.Mover == t {
			d := "M-5-6l9 6-9 6z"
			if t == tubstap.Blue {
				d = "M5-6l-9 6 9 6z"
			}
			fmt.Fprintf(b, `<path class="tb-mover" transform="translate(%d 40)" d="%s"><title>%s to move</title></path>`, x, d, t)
		}
		fmt.Fprintf(b, `<text class="tb-name %s" x="%d" y="35">%s</text>`, anchor, nameX, html.EscapeString(s.caption(t)))
		back := 38
		if t == tubstap.Blue {
			back = 242
		}
		fmt.Fprintf(b, `<rect class="tb-trough" x="%d" y="41" width="120" height="11" rx="3"/>`, back)
		if bar > 0 {
			fmt.Fprintf(b, `<rect class="tb-bar" x="%d" y="41" width="%d" height="11" rx="3"/>`, barX, bar)
		}
		fmt.Fprintf(b, `<text class="tb-sum %s" x="%d" y="51">%d</text></g>`, anchor, textX, hp)
	}
	b.WriteString(`<text class="tb-unit" x="200" y="51">HP</text>`)
}

// caption returns a side's name and player.
func (s *tubstapScene) caption(t tubstap.Team) string {
	name := []rune(s.names[t])
	if len(name) > 16 {
		name = append(name[:15], '…')
	}
	if len(name) == 0 {
		return t.String()
	}
	return t.String() + ": " + string(name)
}

// unitShape is the symbol of a kind around the origin, looking right.
var unitShape = [tubstap.Kinds]string{
	tubstap.Fighter:  "M14 0l-9-2.5-5-9h-3l2 9-6 .5-3-3.5h-2.5l1.5 5.5-1.5 5.5h2.5l3-3.5 6 .5-2 9h3l5-9z",
	tubstap.Attacker: "M13 0q-1-3-5-3h-4v-2h3v-2h-3v-5h-5v5h-3v2h3v2h-5l-2-3.5h-3v13h3l2-3.5h5v2h-3v2h3v5h5v-5h3v-2h-3v-2h4q4 0 5-3z",
	tubstap.Panzer:   "M-13 3h25l2 3-3 5h-22l-4-5zM-8-4q0-2 2-2h8q2 0 2 2h10v2.5h-10v3h-12z",
	tubstap.Cannon:   "M-13 3h25l2 3-3 5h-22l-4-5zM-9-3h8l11-10 2.5 2.8-10.5 9.7v2.5h-11z",
	tubstap.AntiAir:  "M-13 3h25l2 3-3 5h-22l-4-5zM-4-1l7-12 2 1.2-6 10.8h4l6-10.8 2 1.2-6 10.6v1.5h-14v-2.5h1.5l-3-4q-1-5 3-7l1.5 6.5-1 .5 2 4z",
	tubstap.Infantry: "M-6-8q0-5 5-5t5 5h1.5v2.5h-12.5v-2.5zM-4-4h6.5q0 3-3.2 3t-3.3-3zM-7 1h9l10-6 1.2 2-9.2 6v8h-12z",
}

// unitName is the kind in a caption.
var unitName = [tubstap.Kinds]string{"fighter", "attack plane", "tank", "gun", "anti-air tank", "infantry"}

// unitPlate is the plate below a symbol: sides differ in shape as in colour.
var unitPlate = [2]string{
	tubstap.Red:  "M-15-10q0-5 5-5h20q5 0 5 5v20q0 5-5 5h-20q-5 0-5-5z",
	tubstap.Blue: "M0-17.5l13.5 6.5 4 11-4 11-13.5 6.5-13.5-6.5-4-11 4-11z",
}

// middle returns the middle of a cell of the board.
func middle(x, y int) (cx, cy int) { return (x-1)*tile + tile/2, (y-1)*tile + tile/2 }

// drawUnit draws a unit where it stands; look adds classes to it.
func drawUnit(b *strings.Builder, m *tubstap.Map, id int, u tubstap.Unit, look string) {
	cx, cy := middle(int(u.X), int(u.Y))
	class := "tb-" + u.Team.String()
	state := ""
	if u.Finished {
		class, state = class+" tb-acted", ", has acted"
	}
	t := m.At(int(u.X), int(u.Y))
	fmt.Fprintf(b, `<g class="%s%s" role="img" transform="translate(%d %d)"><title>%s %s %d, %d HP%s, at (%d,%d) on %s, %d stars</title>`,
		class, look, cx, cy, u.Team, unitName[u.Kind], id, u.HP, state, u.X, u.Y, t, u.Kind.Stars(t))
	drawPlate(b, u.Team)
	drawSymbol(b, u.Kind)
	if u.Finished {
		drawTick(b)
	}
	drawHP(b, int(u.HP))
	b.WriteString("</g>")
}

// drawPlate draws a side's plate and drawSymbol a kind's symbol; the style sheet turns
// Blue's symbols to the left. drawTick marks a unit that has acted.
func drawPlate(b *strings.Builder, t tubstap.Team) {
	fmt.Fprintf(b, `<use class="tb-plate" href="#tb-s%d"/>`, t)
}

func drawSymbol(b *strings.Builder, k tubstap.Kind) {
	fmt.Fprintf(b, `<use class="tb-symbol" href="#tb-k%d"/>`, k)
}

func drawTick(b *strings.Builder) { b.WriteString(`<use href="#tb-done"/>`) }

// drawHP writes a unit's HP.
func drawHP(b *strings.Builder, points int) {
	digits := len(strconv.Itoa(points))
	fmt.Fprintf(b, `<use href="#tb-h%d"/><text class="tb-hpnumber" x="%s" y="16.5">%d</text>`, digits, film.Length(19-float64(5+7*digits)/2), points)
}

// drawFallen marks where a unit was destroyed.
func drawFallen(b *strings.Builder, u tubstap.Unit) {
	cx, cy := middle(int(u.X), int(u.Y))
	fmt.Fprintf(b, `<g class="tb-fallen tb-%s" role="img" transform="translate(%d %d)"><title>%s %s destroyed</title><path class="tb-burst" d="%s"/>`,
		u.Team, cx, cy, u.Team, unitName[u.Kind], burst)
	drawSymbol(b, u.Kind)
	b.WriteString("</g>")
}

// burst is a star of many points.
const burst = "M0-20l4 7 7-4 0 8 8 0-4 7 5 4-7 3 3 7-8-1-1 8-6-5-5 6-4-7-7 3 1-8-8-1 5-6-5-5 7-3-2-8 8 1z"

// walk returns the cells a unit went through, from its start to its end: a cheapest
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
