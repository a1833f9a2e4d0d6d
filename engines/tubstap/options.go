package tubstap

import (
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

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

	read Reader // nil: maps are not named by their paths
}

// Reader is the content of a file.
type Reader func(path string) ([]byte, error)

// Generated is the MapName under which Options.Generated is played.
const Generated = "generated"

// Declare binds the options.
func (o *Options) Declare(f *param.Fields) {
	f.Choice(&o.MapName, "map", "paper12b", append(MapNames(), Generated), "battlefield; paper12b stands in for the paper's",
		param.Beyond(o.beyond(), o.canonicalMap))
	f.When("map", Generated, o.Generated.Declare)
	f.Choice(&o.AntiAirInfantry, "antiair_infantry", "105", []string{"105", "115"}, "power of anti-air tanks against infantry, per cent: the program's or the rules page's")
	f.Bool(&o.NoiseHP, "noise_hp", false, "start HP one up or down by a coin for each unit")
	f.Bool(&o.NoisePos, "noise_pos", false, "start cells shifted by one at random where there is room")
}

// Rules are the rules of the game itself.
func (o *Options) Rules() Rules {
	n, _ := strconv.Atoi(o.AntiAirInfantry)
	return Rules{AntiAirInfantry: n}
}

// Map is the battlefield.
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

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Options, Player]

// Definition is the game as the arena plays it: seat 0 is Red and moves
// first. read lets the rules name maps by their paths, on a command line or in
// a file of its user; nil refuses paths.
func Definition(read Reader) arena.Definition[Options, Player] {
	return arena.Definition[Options, Player]{
		Name: "tubstap", Doc: "Turn-based strategy without chance: every unit of a side acts once in a turn.",
		Source: "TUBSTAP 0.108 (JAIST); Sagehashi, Muto and Nishino, IPSJ 2017-GI-37 No. 10",
		Declare: func(o *Options, f *param.Fields) {
			o.read = read
			o.Declare(f)
		},
		Check:      (*Options).check,
		Seats:      func(*Options) int { return 2 },
		Components: components,
		Metrics: []arena.Metric{
			{Name: "hp_left", Doc: "HP left at the end, points a game", Of: "hp_left"},
			{Name: "units_left", Doc: "units left at the end, units a game", Of: "units_left"},
			{Name: "half_turns", Doc: "length of the game, half-turns", Of: "half_turns"},
			{Name: "turn_limit", Doc: "share of games that reached the turn limit, games a game", Of: "turn_limit"},
		},
		PaperName: paperName,
		Referee:   newReferee,
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
