package tubstap

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/tubstap"
)

// tile is the side of a cell of a TUBSTAP board, units of the drawing.
const tile = 40

// terrainClass is the class of a terrain's ground.
var terrainClass = [tubstap.Terrains]string{
	tubstap.Wall: "tb-wall", tubstap.Plain: "tb-plain", tubstap.Sea: "tb-sea", tubstap.Forest: "tb-forest",
	tubstap.Mountain: "tb-mountain", tubstap.Road: "tb-road", tubstap.Fortress: "tb-fort",
}

// detail is what stands on the ground of a terrain: shapes of one class, drawn
// with their cell's corner as the origin. A unit covers the middle of its cell,
// so what tells a terrain lies at the edges too.
type detail struct{ class, shape string }

var terrainDetails = [tubstap.Terrains][]detail{
	tubstap.Wall: {{"tb-joint", "m0 0h40m-40 13h40m-40 13h40m-27-26v13m17 0v13m-17 0v14"}},
	tubstap.Sea:  {{"tb-wave", "m4 8q4-4 8 0t8 0t8 0m-16 13q4-4 8 0t8 0t8 0m-30 13q4-4 8 0t8 0t8 0"}},
	tubstap.Forest: {
		{"tb-trunk", "m8 15h3v4h-3zm21 0h3v4h-3zm-21 19h3v4h-3zm21 0h3v4h-3z"},
		{"tb-tree", "m9.5 2l7 14h-14zm21 0l7 14h-14zm-21 18l7 15h-14zm21 0l7 15h-14zm-10.5-8l6 14h-12z"},
	},
	tubstap.Mountain: {
		{"tb-rock", "m1 37l13-31 9 20 6-12 10 23z"},
		{"tb-shade", "m14 6l9 20-2 11h-9l4-16zm15 8l10 23h-8l1-12z"},
		{"tb-snow", "m14 6l5 11-4-2-2 3-4-1zm15 8l4 9-4-2-3 1z"},
	},
	tubstap.Fortress: {
		{"tb-keep", "m1 1h10v10h-10zm28 0h10v10h-10zm-28 28h10v10h-10zm28 0h10v10h-10zm-18-26h3v2h3v-2h6v2h3v-2h3v6h-18zm0 28h18v6h-18zm-8-20h6v18h-6zm28 0h6v18h-6z"},
		{"tb-slit", "m5 4h2v4h-2zm28 0h2v4h-2zm-28 28h2v4h-2zm28 0h2v4h-2z"},
		{"tb-flag", "m19 29v-15l9 4-7 3.5v7.5z"},
	},
}

// blades are tufts of grass; which of them a plain has depends on its place.
var blades = [...]string{"m6 33l2-5 2 5m2 0l1-4", "m29 9l2-5 2 5m2 0l1-4", "m30 35l2-5 2 5m-28-24l1-4 2 4"}

// Numbers of cells above which a map is drawn more simply, since a film of many
// large drawings grows too large: without grass, and as its ground alone.
const (
	mown = 400
	bare = 1024
)

// drawShapes draws what a drawing uses again and again, each once: terrains,
// plates, symbols, signs.
func drawShapes(b *strings.Builder) {
	b.WriteString("<defs>")
	for t, details := range terrainDetails {
		if len(details) == 0 {
			continue
		}
		fmt.Fprintf(b, `<g id="tb-t%d"><path class="%s" d="M0 0h40v40h-40z"/>`, t, terrainClass[t])
		for _, d := range details {
			fmt.Fprintf(b, `<path class="%s" d="M0 0%s"/>`, d.class, d.shape)
		}
		b.WriteString("</g>")
	}
	for team, d := range unitPlate {
		fmt.Fprintf(b, `<path id="tb-s%d" d="%s"/>`, team, d)
	}
	for kind, d := range unitShape {
		fmt.Fprintf(b, `<path id="tb-k%d" d="%s"/>`, kind, d)
	}
	for digits := 1; digits <= 3; digits++ {
		wide := 5 + 7*digits
		fmt.Fprintf(b, `<rect id="tb-h%d" class="tb-hp" x="%d" y="5" width="%d" height="14" rx="3"/>`, digits, 19-wide, wide)
	}
	b.WriteString(`<g id="tb-done"><circle class="tb-tick" cx="13" cy="-13" r="5.5"/><path class="tb-tickmark" d="M10.5-13l2 2 3-4"/></g></defs>`)
}

// drawTerrain draws the shapes and all playable cells: plain everywhere, roads as runs of cells,
// and the other terrains by their shapes.
func drawTerrain(m *tubstap.Map) string {
	cells := (m.SizeX - 2) * (m.SizeY - 2)
	var ground [tubstap.Terrains]strings.Builder
	var shapes, grass, dashes strings.Builder
	for y := 1; y <= m.SizeY-2; y++ {
		for x := 1; x <= m.SizeX-2; x++ {
			t, left, top := m.At(x, y), (x-1)*tile, (y-1)*tile
			if len(terrainDetails[t]) > 0 && cells <= bare {
				fmt.Fprintf(&shapes, `<use href="#tb-t%d" x="%d" y="%d"/>`, t, left, top)
				continue
			}
			if t != tubstap.Plain && (x == 1 || m.At(x-1, y) != t) {
				run := 1
				for x+run <= m.SizeX-2 && m.At(x+run, y) == t {
					run++
				}
				fmt.Fprintf(&ground[t], "M%d %dh%dv%dh-%dz", left, top, run*tile, tile, run*tile)
			}
			switch {
			case t == tubstap.Road && cells <= bare:
				dashes.WriteString(roadDashes(m, x, y))
			case t == tubstap.Plain && cells <= mown && (x*7+y*13)%4 != 0:
				fmt.Fprintf(&grass, "M%d %d%s", left, top, blades[(x*5+y*3)%len(blades)])
			}
		}
	}
	var b strings.Builder
	drawShapes(&b)
	fmt.Fprintf(&b, `<rect class="%s" width="%d" height="%d"/>`, terrainClass[tubstap.Plain], (m.SizeX-2)*tile, (m.SizeY-2)*tile)
	put := func(class, d string) {
		if d != "" {
			fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, class, d)
		}
	}
	for t := range ground {
		put(terrainClass[t], ground[t].String())
	}
	put("tb-blade", grass.String())
	put("tb-dash", dashes.String())
	b.WriteString(shapes.String())
	put("tb-grid", gridLines(m.SizeX-2, m.SizeY-2))
	return b.String()
}

