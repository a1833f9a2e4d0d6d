package tubstap

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

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
