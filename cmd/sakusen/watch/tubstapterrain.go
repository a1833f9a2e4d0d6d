package watch

import (
	"fmt"
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

// bare is the number of cells above which a map shows its ground alone: on a
// page nothing else of it could be told, and a film would grow too large.
const bare = 1024

// drawTerrain draws the ground of all playable cells, one path a class: a map
// of any size stays one of a few dozen elements.
func drawTerrain(m *tubstap.Map) string {
	var b strings.Builder
	var ground [tubstap.Terrains]strings.Builder
	var stand [tubstap.Terrains][3]strings.Builder
	var grass, dashes strings.Builder
	for y := 1; y <= m.SizeY-2; y++ {
		for x := 1; x <= m.SizeX-2; x++ {
			t := m.At(x, y)
			if x == 1 || m.At(x-1, y) != t {
				run := 1
				for x+run <= m.SizeX-2 && m.At(x+run, y) == t {
					run++
				}
				fmt.Fprintf(&ground[t], "M%d %dh%dv%dh-%dz", (x-1)*tile, (y-1)*tile, run*tile, tile, run*tile)
			}
			if len(m.Terrain) > bare {
				continue
			}
			at := fmt.Sprintf("M%d %d", (x-1)*tile, (y-1)*tile)
			for i, d := range terrainDetails[t] {
				stand[t][i].WriteString(at + d.shape)
			}
			switch {
			case t == tubstap.Road:
				dashes.WriteString(roadDashes(m, x, y))
			case t == tubstap.Plain && (x*7+y*13)%4 != 0:
				grass.WriteString(at + blades[(x*5+y*3)%len(blades)])
			}
		}
	}
	put := func(class, d string) {
		if d != "" {
			fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, class, d)
		}
	}
	for t := range tubstap.Terrain(tubstap.Terrains) {
		put(terrainClass[t], ground[t].String())
		for i, d := range terrainDetails[t] {
			put(d.class, stand[t][i].String())
		}
	}
	put("tb-blade", grass.String())
	put("tb-dash", dashes.String())
	put("tb-grid", gridLines(m.SizeX-2, m.SizeY-2))
	return b.String()
}

// roadDashes is the line along the middle of a road, towards the roads and
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
