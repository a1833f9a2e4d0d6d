// Package studies holds the questions that the program asks out of the box:
// study files by name, embedded in the binary.
//
//	text, err := studies.Read("battleship-mp-threshold")
package studies

import (
	"embed"
	"fmt"
	"sort"
	"strings"

	"sakusen/engines/param"
)

//go:embed *.yaml
var files embed.FS

// Names are the names of the embedded studies, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // the embedded directory always reads
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	sort.Strings(names)
	return names
}

// Read is the text of an embedded study file.
func Read(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		names := Names()
		if near, ok := param.Nearest(name, names); ok {
			return nil, fmt.Errorf("no study named %q (did you mean %s?)", name, near)
		}
		return nil, fmt.Errorf("no study named %q (there are %s)", name, strings.Join(names, ", "))
	}
	return text, nil
}
