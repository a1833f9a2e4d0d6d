package tubstap

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
