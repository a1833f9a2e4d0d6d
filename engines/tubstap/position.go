package tubstap

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Position is a state as a line of JSON: units are
// [id, mark, team, x, y, hp, finished], ids may have gaps.
type Position struct {
	Map   string    `json:"map"` // embedded name, path or the text of a map
	Turn  int       `json:"turn"`
	Team  Team      `json:"team"`
	Units []UnitRow `json:"units"`
}

// UnitRow is a unit with its id.
type UnitRow struct {
	ID int
	Unit
}

var unitRowFields = [7]string{"id", "type", "team", "x", "y", "hp", "finished"}

// UnmarshalJSON reads [id, mark, team, x, y, hp, finished].
func (r *UnitRow) UnmarshalJSON(b []byte) error {
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
func (r UnitRow) MarshalJSON() ([]byte, error) {
	finished := 0
	if r.Finished {
		finished = 1
	}
	return fmt.Appendf(nil, `[%d,"%s",%d,%d,%d,%d,%d]`, r.ID, r.Kind.Mark(), r.Team, r.X, r.Y, r.HP, finished), nil
}

// Rows lists the units on the board.
func (s *State) Rows() []UnitRow {
	var rows []UnitRow
	for id, u := range s.units {
		if u.HP > 0 {
			rows = append(rows, UnitRow{ID: id, Unit: u})
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
