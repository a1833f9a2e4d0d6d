package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Engine is a program of other people, as registered:
//
//	engines:
//	  toga: {command: [toga2], options: [{name: Hash, value: 16}]}
type Engine struct {
	Name        string
	Protocol    string          `yaml:"protocol"` // uci where nothing is said
	Command     []string        `yaml:"command"`
	Directory   string          `yaml:"directory"`
	Environment []string        `yaml:"environment"` // NAME=VALUE
	Files       []string        `yaml:"files"`       // further files that decide its play
	Options     []EngineSetting `yaml:"options"`     // always set
	Fresh       bool            `yaml:"fresh"`       // a process for every game
	ClearHash   bool            `yaml:"clear_hash"`  // before every game
	Recorded    bool            `yaml:"recorded"`    // its games cannot be played again
	Memory      int64           `yaml:"memory"`      // MB that a process may hold; 0 is no limit
	Params      []engineParam   `yaml:"params"`      // of a command
	Game        string          `yaml:"game"`        // whose moves a program is asked for
	Setup       []string        `yaml:"setup"`       // commands that begin each game of go
	Metrics     []string        `yaml:"metrics"`     // that a program of the game "external" tells
	// Deadlines are how long it may take, seconds; 0 takes the default.
	Deadlines struct {
		Start float64 `yaml:"start"`
		Ready float64 `yaml:"ready"`
		Move  float64 `yaml:"move"`
		Stop  float64 `yaml:"stop"`
	} `yaml:"deadlines"`
}

// EngineSetting is the value of an option of an engine.
type EngineSetting struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value"`
}

// engineParam is a parameter of a command.
type engineParam struct {
	Name    string   `yaml:"name"`
	Kind    string   `yaml:"kind"` // int, float, bool, choice
	Doc     string   `yaml:"doc"`
	Default string   `yaml:"default"`
	Low     float64  `yaml:"low"`
	High    float64  `yaml:"high"`
	Step    float64  `yaml:"step"`
	Log     bool     `yaml:"log"`
	Choices []string `yaml:"choices"`
}

// engineKeys are the keys of an engine.
var engineKeys = []string{"protocol", "command", "directory", "environment", "files", "options", "fresh", "recorded", "memory", "deadlines", "params", "metrics", "setup", "game", "clear_hash"}

// ofEngines reports whether a dotted key belongs to the engines.
func ofEngines(key string) bool {
	first, _, _ := strings.Cut(strings.ToLower(key), ".")
	return first == "engines"
}

// EnginesOf reads the key engines of a YAML text, be it settings or a study file;
// file is its name in mistakes.
func EnginesOf(file string, text []byte) ([]Engine, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, nil // told already
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil
	}
	var list []Engine
	var errs []error
	bad := func(n *yaml.Node, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", file, n.Line, fmt.Sprintf(format, args...)))
	}
	top := doc.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		if !ofEngines(top[i].Value) || empty(top[i+1]) {
			continue
		}
		if top[i+1].Kind != yaml.MappingNode {
			bad(top[i], "engines: expected names with engines, such as {toga: {command: [toga2]}}")
			continue
		}
		entries := top[i+1].Content
		for j := 0; j+1 < len(entries); j += 2 {
			name, node := entries[j], entries[j+1]
			e := Engine{Name: name.Value}
			if node.Kind != yaml.MappingNode {
				bad(name, "engines.%s: expected {command: [PROGRAM, ARGUMENT...]}", name.Value)
				continue
			}
			for k := 0; k < len(node.Content); k += 2 {
				if key := node.Content[k]; !slices.Contains(engineKeys, key.Value) {
					bad(key, "engines.%s: unknown key %s (expected one of %s)", name.Value, key.Value, strings.Join(engineKeys, ", "))
				}
			}
			if err := node.Decode(&e); err != nil {
				bad(name, "engines.%s: %v", name.Value, err)
				continue
			}
			for what, seconds := range map[string]float64{"start": e.Deadlines.Start, "ready": e.Deadlines.Ready, "move": e.Deadlines.Move, "stop": e.Deadlines.Stop} {
				if !(seconds >= 0 && seconds <= 86400) {
					bad(name, "engines.%s: deadlines.%s: expected seconds from 0 to 86400, got %g", e.Name, what, seconds)
				}
			}
			if len(e.Command) == 0 {
				bad(name, "engines.%s: command: expected the program and its arguments, got nothing", name.Value)
			}
			list = append(list, e)
		}
	}
	return list, errors.Join(errs...)
}

// empty reports whether a value is empty: null, an empty text, list or mapping.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Value == "" || n.Tag == "!!null") || n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && len(n.Content) == 0
}
