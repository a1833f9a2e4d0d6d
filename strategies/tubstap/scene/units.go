package scene

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/tubstap"
)

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

// middle is the middle of a cell of the board.
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
