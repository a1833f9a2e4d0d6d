package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/viper"

	"sakusen/engines/param"
)

// DefaultFile is read if it exists and no other file is named.
const DefaultFile = "config.yaml"

// Source is where settings come from.
type Source struct {
	File string // a file that must exist; empty tries DefaultFile
	Env  func(name string) (string, bool)
	// Environ are all variables, name=value, for warnings of names that are near to a
	// setting's; nil warns of none.
	Environ []string
	Flags   map[string]string // by key: those given on the command line
}

// Value is an effective setting.
type Value struct {
	Setting
	Value  any
	Origin string // default, the file's name, the variable's name, flag
}

// Config is the effective settings.
type Config struct {
	values map[string]Value
	// Engines are the programs of other people that may be run, by name in order.
	Engines []Engine
	// Warnings are about what was given and has no effect, one line each.
	Warnings []string
}

// Load reads the settings. Every mistake is in the error: unknown keys, values
// of the wrong type.
func Load(src Source) (*Config, error) {
	v := viper.New()
	file := src.File
	var err error
	if file == "" {
		if _, err = os.Stat(DefaultFile); err == nil {
			file = DefaultFile
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("config: %w", err)
		}
	}
	if file != "" {
		v.SetConfigFile(file)
		v.SetConfigType("yaml")
		if err = v.ReadInConfig(); err != nil {
			return nil, fmt.Errorf("config: %s: %w", file, err)
		}
	}
	c := &Config{values: map[string]Value{}}
	var errs []error
	known := map[string]Setting{}
	lines := readKeyLines(file)
	for _, s := range Settings() {
		known[s.Key] = s
		value := Value{s, s.Default, "default"}
		set := func(raw any, origin string) {
			parsed, err := s.parse(raw)
			if err != nil {
				at := origin
				if origin == file && file != "" {
					at = lines.place(s.Key)
				}
				errs = append(errs, fmt.Errorf("config: %s: %s: %w", at, s.Key, err))
				return
			}
			value.Value, value.Origin = parsed, origin
		}
		if v.InConfig(s.Key) || v.IsSet(s.Key) {
			set(v.Get(s.Key), file)
		}
		if text, ok := src.Env(s.environment()); ok && text != "" { // an empty one is unset
			set(text, s.environment())
		}
		if text, ok := src.Flags[s.Key]; ok {
			set(text, "flag")
		}
		c.values[s.Key] = value
	}
	errs = append(errs, unknown(v, lines, known)...)
	c.Warnings = misspelt(src.Environ)
	c.Engines, err = engines(file)
	return c, errors.Join(append(errs, err)...)
}

// unknown reports keys of the file that are no settings.
func unknown(v *viper.Viper, lines keyLines, known map[string]Setting) []error {
	keys := v.AllKeys()
	sort.Strings(keys)
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	slices.Sort(names)
	var errs []error
	for _, k := range keys {
		if _, ok := known[k]; ok || ofEngines(k) {
			continue
		}
		want := "one of " + strings.Join(names, ", ")
		if near, ok := param.Nearest(k, names); ok {
			want = near + "?"
		}
		errs = append(errs, fmt.Errorf("config: %s: unknown setting %s (expected %s)", lines.place(k), k, want))
	}
	return errs
}

// parse reads a value of the file, the environment or a flag.
func (s Setting) parse(raw any) (any, error) {
	text := fmt.Sprint(raw)
	if !scalar(raw) {
		return nil, fmt.Errorf("expected one value, got %q", text)
	}
	switch s.Kind {
	case Integer:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("expected an integer from 0, got %q", text)
		}
		if n == 0 && s.Key == "studies_at_once" {
			return nil, errors.New("expected at least 1, got 0")
		}
		return n, nil
	case Switch:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("expected true or false, got %q", text)
		}
		return b, nil
	}
	switch s.Key {
	case "database":
		if text == "" {
			return nil, errors.New("expected a path, got nothing")
		}
		if text == ":memory:" || strings.HasPrefix(text, "file:") {
			return nil, fmt.Errorf("expected the path of a file, got %q: a database in memory or by address would be gone or elsewhere after the command", text)
		}
	case "listen", "pprof_listen", "workers_listen":
		if text == "" && s.Key != "listen" {
			break
		}
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = net.LookupPort("tcp", port)
		}
		if err != nil {
			return nil, fmt.Errorf("expected host:port, such as 127.0.0.1:7171, got %q", text)
		}
	case "log.level":
		if !slices.Contains([]string{"debug", "info", "warn", "error"}, text) {
			return nil, fmt.Errorf("expected debug, info, warn or error, got %q", text)
		}
	case "log.format":
		if text != "text" && text != "json" {
			return nil, fmt.Errorf("expected text or json, got %q", text)
		}
	}
	return text, nil
}

// scalar tells whether a value of the file is neither a list nor a mapping.
func scalar(raw any) bool {
	switch raw.(type) {
	case []any, map[string]any, map[any]any:
		return false
	}
	return true
}

// Text is a text setting.
func (c *Config) Text(key string) string { return c.values[key].Value.(string) }

// Integer is an integer setting.
func (c *Config) Integer(key string) int { return c.values[key].Value.(int) }

// Switch is a switch.
func (c *Config) Switch(key string) bool { return c.values[key].Value.(bool) }

// All is every effective value in the order of Settings.
func (c *Config) All() []Value {
	var out []Value
	for _, s := range Settings() {
		out = append(out, c.values[s.Key])
	}
	return out
}