// roadDashes returns the line along the middle of a road, towards the roads and
// fortresses next to it; a road on its own has one across.
func roadDashes(m *tubstap.Map, x, y int) string {
	var d strings.Builder
	cx, cy := (x-1)*tile+tile/2, (y-1)*tile+tile/2
	for _, step := range [4][2]int{{1, 0}, {0, -1}, {-1, 0}, {0, 1}} {
		if t := m.At(x+step[0], y+step[1]); t == tubstap.Road || t == tubstap.Fortress {
			fmt.Fprintf(&d, "M%d %dl%d %d", cx+4*step[0], cy+4*step[1], 14*step[0], 14*step[1])
		}
	}
	if d.Len() == 0 {
		return fmt.Sprintf("M%d %dh10m6 0h10", cx-13, cy)
	}
	return d.String()
}

func gridLines(columns, rows int) string {
	var d strings.Builder
	for x := range columns + 1 {
		fmt.Fprintf(&d, "M%d 0v%d", x*tile, rows*tile)
	}
	for y := range rows + 1 {
		fmt.Fprintf(&d, "M0 %dh%d", y*tile, columns*tile)
	}
	return d.String()
}

// Sizes of the legend, in a drawing of tubWidth.
const (
	legendColumns = 3
	legendRow     = 31
)

// legendOf explains the kinds of unit and the terrains that a map has, and the
// signs; it says how high it is.
func legendOf(board *tubstap.Board) (drawing string, high int) {
	var b strings.Builder
	n := 0
	item := func(words, drawing string) {
		x, y := 4+n%legendColumns*(tubWidth-4)/legendColumns, n/legendColumns*legendRow
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">%s<text class="tb-note" x="33" y="17">%s</text></g>`, x, y, drawing, words)
		n++
	}
	row := func() { n = (n + legendColumns - 1) / legendColumns * legendColumns }
	for k := range tubstap.Kind(tubstap.Kinds) {
		i := slices.IndexFunc(board.Units, func(u tubstap.Unit) bool { return u.Kind == k })
		if i >= 0 {
			item(unitName[k], legendPlate(board.Units[i].Team, func(b *strings.Builder) { drawSymbol(b, k) }))
		}
	}
	row()
	m := board.Map
	for t := range tubstap.Terrain(tubstap.Terrains) {
		for c, at := range m.Terrain {
			if at == t && m.Playable(c%m.SizeX, c/m.SizeX) {
				item(legendTerrain(t), legendTile(t))
				break
			}
		}
	}
	row()
	item("has acted", legendPlate(tubstap.Red, func(b *strings.Builder) { drawTick(b) }))
	item("HP left", legendPlate(tubstap.Blue, func(b *strings.Builder) { drawHP(b, 7) }))
	item("acts now", `<rect class="tb-here" x="2" y="1" width="23" height="23" rx="3"/>`)
	var arrow strings.Builder
	drawArrow(&arrow, "tb-blow", 2, 13, 26, 13, 0, 0)
	item("attack", arrow.String())
	arrow.Reset()
	drawArrow(&arrow, "tb-counter", 26, 13, 2, 13, 0, 0)
	item("counter-blow", arrow.String())
	item("destroyed", fmt.Sprintf(`<path class="tb-burst" transform="translate(13 13) scale(.65)" d="%s"/>`, burst))
	row()
	return b.String(), n / legendColumns * legendRow
}

func legendPlate(t tubstap.Team, draw func(b *strings.Builder)) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<g class="tb-%s" transform="translate(13 13) scale(.72)">`, t)
	drawPlate(&b, t)
	draw(&b)
	b.WriteString("</g>")
	return b.String()
}

// legendTile returns a cell of a terrain.
func legendTile(t tubstap.Terrain) string {
	inside := fmt.Sprintf(`<use href="#tb-t%d"/>`, t)
	switch ground := fmt.Sprintf(`<path class="%s" d="M0 0h40v40h-40z"/>`, terrainClass[t]); t {
	case tubstap.Plain:
		inside = fmt.Sprintf(`%s<path class="tb-blade" d="M0 0%s"/>`, ground, blades[2])
	case tubstap.Road:
		inside = ground + `<path class="tb-dash" d="M7 20h10m6 0h10"/>`
	}
	return `<g transform="translate(1 1) scale(.62)">` + inside + "</g>"
}

// legendTerrain returns a terrain with its defence.
func legendTerrain(t tubstap.Terrain) string {
	switch stars := t.Stars(); {
	case t == tubstap.Wall:
		return "wall, no entry"
	case t == tubstap.Sea:
		return "sea, planes only"
	default:
		return fmt.Sprintf("%s, %d★", t, stars)
	}
}
