package scene

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/tubstap"
)

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

// legendTile is a cell of a terrain.
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

// legendTerrain is a terrain with its defence.
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
