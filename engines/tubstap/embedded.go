package tubstap

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed maps/*.tbsmap
var embedded embed.FS

// MapNames lists the maps that come with the package, sorted.
func MapNames() []string {
	entries, err := embedded.ReadDir("maps")
	if err != nil {
		panic(fmt.Sprintf("tubstap: embedded maps: %v", err))
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".tbsmap")
	}
	return names
}

// EmbeddedMap is one of MapNames, with or without its suffix .tbsmap.
// paper12b stands in for the unpublished map of the paper's figure 3.
func EmbeddedMap(name string) (*Map, error) {
	short := strings.TrimSuffix(name, ".tbsmap")
	data, err := embedded.ReadFile("maps/" + short + ".tbsmap")
	if err != nil {
		return nil, fmt.Errorf("map %q: no such embedded map (there are %s)", name, strings.Join(MapNames(), ", "))
	}
	m, _, err := ParseMap(data)
	if err != nil {
		return nil, fmt.Errorf("map %q: %w", name, err)
	}
	m.Name = short
	return m, nil
}
