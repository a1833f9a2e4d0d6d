package tubstap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Strategy is a catalogue entry for this game.
type Strategy = arena.Strategy[Options, Player]

// Definition is the game as the arena plays it: seat 0 is Red and moves
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

// beyond says what a map may be named by, besides those listed.
func (o *Options) beyond() string {
	if o.read == nil {
		return generateForm + ", or the text of a map"
	}
	return generateForm + ", or the path or the text of a .tbsmap file"
}

// canonicalMap is the text of a map in the rules: the name of an embedded one,
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
