package tubstap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
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

// The two sides, and Nobody for neither.
const (
	Red    Team = 0
	Blue   Team = 1
	Nobody Team = -1
)

// Other returns the opposing side.
func (t Team) Other() Team { return 1 - t }

// String returns the colour.
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

// Mark returns the letter of the kind: F, A, P, U, R or I.
func (k Kind) Mark() string { return kindMarks[k : k+1] }

// String returns the name used in map files.
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

// Air reports whether the kind flies: it then defends with no stars.
func (k Kind) Air() bool { return k <= Attacker }

// Indirect reports whether the kind attacks from a distance of MinRange to
// MaxRange, without moving, and neither counters nor is countered.
func (k Kind) Indirect() bool { return k == Cannon }

// MovePoints returns the budget of a move, in units of terrain cost.
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

// Alive reports whether the unit is on the board.
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

// Stars returns the defence of the terrain, for units that do not fly.
func (t Terrain) Stars() int { return int(terrainStars[t]) }

// String returns the English name.
func (t Terrain) String() string { return terrainNames[t] }

// Cost returns what the kind pays to enter the terrain, Impassable if it cannot.
func (k Kind) Cost(t Terrain) int { return int(entryCost[k][t]) }

// Stars returns the defence of a unit of the kind on the terrain.
func (k Kind) Stars(t Terrain) int {
	if k.Air() {
		return 0
	}
	return int(terrainStars[t])
}

// power is the attack power of a kind (row) against a kind (column), in
// per cent; 0 cannot hurt.
type power [Kinds][Kinds]int16

// powerOf returns the table under the rules given.
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

// damage returns the HP a defender of kind d and HP g loses to an attacker of
// kind a and HP h; stars are those of the defender's cell, which planes do
// not use. It never exceeds g.
func (p *power) damage(a Kind, h int, d Kind, g, stars int) int {
	if d.Air() {
		stars = 0
	}
	return min((int(p[a][d])*h+70)/(100+stars*g), g)
}

// exchange returns a whole attack: the damage done, then the damage of the
// counter, which comes only if the defender survives and both are direct.
// attackerStars are those of the cell the attack is made from.
func (p *power) exchange(a Kind, h, attackerStars int, d Kind, g, defenderStars int) (damage, counter int) {
	damage = p.damage(a, h, d, g, defenderStars)
	if damage < g && !a.Indirect() && !d.Indirect() {
		counter = p.damage(d, g-damage, a, h, attackerStars)
	}
	return damage, counter
}

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Options, Player]

// Definition returns the game as the arena plays it: seat 0 is Red and moves
// first. Where files may be read, the rules name maps by their paths too.
func Definition() arena.Definition[Options, Player] {
	return arena.Definition[Options, Player]{
		Name: "tubstap", Doc: "Turn-based strategy without chance: every unit of a side acts once in a turn.",
		Source:     "TUBSTAP 0.108 (JAIST); Sagehashi, Muto and Nishino, IPSJ 2017-GI-37 No. 10",
		Reading:    func(o *Options, files arena.Files) { o.read = files.Read },
		Declare:    (*Options).Declare,
		Check:      (*Options).check,
		Seats:      func(*Options) int { return 2 },
		Components: components,
		Metrics: []arena.Metric{
			{Name: "hp_left", Doc: "HP left at the end, points a game", Of: "hp_left"},
			{Name: "units_left", Doc: "units left at the end, units a game", Of: "units_left"},
			{Name: "half_turns", Doc: "length of the game, half-turns", Of: "half_turns"},
			{Name: "turn_limit", Doc: "share of games that reached the turn limit, games a game", Of: "turn_limit"},
		},
		PaperName: paperName, PaperNames: "MaxActEval (single) and M-UCT (muct with 20000 simulations)",
		Referee: newReferee,
	}
}

var components = []string{"hp_left", "units_left", "half_turns", "turn_limit"}

// paperName reads the names of the paper's two players.
func paperName(text string) (strategy string, values param.Values, ok bool) {
	switch text {
	case "MaxActEval":
		return "single", nil, true
	case "M-UCT":
		return "muct", param.Values{{Name: "simulations", Text: "20000"}}, true
	}
	return "", nil, false
}

