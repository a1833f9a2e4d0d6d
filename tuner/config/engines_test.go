package config_test

import (
	"reflect"
	"strings"
	"testing"

	"sakusen/tuner/config"
)

func TestEngines(t *testing.T) {
	c, err := load(t, write(t, `engines:
  toga: {command: [toga2], options: [{name: Hash, value: 16}, {name: King Safety, value: "a b"}]}
  gnu:
    protocol: usi
    command: [gnuchess, --uci]
    directory: /tmp
    environment: [A=b]
    fresh: true
`), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []config.Engine{
		{Name: "toga", Command: []string{"toga2"}, Options: []config.EngineSetting{{Name: "Hash", Value: "16"}, {Name: "King Safety", Value: "a b"}}},
		{Name: "gnu", Protocol: "usi", Command: []string{"gnuchess", "--uci"}, Directory: "/tmp", Environment: []string{"A=b"}, Fresh: true},
	}
	if !reflect.DeepEqual(c.Engines, want) || len(c.Warnings) > 0 {
		t.Errorf("%+v, %v", c.Engines, c.Warnings)
	}
	for text, want := range map[string]string{
		"engines: [a]\n":                            ":1: engines: expected names",
		"engines:\n  a: b\n":                        ":2: engines.a: expected {command",
		"engines:\n  a: {comand: [x]}\n":            ":2: engines.a: unknown key comand",
		"engines:\n  a: {fresh: true}\n":            ":2: engines.a: command: expected the program",
		"engines:\n  a: {command: [x], fresh: 3}\n": "engines.a: ",
	} {
		if _, err := load(t, write(t, text), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %s in %v", text, want, err)
		}
	}
}
