package tubstap

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sakusen/engines/param"
)

// Design says what a generated map is like. Maps are fair: turning the map
// by half a turn exchanges the sides, so only the first move tells them
// apart. The same design gives the same map, everywhere and always.
type Design struct {
	Seed      int
	Width     int // playable columns
	Height    int // playable rows
	Units     int // a side
	Planes    int // per cent of the units that fly, rounded down
	Rough     int // per cent of the cells that are neither plain nor road
	TurnLimit int // half-turns
	Threshold int // HP
}

// Bounds of a design that the rules name.
const (
	maxSeed = 1_000_000
	minSide = 4
	maxSide = 24
	maxArmy = 24
)

// declare binds the design's parameters.
func (d *Design) declare(f *param.Fields) {
	def := DefaultDesign()
	f.Int(&d.Seed, "map_seed", def.Seed, param.Range(0, maxSeed), "seed of the generated map")
	f.Int(&d.Width, "map_width", def.Width, param.Range(minSide, maxSide), "playable columns")
	f.Int(&d.Height, "map_height", def.Height, param.Range(minSide, maxSide), "playable rows")
	f.Int(&d.Units, "map_units", def.Units, param.Range(1, maxArmy), "units a side")
	f.Int(&d.Planes, "map_planes", def.Planes, param.Range(0, 100), "units that fly, per cent")
	f.Int(&d.Rough, "map_rough", def.Rough, param.Range(0, 60), "cells that are forest, mountain, sea or fortress, per cent")
	f.Int(&d.TurnLimit, "map_turn_limit", def.TurnLimit, param.Range(2, 200), "half-turns")
	f.Int(&d.Threshold, "map_threshold", def.Threshold, param.Range(0, 100), "lead in HP that is still a draw, points")
}

// maxTries bounds the search for a map on which the sides can meet.
const maxTries = 1000

// Map makes the map, or explains why the design has none.
func (d *Design) Map() (*Map, error) {
	switch {
	case d.Width < 4 || d.Height < 4 || d.Width > MaxSize-2 || d.Height > MaxSize-2:
		return nil, fmt.Errorf("map_width x map_height %d x %d: want 4 to %d", d.Width, d.Height, MaxSize-2)
	case d.Units < 1 || d.Units*4 > d.Width*d.Height:
		return nil, fmt.Errorf("map_units %d: want 1 to a quarter of the %d cells", d.Units, d.Width*d.Height)
	case d.TurnLimit < 1 || d.Threshold < 0 || d.Planes < 0 || d.Planes > 100 || d.Rough < 0 || d.Rough > 60:
		return nil, fmt.Errorf("map design %+v: a value is out of range", *d)
	}
	for try := range uint64(maxTries) {
		g := generator{Design: *d, rng: rand.New(rand.NewPCG(uint64(d.Seed), try))}
		// On narrow maps a unit and the twin of another may both be placed in the middle
		// column.
		if g.draw(); g.m.Check() == nil && g.connected() {
			return &g.m, nil
		}
	}
	return nil, fmt.Errorf("map design %+v: no map in %d tries on which every ground unit can reach the enemy", *d, maxTries)
}

type generator struct {
	Design
	rng *rand.Rand
	m   Map
}

// roughTerrain is what rough cells are made of, by frequency.
var roughTerrain = []Terrain{Forest, Forest, Forest, Forest, Forest, Mountain, Mountain, Sea, Fortress}

// groundKinds is the mix of ground units: the paper's stand-in has 4 tanks,
// 2 guns, 2 anti-air tanks and 4 infantry among twelve.
var groundKinds = []Kind{Panzer, Infantry, Cannon, AntiAir, Panzer, Infantry}

func (g *generator) draw() {
	m := &g.m
	m.Name = fmt.Sprintf("generated-%d-%dx%d-%d", g.Seed, g.Width, g.Height, g.Units)
	m.SizeX, m.SizeY = g.Width+2, g.Height+2
	m.TurnLimit, m.Threshold = g.TurnLimit, g.Threshold
	m.Slots = [2]int{g.Units, g.Units}
	m.Author, m.Comment = "sakusen", strings.ReplaceAll(m.Name, "-", " ")
	m.Terrain = make([]Terrain, m.SizeX*m.SizeY)
	for c := range m.Terrain {
		if x, y := c%m.SizeX, c/m.SizeX; m.Playable(x, y) && c <= len(m.Terrain)-1-c {
			t := g.terrain()
			m.Terrain[c], m.Terrain[len(m.Terrain)-1-c] = t, t
		}
	}
	g.place()
}

func (g *generator) terrain() Terrain {
	if g.rng.IntN(100) < g.Rough {
		return roughTerrain[g.rng.IntN(len(roughTerrain))]
	}
	if g.rng.IntN(3) == 0 {
		return Road
	}
	return Plain
}

// place puts Red's units in the columns on the left, and Blue's at the same places of the
// map turned by 180 degrees.
func (g *generator) place() {
	m := &g.m
	kinds := make([]Kind, g.Units)
	planes := g.Units * g.Planes / 100
	for i := range kinds {
		kinds[i] = groundKinds[i%len(groundKinds)]
		if i < planes {
			kinds[i] = Kind(i % 2)
		}
	}
	g.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	columns := (g.Units + g.Height*2/3 - 1) / max(1, g.Height*2/3)
	rows := g.rng.Perm(columns * g.Height)[:g.Units]
	blue := make([]Unit, 0, g.Units)
	for i, k := range kinds {
		x, y := 1+rows[i]/g.Height, 1+rows[i]%g.Height
		if k.Cost(m.At(x, y)) >= impassable {
			c := m.cell(x, y)
			m.Terrain[c], m.Terrain[len(m.Terrain)-1-int(c)] = Plain, Plain
		}
		u := Unit{Kind: k, X: int8(x), Y: int8(y), HP: FullHP}
		m.Units = append(m.Units, u)
		u.Team, u.X, u.Y = Blue, int8(m.SizeX-1-x), int8(m.SizeY-1-y)
		blue = append(blue, u)
	}
	m.Units = append(m.Units, blue...)
}

// connected reports whether every unit can reach the start of its twin over cells that it
// can enter. Twins are of one kind, so the two sides can meet.
func (g *generator) connected() bool {
	m := &g.m
	for i := range g.Units {
		u, twin := m.Units[i], m.Units[i+g.Units]
		seen := make([]bool, len(m.Terrain))
		queue := []cell{m.cell(int(u.X), int(u.Y))}
		seen[queue[0]] = true
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			for d := range stepX {
				n := c + cell(stepX[d]) + cell(int(stepY[d])*m.SizeX)
				if !seen[n] && u.Kind.Cost(m.Terrain[n]) < impassable {
					seen[n] = true
					queue = append(queue, n)
				}
			}
		}
		if !seen[m.cell(int(twin.X), int(twin.Y))] {
			return false
		}
	}
	return true
}

// DefaultDesign returns the design whose every value is the default.
func DefaultDesign() Design {
	return Design{Seed: 1, Width: 10, Height: 10, Units: 12, Rough: 35, TurnLimit: 50, Threshold: 10}
}