// Options are what a series of games fixes: the map and the rules.
type Options struct {
	// MapName is an embedded map, "generated", "generate(seed,size,units)" or
	// the text of a map.
	MapName         string
	Generated       Design // used with MapName "generated"
	AntiAirInfantry string // "105" or "115"
	NoiseHP         bool
	NoisePos        bool

	// Battlefield, if set, is played instead of the map named.
	Battlefield *Map

	read reader // nil: maps are not named by their paths
}

// Generated is the MapName under which Options.Generated is played.
const Generated = "generated"

// Declare binds the options.
func (o *Options) Declare(f *param.Fields) {
	f.Choice(&o.MapName, "map", "paper12b", append(MapNames(), Generated), "battlefield; paper12b stands in for the paper's",
		param.Beyond(o.beyond(), o.canonicalMap))
	f.When("map", Generated, o.Generated.declare)
	f.Choice(&o.AntiAirInfantry, "antiair_infantry", "105", []string{"105", "115"}, "power of anti-air tanks against infantry, per cent: the program's or the rules page's")
	f.Bool(&o.NoiseHP, "noise_hp", false, "start HP one up or down by a coin for each unit")
	f.Bool(&o.NoisePos, "noise_pos", false, "start cells shifted by one at random where there is room")
}

// Rules returns the rules of the game itself.
func (o *Options) Rules() Rules {
	n, _ := strconv.Atoi(o.AntiAirInfantry)
	return Rules{AntiAirInfantry: n}
}

// Map returns the battlefield.
func (o *Options) Map() (*Map, error) {
	switch {
	case o.Battlefield != nil:
		return o.Battlefield, o.Battlefield.Check()
	case o.MapName == Generated:
		return o.Generated.Map()
	case isGenerate(o.MapName):
		d, err := parseGenerate(o.MapName)
		if err != nil {
			return nil, err
		}
		return d.Map()
	case isMapText(o.MapName):
		m, _, err := ParseMap([]byte(o.MapName))
		if err != nil {
			return nil, err
		}
		m.Name = "map of a file"
		return m, nil
	}
	return EmbeddedMap(strings.TrimSpace(o.MapName))
}

// check refuses options that give no map.
func (o *Options) check() error {
	_, err := o.Map()
	return err
}

// beyond reports what a map may be named by, besides those listed.
func (o *Options) beyond() string {
	if o.read == nil {
		return generateForm + ", or the text of a map"
	}
	return generateForm + ", or the path or the text of a .tbsmap file"
}

// canonicalMap returns the text of a map in the rules: the name of an embedded one,
// generate(seed,size,units), or the map itself without comments and line breaks. So the
// rules' hash covers the map, wherever its file was. The error reads after "expected".
func (o *Options) canonicalMap(name string) (string, error) {
	switch {
	case isGenerate(name):
		d, err := parseGenerate(name)
		if err != nil {
			return "", err
		}
		return d.generate(), nil
	case isMapText(name):
		return flatMap([]byte(name))
	}
	if m, err := EmbeddedMap(name); err == nil {
		return m.Name, nil
	}
	if !strings.ContainsAny(name, `/\`) && !strings.HasSuffix(name, ".tbsmap") {
		return "", fmt.Errorf("one of %s, %s, or %s", strings.Join(MapNames(), ", "), Generated, o.beyond())
	}
	if o.read == nil {
		return "", errors.New("no path (only a command line or a study file on disk may name files)")
	}
	data, err := o.read(name)
	if err != nil {
		return "", fmt.Errorf("a map file that can be read (%w)", err)
	}
	text, err := flatMap(data)
	if err != nil {
		return "", fmt.Errorf("a map file (%w)", err)
	}
	return text, nil
}

// Player is a way to play: it is asked for one unit action after another
// until its turn is done. It may change the state it is shown as long as it
// puts it back.
type Player interface {
	// Turn begins a turn of the state's mover. chance is the seat's stream,
	// the same one for a whole game; it may be kept until the turn is done.
	Turn(s *State, chance *arena.Stream)
	// Act is the next action of the turn, of one unmoved unit.
	Act(s *State) Action
}
