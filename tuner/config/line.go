package config

import (
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keyLines are the lines of a settings file on which its keys stand, by the keys' whole
// names in lower case.
type keyLines struct {
	file string
	at   map[string]int
}

// readKeyLines finds the keys of a file, which may be missing or broken: that is told by
// whoever reads the values.
func readKeyLines(file string) keyLines {
	k := keyLines{file, map[string]int{}}
	text, err := os.ReadFile(file)
	if err != nil {
		return k
	}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) == nil && len(doc.Content) == 1 {
		k.add("", doc.Content[0])
	}
	return k
}

func (k keyLines) add(prefix string, n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key := prefix + strings.ToLower(n.Content[i].Value)
		k.at[key] = n.Content[i].Line
		k.add(key+".", n.Content[i+1])
	}
}

// place is FILE:LINE of a key, FILE where the line is not known.
func (k keyLines) place(key string) string {
	if line := k.at[key]; line > 0 {
		return fmt.Sprintf("%s:%d", k.file, line)
	}
	return k.file
}
