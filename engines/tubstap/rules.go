package tubstap

import (
	"fmt"
)

// Rules are the options of the game itself. The zero value is 0.108.
type Rules struct {
	// AntiAirInfantry is the power of an anti-air tank against infantry:
	// 105 in the program (and for 0 here), 115 on the official rules page.
	AntiAirInfantry int
}

func (r Rules) antiAirInfantry() int {
	if r.AntiAirInfantry == 0 {
		return 105
	}
	return r.AntiAirInfantry
}

// Check reports a rule outside its values.
func (r Rules) Check() error {
	switch r.AntiAirInfantry {
	case 0, 105, 115:
		return nil
	}
	return fmt.Errorf("antiair_infantry %d: want 105 (the program) or 115 (the rules page)", r.AntiAirInfantry)
}

// Team is a side: Red or Blue.
type Team int8

// The two sides, and nobody.
const (
	Red    Team = 0
	Blue   Team = 1
	Nobody Team = -1
)

// Other is the opposing side.
func (t Team) Other() Team { return 1 - t }

// String is the colour.
func (t Team) String() string {
	switch t {
	case Red:
		return "red"
	case Blue:
		return "blue"
	}
	return "nobody"
}

// Kind is a kind of unit, in the order of the power table.
type Kind uint8

// The six kinds.
const (
	Fighter  Kind = iota // fighter plane
	Attacker             // attack plane
	Panzer               // tank
	Cannon               // self-propelled gun, the one indirect kind
	AntiAir              // anti-air tank
	Infantry
	Kinds = 6
)

// Range of an indirect attack, in cells of Manhattan distance.
const (
	minRange = 2
	MaxRange = 3
)

// FullHP is the HP of an unhurt unit. Maps may hold more; ParseMap warns.
const FullHP = 10

const kindMarks = "FAPURI"

var (
	kindNames  = [Kinds]string{"fighter", "attacker", "panzer", "cannon", "antiair", "infantry"}
	movePoints = [Kinds]int8{9, 7, 6, 5, 6, 3}
)

// Mark is the letter of the kind: F, A, P, U, R or I.
func (k Kind) Mark() string { return kindMarks[k : k+1] }

// String is the name used in map files.
func (k Kind) String() string {
	if k >= Kinds {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// kindOf finds a kind by its name in map files or by its mark.
func kindOf(name string) (Kind, bool) {
	for k := range Kind(Kinds) {
		if name == kindNames[k] || name == k.Mark() {
			return k, true
		}
	}
	return 0, false
}

// Air says whether the kind flies: it then defends with no stars.
func (k Kind) Air() bool { return k <= Attacker }

// Indirect says whether the kind attacks from a distance of MinRange to
// MaxRange, without moving, and neither counters nor is countered.
func (k Kind) Indirect() bool { return k == Cannon }

// MovePoints is the budget of a move, in units of terrain cost.
func (k Kind) MovePoints() int { return int(movePoints[k]) }

// cell is an index into the grid of a map, y*SizeX + x, border included.
type cell int16

// Unit is one unit; with HP 0 it is off the board.
type Unit struct {
	Kind     Kind
	Team     Team
	X, Y     int8
	HP       int8
	Finished bool // has acted in its side's turn
}

// Alive says whether the unit is on the board.
func (u *Unit) Alive() bool { return u.HP > 0 }

// Terrain is the code of a cell in map files.
type Terrain uint8

// The seven terrains.
const (
	Wall     Terrain = iota // no entry; the border is made of it
	Plain                   // one star
	Sea                     // planes only
	Forest                  // three stars, slow for vehicles
	Mountain                // four stars, planes and infantry only
	Road
	Fortress // four stars
	Terrains = 7
)

// impassable is the cost of a cell that a kind cannot enter.
const impassable = 99

var (
	terrainStars = [Terrains]int8{0, 1, 0, 3, 4, 0, 4}
	terrainNames = [Terrains]string{"wall", "plain", "sea", "forest", "mountain", "road", "fortress"}
	entryCost    = [Kinds][Terrains]int8{
		Fighter:  {99, 1, 1, 1, 1, 1, 1},
		Attacker: {99, 1, 1, 1, 1, 1, 1},
		Panzer:   {99, 1, 99, 2, 99, 1, 1},
		Cannon:   {99, 1, 99, 2, 99, 1, 1},
		AntiAir:  {99, 1, 99, 2, 99, 1, 1},
		Infantry: {99, 1, 99, 1, 2, 1, 1},
	}
)

// Stars is the defence of the terrain, for units that do not fly.
func (t Terrain) Stars() int { return int(terrainStars[t]) }

// String is the English name.
func (t Terrain) String() string { return terrainNames[t] }

// Cost is what the kind pays to enter the terrain, Impassable if it cannot.
func (k Kind) Cost(t Terrain) int { return int(entryCost[k][t]) }

// Stars is the defence of a unit of the kind on the terrain.
func (k Kind) Stars(t Terrain) int {
	if k.Air() {
		return 0
	}
	return int(terrainStars[t])
}

// power is the attack power of a kind (row) against a kind (column), in
// per cent; 0 cannot hurt.
type power [Kinds][Kinds]int16

// powerOf is the table under the rules given.
func powerOf(r Rules) power {
	p := power{
		Fighter:  {55, 65, 0, 0, 0, 0},
		Attacker: {0, 0, 105, 105, 85, 115},
		Panzer:   {0, 0, 55, 70, 75, 75},
		Cannon:   {0, 0, 60, 75, 65, 90},
		AntiAir:  {70, 70, 15, 50, 45, 105},
		Infantry: {0, 0, 5, 10, 3, 55},
	}
	p[AntiAir][Infantry] = int16(r.antiAirInfantry())
	return p
}

// damage is the HP a defender of kind d and HP g loses to an attacker of
// kind a and HP h; stars are those of the defender's cell, which planes do
// not use. It never exceeds g.
func (p *power) damage(a Kind, h int, d Kind, g, stars int) int {
	if d.Air() {
		stars = 0
	}
	return min((int(p[a][d])*h+70)/(100+stars*g), g)
}

// exchange is a whole attack: the damage done, then the damage of the
// counter, which comes only if the defender survives and both are direct.
// attackerStars are those of the cell the attack is made from.
func (p *power) exchange(a Kind, h, attackerStars int, d Kind, g, defenderStars int) (damage, counter int) {
	damage = p.damage(a, h, d, g, defenderStars)
	if damage < g && !a.Indirect() && !d.Indirect() {
		counter = p.damage(d, g-damage, a, h, attackerStars)
	}
	return damage, counter
}
