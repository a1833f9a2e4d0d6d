package tubstap

import (
	"bytes"
	"math"
	"testing"
)

// TestGeneratedFair: turned by half a turn, the map is itself with the sides
// exchanged; the design alone decides it; it reads back.
func TestGeneratedFair(t *testing.T) {
	seen := map[string]bool{}
	for seed := range 200 {
		d := Design{Seed: seed, Width: 6 + seed%9, Height: 5 + seed%7, Units: 2 + seed%6, Planes: seed % 50, Rough: seed % 60, TurnLimit: 50, Threshold: 10}
		m, err := d.Map()
		if err != nil {
			t.Fatalf("%+v: %v", d, err)
		}
		text := m.AppendText(nil)
		again, _ := d.Map()
		if !bytes.Equal(text, again.AppendText(nil)) {
			t.Fatalf("%+v: two maps", d)
		}
		read, warnings, err := ParseMap(text)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%+v: %v %v", d, err, warnings)
		}
		seen[string(text)] = true
		for c := range m.Terrain {
			if m.Terrain[c] != m.Terrain[len(m.Terrain)-1-c] {
				t.Fatalf("%+v: terrain is not symmetric", d)
			}
		}
		for i := range d.Units {
			u, twin := read.Units[i], read.Units[i+d.Units]
			if u.Kind != twin.Kind || int(u.X)+int(twin.X) != m.SizeX-1 || int(u.Y)+int(twin.Y) != m.SizeY-1 || u.Team == twin.Team {
				t.Fatalf("%+v: units %v and %v are no twins", d, u, twin)
			}
		}
		s := m.Start(Rules{})
		if x, y := s.LogMoves(Red), s.LogMoves(Blue); math.Abs(x-y) > 1e-9 {
			t.Errorf("%+v: complexity %v for red, %v for blue", d, x, y)
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d different maps of 200", len(seen))
	}
}

func TestDesignErrors(t *testing.T) {
	for _, d := range []Design{{}, {Width: 3, Height: 9, Units: 1, TurnLimit: 9}, {Width: 5, Height: 5, Units: 7, TurnLimit: 9}, {Width: 5, Height: 5, Units: 2}} {
		if m, err := d.Map(); err == nil {
			t.Errorf("%+v gives %v", d, m)
		}
	}
}

// TestGeneratedBounds: every size and army within the bounds has a map, at the
// greatest roughness too, and its sides are each other turned.
func TestGeneratedBounds(t *testing.T) {
	sides := []int{minSide, 5, 6, 7, maxSide}
	for _, width := range sides {
		for _, height := range sides {
			most := min(maxArmy, width*height/4)
			for _, units := range []int{1, max(1, most/2), most} {
				for _, rough := range []int{0, 35, 60} {
					d := Design{Seed: width, Width: width, Height: height, Units: units, Planes: 25, Rough: rough, TurnLimit: 50, Threshold: 10}
					m, err := d.Map()
					if err != nil {
						t.Errorf("%+v: %v", d, err)
						continue
					}
					red, blue := m.Start(Rules{}), m.StartSwapped(Rules{})
					if red.Alive(Red) != units || red.Alive(Blue) != units || red.HP(Red) != red.HP(Blue) || choices(red) != choices(blue) {
						t.Errorf("%+v: %d units against %d, %d actions and %d with the sides swapped", d, red.Alive(Red), red.Alive(Blue), choices(red), choices(blue))
					}
				}
			}
		}
	}
}

// choices returns the number of actions that the mover's units have.
func choices(s *State) int {
	n := 0
	for id := range s.Units() {
		if s.Movable(id) {
			n += len(s.AppendActions(nil, id))
		}
	}
	return n
}
