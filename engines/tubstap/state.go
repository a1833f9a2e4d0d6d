package tubstap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// NoUnit stands where a unit id is absent.
const NoUnit = -1

// State is a position and the turn it stands in. It changes by Do and
// EndTurn, without allocation. A state
// has scratch memory of its own and belongs to one goroutine; Clone makes
// another.
type State struct {
	field
	mover    Team
	counter  int  // half-turns played
	resigned Team // the side that gave up, or Nobody
}

// field is what stands where, and what it can reach and do to the others.
type field struct {
	m       *Map
	rules   Rules
	power   power
	units   []Unit
	at      []int16 // cell -> unit id or NoUnit
	alive   [2]int
	unmoved [2]int
	hp      [2]int
	reach   reach
}

// NewState puts units on the map. mover is the side to move after counter
// half-turns. Ids are the indexes of units; a unit with HP 0 is absent.
// Units stand on distinct cells within the border (Map.Check).
func NewState(m *Map, rules Rules, units []Unit, mover Team, counter int) *State {
	s := &State{
		field: field{
			m: m, rules: rules, power: powerOf(rules),
			units: append([]Unit(nil), units...), at: make([]int16, m.SizeX*m.SizeY),
		},
		mover: mover, counter: counter, resigned: Nobody,
	}
	s.reach.init(m)
	s.settle()
	return s
}

// settle derives the sums and the grid from the units.
func (s *field) settle() {
	for c := range s.at {
		s.at[c] = NoUnit
	}
	s.alive, s.unmoved, s.hp = [2]int{}, [2]int{}, [2]int{}
	for id := range s.units {
		u := &s.units[id]
		if !u.Alive() {
			continue
		}
		s.at[s.m.cell(int(u.X), int(u.Y))] = int16(id)
		s.alive[u.Team]++
		s.hp[u.Team] += int(u.HP)
		if !u.Finished {
			s.unmoved[u.Team]++
		}
	}
}

// Clone returns an independent copy.
func (s *State) Clone() *State {
	c := *s
	c.units = append([]Unit(nil), s.units...)
	c.at = append([]int16(nil), s.at...)
	c.reach.init(s.m)
	return &c
}

// CopyFrom makes s equal to t, a state of the same map, without allocating
// when both have as many units.
func (s *State) CopyFrom(t *State) {
	s.m, s.rules, s.power = t.m, t.rules, t.power
	s.units = append(s.units[:0], t.units...)
	s.at = append(s.at[:0], t.at...)
	s.mover, s.counter, s.resigned = t.mover, t.counter, t.resigned
	s.alive, s.unmoved, s.hp = t.alive, t.unmoved, t.hp
}

// Map returns the map the state stands on.
func (s *field) Map() *Map { return s.m }

// Rules returns the rules the state is played by.
func (s *field) Rules() Rules { return s.rules }

// Power returns the table of attack powers in force.
func (s *field) Power() *power { return &s.power }

// Units returns the number of ids, dead ones included.
func (s *field) Units() int { return len(s.units) }

// Unit returns a copy of unit id.
func (s *field) Unit(id int) Unit { return s.units[id] }

// unitAt returns the id of the unit at x, y, or NoUnit.
func (s *field) unitAt(x, y int) int { return int(s.at[s.m.cell(x, y)]) }

// Mover returns the side whose turn it is.
func (s *State) Mover() Team { return s.mover }

// Counter returns the number of half-turns played.
func (s *State) Counter() int { return s.counter }

// Alive returns the number of units team t has.
func (s *field) Alive(t Team) int { return s.alive[t] }

// Unmoved returns the number of units of team t that have not acted.
func (s *field) Unmoved(t Team) int { return s.unmoved[t] }

// HP returns the sum of the HP of team t.
func (s *field) HP(t Team) int { return s.hp[t] }

// stars returns the defence of unit id where it stands.
func (s *field) stars(id int) int {
	u := &s.units[id]
	return u.Kind.Stars(s.m.Terrain[s.m.cell(int(u.X), int(u.Y))])
}

// Movable reports whether unit id may act now.
func (s *State) Movable(id int) bool {
	u := &s.units[id]
	return u.HP > 0 && !u.Finished && u.Team == s.mover
}

// FirstUnmoved returns the lowest id that may act now, or NoUnit.
func (s *State) FirstUnmoved() int {
	for id := range s.units {
		if s.Movable(id) {
			return id
		}
	}
	return NoUnit
}

// TurnDone reports whether the mover's turn is at its end: every unit has
// acted, or a side has none, or the mover has resigned.
func (s *State) TurnDone() bool {
	return s.unmoved[s.mover] == 0 || s.alive[0] == 0 || s.alive[1] == 0 || s.resigned != Nobody
}

// Equal reports whether two states of one map are the same: units, turn, and
// whose it is.
func (s *State) Equal(t *State) bool {
	return s.m == t.m && s.rules == t.rules && s.mover == t.mover && s.counter == t.counter &&
		s.resigned == t.resigned && slices.Equal(s.units, t.units)
}

// Start returns the state at the first turn, Red to move.
func (m *Map) Start(rules Rules) *State { return NewState(m, rules, m.Units, Red, 0) }

// StartSwapped returns the state in which the sides have exchanged their units
// and Blue moves first, as in the second half of a match.
func (m *Map) StartSwapped(rules Rules) *State {
	units := append([]Unit(nil), m.Units...)
	for i := range units {
		units[i].Team = units[i].Team.Other()
	}
	return NewState(m, rules, units, Blue, 0)
}

