package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/config"
)

func load(t *testing.T, file string, env, flags map[string]string) (*config.Config, error) {
	t.Helper()
	return config.Load(config.Source{
		File:  file,
		Env:   func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Flags: flags,
	})
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Later wins: defaults, file, environment, flags; each value knows its origin.
func TestPrecedence(t *testing.T) {
	file := write(t, "database: from-file.db\nworkers: 3\nlog: {level: warn}\n")
	c, err := load(t, file, map[string]string{"SAKUSEN_WORKERS": "4", "SAKUSEN_LOG_FORMAT": "json"}, map[string]string{"database": "from-flag.db"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Text("database") != "from-flag.db" || c.Integer("workers") != 4 || c.Text("log.level") != "warn" || c.Text("log.format") != "json" {
		t.Errorf("%+v", c.All())
	}
	origins := map[string]string{"database": "flag", "workers": "SAKUSEN_WORKERS", "log.level": file, "listen": "default"}
	for _, v := range c.All() {
		if want, ok := origins[v.Key]; ok && v.Origin != want {
			t.Errorf("%s comes from %s, not %s", v.Key, v.Origin, want)
		}
	}
}

// Every mistake is reported at once.
func TestMistakes(t *testing.T) {
	file := write(t, "databse: x\nworkers: many\nlog: {level: loud}\n")
	_, err := load(t, file, nil, nil)
	for _, want := range []string{"unknown setting databse (expected database?)", `.yaml:2: workers: expected an integer from 0, got "many"`, ".yaml:1: unknown", ".yaml:3: log.level: ", `expected debug, info, warn or error, got "loud"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s in %v", want, err)
		}
	}
	for text, want := range map[string]string{
		"database: [a, b]\n":             `database: expected one value, got "[a b]"`,
		"a: 1\nlisten: notanaddress\n":   `.yaml:2: listen: expected host:port, such as 127.0.0.1:7171, got "notanaddress"`,
		"listen: 127.0.0.1:99999\n":      `listen: expected host:port`,
		"studies_at_once: 0\n":           ".yaml:1: studies_at_once: expected at least 1, got 0",
		"base_path: sakusen\n":           `base_path: expected a path such as /sakusen`,
		"base_path: /sakusen/\n":         "without a / at its end",
		"base_path: /\n":                 "base_path: expected",
		"base_path: /a/../b\n":           "base_path: expected",
		"base_path: '/a\"b'\n":           "base_path: expected",
		"database: \"\"\n":               "database: expected a path, got nothing",
		"retention: {blocks_days: []}\n": `retention.blocks_days: expected one value, got "[]"`,
	} {
		if _, err := load(t, write(t, text), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %s in %v", text, want, err)
		}
	}
	if _, err := load(t, filepath.Join(t.TempDir(), "none.yaml"), nil, nil); err == nil {
		t.Error("a named file that is not there is no mistake")
	}
}

// How workers connect is in the file and the environment; engines stand beside the
// settings; and a setting that nothing reads is a mistake.
func TestWorkers(t *testing.T) {
	file := write(t, "workers_listen: \"\"\nnats_url: nats://127.0.0.1:4222\nengines:\n  tubstap: {command: [a, b]}\n")
	c, err := load(t, file, map[string]string{"SAKUSEN_WORKERS_LISTEN": "127.0.0.1:7172"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Text("workers_listen") != "127.0.0.1:7172" || c.Text("nats_url") != "nats://127.0.0.1:4222" || len(c.Warnings) > 0 {
		t.Errorf("%v %v", c.All(), c.Warnings)
	}
	if len(c.Engines) != 1 || c.Engines[0].Name != "tubstap" || !slices.Equal(c.Engines[0].Command, []string{"a", "b"}) {
		t.Errorf("engines: %+v", c.Engines)
	}
	for text, want := range map[string]string{
		"nats_credentials: x\n":     "unknown setting nats_credentials",
		"engine: {}\nnats: x\n":     "unknown setting nats ",
		"workers_listen: nowhere\n": "workers_listen: expected host:port",
	} {
		if _, err := load(t, write(t, text), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The shipped file names every setting and changes no default.
func TestShippedFile(t *testing.T) {
	shipped := "../../config.yaml"
	text, err := os.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(t, shipped, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range c.All() {
		if v.Origin != shipped {
			t.Errorf("%s is not in config.yaml", v.Key)
		}
		if v.Value != v.Default {
			t.Errorf("%s: config.yaml says %v, the default is %v", v.Key, v.Value, v.Default)
		}
		if !strings.Contains(string(text), v.Doc) {
			t.Errorf("%s: config.yaml does not say %q", v.Key, v.Doc)
		}
	}
}

// An empty environment variable is as good as none.
func TestEmptyVariables(t *testing.T) {
	c, err := load(t, "", map[string]string{"SAKUSEN_WORKERS": "", "SAKUSEN_DATABASE": "", "SAKUSEN_STUDIES_DIR": ""}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Text("database"); got != "sakusen.db" {
		t.Errorf("the database is %q", got)
	}
}
