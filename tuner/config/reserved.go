package config

import (
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reservedNames are settings that nothing reads yet. A file or an environment that has them
// is accepted with a warning, so that it need not be changed when they come into use.
func reservedNames() []string {
	return []string{"workers_listen", "nats_url", "nats_credentials"}
}

// reserved is the reserved setting that a dotted key belongs to, whatever its
// case; empty where it belongs to none.
func reserved(key string) string {
	first, _, _ := strings.Cut(strings.ToLower(key), ".")
	for _, name := range reservedNames() {
		if first == name {
			return name
		}
	}
	return ""
}

// idle warns of reserved settings that have a value, in the file by line and in the
// environment by variable. An empty value is accepted silently.
func idle(file string, env func(string) (string, bool)) ([]string, error) {
	var warnings []string
	warn := func(where, name string) {
		warnings = append(warnings, fmt.Sprintf("config: %s: %s has no effect yet and is ignored", where, name))
	}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("config: %w", err)
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			return nil, fmt.Errorf("config: %s: %w", file, err)
		}
		if len(doc.Content) == 1 && doc.Content[0].Kind == yaml.MappingNode {
			top := doc.Content[0].Content
			for i := 0; i+1 < len(top); i += 2 {
				if name := reserved(top[i].Value); name != "" && !empty(top[i+1]) {
					warn(fmt.Sprintf("%s:%d", file, top[i].Line), name)
				}
			}
		}
	}
	for _, name := range reservedNames() {
		variable := Setting{Key: name}.environment()
		if text, ok := env(variable); ok && text != "" {
			warn(variable, name)
		}
	}
	return warnings, nil
}

// empty tells whether a value is empty: null, an empty text, list or mapping.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Value == "" || n.Tag == "!!null") || n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && len(n.Content) == 0
}