// reach is the scratch of the cheapest-path search: which cells a unit can
// end its move on. Costs depend only on the entered cell, so the set does
// not depend on the order of ties.
type reach struct {
	left   []int8   // cell -> points left on arrival, -1 unreached
	end    []bool   // cell -> valid end of the move
	queue  [][]cell // cells by points left
	x0, x1 int      // columns and rows that may hold reached cells
	y0, y1 int
	sizeX  int
}

func (r *reach) init(m *Map) {
	r.left = make([]int8, m.SizeX*m.SizeY)
	for c := range r.left {
		r.left[c] = -1
	}
	r.end = make([]bool, m.SizeX*m.SizeY)
	r.queue = make([][]cell, 10)
	for i := range r.queue {
		r.queue[i] = make([]cell, 0, 2*len(r.left))
	}
	r.sizeX = m.SizeX
	r.x0, r.x1, r.y0, r.y1 = 0, -1, 0, -1
}

// clear forgets the last search.
func (r *reach) clear() {
	for y := r.y0; y <= r.y1; y++ {
		for c := y*r.sizeX + r.x0; c <= y*r.sizeX+r.x1; c++ {
			r.left[c] = -1
			r.end[c] = false
		}
	}
}

// Position is a state as a line of JSON: units are
// [id, mark, team, x, y, hp, finished], ids may have gaps.
type Position struct {
	Map   string    `json:"map"` // embedded name, path or the text of a map
	Turn  int       `json:"turn"`
	Team  Team      `json:"team"`
	Units []unitRow `json:"units"`
}

// unitRow is a unit with its id.
type unitRow struct {
	ID int
	Unit
}

var unitRowFields = [7]string{"id", "type", "team", "x", "y", "hp", "finished"}

// UnmarshalJSON reads [id, mark, team, x, y, hp, finished].
func (r *unitRow) UnmarshalJSON(b []byte) error {
	var f []json.RawMessage
	if err := json.Unmarshal(b, &f); err != nil || len(f) != 7 {
		return fmt.Errorf("unit %s: want [%s]", b, strings.Join(unitRowFields[:], ","))
	}
	var mark string
	if err := json.Unmarshal(f[1], &mark); err != nil {
		return fmt.Errorf("unit %s: type: want one of the letters %s", b, kindMarks)
	}
	k, ok := kindOf(mark)
	if !ok {
		return fmt.Errorf("unit %s: type %q: want one of the letters %s", b, mark, kindMarks)
	}
	hi := [7]int{MaxUnits - 1, 0, 1, MaxSize, MaxSize, 100, 1}
	lo := [7]int{0, 0, 0, 1, 1, 1, 0}
	var n [7]int
	for i, raw := range f {
		if i == 1 {
			continue
		}
		if err := json.Unmarshal(raw, &n[i]); err != nil || n[i] < lo[i] || n[i] > hi[i] {
			return fmt.Errorf("unit %s: %s %s: want %d to %d", b, unitRowFields[i], raw, lo[i], hi[i])
		}
	}
	r.ID = n[0]
	r.Unit = Unit{Kind: k, Team: Team(n[2]), X: int8(n[3]), Y: int8(n[4]), HP: int8(n[5]), Finished: n[6] != 0}
	return nil
}

// MarshalJSON writes the row.
func (r unitRow) MarshalJSON() ([]byte, error) {
	finished := 0
	if r.Finished {
		finished = 1
	}
	return fmt.Appendf(nil, `[%d,"%s",%d,%d,%d,%d,%d]`, r.ID, r.Kind.Mark(), r.Team, r.X, r.Y, r.HP, finished), nil
}

// Rows lists the units on the board.
func (s *field) Rows() []unitRow {
	var rows []unitRow
	for id, u := range s.units {
		if u.HP > 0 {
			rows = append(rows, unitRow{ID: id, Unit: u})
		}
	}
	return rows
}

// State builds the state. load reads a map that is neither embedded nor
// written out in the row; it may be nil.
func (p *Position) State(rules Rules, load func(path string) (*Map, error)) (*State, error) {
	m, err := p.battlefield(load)
	if err != nil {
		return nil, err
	}
	if p.Team != Red && p.Team != Blue {
		return nil, fmt.Errorf("team %d: want 0 (red) or 1 (blue)", p.Team)
	}
	if p.Turn < 0 {
		return nil, fmt.Errorf("turn %d: want 0 or more half-turns", p.Turn)
	}
	if p.Units == nil {
		return NewState(m, rules, m.Units, p.Team, p.Turn), nil
	}
	var units []Unit
	taken := map[[2]int8]int{}
	for _, r := range p.Units {
		for len(units) <= r.ID {
			units = append(units, Unit{})
		}
		if units[r.ID].Alive() {
			return nil, fmt.Errorf("units: id %d twice", r.ID)
		}
		if !m.Playable(int(r.X), int(r.Y)) {
			return nil, fmt.Errorf("units: unit %d: (%d,%d) is outside the playable cells", r.ID, r.X, r.Y)
		}
		if other, ok := taken[[2]int8{r.X, r.Y}]; ok {
			return nil, fmt.Errorf("units: unit %d: (%d,%d) already holds unit %d", r.ID, r.X, r.Y, other)
		}
		taken[[2]int8{r.X, r.Y}] = r.ID
		units[r.ID] = r.Unit
	}
	return NewState(m, rules, units, p.Team, p.Turn), nil
}

func (p *Position) battlefield(load func(string) (*Map, error)) (*Map, error) {
	if strings.Contains(p.Map, "SIZEX[") {
		m, _, err := ParseMap([]byte(p.Map))
		if err != nil {
			return nil, fmt.Errorf("map: %w", err)
		}
		return m, nil
	}
	m, err := EmbeddedMap(p.Map)
	if err == nil || load == nil {
		return m, err
	}
	return load(p.Map)
}
